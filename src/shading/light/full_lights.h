#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/alias_table.h"
#include "math/frame.h"
#include "math/sampling.h"
#include "shading/light/environment.h"
#include "shading/light/light.h"
#include "shading/light/light_tree.h"

namespace winnow {

// The lights of a FullScene. Those that have a place are chosen by a tree or a table, those far
// away by a table, and between the two and the sky a fixed chance decides.

enum class LocalLightKind : uint32_t { kTriangle, kSphere, kPoint, kSpot };

/// A light that has a place.
struct LocalLight {
  LocalLightKind kind = LocalLightKind::kTriangle;
  glm::vec3 emission{0.0f};            ///< W sr^-1 m^-2, without a texture; of a point W sr^-1
  glm::vec3 p{0.0f};                   ///< m, first vertex, center or position
  glm::vec3 edge1{0.0f}, edge2{0.0f};  ///< m, triangle: from `p` to the other vertices
  glm::vec3 n{0.0f};                   ///< unit normal of a triangle, or axis of a spot
  float radius = 0.0f;                 ///< m, sphere
  float cone = 0.0f, falloff = 0.0f;  ///< radians, spot: where it ends, and where it begins to fade
  float pmf = 0.0f;        ///< of its choice among all that have a place, if there is no tree
  uint32_t trail = 0;      ///< the way to it in the tree
  uint32_t primitive = 0;  ///< of the scene: triangle or sphere
  bool textured = false;   ///< whether what it emits depends on where
};

/// A light that has a direction only.
struct DistantLight {
  glm::vec3 to_light{0.0f, 1.0f, 0.0f};  ///< unit length
  glm::vec3 radiance{0.0f};  ///< W sr^-1 m^-2 of its disk; of parallel light the irradiance, W m^-2
  float one_minus_cos = 0.0f;  ///< of the half angle of its disk; 0: parallel light
  float pmf = 0.0f;            ///< of its choice among all distant ones
};

/// All lights on one device. Built by `build_full_light_table`.
struct FullLights {
  static constexpr uint32_t kNoLight = ~0u;

