// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include "tests/bvh/support/random_scene.h"

namespace winnow {

inline bool operator==(const Hit& a, const Hit& b) {
  return a.t == b.t && a.u == b.u && a.v == b.v && a.primitive == b.primitive;
}
inline void PrintTo(const Hit& hit, std::ostream* out) {
  *out << "primitive " << hit.primitive << " at " << hit.t << " m, " << hit.u << ", " << hit.v;
}

/// Whether two hits are of the same primitive at about the same distance.
inline bool nearly_equal(const Hit& a, const Hit& b) {
  return a.primitive == b.primitive &&
         (a.primitive == kNoPrimitive || std::abs(a.t - b.t) <= 1e-4f * b.t);
}

/// Difficult rays for a scene in [-1, 1]^3: some parallel to axes and planes, some towards vertices
/// and edges, some with a short t_max, some along the outlines of spheres or starting at them.
class HardRays {
 public:
  HardRays(const HostScene& scene, uint64_t seed) : scene_(scene), random_(seed) {}

  Ray next() {
    Ray ray = random_.ray();
    const int kind = count_++ % 6;
    if (kind == 1) ray.direction = axis();
    if (kind == 2) ray.direction = glm::normalize(glm::vec3(ray.direction.x, ray.direction.y, 0));
    if (kind == 3) aim(ray, vertex());
    if (kind == 4) aim(ray, glm::mix(vertex(), vertex(), 0.5f));
    if (kind == 5) ray.t_max = random_.uniform(0.0f, 2.0f);
    if (count_ % 5 == 0) snap(ray.origin);
    if (count_ % 7 == 0 && !scene_.spheres.empty()) meet(ray, sphere());
    return ray;
  }

 private:
  glm::vec3 axis() {
    glm::vec3 direction(0.0f);
    direction[int(random_.uniform(0.0f, 2.999f))] = random_.uniform(-1.0f, 1.0f) < 0 ? -1.0f : 1.0f;
    return direction;
  }

  /// A random vertex, mostly of one triangle, so that the midpoint of two is often on an edge.
  glm::vec3 vertex() {
    if (scene_.triangles.empty()) return scene_.spheres[0].center;
    if (count_ % 12 > 6)
      triangle_ = uint32_t(random_.uniform(0.0f, 0.999f) * float(scene_.triangles.size()));
    const glm::uvec3 t = scene_.triangles[triangle_];
    return scene_.positions[t[int(random_.uniform(0.0f, 2.999f))]];
  }

  const Sphere& sphere() {
    return scene_.spheres[size_t(random_.uniform(0.0f, 0.999f) * float(scene_.spheres.size()))];
  }

  /// Turns a ray from outside to the outline of a sphere; lets others and some start at it.
  void meet(Ray& ray, const Sphere& sphere) {
    const glm::vec3 to_center = sphere.center - ray.origin;
    const float sine = sphere.radius / glm::length(to_center);
    if (!(sine < 1.0f) || count_ % 2 == 0) {
      ray.origin = sphere.center + sphere.radius * random_.direction();
      return;
    }
    const glm::vec3 aside = glm::normalize(glm::cross(to_center, random_.direction()));
    ray.direction = std::sqrt(1.0f - sine * sine) * glm::normalize(to_center) + sine * aside;
  }

  static void aim(Ray& ray, glm::vec3 target) {
    if (glm::length(target - ray.origin) > 0.0f)
      ray.direction = glm::normalize(target - ray.origin);
  }

  /// Rounds to a grid that contains the vertices of flat scenes.
  static void snap(glm::vec3& p) { p = glm::round(p * 16.0f) / 16.0f; }

  const HostScene& scene_;
  RandomScene random_;
  uint32_t count_ = 0, triangle_ = 0;
};

/// Expects that a tree finds the same hits of HardRays as `closest(ray)`, bit for bit, and the same
/// rays occluded. Returns the hits.
template <class Bvh, class Closest>
std::vector<Hit> expect_hits(const Bvh& bvh, const HostScene& scene, uint64_t seed, int count,
                             Closest closest) {
  HardRays rays(scene, seed);
  std::vector<Hit> hits;
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    const Ray ray = rays.next();
    hits.push_back(bvh.intersect(ray));
    EXPECT_EQ(hits.back(), closest(ray)) << "ray " << i;
    EXPECT_EQ(bvh.occluded(ray), hits.back().primitive != kNoPrimitive) << "ray " << i;
  }
  return hits;
}

}  // namespace winnow
