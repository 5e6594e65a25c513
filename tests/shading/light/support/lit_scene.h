// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

#include "math/sampler.h"
#include "scene/host_scene.h"
#include "shading/light/light_table.h"
#include "shading/texture/texture.h"
#include "tests/support/estimate.h"
#include "tests/support/span_of.h"

namespace winnow {

/// Lights of a scene, with the arrays that they refer to.
template <Features kFeatures>
class LitScene {
 public:
  /// @param leaves_sky  whether leave_smooth_sky() changes the table
  explicit LitScene(const HostScene& scene, LightChoice by = LightChoice::kPower,
                    bool leaves_sky = false)
      : scene_(scene),
        textures_(build_texture_table(scene)),
        table_(build_light_table(scene, textures_.textures, by, kFeatures)) {
    if (leaves_sky) leave_smooth_sky(scene_, table_);
    lights = make_lights<kFeatures>(scene_, table_, span_of);
  }
  LitScene(const LitScene&) = delete;

  /// Builds the guide of local lights, if there are enough.
  void guide_lights() {
    SceneCells cells(scene_);
    build_light_guide(cells, table_);
    lights = make_lights<kFeatures>(scene_, table_, span_of);
  }

  /// A sample for a surface with the normal n, or of any orientation.
  LightSample sample(glm::vec3 from, LightUniforms u, glm::vec3 n = glm::vec3(0.0f)) const {
    LightPoint point;
    return sample_light(lights, from, n, u, point);
  }
  LightSample sample(glm::vec3 from, glm::vec4 u, glm::vec3 n = glm::vec3(0.0f)) const {
    auto digits = [](float x) { return uint32_t(x * 0x1p24f) << 8; };
    return sample(from, {digits(u.x) | digits(u.w) >> 24, digits(u.y), digits(u.z)}, n);
  }

  /// Sum of the densities of all lights that a ray would cross, occluded or not.
  float pdf(glm::vec3 from, glm::vec3 w) const {
    float sum = look_far(w, from).pdf;
    const glm::dvec3 d = glm::normalize(glm::dvec3(w));
    for (const Light& light : table_.local)
      if (std::optional<float> t = hit(light, from, d)) sum += local_pdf(light, from, *t, w);
    return sum;
  }

  /// The first light along a ray: the nearest local one, or what is infinitely far away.
  LightSample look(glm::vec3 from, glm::vec3 w) const {
    const EnvironmentLookup far = look_far(w, from);
    LightSample seen{w, kInfinity, far.radiance, far.pdf};
    const glm::dvec3 d = glm::normalize(glm::dvec3(w));
    for (const Light& light : table_.local)
      if (std::optional<float> t = hit(light, from, d); t && *t < seen.distance)
        seen = {w, *t, light.emission, local_pdf(light, from, *t, w)};
    return seen;
  }

  /// Radiance of the sky and of all disks in direction w, and the sum of their densities.
  EnvironmentLookup look_far(glm::vec3 w, glm::vec3 from = glm::vec3(0.0f)) const {
    EnvironmentLookup sum = look_up_sky(lights, from, w);
    if constexpr (kFeatures.extended)
      for (uint32_t i = 0; i < lights.disk_count; ++i) {
        if (!is_in_disk(lights.distant[i], w)) continue;
        sum.radiance += lights.distant[i].radiance;
        sum.pdf += disk_pdf(lights, lights.distant[i]);
      }
    return sum;
  }

  /// Distance to a triangle or sphere along a ray in direction d, in double and by the textbook.
  static std::optional<float> hit(const Light& light, glm::vec3 from, glm::dvec3 d) {
    glm::dvec3 o = glm::dvec3(from) - glm::dvec3(light.p);
    if (light.kind == LightKind::kSphere) {
      double b = glm::dot(o, d), c = glm::dot(o, o) - double(light.radius) * light.radius;
      double discriminant = b * b - c;
      // A direction at the rim may miss because it was rounded to float.
      if (discriminant < -1e-6 * glm::dot(o, o)) return {};
      double root = std::sqrt(std::max(discriminant, 0.0));
      double t = -b - root > 0.0 ? -b - root : -b + root;
      if (t <= 0.0) return {};
      return float(t);
    }
    if (light.kind != LightKind::kTriangle) return {};
    glm::dvec3 e1(light.edge1), e2(light.edge2), p = glm::cross(d, e2);
    double determinant = glm::dot(e1, p);
    if (determinant == 0.0) return {};
    constexpr double kRim = 1e-5;
    double u = glm::dot(o, p) / determinant;
    if (u < -kRim || u > 1.0 + 2.0 * kRim) return {};  // Most triangles are missed here.
    glm::dvec3 q = glm::cross(o, e1);
    double v = glm::dot(d, q) / determinant, t = glm::dot(e2, q) / determinant;
    if (v < -kRim || u + v > 1.0 + kRim || t <= 0.0) return {};
    return float(t);
  }

