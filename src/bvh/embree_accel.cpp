// SPDX-License-Identifier: MIT
#include "bvh/embree_accel.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

#include "base/instruction_set.h"
#include "bvh/bvh_geometry.h"
#include "bvh/embree.h"
#include "bvh/instances.h"
#include "bvh/shapes.h"

namespace winnow {
namespace {

// Geometries of the Embree scene.
constexpr unsigned kTriangles = 0, kSpheres = 1, kInstances = 2;

// Embree includes hits at tnear; a hit at 0 does not count.
constexpr float kNear = std::numeric_limits<float>::min();

/// Number of triangles up to which packets of shadow rays pay.
constexpr size_t kMaxPacketTriangles = 300'000;

/// Writes a ray 16 bytes at a time, as Embree reads it. Smaller stores cannot be forwarded to these
/// loads and must reach the cache first: on a Xeon that takes a fifth of the time of a ray through
/// a few hundred triangles.
void to_embree(const Ray& ray, RTCRay& r) {
  using Vector __attribute__((vector_size(16))) = float;
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

/// Writes a packet of rays; `valid` is -1 for the lanes that hold one, 0 for others. Other lanes
/// are zero: Embree reads them where it splits packets.
void to_embree(const RayPacket& rays, RTCRay16& packet, int* valid) {
  const uint32_t count = rays.count;
  // A loop for each column, which the compiler vectorizes.
  const auto set = [count](auto* lanes, const auto& value_of) {
    WINNOW_LANES
    for (uint32_t i = 0; i < RayPacket::kSize; ++i) {
      const std::remove_pointer_t<decltype(lanes)> value = value_of(i);
      lanes[i] = i < count ? value : 0;
    }
  };
  const auto column = [](const float* values) {
    return [values](uint32_t i) { return values[i]; };
  };
  const auto all = [](auto value) { return [value](uint32_t) { return value; }; };
  set(valid, all(-1));
  set(packet.org_x, column(rays.origin[0]));
  set(packet.org_y, column(rays.origin[1]));
  set(packet.org_z, column(rays.origin[2]));
  set(packet.tnear, all(kNear));
  set(packet.dir_x, column(rays.direction[0]));
  set(packet.dir_y, column(rays.direction[1]));
  set(packet.dir_z, column(rays.direction[2]));
  set(packet.time, all(0.0f));
  set(packet.tfar, column(rays.t_max));
  set(packet.mask, all(~0u));
  set(packet.id, all(0u));
  set(packet.flags, all(0u));
}

Ray from_embree(const RTCRay& r) {
  return {{r.org_x, r.org_y, r.org_z}, {r.dir_x, r.dir_y, r.dir_z}, r.tfar};
}

// Callbacks of user geometries, whose items are spheres or instances. They receive packets of one
// ray, whose layout is that of RTCRay and RTCRayHit.

template <class Item, class Arguments>
const Item& item_of(const Arguments* args) {
  return static_cast<const Item*>(args->geometryUserPtr)[args->primID];
}

Bounds box_of(const Sphere& sphere) {
  return sphere_bounds(sphere);
}

Bounds box_of(const EmbreeInstance& instance) {
  return instance.box;
}

template <class Item>
void write_box(const RTCBoundsFunctionArguments* args) {
  const Bounds box = box_of(item_of<Item>(args));
  *args->bounds_o = {box.min.x, box.min.y, box.min.z, 0.0f, box.max.x, box.max.y, box.max.z, 0.0f};
}

void sphere_intersect(const RTCIntersectFunctionNArguments* args) {
  if (!args->valid[0]) return;
  auto& ray_hit = *reinterpret_cast<RTCRayHit*>(args->rayhit);
  const Sphere& sphere = item_of<Sphere>(args);
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
  const Sphere& sphere = item_of<Sphere>(args);
  if (intersect_sphere(from_embree(ray), sphere.center, sphere.radius) > 0.0f)
    ray.tfar = -INFINITY;  // occluded
}

void instance_intersect(const RTCIntersectFunctionNArguments* args) {
  if (!args->valid[0]) return;
  auto& ray_hit = *reinterpret_cast<RTCRayHit*>(args->rayhit);
  const EmbreeInstance& instance = item_of<EmbreeInstance>(args);
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
  const EmbreeInstance& instance = item_of<EmbreeInstance>(args);
  RTCRay in_mesh;
  to_embree(instance.to_object.ray(from_embree(ray)), in_mesh);
  embree_occluded(instance.mesh, in_mesh);
  ray.tfar = in_mesh.tfar;
}

void attach(RTCScene embree, RTCGeometry geometry, unsigned id) {
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(embree, geometry, id);
  rtcReleaseGeometry(geometry);
}

template <class Item>
void attach_items(RTCDevice device, RTCScene embree, unsigned id, const std::vector<Item>& items,
                  RTCIntersectFunctionN intersect, RTCOccludedFunctionN occluded) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, unsigned(items.size()));
  rtcSetGeometryUserData(geometry, const_cast<Item*>(items.data()));
  rtcSetGeometryBoundsFunction(geometry, write_box<Item>, nullptr);
  rtcSetGeometryIntersectFunction(geometry, intersect);
  rtcSetGeometryOccludedFunction(geometry, occluded);
  attach(embree, geometry, id);
}

using BufferPointer = std::unique_ptr<RTCBufferTy, void (*)(RTCBuffer)>;

/// Copies the vertices. Embree loads 16 bytes at each 12-byte vertex, beyond the end of our array:
/// the copy has room for one more.
BufferPointer copy_vertices(RTCDevice device, const std::vector<glm::vec3>& positions) {
  BufferPointer copy(rtcNewBuffer(device, (positions.size() + 1) * sizeof(glm::vec3)),
                     rtcReleaseBuffer);
  check_embree(device, "copying vertices");
  std::ranges::copy(positions, static_cast<glm::vec3*>(rtcGetBufferData(copy.get())));
  return copy;
}

/// Attaches `count` triangles of a mesh, from the first on.
///
/// @param vertices  vertices of the whole mesh; the geometry keeps a reference
void attach_triangles(RTCDevice device, RTCScene embree, RTCBuffer vertices, const Mesh& mesh,
                      size_t first, size_t count) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  rtcSetGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, vertices, 0,
                       sizeof(glm::vec3), mesh.positions.size());
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                             mesh.triangles.data(), first * sizeof(glm::uvec3), sizeof(glm::uvec3),
                             count);
  attach(embree, geometry, kTriangles);
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

