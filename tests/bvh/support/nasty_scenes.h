// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tests/bvh/support/random_scene.h"

namespace winnow {

struct NastyScene {
  std::string name;
  HostScene scene;
};

/// A closed surface of many triangles around the origin: a bumpy sphere of radius about 0.8, whose
/// triangles share their vertices.
inline HostScene bumpy_sphere(int rings, int sectors) {
  constexpr float kPi = 3.14159265f;
  std::vector<glm::vec3> positions;
  std::vector<glm::uvec3> triangles;
  for (int ring = 0; ring <= rings; ++ring)
    for (int sector = 0; sector < sectors; ++sector) {
      const bool pole = ring == 0 || ring == rings;
      const float theta = kPi * float(ring) / float(rings);
      const float phi = pole ? 0.0f : 2.0f * kPi * float(sector) / float(sectors);
      const float radius = 0.8f + (pole ? 0.0f : 0.05f * std::sin(9.0f * theta + 7.0f * phi));
      const float across = pole ? 0.0f : std::sin(theta);
      positions.push_back(radius * glm::vec3(across * std::cos(phi), across * std::sin(phi),
                                             ring == rings ? -1.0f : std::cos(theta)));
    }
  for (int ring = 0; ring < rings; ++ring)
    for (int sector = 0; sector < sectors; ++sector) {
      const uint32_t a = uint32_t(ring * sectors + sector);
      const uint32_t b = uint32_t(ring * sectors + (sector + 1) % sectors);
      const uint32_t below = uint32_t(sectors);
      if (ring > 0) triangles.push_back({a, b, b + below});
      if (ring < rings - 1) triangles.push_back({a, b + below, a + below});
    }
  return triangle_scene(std::move(positions), std::move(triangles));
}

/// A grid of right triangles in the plane z = 0, from -1 to 1.
inline HostScene flat_grid(uint32_t cells) {
  std::vector<glm::vec3> positions;
  std::vector<glm::uvec3> triangles;
  for (uint32_t y = 0; y <= cells; ++y)
    for (uint32_t x = 0; x <= cells; ++x)
      positions.push_back(
          {2.0f * float(x) / float(cells) - 1.0f, 2.0f * float(y) / float(cells) - 1.0f, 0.0f});
  for (uint32_t y = 0; y < cells; ++y)
    for (uint32_t x = 0; x < cells; ++x) {
      const uint32_t a = y * (cells + 1) + x, c = a + cells + 1;
      triangles.push_back({a, a + 1, c + 1});
      triangles.push_back({a, c + 1, c});
    }
  return triangle_scene(std::move(positions), std::move(triangles));
}

/// Thin triangles: long ones across the whole cube, which cause spatial splits, and many short
/// ones.
inline HostScene slivers(RandomScene& random, uint32_t count) {
  std::vector<glm::vec3> positions;
  for (uint32_t i = 0; i < count; ++i) {
    const glm::vec3 from = random.point(1.0f);
    const glm::vec3 to = i % 8 == 0 ? random.point(1.0f) : from + random.point(0.05f);
    positions.insert(positions.end(), {from, to, from + random.point(i % 16 ? 1e-3f : 1e-4f)});
  }
  return triangle_scene(std::move(positions));
}

/// Triangles, each twice as large and as far away as the previous one.
inline HostScene exponential_chain() {
  std::vector<glm::vec3> positions;
  for (int i = -36; i <= 36; ++i) {
    const float size = std::ldexp(1.0f, i);
    positions.insert(positions.end(), {{size, 0, 0}, {size, size, 0}, {size, 0, size}});
  }
  return triangle_scene(std::move(positions));
}

/// Scenes in or near the cube [-1, 1]^3.
inline std::vector<NastyScene> nasty_scenes() {
  RandomScene random(21);
  std::vector<NastyScene> scenes;
  scenes.push_back({"soup", random.scene(3000, 0)});
  scenes.push_back({"soup and spheres", random.scene(500, 300)});
  scenes.push_back({"spheres", random.scene(0, 500)});
  scenes.push_back({"one triangle", random.scene(1, 0)});
  scenes.push_back({"one sphere", random.scene(0, 1)});
  scenes.push_back({"shared edges and vertices", bumpy_sphere(60, 80)});
  scenes.push_back({"flat grid", flat_grid(32)});
  scenes.push_back({"slivers", slivers(random, 3000)});
  scenes.push_back({"exponential chain", exponential_chain()});

  HostScene coplanar = flat_grid(8);
  coplanar.triangles.insert(coplanar.triangles.end(), coplanar.triangles.begin(),
                            coplanar.triangles.end());
  coplanar.triangle_materials.resize(coplanar.triangles.size(), 0);
  scenes.push_back({"coplanar, twice", coplanar});

  HostScene degenerate = random.scene(300, 0);
  for (uint32_t i = 0; i < 300; i += 3) {
    glm::uvec3& t = degenerate.triangles[i];
    t.z = t.y;                   // a line
    if (i % 2) t.y = t.z = t.x;  // a point
  }
  scenes.push_back({"lines and points", degenerate});
  return scenes;
}

}  // namespace winnow