  const LightTable& table() const { return table_; }
  Lights<kFeatures> lights;

 private:
  float local_pdf(const Light& light, glm::vec3 from, float t, glm::vec3 w) const {
    const float cosine = std::abs(glm::dot(light.n, w));
    if constexpr (kFeatures.extended)
      return local_light_pdf(lights, light.primitive, from, t, cosine);
    else if (light.kind == LightKind::kSphere)
      return sphere_light_pdf(lights, light.emission, light.p, light.radius, from);
    else
      return triangle_light_pdf(lights, light.emission, light.two_sided, t, cosine);
  }

  HostScene scene_;
  TextureTable textures_;
  LightTable table_;
};

/// Parameters of typed tests that hold with basic and with extended lights.
using LitScenes = testing::Types<LitScene<kBasic>, LitScene<kExtended>>;
struct LitSceneName {
  template <class Lit>
  static std::string GetName(int) {
    return std::is_same_v<Lit, LitScene<kBasic>> ? "Basic" : "Extended";
  }
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

/// Triangles and spheres of two strengths in a cloud.
inline HostScene light_cloud(uint32_t count) {
  HostScene scene = empty_scene();
  for (uint32_t i = 0; i < count; ++i) {
    const Sampler sampler{.seed = 2, .sample = i};
    const glm::vec4 u = sampler.sample4(0), v = sampler.sample4(1);
    const glm::vec3 p = 8.0f * glm::vec3(u) - 4.0f;
    if (i % 4 == 0)
      add_sphere(scene, p, 0.02f + 0.2f * u.w, i % 2);
    else
      add_triangle(scene, p, p + 0.3f * glm::vec3(v), p + 0.3f * glm::vec3(v.y, -v.z, v.w), i % 2);
  }
  return scene;
}

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

/// Irradiance (red) on a plane through `from`, by light sampling alone.
///
/// @param known_normal  whether the choice of lights takes the normal into account
template <class Lit>
Estimate sampled_irradiance(const Lit& lit, glm::vec3 from, glm::vec3 n, uint32_t count = 40'000,
                            bool known_normal = false) {
  return estimate(count, [&](uint32_t i) {
    const glm::vec4 u = Sampler{.seed = 11, .sample = i}.sample4(0);
    const LightSample light = lit.sample(from, u, known_normal ? n : glm::vec3(0.0f));
    if (light.pdf == 0.0f) return 0.0f;
    return light.radiance.x * std::max(glm::dot(light.wi, n), 0.0f) / light.pdf;
  });
}

/// Estimates irradiance by light sampling and cosine sampling together, as a path tracer does.
template <class Lit>
Estimate combined_irradiance(const Lit& lit, glm::vec3 from, glm::vec3 n, uint32_t count = 40'000) {
  return estimate(count, [&](uint32_t i) {
    const Sampler sampler{.seed = 11, .sample = i};
    float sum = 0.0f;
    const LightSample light = lit.sample(from, sampler.sample4(0));
    const float cosine = std::max(glm::dot(light.wi, n), 0.0f);
    // Another light may hide this one.
    const bool visible = lit.look(from, light.wi).distance >= light.distance * 0.999f;
    if (light.pdf > 0.0f && visible)
      sum += light.radiance.x * cosine / light.pdf *
             balance_heuristic(light.mis_pdf, cosine_hemisphere_pdf(cosine));

    const glm::vec3 w = sample_cosine_hemisphere(sampler.sample4(1));
    const LightSample seen = lit.look(from, Frame(n).to_world(w));
    return sum + seen.radiance.x * kPi * balance_heuristic(cosine_hemisphere_pdf(w.z), seen.pdf);
  });
}

/// An environment map of `height` rows and twice as many columns.
/// @param radiance  (glm::vec3 w) -> glm::vec3, at the centers of texels
template <class Radiance>
EnvironmentMap environment_of(uint32_t height, const Radiance& radiance) {
  EnvironmentMap map;
  map.image = {2 * height, height, {}};
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < 2 * height; ++x) {
      const float theta = kPi * (float(y) + 0.5f) / float(height);
      const float phi = kPi * (float(x) + 0.5f) / float(height);
      map.image.pixels.push_back(radiance(glm::vec3(
          std::sin(theta) * std::sin(phi), std::cos(theta), -std::sin(theta) * std::cos(phi))));
    }
  return map;
}

}  // namespace winnow
