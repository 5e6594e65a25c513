// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>

#include "bvh/build/build_instanced_bvh.h"
#include "tests/bvh/support/nasty_scenes.h"

namespace winnow {

/// Adds a mesh to the shared ones of `scene`. Returns its index.
inline uint32_t add_shared_mesh(HostScene& scene, const Mesh& mesh, uint32_t material = 0) {
  SharedMesh shared{.first_triangle = uint32_t(scene.shared.triangles.size()),
                    .first_vertex = uint32_t(scene.shared.positions.size())};
  add_mesh(scene.shared, mesh, glm::mat4(1.0f), material);
  shared.triangle_count = uint32_t(scene.shared.triangles.size()) - shared.first_triangle;
  shared.vertex_count = uint32_t(scene.shared.positions.size()) - shared.first_vertex;
  scene.meshes.push_back(shared);
  return uint32_t(scene.meshes.size() - 1);
}

/// Returns the scene with each instance replaced by a transformed copy of its mesh.
inline HostScene flattened(const HostScene& scene) {
  HostScene flat = scene;
  for (const MeshInstance& instance : scene.instances) {
    Mesh copy = scene_of(scene.shared, scene.meshes[instance.mesh]);
    if (instance.material != MeshInstance::kOwnMaterials)
      copy.triangle_materials.assign(copy.triangles.size(), instance.material);
    add_mesh(flat, copy, glm::mat4(instance.to_world), 0);
  }
  flat.shared = {};
  flat.meshes.clear();
  flat.instances.clear();
  return flat;
}

/// Returns the index in `scene` of a primitive of flattened(scene).
inline uint32_t instanced_index(const HostScene& scene, const HostScene& flat, uint32_t primitive) {
  if (primitive == kNoPrimitive || primitive < scene.triangles.size()) return primitive;
  const auto spheres = uint32_t(scene.spheres.size());
  if (primitive < flat.triangles.size()) return primitive + spheres;
  return primitive - uint32_t(flat.triangles.size()) + uint32_t(scene.triangles.size());
}

/// A random transform: rotation, non-uniform scale, shear, and in half of the cases a reflection.
inline glm::mat4x3 random_placement(RandomScene& random, float extent, float scale) {
  glm::mat4 m = glm::translate(glm::mat4(1.0f), random.point(extent));
  m = glm::rotate(m, random.uniform(0.0f, 6.28f), random.direction());
  glm::vec3 scales(random.uniform(0.3f, 1.0f), random.uniform(0.3f, 1.0f),
                   random.uniform(0.3f, 1.0f));
  if (random.uniform(0.0f, 1.0f) < 0.5f) scales.x = -scales.x;
  m = glm::scale(m, scale * scales);
  glm::mat4 shear(1.0f);
  shear[1][0] = random.uniform(-0.5f, 0.5f);
  return glm::mat4x3(m * shear);
}

/// Some triangles and spheres of its own, and `count` instances of three meshes in and near the
/// cube [-1, 1]^3: a bumpy ball with normals, a flat square, and a soup.
inline HostScene instanced_scene(RandomScene& random, uint32_t count) {
  HostScene scene = random.scene(50, 10);
  scene.materials.resize(4);
  HostScene ball = bumpy_sphere(20, 30), soup = random.scene(100, 0);
  for (size_t i = 0; i < ball.positions.size(); ++i)
    ball.normals[i] = glm::normalize(ball.positions[i]);
  add_shared_mesh(scene, ball, 1);
  add_shared_mesh(scene, flat_grid(4), 2);
  add_shared_mesh(scene, soup, 3);
  for (uint32_t i = 0; i < count; ++i)
    scene.instances.push_back({.mesh = i % 3,
                               .to_world = random_placement(random, 1.0f, 0.3f),
                               .material = i % 5 == 0 ? 0 : MeshInstance::kOwnMaterials});
  return scene;
}

}  // namespace winnow
