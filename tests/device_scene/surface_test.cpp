// SPDX-License-Identifier: MIT
#include "device_scene/surface.h"

#include <gtest/gtest.h>

#include <glm/common.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/vector_relational.hpp>

#include "bvh/accel.h"
#include "bvh/build/build_instanced_bvh.h"
#include "bvh/embree_accel.h"
#include "scene/scene_bounds.h"
#include "tests/bvh/support/instanced_scenes.h"

namespace winnow {
namespace {

template <Features kFeatures>
DeviceScene<kFeatures> device_scene(const HostScene& scene, const InstanceTable& table = {}) {
  return make_device_scene<kFeatures>(scene, {{}, table, {}, {}}, 1, 1);
}

TEST(Surface, InterpolatesShadingNormalsAndKeepsThemOnTheSideOfTheFace) {
  HostScene scene = triangle_scene({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  scene.materials.resize(2);
  scene.normals = {{0, 0, -1}, {0, 0, -1}, {0, -0.6f, -0.8f}};
  scene.triangle_materials = {1};
  const auto s = surface_at(device_scene<kBasic>(scene), Ray{},
                            {.t = 1, .u = 0.0f, .v = 1.0f, .primitive = 0});
  EXPECT_NEAR(glm::distance(s.p, glm::vec3(0, 1, 0)), 0.0f, 1e-4f);
  EXPECT_EQ(s.n, glm::vec3(0, 0, 1));  // counter-clockwise seen from +z
  EXPECT_NEAR(glm::distance(s.ns, glm::vec3(0, 0.6f, 0.8f)), 0.0f, 1e-6f);
  EXPECT_EQ(s.material, 1u);
}

TEST(InsideEdges, LeavesPointsAsTheyAreThatAreFarFromAllEdges) {
  RandomScene random(3);
  constexpr float kMargin = 1e-3f;
  for (int i = 0; i < 1000; ++i) {
    const float u = random.uniform(0.01f, 0.49f), v = random.uniform(0.01f, 0.49f);
    const TriangleWeights w = weights_of({.t = 1, .u = u, .v = v, .primitive = 0});
    const TriangleWeights same = inside_edges(w, {2, 0, 0}, {0, 1, 0}, kMargin);
    EXPECT_EQ(same.w0, w.w0);
    EXPECT_EQ(same.w1, u);
    EXPECT_EQ(same.w2, v);
  }
}

TEST(InsideEdges, MovesNoPointThatIsNotNearAnEdge) {
  RandomScene random(4);
  int near = 0;
  for (int i = 0; i < 10'000; ++i) {
    const float u = random.uniform(-0.01f, 1.0f), v = random.uniform(-0.01f, 1.01f - u);
    const glm::vec3 edge1{random.uniform(1.0f, 3.0f), 0.2f, 0.1f}, edge2{0.4f, 1.0f, -0.3f};
    const float margin = random.uniform(0.0f, 0.05f);  // less than a quarter of any triangle
    const TriangleWeights w = weights_of({.t = 1, .u = u, .v = v, .primitive = 0});
    const TriangleWeights moved = inside_edges(w, edge1, edge2, margin);
    const bool stays = moved.w0 == w.w0 && moved.w1 == w.w1 && moved.w2 == w.w2;
    EXPECT_EQ(is_near_edge(w, edge1, edge2, margin), !stays) << u << ", " << v << ", " << margin;
    near += !stays;
  }
  EXPECT_GT(near, 1000);
  EXPECT_LT(near, 9000);
}

/// The triangle may be hardly larger than the margin.
TEST(InsideEdges, MovesPointsOnOrBeyondAnEdgeInwards) {
  constexpr float kBeyond = -1e-6f;
  for (float margin : {1e-6f, 1e-3f, 0.05f, 1.0f, 1e9f})
    for (auto [u, v] : {std::pair{0.0f, 0.0f},
                        {1.0f, 0.0f},
                        {0.0f, 1.0f},
                        {0.5f, 0.5f},
                        {kBeyond, 0.5f},
                        {0.5f, kBeyond},
                        {0.5f, 0.5f - kBeyond},
                        {1.0f - kBeyond, kBeyond},
                        {kBeyond, 1.0f - kBeyond}}) {
      SCOPED_TRACE(testing::Message() << margin << ", " << u << ", " << v);
      const glm::vec3 edge1{3, 0, 0}, edge2{1, 2, 0};
      const TriangleWeights w = inside_edges({1.0f - u - v, u, v}, edge1, edge2, margin);
      EXPECT_NEAR(w.w0 + w.w1 + w.w2, 1.0f, 1e-6f);
      const float height = 6.0f / std::sqrt(9.0f);  // the least: above the longest edge
      const float least = std::min(0.99f * margin / 3.0f, 0.24f);
      EXPECT_GT(std::min({w.w0, w.w1, w.w2}) * height, least * height);
      EXPECT_LT(std::max({w.w0, w.w1, w.w2}), 1.0f);
    }
}

/// A textured triangle with two parametrizations: along x and y, and along y and x at half the
/// size.
HostScene triangle_of_two_parametrizations() {
  HostScene scene = triangle_scene({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  scene.uvs = {{0, 0}, {1, 0}, {0, 1}};
  scene.second_uvs = {{0, 0}, {0, 2}, {2, 0}};
  scene.materials.resize(1);
  scene.materials[0].textures.normal = scene.materials[0].textures.reflectance = 0;
  return scene;
}

TEST(Surface, HasTheTangentsOfTheParametrizationOfItsNormalMap) {
  HostScene scene = triangle_of_two_parametrizations();
  const Hit hit{.t = 1, .u = 0.25f, .v = 0.5f, .primitive = 0};
  TextureFrame frame = surface_at(device_scene<kLayered>(scene), Ray{}, hit).texture;
  EXPECT_EQ(frame.uv, glm::vec2(0.25f, 0.5f));
  EXPECT_EQ(frame.dpdu, glm::vec3(1, 0, 0));

  MaterialTextures& textures = scene.materials[0].textures;
  put_on_second_uvs(textures, TextureUse::kReflectance);
  frame = surface_at(device_scene<kLayered>(scene), Ray{}, hit).texture;
  EXPECT_EQ(frame.uv, glm::vec2(0.25f, 0.5f));
  EXPECT_EQ(frame.second_uv, glm::vec2(1.0f, 0.5f));
  EXPECT_FLOAT_EQ(frame.second_uv_per_meter, 2.0f);
  EXPECT_EQ(frame.dpdu, glm::vec3(1, 0, 0)) << "those of the normal map";

  put_on_second_uvs(textures, TextureUse::kNormal);
  frame = surface_at(device_scene<kLayered>(scene), Ray{}, hit).texture;
  EXPECT_EQ(frame.dpdu, glm::vec3(0, 0.5f, 0));
  EXPECT_EQ(frame.dpdv, glm::vec3(0.5f, 0, 0));
}

TEST(Surface, InterpolatesTheColoursOfItsVertices) {
  HostScene scene = triangle_of_two_parametrizations();
  scene.colors = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 0}};
  const Hit hit{.t = 1, .u = 0.25f, .v = 0.5f, .primitive = 0};
  EXPECT_EQ(surface_at(device_scene<kLayered>(scene), Ray{}, hit).color, glm::vec4(1.0f));
  scene.materials[0].vertex_colors = true;
  EXPECT_EQ(surface_at(device_scene<kLayered>(scene), Ray{}, hit).color,
            glm::vec4(0.25f, 0.25f, 0.5f, 0.5f));
}

TEST(Surface, UsesTheFaceWhereThereAreNoNormals) {
  const HostScene scene = triangle_scene({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}});
  const auto s = surface_at(device_scene<kBasic>(scene), Ray{},
                            {.t = 1, .u = 0.2f, .v = 0.2f, .primitive = 0});
  EXPECT_EQ(s.ns, glm::vec3(0, 1, 0));
}

TEST(Instances, AreFoundByPrimitiveIndex) {
  for (uint32_t count : {1u, 2u, 3u, 5u, 64u, 1000u}) {
    std::vector<uint32_t> firsts;
    for (uint32_t i = 0; i < count; ++i) firsts.push_back(7 + 10 * i);
    std::vector<Instance> instances(count);
    DeviceInstances scene;
    scene.instances = {instances.data(), instances.size()};
    scene.first_primitives = {firsts.data(), firsts.size()};
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t k : {0u, 1u, 9u}) EXPECT_EQ(scene.instance_of(7 + 10 * i + k), i);
  }
}

TEST(Instances, LookLikeCopies) {
  RandomScene random(32);
  const HostScene scene = instanced_scene(random, 60), flat = flattened(scene);
  const InstanceTable table = build_instance_table(scene);
  const auto device = device_scene<kLayered>(scene, table);
  const auto flat_device = device_scene<kBasic>(flat);
  const EmbreeScene embree(scene), flat_embree(flat);
  int instanced = 0, other = 0;
  constexpr int kRays = 5000;
  for (int i = 0; i < kRays; ++i) {
    const Ray ray = random.ray();
    const Hit hit = embree.accel().intersect(ray), copy = flat_embree.accel().intersect(ray);
    if (hit.primitive != instanced_index(scene, flat, copy.primitive)) {
      ++other;
      continue;
    }
    if (hit.primitive == kNoPrimitive) continue;
    instanced += device.is_instanced(hit.primitive);
    const auto a = surface_at(device, ray, hit);
    const auto b = surface_at(flat_device, ray, copy);
    EXPECT_NEAR(hit.t, copy.t, 1e-4f * copy.t);
    EXPECT_LT(glm::distance(a.p, b.p), 1e-4f);
    EXPECT_LT(glm::distance(a.n, b.n), 1e-3f) << hit.primitive;
    EXPECT_LT(glm::distance(a.ns, b.ns), 1e-3f) << hit.primitive;
    EXPECT_EQ(a.material, b.material);
    EXPECT_EQ(needs_origin(device, hit.primitive), needs_origin(flat_device, copy.primitive));
  }
  EXPECT_LE(other, kRays / 1000);
  EXPECT_GT(instanced, kRays / 10);
}

/// Calls `visit` with the surface at points of every seventh triangle of each instance, with the
/// index of the instance and the exact point in its mesh.
template <class Visit>
void for_each_instanced_point(const HostScene& scene, const InstanceTable& table,
                              RandomScene& random, Visit visit) {
  const auto device = device_scene<kLayered>(scene, table);
  for (uint32_t i = 0; i < table.instances.size(); ++i)
    for (uint32_t k = 0; k < scene.meshes[scene.instances[i].mesh].triangle_count; k += 7) {
      // Not where points are moved away from an edge.
      Hit hit{.t = 1.0f, .u = random.uniform(0.26f, 0.37f), .v = random.uniform(0.26f, 0.37f)};
      hit.primitive = table.first_primitives[i] + k;
      const auto surface = surface_at(device, Ray{}, hit);
      const glm::uvec3 t =
          scene.shared.triangles[scene.meshes[scene.instances[i].mesh].first_triangle + k];
      const glm::dvec3 p0(scene.shared.positions[t.x]), p1(scene.shared.positions[t.y]),
          p2(scene.shared.positions[t.z]);
      const double u = hit.u, v = hit.v;
      visit(surface, i, (1 - u - v) * p0 + u * p1 + v * p2);
    }
}

using InstancedSurface = Surface<kLayered>;

/// Whether an error exceeds its bound along any axis.
bool is_beyond(glm::dvec3 error, glm::vec3 bound) {
  return !glm::all(glm::lessThanEqual(glm::abs(error), glm::dvec3(bound)));
}

TEST(Instances, HavePointsWithinTheErrorThatTheyState) {
  RandomScene random(33);
  HostScene scene = instanced_scene(random, 60);
  for (MeshInstance& instance : scene.instances) instance.to_world[3] *= 100.0f;
  int beyond = 0;
  for_each_instanced_point(
      scene, build_instance_table(scene), random,
      [&](const InstancedSurface& surface, uint32_t instance, glm::dvec3 local) {
        const glm::dvec3 exact =
            glm::dmat4x3(scene.instances[instance].to_world) * glm::dvec4(local, 1.0);
        beyond += is_beyond(glm::dvec3(surface.p) - exact, surface.p_error);
      });
  EXPECT_EQ(beyond, 0);
}

/// A ray that leaves an instance is tested in the space of its mesh. If the transform stretches one
/// axis and squeezes another, the rounding errors of the transform are much larger than those of
/// the point itself.
TEST(Instances, HaveErrorsThatCoverTheWayBackToTheirMesh) {
  for (float stretch : {1.0f, 10.0f, 100.0f}) {
    SCOPED_TRACE(stretch);
    RandomScene random(36);
    HostScene scene = instanced_scene(random, 30);
    const auto rotation = [&] {
      return glm::mat3(glm::rotate(glm::mat4(1.0f), random.uniform(0, 6), random.direction()));
    };
    for (MeshInstance& instance : scene.instances) {
      const glm::vec3 translation = instance.to_world[3];
      const glm::mat3 scales(glm::vec3(stretch, 0, 0), glm::vec3(0, 1, 0),
                             glm::vec3(0, 0, 1.0f / stretch));
      instance.to_world = glm::mat4x3(rotation() * scales * rotation());
      instance.to_world[3] = translation;
    }
    const InstanceTable table = build_instance_table(scene);
    int beyond = 0;
    for_each_instanced_point(
        scene, table, random,
        [&](const InstancedSurface& surface, uint32_t instance, glm::dvec3 local) {
          const ToObject& to_object = table.instances[instance].to_object;
          const glm::dvec3 seen(to_object.ray({.origin = surface.p}).origin);
          beyond += is_beyond(glm::dmat3(table.instances[instance].linear) * (seen - local),
                              surface.p_error);
        });
    EXPECT_EQ(beyond, 0);
  }
}

/// Traces rays into the scene and, from their hits, away from the surface: none may hit it again.
/// Rays leave triangles on both sides, and spheres outwards.
template <Features kFeatures, Accel A, class NextRay>
void expect_no_self_hits(const DeviceScene<kFeatures>& device, A accel, RandomScene& random,
                         NextRay next_ray) {
  int left = 0;
  for (int i = 0; i < 5000; ++i) {
    const Ray ray = next_ray(i);
    if (std::isnan(ray.direction.x))
      continue;  // its start and its target were rounded to one point
    const Hit hit = accel.intersect(ray);
    if (hit.primitive == kNoPrimitive) continue;
    const auto surface = surface_at(device, ray, hit);
    glm::vec3 leaving = random.direction();
    if (i % 2) {  // nearly along the surface
      leaving -= 0.999f * glm::dot(leaving, surface.n) * surface.n;
      leaving = glm::normalize(leaving);
    }
    const bool is_sphere =
        hit.primitive >= device.mesh.triangles.size && !device.is_instanced(hit.primitive);
    if (is_sphere && glm::dot(leaving, surface.n) < 0.0f) leaving = -leaving;
    const glm::vec3 origin = offset_origin(surface.p, surface.p_error, surface.n, leaving);
    const Hit again = accel.intersect({.origin = origin, .direction = leaving});
    left += again.primitive != hit.primitive;
    ASSERT_NE(again.primitive, hit.primitive) << "t " << again.t;
  }
  EXPECT_GT(left, 500);
}

/// Expects that no ray that leaves a surface of a scene without instances hits the same surface
/// again, in both acceleration structures.
void expect_no_self_hits(const HostScene& scene, float scale, glm::vec3 shift,
                         RandomScene& random) {
  SCOPED_TRACE(testing::Message() << "scale " << scale);
  const auto next_ray = [&](int) {
    Ray ray = random.ray();
    ray.origin = scale * ray.origin + shift;
    return ray;
  };
  const WideBvhArrays arrays = build_wide_bvh(scene);
  expect_no_self_hits(device_scene<kBasic>(scene), arrays.view(), random, next_ray);
  const EmbreeScene embree(scene);
  expect_no_self_hits(device_scene<kBasic>(scene), embree.accel(), random, next_ray);
}

TEST(OffsetOrigin, LetsNoRayMeetTheSurfaceItLeaves) {
  // Near the origin and far from it, on small and large shapes.
  RandomScene random(11);
  for (float scale : {1e-3f, 1.0f, 1e4f})
    for (float away : {0.0f, 1e3f}) {
      HostScene scene = random.scene(200, 50);
      glm::vec3 shift = away * random.direction();
      move_scene(scene, scale, shift);
      expect_no_self_hits(scene, scale, shift, random);
    }
}

TEST(OffsetOrigin, LetsNoRayMeetALargeFlatFloor) {
  // All heights are 0, so the rounding error there is none, and the rays start in the plane.
  RandomScene random(12);
  for (float size : {1.0f, 50.0f, 1e4f}) {
    const HostScene scene =
        triangle_scene({{-size, 0, size}, {size, 0, size}, {size, 0, -size}, {-size, 0, -size}},
                       {{0, 1, 2}, {0, 2, 3}});
    expect_no_self_hits(scene, 1.0f, glm::vec3(0.0f), random);
  }
}

/// Scenes of one size that are `scale` large, `away` from the origin, and made of meshes of size
/// `mesh_scale` that lie `off` sizes away from their own origin.
HostScene moved_scene(RandomScene& random, float scale, float away, float mesh_scale, float off) {
  HostScene scene = instanced_scene(random, 30);
  const glm::vec3 shift = away * random.direction(), mesh_shift = off * random.direction();
  move_scene(scene, scale, shift);
  for (glm::vec3& p : scene.shared.positions) p = mesh_scale * (p + mesh_shift);
  for (MeshInstance& instance : scene.instances) {
    const glm::mat3 linear(instance.to_world);
    const glm::vec3 translation = instance.to_world[3];
    instance.to_world = glm::mat4x3(scale / mesh_scale * linear);
    instance.to_world[3] = scale * (translation - linear * mesh_shift) + shift;
  }
  return scene;
}

TEST(Instances, LetNoRayMeetTheSurfaceItLeaves) {
  for (float mesh_scale : {1e-3f, 1.0f, 1e4f})
    for (float scale : {1e-3f, 1.0f, 100.0f})
      for (float away : {0.0f, 1e3f})
        for (float off : {0.0f, 1e3f}) {
          SCOPED_TRACE(testing::Message()
                       << "a mesh of size " << mesh_scale << ", " << off << " sizes off, scaled to "
                       << scale << ", " << away << " m away");
          RandomScene random(34);
          const HostScene scene = moved_scene(random, scale, away, mesh_scale, off);
          const InstanceTable table = build_instance_table(scene);
          const auto device = device_scene<kLayered>(scene, table);
          const std::vector<Bounds> boxes = shared_mesh_bounds(scene);
          const auto next_ray = [&](int i) {
            const MeshInstance& aim = scene.instances[size_t(i) % scene.instances.size()];
            const Bounds& box = boxes[aim.mesh];
            auto point = [&](float extent) {
              return glm::vec3(aim.to_world *
                               glm::vec4(box.center() + random.point(extent) * box.size(), 1.0f));
            };
            const glm::vec3 origin = point(2.0f);
            return Ray{.origin = origin, .direction = glm::normalize(point(0.5f) - origin)};
          };
          const EmbreeScene embree(scene);
          expect_no_self_hits(device, embree.accel(), random, next_ray);
          const InstancedBvhArrays bvh = build_instanced_bvh(scene, table);
          expect_no_self_hits(device, bvh.view(), random, next_ray);
        }
}

}  // namespace
}  // namespace winnow
