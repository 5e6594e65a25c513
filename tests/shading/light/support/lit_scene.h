#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

#include "scene/host_scene.h"
#include "shading/light/light.h"
#include "shading/light/light_table.h"

namespace winnow {

/// Lights of a scene, with the arrays they look at.
class LitScene {
 public:
  explicit LitScene(const HostScene& scene) : table_(build_light_table(scene)) {
    lights_ = {.shapes = {table_.shapes.data(), table_.shapes.size()},
               .table = {table_.table.data(), table_.table.size()},
               .total_power = table_.total_power,
               .shape_probability = table_.shape_probability,
               .sky = scene.sky};
  }
  LitScene(const LitScene&) = delete;

  LightSample sample(glm::vec3 from, glm::vec4 u) const { return sample_light(lights_, from, u); }

  /// Sum of the densities of all lights that a ray would cross, hidden or not.
  float pdf(glm::vec3 from, glm::vec3 w) const {
    float sum = sky_light_pdf(lights_, w);
    for (const EmissiveShape& shape : table_.shapes)
      if (std::optional<float> t = hit(shape, from, w)) {
        sum +=
            shape.kind == EmissiveKind::kSphere
                ? sphere_light_pdf(lights_, shape.emission, shape.p, shape.radius, from)
                : triangle_light_pdf(lights_, shape.emission, *t, std::abs(glm::dot(shape.n, w)));
      }
    return sum;
  }

  /// First light along a ray: the sky, or the nearest shape with its density.
  LightSample look(glm::vec3 from, glm::vec3 w) const {
    LightSample seen{w, kInfinity, eval_sky(lights_.sky, w), sky_light_pdf(lights_, w)};
    for (const EmissiveShape& shape : table_.shapes) {
      std::optional<float> t = hit(shape, from, w);
      if (!t || *t >= seen.distance) continue;
      float pdf =
          shape.kind == EmissiveKind::kSphere
              ? sphere_light_pdf(lights_, shape.emission, shape.p, shape.radius, from)
              : triangle_light_pdf(lights_, shape.emission, *t, std::abs(glm::dot(shape.n, w)));
      seen = {w, *t, shape.emission, pdf};
    }
    return seen;
  }

  /// Distance to a shape along a ray, in double and by the textbook.
  static std::optional<float> hit(const EmissiveShape& shape, glm::vec3 from, glm::vec3 w) {
    glm::dvec3 o = glm::dvec3(from) - glm::dvec3(shape.p), d = glm::normalize(glm::dvec3(w));
    if (shape.kind == EmissiveKind::kSphere) {
      double b = glm::dot(o, d), c = glm::dot(o, o) - double(shape.radius) * shape.radius;
      double discriminant = b * b - c;
      // A direction at the rim is lost to rounding of the float direction.
      if (discriminant < -1e-6 * glm::dot(o, o)) return {};
      double root = std::sqrt(std::max(discriminant, 0.0));
      double t = -b - root > 0.0 ? -b - root : -b + root;
      if (t <= 0.0) return {};
      return float(t);
    }
    glm::dvec3 e1(shape.edge1), e2(shape.edge2), p = glm::cross(d, e2);
    double determinant = glm::dot(e1, p);
    if (determinant == 0.0) return {};
    constexpr double kRim = 1e-5;
    double u = glm::dot(o, p) / determinant;
    glm::dvec3 q = glm::cross(o, e1);
    double v = glm::dot(d, q) / determinant, t = glm::dot(e2, q) / determinant;
    if (u < -kRim || v < -kRim || u + v > 1.0 + kRim || t <= 0.0) return {};
    return float(t);
  }

 private:
  LightTable table_;
  Lights lights_;
};

inline HostScene empty_scene() {
  HostScene scene;
  scene.materials = {{.emission = {4.0f, 3.0f, 2.0f}}, {.emission = glm::vec3(0.5f)}};
  return scene;
}

inline void add_sphere(HostScene& scene, glm::vec3 center, float radius, uint32_t material = 0) {
  scene.spheres.push_back({center, radius, material});
}

inline void add_triangle(HostScene& scene, glm::vec3 a, glm::vec3 b, glm::vec3 c,
                         uint32_t material = 0) {
  auto first = uint32_t(scene.positions.size());
  scene.positions.insert(scene.positions.end(), {a, b, c});
  scene.triangles.push_back({first, first + 1, first + 2});
  scene.triangle_materials.push_back(material);
}

inline const Sky kGraySky{
    .zenith = glm::vec3(0.3f), .horizon = glm::vec3(0.3f), .ground = glm::vec3(0.3f)};
inline const Sky kBlueSky{
    .zenith = {0.2f, 0.4f, 1.0f}, .horizon = {0.9f, 0.9f, 0.8f}, .ground = {0.1f, 0.1f, 0.1f}};

/// Spheres and triangles of two strengths, and a sky.
inline HostScene mixed_lights() {
  HostScene scene = empty_scene();
  scene.sky = kBlueSky;
  add_sphere(scene, {0.0f, 2.0f, 1.0f}, 0.7f);
  add_sphere(scene, {0.5f, 0.0f, -3.0f}, 1.5f, 1);
  add_sphere(scene, {0.0f, 0.0f, 0.0f}, 9.0f, 1);  // around all of it
  add_triangle(scene, {-2, -1, -1}, {2, -1.5f, -1}, {0, -1, 2});
  add_triangle(scene, {-3, 1, -2}, {-3, 2, 2}, {-3, -2, 1}, 1);
  return scene;
}

inline const glm::vec3 kUp{0.0f, 1.0f, 0.0f};

}  // namespace winnow