void EmbreeAccel::intersect(const RayPacket& rays, simt::Span<Hit> hits) const {
  alignas(64) RTCRayHit16 packet;
  alignas(64) int valid[RayPacket::kSize];
  to_embree(rays, packet.ray, valid);
  std::ranges::fill(packet.hit.geomID, RTC_INVALID_GEOMETRY_ID);
  EmbreeTies ties;
  embree_intersect(valid, scene, packet, true, &ties);
  for (uint32_t i = 0; i < rays.count; ++i) {
    const bool is_hit = packet.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID;
    hits[rays.id[i]] = is_hit ? Hit{.t = packet.ray.tfar[i],
                                    .u = packet.hit.u[i],
                                    .v = packet.hit.v[i],
                                    .primitive = packet.hit.primID[i]}
                              : Hit{};
  }
  for (uint32_t i = 0; i < rays.count; ++i)
    if (ties.tied[i] != 0) hits[rays.id[i]] = intersect(rays[i]);
}

uint32_t EmbreeAccel::occluded(const RayPacket& rays) const {
  alignas(64) RTCRay16 packet;
  alignas(64) int valid[RayPacket::kSize];
  to_embree(rays, packet, valid);
  embree_occluded(valid, scene, packet);
  uint32_t occluded = 0;
  for (uint32_t i = 0; i < rays.count; ++i) occluded |= uint32_t(packet.tfar[i] < 0.0f) << i;
  return occluded;
}

