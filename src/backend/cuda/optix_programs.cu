// SPDX-License-Identifier: MIT
// The programs that OptiX runs: they find the primitives that rays hit. Compiled to OptiX's
// intermediate code, which the program contains; the driver compiles it for its GPU.
#include <optix.h>

#include "backend/cuda/found_hits.h"
#include "backend/cuda/optix_stages.h"
#include "base/nanoseconds.h"

extern "C" {
__constant__ winnow::OptixArguments arguments;
}

namespace winnow {
namespace {

constexpr float kLongest = 1e30f;  // m, maximum length of a ray; infinity is not safe here

__device__ float3 vector_of(glm::vec3 v) {
  return make_float3(v.x, v.y, v.z);
}

/// Traces a ray unless it is empty. Returns the primitive that it hits, or none.
__device__ FoundHit trace(const OptixScene& scene, const Ray& ray, unsigned flags) {
  FoundHit found;
  if (!(ray.t_max > 0.0f)) return found;
  optixTrace(scene.traversable, vector_of(ray.origin - scene.center), vector_of(ray.direction),
             0.0f, ray.t_max < kLongest ? ray.t_max : kLongest, 0.0f, OptixVisibilityMask(255),
             flags | OPTIX_RAY_FLAG_DISABLE_ANYHIT, 0, 0, 0, found.instance, found.index);
  return found;
}

__device__ Hit closest_hit(const OptixScene& scene, const Ray& ray) {
  return trace(scene, ray, OPTIX_RAY_FLAG_NONE).packed();
}

__device__ FoundHit occluder(const OptixScene& scene, const Ray& ray) {
  return trace(scene, ray, OPTIX_RAY_FLAG_TERMINATE_ON_FIRST_HIT);
}

/// Calls use(item) for the active items of a launch. Its width is an estimate: each thread strides
/// over the items.
template <class Use>
__device__ void for_each_item(const Items& items, Use use) {
  for (uint32_t i = optixGetLaunchIndex().x; i < items.count; i += optixGetLaunchDimensions().x)
    if (items.is_alive(i)) use(items[i]);
}

__device__ void stamp_start(WaveState& state, Stage stage) {
  if (optixGetLaunchIndex().x == 0) state.iteration.start[uint32_t(stage)] = nanoseconds();
}

}  // namespace

extern "C" __global__ void __raygen__find_hits() {
  const auto& launch = arguments.as<FindHits>();
  stamp_start(*launch.state, Stage::kIntersect);
  for_each_item(launch.work.items(*launch.state), [&](uint32_t slot) {
    launch.rays.store(slot, closest_hit(launch.scene, launch.rays.ray(slot)));
  });
}

extern "C" __global__ void __raygen__find_occluders() {
  const auto& launch = arguments.as<FindOccluders>();
  stamp_start(*launch.state, Stage::kShadow);
  for_each_item(AllShadowRays().items(*launch.state), [&](uint32_t i) {
    launch.occluders[i] = occluder(launch.scene, launch.rays.load(i).ray);
  });
}

extern "C" __global__ void __raygen__find_hits_of_set() {
  const auto& launch = arguments.as<FindHitsOfSet>();
  for_each_item({.count = launch.count}, [&](uint32_t i) {
    launch.rays.store(i, closest_hit(launch.scene, launch.rays.ray(i)));
  });
}

extern "C" __global__ void __raygen__find_occluded_of_set() {
  const auto& launch = arguments.as<FindOccludedOfSet>();
  for_each_item({.count = launch.count}, [&](uint32_t i) {
    launch.rays.store(i, occluder(launch.scene, launch.rays.ray(i)).index != kNoPrimitive);
  });
}

extern "C" __global__ void __miss__none() {}

extern "C" __global__ void __closesthit__found() {
  optixSetPayload_0(optixGetInstanceId());
  optixSetPayload_1(optixGetPrimitiveIndex());
}

extern "C" __global__ void __intersection__sphere() {
  const OptixScene& scene = arguments.as<OptixScene>();
  const float3 o = optixGetWorldRayOrigin(), d = optixGetWorldRayDirection();
  const Ray ray{.origin = glm::vec3(o.x, o.y, o.z) + scene.center, .direction = {d.x, d.y, d.z}};
  const float t = traversal_distance(ray, scene.spheres[optixGetPrimitiveIndex()]);
  if (t > 0.0f) optixReportIntersection(t, 0);
}

}  // namespace winnow
