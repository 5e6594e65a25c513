// SPDX-License-Identifier: MIT
#include "bvh/embree_accel.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>

#include "bvh/embree.h"
#include "bvh/instance_table.h"
#include "bvh/sphere.h"

namespace winnow {
namespace {

// Geometries of the Embree scene.
constexpr unsigned kTriangles = 0, kSpheres = 1, kInstances = 2;

/// Writes a ray 16 bytes at a time, as Embree reads it. Smaller stores cannot be forwarded to these
/// loads and must reach the cache first: on a Xeon that takes a fifth of the time of a ray through
/// a few hundred triangles.
void to_embree(const Ray& ray, RTCRay& r) {
  using Vector __attribute__((vector_size(16))) = float;
  // Embree includes hits at tnear; a hit at 0 is none.
  constexpr float kNear = std::numeric_limits<float>::min();
  const float all_bits = std::bit_cast<float>(~0u);
  const Vector vectors[] = {
      {ray.origin.x, ray.origin.y, ray.origin.z, kNear},
      {ray.direction.x, ray.direction.y, ray.direction.z, 0.0f},  // time
      {ray.t_max, all_bits, 0.0f, 0.0f},                          // mask, id, flags
  };
  static_assert(sizeof vectors == sizeof r && offsetof(RTCRay, dir_x) == sizeof(Vector) &&
                offsetof(RTCRay, tfar) == 2 * sizeof(Vector));
  std::memcpy(&r, vectors, sizeof r);
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

// Callbacks receive packets of one ray, whose layout is that of RTCRay and RTCRayHit.

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
    ray.tfar = -INFINITY;  // occluded
}

const EmbreeInstance& instance_of(void* instances, unsigned index) {
  return static_cast<const EmbreeInstance*>(instances)[index];
}

void instance_bounds(const RTCBoundsFunctionArguments* args) {
  const Bounds& box = instance_of(args->geometryUserPtr, args->primID).box;
  *args->bounds_o = {box.min.x, box.min.y, box.min.z, 0.0f, box.max.x, box.max.y, box.max.z, 0.0f};
}

void instance_intersect(const RTCIntersectFunctionNArguments* args) {
  if (!args->valid[0]) return;
  auto& ray_hit = *reinterpret_cast<RTCRayHit*>(args->rayhit);
  const EmbreeInstance& instance = instance_of(args->geometryUserPtr, args->primID);
  RTCRayHit in_mesh;
  to_embree(instance.to_object.ray(from_embree(ray_hit.ray)), in_mesh.ray);
  in_mesh.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  embree_intersect(instance.mesh, in_mesh);
  if (in_mesh.hit.geomID == RTC_INVALID_GEOMETRY_ID) return;
  ray_hit.ray.tfar = in_mesh.ray.tfar;
  ray_hit.hit.u = in_mesh.hit.u;
  ray_hit.hit.v = in_mesh.hit.v;
  ray_hit.hit.primID = in_mesh.hit.primID;
  ray_hit.hit.geomID = kInstances;
  ray_hit.hit.instID[0] = args->primID;
}

void instance_occluded(const RTCOccludedFunctionNArguments* args) {
  if (!args->valid[0]) return;
  auto& ray = *reinterpret_cast<RTCRay*>(args->ray);
  const EmbreeInstance& instance = instance_of(args->geometryUserPtr, args->primID);
  RTCRay in_mesh;
  to_embree(instance.to_object.ray(from_embree(ray)), in_mesh);
  embree_occluded(instance.mesh, in_mesh);
  ray.tfar = in_mesh.tfar;
}

void attach_triangles(RTCDevice device, RTCScene embree, const HostScene& scene) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  // Embree loads 16 bytes at each 12-byte vertex, beyond the end of our array: it needs a copy.
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

void attach_instances(RTCDevice device, RTCScene embree,
                      const std::vector<EmbreeInstance>& instances) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, unsigned(instances.size()));
  rtcSetGeometryUserData(geometry, const_cast<EmbreeInstance*>(instances.data()));
  rtcSetGeometryBoundsFunction(geometry, instance_bounds, nullptr);
  rtcSetGeometryIntersectFunction(geometry, instance_intersect);
  rtcSetGeometryOccludedFunction(geometry, instance_occluded);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(embree, geometry, kInstances);
  rtcReleaseGeometry(geometry);
}

