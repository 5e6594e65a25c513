// SPDX-License-Identifier: MIT
#pragma once

#include "tests/bvh/support/instanced_scenes.h"

namespace winnow {

// Scenes whose image is known in closed form, and a scene with every kind of material and light.

inline uint32_t add_material(HostScene& scene, const Material& material) {
  scene.materials.push_back(material);
  scene.material_names.push_back("material " + std::to_string(scene.materials.size()));
  return uint32_t(scene.materials.size() - 1);
}

/// A rectangle with corners p, p + u, p + u + v, p + v; its outside is where u x v points.
inline void add_rectangle(HostScene& scene, glm::vec3 p, glm::vec3 u, glm::vec3 v,
                          uint32_t material) {
  auto first = uint32_t(scene.positions.size());
  for (glm::vec3 corner : {p, p + u, p + u + v, p + v}) {
    scene.positions.push_back(corner);
    scene.normals.push_back(glm::vec3(0.0f));
  }
  scene.triangles.push_back({first, first + 1, first + 2});
  scene.triangles.push_back({first, first + 2, first + 3});
  scene.triangle_materials.insert(scene.triangle_materials.end(), 2, material);
}

/// The inside of a sphere that reflects `albedo` and emits `emission` everywhere: every ray sees
/// emission / (1 - albedo).
inline HostScene furnace_scene(float albedo, float emission) {
  HostScene scene;
  uint32_t wall =
      add_material(scene, {.reflectance = glm::vec3(albedo), .emission = glm::vec3(emission)});
  scene.spheres.push_back({.center = {0, 0, 0}, .radius = 2.0f, .material = wall});
  scene.camera = {.position = {0.3f, 0.2f, 0.5f}, .look_at = {0, 0, -1}, .vertical_fov = 60.0f};
  return scene;
}

/// A grey floor at y = 0 under a sphere light of `radius` at height `distance`; the camera sees
/// little more than the point below the light.
inline HostScene sphere_light_scene(float albedo, float radius, float distance, float radiance) {
  HostScene scene;
  uint32_t floor = add_material(scene, {.reflectance = glm::vec3(albedo)});
  uint32_t light =
      add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(radiance)});
  add_rectangle(scene, {-50, 0, 50}, {100, 0, 0}, {0, 0, -100}, floor);
  scene.spheres.push_back({.center = {0, distance, 0}, .radius = radius, .material = light});
  scene.camera = {.position = {2, 1, 0}, .look_at = {0, 0, 0}, .vertical_fov = 0.05f};
  return scene;
}

/// A closed room of 4 m x 3 m x 4 m with a window in the right wall, through which a sky of
/// radiance 1 shines. The camera is inside.
inline HostScene room_with_window(float albedo = 0.6f) {
  HostScene scene;
  const uint32_t wall = add_material(scene, {.reflectance = glm::vec3(albedo)});
  add_rectangle(scene, {-2, 0, 2}, {4, 0, 0}, {0, 0, -4}, wall);    // floor
  add_rectangle(scene, {-2, 3, -2}, {4, 0, 0}, {0, 0, 4}, wall);    // ceiling
  add_rectangle(scene, {-2, 0, -2}, {4, 0, 0}, {0, 3, 0}, wall);    // back
  add_rectangle(scene, {2, 0, 2}, {-4, 0, 0}, {0, 3, 0}, wall);     // front
  add_rectangle(scene, {-2, 0, 2}, {0, 0, -4}, {0, 3, 0}, wall);    // left
  add_rectangle(scene, {2, 0, -2}, {0, 0, 4}, {0, 1, 0}, wall);     // below the window
  add_rectangle(scene, {2, 2, -2}, {0, 0, 4}, {0, 1, 0}, wall);     // above
  add_rectangle(scene, {2, 1, -2}, {0, 0, 1.5f}, {0, 1, 0}, wall);  // beside
  add_rectangle(scene, {2, 1, 0.5f}, {0, 0, 1.5f}, {0, 1, 0}, wall);
  scene.sky = {.zenith = glm::vec3(1.0f), .horizon = glm::vec3(1.0f), .ground = glm::vec3(1.0f)};
  scene.camera = {.position = {-1.5f, 1.5f, 1.5f}, .look_at = {0, 1, 0}, .vertical_fov = 60.0f};
  return scene;
}