EmbreeScene::EmbreeScene(const HostScene& scene, EmbreeTests tests, EmbreeBuild build)
    : build_(build),
      device_(new_embree_device(), rtcReleaseDevice),
      scene_(nullptr, rtcReleaseScene),
      triangle_count_(uint32_t(scene.triangles.size())),
      has_packets_(scene.spheres.empty() && scene.instances.empty() &&
                   scene.triangles.size() <= kMaxPacketTriangles),
      has_closest_packets_(
          scene.spheres.empty() && scene.instances.empty() &&
          rtcGetDeviceProperty(device_.get(), RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED) != 0) {
  scene_ = new_scene(tests);
  RTCDevice device = device_.get();
  if (!scene.triangles.empty())
    attach_triangles(device, scene_.get(), copy_vertices(device, scene.positions).get(), scene, 0,
                     scene.triangles.size());
  if (!scene.spheres.empty())
    attach_items(device, scene_.get(), kSpheres, scene.spheres, sphere_intersect, sphere_occluded);
  if (!scene.instances.empty()) {
    build_instances(scene, tests);
    attach_items(device, scene_.get(), kInstances, instances_, instance_intersect,
                 instance_occluded);
  }
  commit(scene_.get());
}

EmbreeScene::ScenePointer EmbreeScene::new_scene(EmbreeTests tests) const {
  ScenePointer scene(rtcNewScene(device_.get()), rtcReleaseScene);
  unsigned flags = RTC_SCENE_FLAG_NONE;
  if (tests == EmbreeTests::kWatertight) flags |= RTC_SCENE_FLAG_ROBUST;
  if (has_closest_packets_) flags |= EmbreeTies::kSceneFlag;
  rtcSetSceneFlags(scene.get(), RTCSceneFlags(flags));
  rtcSetSceneBuildQuality(scene.get(), build_ == EmbreeBuild::kHigh ? RTC_BUILD_QUALITY_HIGH
                                                                    : RTC_BUILD_QUALITY_MEDIUM);
  return scene;
}

void EmbreeScene::commit(RTCScene scene) const {
  rtcCommitScene(scene);
  check_embree(device_.get(), "building Embree's acceleration structure");
}

void EmbreeScene::build_instances(const HostScene& scene, EmbreeTests tests) {
  const BufferPointer vertices = copy_vertices(device_.get(), scene.shared.positions);
  for (const SharedMesh& mesh : scene.meshes) {
    meshes_.push_back(new_scene(tests));
    attach_triangles(device_.get(), meshes_.back().get(), vertices.get(), scene.shared,
                     mesh.first_triangle, mesh.triangle_count);
    commit(meshes_.back().get());
  }
  const InstanceTable table = build_instance_table(scene);
  const std::vector<Bounds> boxes = instance_bounds(scene, table);
  for (size_t i = 0; i < boxes.size(); ++i)
    instances_.push_back({.to_object = table.instances[i].to_object,
                          .box = boxes[i],
                          .mesh = meshes_[scene.instances[i].mesh].get(),
                          .first_primitive = table.first_primitives[i]});
}

std::string EmbreeScene::version() const {
  auto property = [&](RTCDeviceProperty name) { return rtcGetDeviceProperty(device_.get(), name); };
  const char* instructions = "SSE";
  if (property(RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED))
    instructions = best_instruction_set() == InstructionSet::kBase ? "AVX" : "AVX2";
  if (property(RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED)) instructions = "AVX-512";
  return fmt::format("Embree {}.{}.{} with {}", property(RTC_DEVICE_PROPERTY_VERSION_MAJOR),
                     property(RTC_DEVICE_PROPERTY_VERSION_MINOR),
                     property(RTC_DEVICE_PROPERTY_VERSION_PATCH), instructions);
}

std::string embree_rounding() {
  constexpr uint32_t kTriangles = 64, kRays = 256;
  std::minstd_rand generator;  // gives the same numbers with every standard library
  auto number = [&] { return float(generator() % 4096) / 4096.0f; };
  auto point = [&] {
    const float x = number(), y = number();
    return glm::vec3(x, y, number());
  };
  HostScene scene;
  for (uint32_t corner = 0; corner < 3 * kTriangles; ++corner) scene.positions.push_back(point());
  for (uint32_t i = 0; i < kTriangles; ++i)
    scene.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
  const EmbreeScene embree(scene);
  std::vector<float> hits;
  for (uint32_t i = 0; i < kRays; ++i) {
    const glm::vec3 origin = point(), target = point();
    const Hit hit = embree.accel().intersect({origin, glm::normalize(target - origin)});
    hits.insert(hits.end(), {hit.t, hit.u, hit.v});
  }
  const auto hash = uint32_t(XXH3_64bits(hits.data(), hits.size() * sizeof hits[0]));
  return fmt::format("{}, {:08x}", embree.version(), hash);
}

}  // namespace winnow
