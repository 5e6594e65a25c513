// SPDX-License-Identifier: MIT
#pragma once

#include <glm/ext/vector_double3.hpp>
#include <glm/geometric.hpp>
#include <random>

#include "math/bounds.h"
#include "math/ray.h"
#include "scene/host_scene.h"

namespace winnow {

inline HostScene triangle_scene(std::vector<glm::vec3> positions,
                                std::vector<glm::uvec3> triangles) {
  HostScene scene;
  scene.materials.resize(1);
  scene.positions = std::move(positions);
  scene.triangles = std::move(triangles);
  scene.normals.resize(scene.positions.size(), glm::vec3(0.0f));
  scene.triangle_materials.resize(scene.triangles.size(), 0);
  return scene;
}

/// Triangles that share no vertices: each has three consecutive positions.
inline HostScene triangle_scene(std::vector<glm::vec3> positions) {
  std::vector<glm::uvec3> triangles;
  for (uint32_t first = 0; first < positions.size(); first += 3)
    triangles.push_back({first, first + 1, first + 2});
  return triangle_scene(std::move(positions), std::move(triangles));
}

/// Scales the geometry outside of instances, then shifts it.
inline void move_scene(HostScene& scene, float scale, glm::vec3 shift) {
  for (glm::vec3& p : scene.positions) p = scale * p + shift;
  for (Sphere& s : scene.spheres) s.center = scale * s.center + shift, s.radius *= scale;
}

/// Random triangles and spheres in the cube [-1, 1]^3, and rays through it, for tests.
class RandomScene {
 public:
  explicit RandomScene(uint64_t seed) : random_(seed) {}

  HostScene scene(uint32_t triangles, uint32_t spheres) {
    std::vector<glm::vec3> positions;
    for (uint32_t i = 0; i < triangles; ++i) {
      glm::vec3 center = point(1.0f);
      for (int corner = 0; corner < 3; ++corner) positions.push_back(center + point(0.2f));
    }
    HostScene scene = triangle_scene(std::move(positions));
    for (uint32_t i = 0; i < spheres; ++i)
      scene.spheres.push_back({.center = point(1.0f), .radius = uniform(0.01f, 0.2f)});
    return scene;
  }

  Ray ray() { return {.origin = point(1.5f), .direction = direction()}; }

  glm::vec3 direction() {
    glm::vec3 d;
    do d = point(1.0f);
    while (glm::dot(d, d) > 1.0f || glm::dot(d, d) < 1e-4f);
    return glm::normalize(d);
  }

  /// In the cube [-extent, extent]^3.
  glm::vec3 point(float extent) {
    float x = uniform(-extent, extent), y = uniform(-extent, extent);
    return {x, y, uniform(-extent, extent)};
  }

  /// Between two points that are at most `size` along each axis from one in the cube.
  Bounds box(float extent, float size) {
    Bounds box;
    const glm::vec3 center = point(extent);
    for (int i = 0; i < 2; ++i) box.extend(center + point(size));
    return box;
  }

  /// On a triangle, with double precision; often on an edge.
  glm::dvec3 point_on(glm::dvec3 a, glm::dvec3 b, glm::dvec3 c) {
    double u = uniform(0, 1), v = uniform(0, 1);
    if (u + v > 1) u = 1 - u, v = 1 - v;
    if (uniform(0, 1) < 0.25f) u = 0;
    return (1 - u - v) * a + u * b + v * c;
  }
  glm::dvec3 point_on(const HostScene& scene, uint32_t triangle) {
    const glm::uvec3 t = scene.triangles[triangle];
    return point_on(scene.positions[t.x], scene.positions[t.y], scene.positions[t.z]);
  }

  float uniform(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random_);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace winnow