/// All materials and lights in a half-open box: paths end for every reason.
inline HostScene mixed_scene() {
  HostScene scene;
  uint32_t white = add_material(scene, {.reflectance = glm::vec3(0.7f)});
  uint32_t red = add_material(scene, {.reflectance = {0.6f, 0.1f, 0.1f}});
  uint32_t mirror =
      add_material(scene, {.type = MaterialType::kMirror, .reflectance = glm::vec3(0.9f)});
  uint32_t gold = add_material(
      scene,
      {.type = MaterialType::kConductor, .reflectance = {1.0f, 0.8f, 0.3f}, .roughness = 0.3f});
  uint32_t glass = add_material(
      scene, {.type = MaterialType::kDielectric, .reflectance = glm::vec3(1.0f), .ior = 1.5f});
  uint32_t lamp =
      add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(8.0f)});
  uint32_t glow =
      add_material(scene, {.reflectance = glm::vec3(0.4f), .emission = {0.1f, 0.2f, 0.4f}});

  add_rectangle(scene, {-2, 0, 2}, {4, 0, 0}, {0, 0, -4}, white);  // floor
  add_rectangle(scene, {-2, 0, -2}, {4, 0, 0}, {0, 3, 0}, red);    // back
  add_rectangle(scene, {-2, 0, 2}, {0, 0, -4}, {0, 3, 0}, glow);   // left
  add_rectangle(scene, {-0.5f, 2.9f, -0.5f}, {1, 0, 0}, {0, 0, 1}, lamp);
  scene.spheres.push_back({{-1.0f, 0.5f, 0.0f}, 0.5f, mirror});
  scene.spheres.push_back({{0.1f, 0.5f, -0.3f}, 0.5f, gold});
  scene.spheres.push_back({{1.1f, 0.5f, 0.5f}, 0.5f, glass});
  scene.spheres.push_back({{1.2f, 1.6f, -1.0f}, 0.15f, lamp});
  scene.sky = {.zenith = {0.2f, 0.4f, 0.8f}, .horizon = glm::vec3(0.6f), .ground = glm::vec3(0.1f)};
  scene.camera = {.position = {0, 1.2f, 6}, .look_at = {0, 1, 0}, .vertical_fov = 35.0f};
  return scene;
}

/// The mixed scene with instances among its spheres: glass, metal and diffuse balls, some mirrored,
/// and squares.
inline HostScene mixed_scene_with_instances() {
  HostScene scene = mixed_scene();
  HostScene ball = bumpy_sphere(12, 16);
  for (size_t i = 0; i < ball.positions.size(); ++i)
    ball.normals[i] = glm::normalize(ball.positions[i]);
  const uint32_t kWhite = 0, kRed = 1, kGold = 3, kGlass = 4;
  const uint32_t balls = add_shared_mesh(scene, ball, kRed);
  const uint32_t squares = add_shared_mesh(scene, flat_grid(2), kGold);
  RandomScene random(41);
  for (uint32_t i = 0; i < 24; ++i) {
    glm::mat4x3 place = random_placement(random, 1.0f, 0.3f);
    place[3] += glm::vec3(0.0f, 1.2f, 0.0f);
    const uint32_t materials[] = {MeshInstance::kOwnMaterials, kGlass, kWhite};
    scene.instances.push_back(
        {.mesh = i % 4 == 3 ? squares : balls, .to_world = place, .material = materials[i % 3]});
  }
  return scene;
}

}  // namespace winnow