  simt::Span<const LocalLight> local;          ///< [local]
  simt::Span<const AliasEntry> local_table;    ///< [local], if there is no tree
  simt::Span<const LightNode> tree;            ///< or empty
  simt::Span<const uint32_t> light_of;         ///< [triangle, then sphere], in `local`, or kNoLight
  simt::Span<const DistantLight> distant;      ///< [distant], those with a disk first
  simt::Span<const AliasEntry> distant_table;  ///< [distant]
  uint32_t disk_count = 0;                     ///< distant ones that a ray can meet
  Environment environment;
  float local_chance = 0.0f, sky_chance = 0.0f, distant_chance = 0.0f;  ///< sum 1, or all 0
};

/// A light sample, and the density that MIS weighs it by. The two may differ: the weights need a
/// density that can be told for what a ray meets by chance, too, when the surface that it came from
/// is forgotten; they sum to 1 with any such density.
struct FullLightSample : LightSample {
  float mis_pdf = 0.0f;  ///< sr^-1; infinite where nothing else can find the light
};

/// Radiant intensity of a spot, of the one in its middle.
///
/// @param cosine  of the angle to its axis
SIMT_HOST_DEVICE inline float spot_falloff(float cone, float falloff, float cosine) {
  const float angle = std::acos(glm::clamp(cosine, -1.0f, 1.0f));
  if (angle >= cone) return 0.0f;
  return angle <= falloff ? 1.0f : (cone - angle) / (cone - falloff);
}

/// Density in sr^-1 of a direction to a triangle's point, among all of its points.
///
/// @param twice_area  m^2
SIMT_HOST_DEVICE inline float triangle_point_pdf(float twice_area, float distance,
                                                 float cos_at_light) {
  return usable_pdf(2.0f * distance * distance / (twice_area * cos_at_light));
}

/// Density in sr^-1 of a direction to a sphere, among all that meet it.
SIMT_HOST_DEVICE inline float sphere_direction_pdf(const LocalLight& sphere, glm::vec3 from) {
  return usable_pdf(
      uniform_cone_pdf(sphere_one_minus_cos(sphere.radius, glm::length(sphere.p - from))));
}

/// A point of one light, with the density of its direction among all of the light. `b` receives the
/// weights of a triangle's second and third vertex.
SIMT_HOST_DEVICE inline LightSample sample_local_light(const LocalLight& light, glm::vec3 from,
                                                       glm::vec2 u, glm::vec2& b) {
  if (light.kind == LocalLightKind::kSphere) {
    const float pdf = sphere_direction_pdf(light, from);
    return pdf > 0.0f ? sample_sphere_direction(light.p, light.radius, light.emission, from, u, pdf)
                      : LightSample{};
  }
  glm::vec3 to_light = light.p - from;
  if (light.kind == LocalLightKind::kTriangle) {
    b = sample_uniform_triangle(u);
    to_light = to_light + b.x * light.edge1 + b.y * light.edge2;
  }
  const float distance = glm::length(to_light);
  if (!(distance > 0.0f)) return {};
  const glm::vec3 wi = to_light / distance;
  if (light.kind == LocalLightKind::kTriangle) {
    const float twice_area = glm::length(glm::cross(light.edge1, light.edge2));
    return {wi, distance, light.emission,
            triangle_point_pdf(twice_area, distance, std::abs(glm::dot(light.n, wi)))};
  }
  glm::vec3 irradiance = light.emission / (distance * distance);
  if (light.kind == LocalLightKind::kSpot)
    irradiance *= spot_falloff(light.cone, light.falloff, -glm::dot(light.n, wi));
  return {wi, distance, irradiance, 1.0f};
}

SIMT_HOST_DEVICE inline bool has_no_size(const LocalLight& light) {
  return light.kind == LocalLightKind::kPoint || light.kind == LocalLightKind::kSpot;
}

/// A light that has a place.
///
/// @param n  geometric normal where it is to shine, on the side that light comes from; zero if it
///           comes from both
/// @param b  see sample_local_light
/// @param light  receives its number; kNoLight: there is none
SIMT_HOST_DEVICE inline FullLightSample sample_local_lights(const FullLights& lights,
                                                            glm::vec3 from, glm::vec3 n,
                                                            glm::vec2 u_choice, glm::vec2 u_point,
                                                            uint32_t& light, glm::vec2& b) {
  ChosenLight choice;
  if (lights.tree.size > 0) {
    choice = choose_light(lights.tree, from, n, u_choice);
  } else {
    choice.light = sample_alias_table(lights.local_table, u_choice);
    choice.pmf = choice.mis_pmf = lights.local[choice.light].pmf;
  }
  light = choice.pmf > 0.0f ? choice.light : FullLights::kNoLight;
  if (light == FullLights::kNoLight) return {};
  FullLightSample sample{sample_local_light(lights.local[light], from, u_point, b)};
  const float pdf = sample.pdf * lights.local_chance;
  sample.pdf = usable_pdf(pdf * choice.pmf);
  sample.mis_pdf = has_no_size(lights.local[light]) ? kInfinity : usable_pdf(pdf * choice.mis_pmf);
  return sample;
}

/// Density in sr^-1 with which light sampling finds a point of the scene, as MIS weighs it.
///
/// @param primitive     triangle or sphere
/// @param distance      m, to the point
/// @param cos_at_light  |n . w| there
SIMT_HOST_DEVICE inline float local_light_pdf(const FullLights& lights, uint32_t primitive,
                                              glm::vec3 from, float distance, float cos_at_light) {
  const uint32_t number =
      primitive < lights.light_of.size ? lights.light_of[primitive] : FullLights::kNoLight;
  if (number == FullLights::kNoLight) return 0.0f;
  const LocalLight& light = lights.local[number];
  const float pmf =
      lights.tree.size > 0 ? light_choice_pmf(lights.tree, light.trail, from) : light.pmf;
  const float pdf = light.kind == LocalLightKind::kSphere
                        ? sphere_direction_pdf(light, from)
                        : triangle_point_pdf(glm::length(glm::cross(light.edge1, light.edge2)),
                                             distance, cos_at_light);
  return usable_pdf(pdf * lights.local_chance * pmf);
}

SIMT_HOST_DEVICE inline FullLightSample sample_distant_lights(const FullLights& lights,
                                                              glm::vec2 u_choice,
                                                              glm::vec2 u_point) {
  if (lights.distant.size == 0) return {};
  const DistantLight& light = lights.distant[sample_alias_table(lights.distant_table, u_choice)];
  const float chance = lights.distant_chance * light.pmf;
  if (light.one_minus_cos == 0.0f)
    return {{light.to_light, kInfinity, light.radiance, usable_pdf(chance)}, kInfinity};
  const glm::vec3 w = sample_uniform_cone(u_point, light.one_minus_cos);
  const float pdf = usable_pdf(chance * uniform_cone_pdf(light.one_minus_cos));
  return {{Frame(light.to_light).to_world(w), kInfinity, light.radiance, pdf}, pdf};
}

/// Whether direction `w` lies in the disk of a distant light.
SIMT_HOST_DEVICE inline bool is_in_disk(const DistantLight& light, glm::vec3 w) {
  const glm::vec3 apart = w - light.to_light;  // its square is 2 (1 - cos), with all digits
  return glm::dot(apart, apart) <= 2.0f * light.one_minus_cos;
}

/// Density in sr^-1 with which light sampling finds a direction in the disk.
SIMT_HOST_DEVICE inline float disk_pdf(const FullLights& lights, const DistantLight& light) {
  return usable_pdf(lights.distant_chance * light.pmf * uniform_cone_pdf(light.one_minus_cos));
}

/// What comes from the sky in direction `w`: its map, or else its gradient. The density is that of
/// light sampling.
SIMT_HOST_DEVICE inline EnvironmentLookup look_up_sky(const FullLights& lights, const Sky& sky,
                                                      glm::vec3 w) {
  EnvironmentLookup found = lights.environment.texels.size > 0
                                ? look_up_environment(lights.environment, w)
                                : EnvironmentLookup{eval_sky(sky, w), sky_pdf(sky, w)};
  found.pdf = usable_pdf(found.pdf * lights.sky_chance);
  return found;
}

SIMT_HOST_DEVICE inline FullLightSample sample_full_sky(const FullLights& lights, const Sky& sky,
                                                        glm::vec2 u_cell, glm::vec2 u_point) {
  glm::vec3 w(0.0f);
  if (lights.environment.texels.size > 0)
    w = sample_environment(lights.environment, u_cell, u_point);
  else
    w = sample_sky(sky, u_point).w;
  if (w == glm::vec3(0.0f)) return {};
  const EnvironmentLookup found = look_up_sky(lights, sky, w);
  return {{w, kInfinity, found.radiance, found.pdf}, found.pdf};
}

}  // namespace winnow
