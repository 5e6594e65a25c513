// SPDX-License-Identifier: MIT
#pragma once

#include <glm/geometric.hpp>
#include <random>

#include "math/ray.h"
#include "scene/host_scene.h"

namespace winnow {

/// Random triangles and spheres in the cube [-1, 1]^3, and rays through it, for tests.
class RandomScene {
 public:
  explicit RandomScene(uint64_t seed) : random_(seed) {}

  HostScene scene(uint32_t triangles, uint32_t spheres) {
    HostScene scene;
    scene.materials.resize(1);
    for (uint32_t i = 0; i < triangles; ++i) {
      glm::vec3 center = point(1.0f);
      for (int corner = 0; corner < 3; ++corner) scene.positions.push_back(center + point(0.2f));
      scene.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
      scene.triangle_materials.push_back(0);
    }
    scene.normals.resize(scene.positions.size(), glm::vec3(0.0f));
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

  float uniform(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random_);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace winnow
