#include "geometry/embree_accel.h"

#include <limits>

#include "geometry/embree.h"
#include "geometry/sphere.h"

namespace winnow {
namespace {

// Geometries of the Embree scene.
constexpr unsigned kTriangles = 0, kSpheres = 1;

RTCRay to_embree(const Ray& ray) {
  RTCRay r{};
  r.org_x = ray.origin.x, r.org_y = ray.origin.y, r.org_z = ray.origin.z;
  r.dir_x = ray.direction.x, r.dir_y = ray.direction.y, r.dir_z = ray.direction.z;
  r.tnear = std::numeric_limits<float>::min();  // Embree counts a hit at tnear, and 0 is no hit
  r.tfar = ray.t_max;
  r.mask = ~0u;
  return r;
}

Ray from_embree(const RTCRay& r) {
  return {{r.org_x, r.org_y, r.org_z}, {r.dir_x, r.dir_y, r.dir_z}, r.tfar};
}

const Sphere& sphere_of(void* spheres, unsigned primitive) {
  return static_cast<const Sphere*>(spheres)[primitive];
}

void sphere_bounds(const RTCBoundsFunctionArguments* args) {
  const Sphere& sphere = sphere_of(args->geometryUserPtr, args->primID);
  glm::vec3 lower = sphere.center - sphere.radius, upper = sphere.center + sphere.radius;
  *args->bounds_o = {lower.x, lower.y, lower.z, 0.0f, upper.x, upper.y, upper.z, 0.0f};
}

// Rays come one at a time, so each packet below holds one: its layout is that of RTCRay and RTCHit.

void sphere_intersect(const RTCIntersectFunctionNArguments* args) {
  if (!args->valid[0]) return;
  auto& ray_hit = *reinterpret_cast<RTCRayHit*>(args->rayhit);
  const Sphere& sphere = sphere_of(args->geometryUserPtr, args->primID);
  float t = intersect_sphere(from_embree(ray_hit.ray), sphere.center, sphere.radius);
  if (t == 0.0f) return;
  ray_hit.ray.tfar = t;
  ray_hit.hit.u = ray_hit.hit.v = 0.0f;
  ray_hit.hit.primID = args->primID;
  ray_hit.hit.geomID = kSpheres;
}

void sphere_occluded(const RTCOccludedFunctionNArguments* args) {
  if (!args->valid[0]) return;
  auto& ray = *reinterpret_cast<RTCRay*>(args->ray);
  const Sphere& sphere = sphere_of(args->geometryUserPtr, args->primID);
  if (intersect_sphere(from_embree(ray), sphere.center, sphere.radius) > 0.0f)
    ray.tfar = -INFINITY;  // Embree's sign for "occluded"
}

void attach_triangles(RTCDevice device, RTCScene embree, const HostScene& scene) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  // Embree loads 16 bytes at each 12-byte vertex, so the last vertex must not end its memory: a
  // copy.
  auto* positions = static_cast<glm::vec3*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                              sizeof(glm::vec3), scene.positions.size()));
  if (positions) std::copy(scene.positions.begin(), scene.positions.end(), positions);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                             scene.triangles.data(), 0, sizeof(glm::uvec3), scene.triangles.size());
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(embree, geometry, kTriangles);
  rtcReleaseGeometry(geometry);
}

void attach_spheres(RTCDevice device, RTCScene embree, const HostScene& scene) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, unsigned(scene.spheres.size()));
  rtcSetGeometryUserData(geometry, const_cast<Sphere*>(scene.spheres.data()));
  rtcSetGeometryBoundsFunction(geometry, sphere_bounds, nullptr);
  rtcSetGeometryIntersectFunction(geometry, sphere_intersect);
  rtcSetGeometryOccludedFunction(geometry, sphere_occluded);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(embree, geometry, kSpheres);
  rtcReleaseGeometry(geometry);
}

}  // namespace

Hit EmbreeAccel::intersect(const Ray& ray) const {
  RTCRayHit ray_hit{};
  ray_hit.ray = to_embree(ray);
  ray_hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  embree_intersect(scene, ray_hit);
  const RTCHit& hit = ray_hit.hit;
  if (hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
  uint32_t primitive = hit.geomID == kSpheres ? triangle_count + hit.primID : hit.primID;
  return {.t = ray_hit.ray.tfar, .u = hit.u, .v = hit.v, .primitive = primitive};
}

bool EmbreeAccel::occluded(const Ray& ray) const {
  RTCRay r = to_embree(ray);
  embree_occluded(scene, r);
  return r.tfar < 0.0f;
}

EmbreeScene::EmbreeScene(const HostScene& scene)
    : device_(rtcNewDevice(nullptr), rtcReleaseDevice),
      scene_(nullptr, rtcReleaseScene),
      triangle_count_(uint32_t(scene.triangles.size())) {
  if (!device_) throw Error("Embree does not start on this machine");
  scene_.reset(rtcNewScene(device_.get()));
  rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);  // watertight, as our own tests are
  rtcSetSceneBuildQuality(scene_.get(), RTC_BUILD_QUALITY_HIGH);
  if (!scene.triangles.empty()) attach_triangles(device_.get(), scene_.get(), scene);
  if (!scene.spheres.empty()) attach_spheres(device_.get(), scene_.get(), scene);
  rtcCommitScene(scene_.get());
  check_embree(device_.get(), "building Embree's acceleration structure");
}

}  // namespace winnow