/// Attaches the triangles of one mesh. The meshes share one vertex buffer.
void attach_mesh(RTCDevice device, RTCScene embree, RTCBuffer positions, const HostScene& scene,
                 const SharedMesh& mesh) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  rtcSetGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, positions, 0,
                       sizeof(glm::vec3), scene.shared.positions.size());
  rtcSetSharedGeometryBuffer(
      geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, scene.shared.triangles.data(),
      mesh.first_triangle * sizeof(glm::uvec3), sizeof(glm::uvec3), mesh.triangle_count);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(embree, geometry, kTriangles);
  rtcReleaseGeometry(geometry);
}

}  // namespace

Hit EmbreeAccel::intersect(const Ray& ray) const {
  RTCRayHit ray_hit;
  to_embree(ray, ray_hit.ray);
  ray_hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  embree_intersect(scene, ray_hit);
  const RTCHit& hit = ray_hit.hit;
  if (hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
  uint32_t primitive = hit.primID;
  if (hit.geomID == kSpheres) primitive += triangle_count;
  if (hit.geomID == kInstances) primitive += instances[hit.instID[0]].first_primitive;
  return {.t = ray_hit.ray.tfar, .u = hit.u, .v = hit.v, .primitive = primitive};
}

bool EmbreeAccel::occluded(const Ray& ray) const {
  RTCRay r;
  to_embree(ray, r);
  embree_occluded(scene, r);
  return r.tfar < 0.0f;
}

EmbreeScene::EmbreeScene(const HostScene& scene, EmbreeTests tests, EmbreeBuild build)
    : build_(build),
      device_(rtcNewDevice(nullptr), rtcReleaseDevice),
      scene_(nullptr, rtcReleaseScene),
      triangle_count_(uint32_t(scene.triangles.size())) {
  if (!device_) throw Error("Embree cannot be initialized on this machine");
  scene_ = new_scene(tests);
  if (!scene.triangles.empty()) attach_triangles(device_.get(), scene_.get(), scene);
  if (!scene.spheres.empty()) attach_spheres(device_.get(), scene_.get(), scene);
  if (!scene.instances.empty()) {
    build_instances(scene, tests);
    attach_instances(device_.get(), scene_.get(), instances_);
  }
  commit(scene_.get());
}

EmbreeScene::ScenePointer EmbreeScene::new_scene(EmbreeTests tests) const {
  ScenePointer scene(rtcNewScene(device_.get()), rtcReleaseScene);
  rtcSetSceneFlags(scene.get(),
                   tests == EmbreeTests::kWatertight ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE);
  rtcSetSceneBuildQuality(scene.get(), build_ == EmbreeBuild::kHigh ? RTC_BUILD_QUALITY_HIGH
                                                                    : RTC_BUILD_QUALITY_MEDIUM);
  return scene;
}

void EmbreeScene::commit(RTCScene scene) const {
  rtcCommitScene(scene);
  check_embree(device_.get(), "building Embree's acceleration structure");
}

void EmbreeScene::build_instances(const HostScene& scene, EmbreeTests tests) {
  // One vertex more, as Embree loads 16 bytes at each 12-byte vertex.
  const std::vector<glm::vec3>& positions = scene.shared.positions;
  RTCBuffer buffer = rtcNewBuffer(device_.get(), (positions.size() + 1) * sizeof(glm::vec3));
  check_embree(device_.get(), "copying vertices");
  std::copy(positions.begin(), positions.end(), static_cast<glm::vec3*>(rtcGetBufferData(buffer)));
  for (const SharedMesh& mesh : scene.meshes) {
    meshes_.push_back(new_scene(tests));
    attach_mesh(device_.get(), meshes_.back().get(), buffer, scene, mesh);
    commit(meshes_.back().get());
  }
  rtcReleaseBuffer(buffer);  // the geometries keep references

  const InstanceTable table = build_instance_table(scene);
  const std::vector<Bounds> boxes = instance_bounds(scene, table);
  for (size_t i = 0; i < boxes.size(); ++i)
    instances_.push_back({.to_object = table.instances[i].to_object,
                          .box = boxes[i],
                          .mesh = meshes_[scene.instances[i].mesh].get(),
                          .first_primitive = table.first_primitives[i]});
}

}  // namespace winnow
