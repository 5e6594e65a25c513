// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/cdf_table.h"
#include "math/frame.h"
#include "math/rounded.h"
#include "math/sampler.h"
#include "math/sampling.h"
#include "scene/spot_falloff.h"
#include "shading/features.h"
#include "shading/light/environment.h"
#include "shading/light/light_guide.h"
#include "shading/light/light_tree.h"
#include "shading/light/sky.h"
#include "shading/light/sky_guide.h"

namespace winnow {

// Light sampling for next-event estimation. A sample chooses between local lights (those with a
// position), the sky and distant lights with fixed probabilities, then a light, then a direction.
//
// Basic shading has no distant lights and chooses local lights by power, so that the density for
// MIS weights follows from emission and total power without knowing the light. Extended shading
// stores each light's pmf, or finds it in the light tree; among a few spheres it chooses by power
// and distance.

enum class LightKind : uint32_t { kTriangle, kSphere, kPoint, kSpot };

/// A light with a position.
struct Light {
  LightKind kind = LightKind::kTriangle;
  glm::vec3 emission{0.0f};            ///< W sr^-1 m^-2, untextured; point, spot: W sr^-1
  glm::vec3 p{0.0f};                   ///< m, first vertex, center or position
  glm::vec3 edge1{0.0f}, edge2{0.0f};  ///< m, triangle: from `p` to the other vertices
  glm::vec3 n{0.0f};                   ///< unit normal of a triangle, or axis of a spot
  float radius = 0.0f;                 ///< m, sphere
  bool two_sided = true;               ///< whether both sides emit, or only that of the normal;
                                       ///< of points and spots always true
  // Read by extended shading only.
  float spot_edge = 0.0f, falloff_start = 0.0f;  ///< spot: see spot_falloff()
  SpotFalloff falloff = SpotFalloff::kLinear;
  float pmf = 0.0f;        ///< probability among local lights; by power if by_distance
  uint32_t trail = 0;      ///< path to it in the tree, see light_choice_pmf()
  uint32_t primitive = 0;  ///< triangle or sphere of the scene
  bool textured = false;   ///< whether emission varies over the surface
};

/// A light at infinite distance: parallel, or from a disk of directions.
struct DistantLight {
  glm::vec3 to_light{0.0f, 1.0f, 0.0f};  ///< unit length
  glm::vec3 radiance{0.0f};              ///< disk: W sr^-1 m^-2; parallel light: irradiance, W m^-2
  float one_minus_cos = 0.0f;            ///< 1 - cos of the disk's half angle; 0: parallel light
  float pmf = 0.0f;                      ///< probability among all distant lights
};

/// All lights of a scene on one device. Built by make_lights().
template <Features kFeatures>
struct Lights {
  template <class T>
  using IfExtended = FieldIf<kFeatures.extended, T>;

  simt::Span<const Light> local;  ///< [light], neighbours in space are neighbours in the list
  /// Items that a sample chooses from: the local lights, one by one, or as one item if they have a
  /// tree or are chosen by distance; the sky; each distant light. Empty without any light.
  simt::Span<const CdfEntry> choices;
  float total_power = 0.0f;  ///< W, of luminance, of all local lights
  /// Probability that a sample chooses a local light, times LightGuideTable::mis_factor.
  float local_probability = 0.0f;
  float sky_probability = 0.0f;  ///< probability that a sample chooses the sky
  Sky sky;
  Sky sampled_sky;  ///< its luminance is the density of samples of `sky`, up to a factor
  SkyGuide guide;
  LightGuide light_guide;

  IfExtended<float> distant_probability{};
  IfExtended<simt::Span<const LightNode>> tree{};  ///< local lights' tree, or empty
  IfExtended<bool> by_distance{};  ///< whether choose_by_distance() chooses among local lights
  IfExtended<simt::Span<const uint32_t>>
      light_of{};  ///< [triangle, then sphere], light or kNoLight
  IfExtended<simt::Span<const DistantLight>> distant{};  ///< [light], those with a disk first
  IfExtended<uint32_t> disk_count{};                     ///< distant lights with a disk
  IfExtended<Environment> environment{};                 ///< replaces `sky` if it has texels
};

inline constexpr uint32_t kNoLight = ~0u;

/// Incident light from one direction, before visibility.
struct LightSample {
  glm::vec3 wi{0.0f};     ///< unit length, towards the light
  float distance = 0.0f;  ///< m; infinite for sky and distant lights
  glm::vec3 radiance{
      0.0f};         ///< W sr^-1 m^-2; for lights without a solid angle the irradiance, W m^-2
  float pdf = 0.0f;  ///< sr^-1, including the choice of the light; 0: no sample
  /// sr^-1, density for the MIS weight: infinite where BSDF sampling cannot find the light. May
  /// differ from `pdf`: a path that hits a light does not store the surface it came from, so the
  /// weights use a density that does not depend on it. They sum to 1 with any such density.
  float mis_pdf = 0.0f;
};

/// The point on a local light, or the bin of the sky, that a sample found.
struct LightPoint {
  static constexpr uint32_t kNoBin = ~0u;

  uint32_t light = kNoLight;
  glm::vec2 b{0.0f};          ///< weights of a triangle's second and third vertex
  uint32_t sky_bin = kNoBin;  ///< bin in which the guide sampled the sky
};

/// Returns the power per square metre, W of luminance. A sphere emits outwards.
SIMT_HOST_DEVICE inline float sphere_radiosity(glm::vec3 emission) {
  return kPi * luminance(emission);
}
SIMT_HOST_DEVICE inline float triangle_radiosity(glm::vec3 emission, bool two_sided) {
  return (two_sided ? kTwoPi : kPi) * luminance(emission);
}

/// Returns `pdf` if it is positive and finite, else 0.
SIMT_HOST_DEVICE inline float usable_pdf(float pdf) {
  return pdf > 0.0f && pdf <= kMaxFloat ? pdf : 0.0f;
}

/// Returns 1 - cos of the half angle that a sphere subtends: 2 from inside; 0 on its surface, where
/// rounding decides between inside and outside and no light is sampled.
///
/// @param distance  m, to the center
SIMT_HOST_DEVICE inline float sphere_one_minus_cos(float radius, float distance) {
  constexpr float kSkin = 1e-3f;  // relative to the radius
  if (distance < (1.0f - kSkin) * radius) return 2.0f;
  if (distance < (1.0f + kSkin) * radius) return 0.0f;
  const float sin_max = radius / distance;
  return sin_max * sin_max / (1.0f + std::sqrt(1.0f - sin_max * sin_max));
}

/// Returns the density in sr^-1 with which sample_light() finds a point on an emissive triangle, in
/// basic shading. The probability of a triangle over its area is radiosity over total power.
///
/// @param distance      m, to the point
/// @param cos_at_light  |n . w| at the point
template <Features kFeatures>
SIMT_HOST_DEVICE float triangle_light_pdf(const Lights<kFeatures>& lights, glm::vec3 emission,
                                          bool two_sided, float distance, float cos_at_light) {
  static_assert(!kFeatures.extended);
  const float pdf_area =
      lights.local_probability * triangle_radiosity(emission, two_sided) / lights.total_power;
  return usable_pdf(pdf_area * distance * distance / cos_at_light);
}

/// Returns the density in sr^-1 with which sample_light() finds an emissive sphere from the point
/// `from`, in basic shading.
template <Features kFeatures>
SIMT_HOST_DEVICE float sphere_light_pdf(const Lights<kFeatures>& lights, glm::vec3 emission,
                                        glm::vec3 center, float radius, glm::vec3 from) {
  static_assert(!kFeatures.extended);
  const float power = 4.0f * kPi * radius * radius * sphere_radiosity(emission);
  const float pmf = lights.local_probability * power / lights.total_power;
  return usable_pdf(pmf *
                    uniform_cone_pdf(sphere_one_minus_cos(radius, glm::length(center - from))));
}

/// Returns the density in sr^-1 of a direction to a uniformly sampled point of one triangle.
SIMT_HOST_DEVICE inline float triangle_point_pdf(const Light& triangle, float distance,
                                                 float cos_at_light) {
  const float twice_area = glm::length(glm::cross(triangle.edge1, triangle.edge2));
  return usable_pdf(2.0f * distance * distance / (twice_area * cos_at_light));
}

/// Returns the density in sr^-1 of a uniformly sampled direction to one sphere.
SIMT_HOST_DEVICE inline float sphere_direction_pdf(const Light& sphere, glm::vec3 from) {
  return usable_pdf(
      uniform_cone_pdf(sphere_one_minus_cos(sphere.radius, glm::length(sphere.p - from))));
}

/// Largest number of lights that choose_by_distance() loops over.
inline constexpr uint32_t kFewLights = 8;

/// Returns the weight of a sphere in choose_by_distance(): power over squared distance, up to a
/// factor. Inside the sphere the weight is that on its surface.
SIMT_HOST_DEVICE inline float distance_weight(const Light& sphere, glm::vec3 from) {
  const glm::vec3 to_center = sphere.p - from;
  const float distance2 = glm::dot(to_center, to_center), radius2 = sphere.radius * sphere.radius;
  return sphere.pmf / larger(larger(distance2, radius2), kMinLightDistance2);
}

SIMT_HOST_DEVICE inline float sum_of_distance_weights(simt::Span<const Light> spheres,
                                                      glm::vec3 from) {
  float sum = 0.0f;
  for (uint32_t i = 0; i < spheres.size; ++i) sum += distance_weight(spheres[i], from);
  return sum;
}

/// Returns the probability of a choice by choose_by_distance().
SIMT_HOST_DEVICE inline float distance_pmf(float weight, float sum) {
  return sum <= kMaxFloat ? weight / sum : 0.0f;
}

/// The choice among spheres that are considered one after the other.
struct ChoiceByDistance {
  float sum = 0.0f;     ///< sum of the weights of all spheres
  float rest = 0.0f;    ///< a uniform times `sum`, less the weights of spheres not chosen
  float weight = 0.0f;  ///< weight of the last sphere considered

  /// Considers a sphere. Returns whether a later one is chosen, if there is one.
  SIMT_HOST_DEVICE bool is_beyond(const Light& sphere, glm::vec3 from) {
    weight = distance_weight(sphere, from);
    return rest >= weight;
  }

  SIMT_HOST_DEVICE ChosenLight chosen(uint32_t light) const {
    const float pmf = distance_pmf(weight, sum);
    return {light, pmf, pmf, smaller(rest / weight, kOneMinusEpsilon)};
  }
};

/// Chooses one of a few spheres in proportion to the irradiance that they would cause at a point if
/// they were visible and straight above the surface.
///
/// @param spheres  at least one
/// @param u        uniform in [0, 1)
SIMT_HOST_DEVICE inline ChosenLight choose_by_distance(simt::Span<const Light> spheres,
                                                       glm::vec3 from, float u) {
  const float sum = sum_of_distance_weights(spheres, from);
  ChoiceByDistance choice{.sum = sum, .rest = u * sum};
  uint32_t light = 0;
  while (choice.is_beyond(spheres[light], from) && light + 1 < spheres.size) {
    choice.rest -= choice.weight;
    ++light;
  }
  return choice.chosen(light);
}

/// Returns LightSample::mis_pdf of a point on a surface of the scene, in extended shading; 0 if the
/// surface is no light.
///
/// @param primitive     triangle or sphere
/// @param from          m, the point for which light is sampled
/// @param distance      m, to the point
/// @param cos_at_light  |n . w| at the point
template <Features kFeatures>
SIMT_HOST_DEVICE float local_light_pdf(const Lights<kFeatures>& lights, uint32_t primitive,
                                       glm::vec3 from, float distance, float cos_at_light) {
  const uint32_t index = primitive < lights.light_of.size ? lights.light_of[primitive] : kNoLight;
  if (index == kNoLight) return 0.0f;
  const Light& light = lights.local[index];
  float pmf = light.pmf;
  if (lights.tree.size > 0)
    pmf = light_choice_pmf(lights.tree, light.trail, from);
  else if (lights.by_distance)
    pmf = distance_pmf(distance_weight(light, from), sum_of_distance_weights(lights.local, from));
  const float pdf = light.kind == LightKind::kSphere
                        ? sphere_direction_pdf(light, from)
                        : triangle_point_pdf(light, distance, cos_at_light);
  return usable_pdf(pdf * lights.local_probability * pmf);
}

/// Samples a direction uniformly among those that hit a sphere.
///
/// @param u    two independent uniforms in [0, 1)
/// @param pdf  sr^-1, density of the sample
SIMT_HOST_DEVICE inline LightSample sample_sphere_direction(const Light& sphere, glm::vec3 from,
                                                            glm::vec2 u, float pdf) {
  const glm::vec3 to_center = sphere.p - from;
  const float center_distance = glm::length(to_center);
  const bool inside = center_distance < sphere.radius;

  const glm::vec3 axis =
      center_distance > 0.0f ? to_center / center_distance : glm::vec3{0.0f, 0.0f, 1.0f};
  const glm::vec3 w = sample_uniform_cone(u, sphere_one_minus_cos(sphere.radius, center_distance));

  // Computes the chord from the sine of the angle to the axis: the difference of two large squares
  // would lose the digits of a small sphere far away, and its rim would occlude itself.
  const float middle = center_distance * w.z;
  const float closest2 = center_distance * center_distance * (w.x * w.x + w.y * w.y);
  const float half_chord = std::sqrt(glm::max(sphere.radius * sphere.radius - closest2, 0.0f));
  const float distance = inside ? middle + half_chord : middle - half_chord;
  return {Frame(axis).to_world(w), distance, sphere.emission, pdf};
}

/// Returns whether a point is behind a triangle, or inside a sphere.
SIMT_HOST_DEVICE inline bool is_behind(const Light& light, glm::vec3 from) {
  const glm::vec3 offset = from - light.p;
  if (light.kind == LightKind::kSphere)
    return glm::dot(offset, offset) < light.radius * light.radius;
  return glm::dot(offset, light.n) <= 0.0f;
}

/// Returns the sample of a point of a triangle, with the density of sample_light_point(): 0 if the
/// triangle does not emit towards `from`, is seen edge-on, or contains `from`. Has no branches, so
/// that a CPU's loops over paths are vectorized.
template <Features kFeatures>
SIMT_HOST_DEVICE LightSample sample_at_triangle(const Lights<kFeatures>& lights,
                                                const Light& triangle, glm::vec3 from,
                                                glm::vec2 b) {
  glm::vec3 to_light = triangle.p - from;
  to_light = to_light + b.x * triangle.edge1 + b.y * triangle.edge2;
  const float distance = glm::length(to_light);
  const glm::vec3 wi = to_light / distance;
  const float cos_at_light = std::abs(glm::dot(triangle.n, wi));
  float pdf;
  if constexpr (kFeatures.extended)
    pdf = triangle_point_pdf(triangle, distance, cos_at_light);
  else
    pdf = triangle_light_pdf(lights, triangle.emission, triangle.two_sided, distance, cos_at_light);
  const float pdf_in_front = is_behind(triangle, from) ? 0.0f : pdf;
  return {wi, distance, triangle.emission, triangle.two_sided ? pdf : pdf_in_front};
}

/// Samples a point of one local light. The density is that of sample_light() in basic shading; in
/// extended shading it does not include the choice of the light. For points and spots it is 1.
///
/// @param from  m, the point for which light is sampled
/// @param u     two independent uniforms in [0, 1)
/// @param b     receives LightPoint::b of a triangle
template <Features kFeatures>
SIMT_HOST_DEVICE LightSample sample_light_point(const Lights<kFeatures>& lights, const Light& light,
                                                glm::vec3 from, glm::vec2 u, glm::vec2& b) {
  constexpr bool kExtended = kFeatures.extended;
  if (light.kind == LightKind::kSphere) {
    if (!light.two_sided && is_behind(light, from)) return {};
    float pdf;
    if constexpr (kExtended)
      pdf = sphere_direction_pdf(light, from);
    else
      pdf = sphere_light_pdf(lights, light.emission, light.p, light.radius, from);
    return pdf > 0.0f ? sample_sphere_direction(light, from, u, pdf) : LightSample{};
  }
  if (!kExtended || light.kind == LightKind::kTriangle) {
    b = sample_uniform_triangle(u);
    return sample_at_triangle(lights, light, from, b);
  }
  const glm::vec3 to_light = light.p - from;
  const float distance = glm::length(to_light);
  if (!(distance > 0.0f)) return {};
  const glm::vec3 wi = to_light / distance;
  glm::vec3 irradiance = light.emission / (distance * distance);
  if (light.kind == LightKind::kSpot)
    irradiance *=
        spot_falloff(light.falloff, light.spot_edge, light.falloff_start, -glm::dot(light.n, wi));
  return {wi, distance, irradiance, 1.0f};
}

/// The uniforms of a light sample, in units of 2^-32: x and y are evenly distributed together; z is
/// independent of them and is used where the digits of x are used up.
using LightUniforms = glm::uvec3;

/// @param chosen   ChosenLight, or in basic shading CdfSample
/// @param from, b  see sample_light_point()
/// @param y        uniform in [0, 1)
template <Features kFeatures, class Chosen>
SIMT_HOST_DEVICE LightSample sample_chosen_light(const Lights<kFeatures>& lights,
                                                 const Light& light, const Chosen& chosen,
                                                 glm::vec3 from, float y, glm::vec2& b) {
  LightSample sample = sample_light_point(lights, light, from, {chosen.rest, y}, b);
  if constexpr (!kFeatures.extended) {
    sample.mis_pdf = sample.pdf;
  } else {
    const float pdf = sample.pdf * lights.local_probability;
    const bool has_area = light.kind < LightKind::kPoint;
    sample.pdf = usable_pdf(pdf * chosen.pmf);
    sample.mis_pdf = has_area ? usable_pdf(pdf * chosen.mis_pmf) : kInfinity;
  }
  return sample;
}

/// Samples the local lights.
///
/// @param from, n  see sample_light()
/// @param choice   the chosen light, or all local lights as one item
/// @param point    receives the point on a light, unless there is no sample
template <Features kFeatures>
SIMT_HOST_DEVICE LightSample sample_local_lights(const Lights<kFeatures>& lights, glm::vec3 from,
                                                 glm::vec3 n, const CdfSample& choice,
                                                 LightUniforms u, LightPoint& point) {
  const float y = uniform_float(u.y);
  if constexpr (!kFeatures.extended) {
    point.light = choice.item;
    return sample_chosen_light(lights, lights.local[point.light], choice, from, y, point.b);
  } else {
    ChosenLight chosen{.light = choice.item, .rest = choice.rest};
    if (lights.tree.size > 0) {
      chosen = choose_light(lights.tree, from, n, {choice.rest, uniform_float(u.z)});
      if (!(chosen.pmf > 0.0f)) return {};
    } else if (lights.by_distance) {
      chosen = choose_by_distance(lights.local, from, choice.rest);
    } else {
      chosen.pmf = chosen.mis_pmf = lights.local[chosen.light].pmf;
    }
    point.light = chosen.light;
    return sample_chosen_light(lights, lights.local[chosen.light], chosen, from, y, point.b);
  }
}

/// Returns the radiance of the sky, or the environment map, in direction `w`, and the density of
/// `w` in light sampling.
///
/// @param density  of the guide
template <Features kFeatures>
SIMT_HOST_DEVICE EnvironmentLookup look_up_sky(const Lights<kFeatures>& lights, glm::vec3 w,
                                               float density = 1.0f) {
  EnvironmentLookup found;
  if constexpr (kFeatures.extended) {
    found = lights.environment.texels.size > 0
                ? look_up_environment(lights.environment, w)
                : EnvironmentLookup{eval_sky(lights.sky, w), sky_pdf(lights.sampled_sky, w)};
    found.pdf = usable_pdf(found.pdf * (lights.sky_probability * density));
  } else {
    found = {eval_sky(lights.sky, w),
             (lights.sky_probability * density) * sky_pdf(lights.sampled_sky, w)};
  }
  return found;
}

/// Returns the uniforms from which sample_sky_at() makes the unit direction `w`, in units of 2^-32.
template <Features kFeatures>
SIMT_HOST_DEVICE glm::uvec2 invert_sky(const Lights<kFeatures>& lights, glm::vec3 w) {
  if constexpr (kFeatures.extended)
    if (const Environment& map = lights.environment; map.texels.size > 0) {
      const EnvironmentPoint point = environment_point(map, w);
      return invert_environment(map, environment_cell(map, point.row, point.column), point);
    }
  const glm::vec2 u = invert_sky(lights.sampled_sky, w);
  return {uint32_t(u.x * 0x1p24f) << 8, uint32_t(u.y * 0x1p24f) << 8};
}

/// Returns the radiance of the sky in direction `w`, and the density of `w` in light sampling for
/// the point `from` (m).
template <Features kFeatures>
SIMT_HOST_DEVICE EnvironmentLookup look_up_sky(const Lights<kFeatures>& lights, glm::vec3 from,
                                               glm::vec3 w) {
  const SkyGuide& guide = lights.guide;
  float density = 1.0f;
  if (guide.exists())
    density = guide_density(guide, guide.tables[guide_cell(guide.cells, from)],
                            guide_bin(invert_sky(lights, w)));
  return look_up_sky(lights, w, density);
}

/// Returns the uniforms of a sample of the environment map, in units of 2^-32.
///
/// @param x  position of u.x in the interval of the sky
SIMT_HOST_DEVICE inline glm::uvec2 environment_uniforms(float x, LightUniforms u) {
  return {uint32_t(x * 0x1p24f) << 8 | u.z >> 24, u.y};  // the 24 digits of x, and eight more
}

/// @param probability  of the choice of the sky, times the density of the guide
SIMT_HOST_DEVICE inline LightSample light_of(const EnvironmentSample& sample, float probability) {
  const float pdf = usable_pdf(sample.found.pdf * probability);
  return {sample.w, kInfinity, sample.found.radiance, pdf, pdf};
}

/// Samples the gradient of a sky; the pdf is not usable if `sampled` is black.
///
/// @param sampled  its luminance is the density, up to a factor
/// @param u        two independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline EnvironmentSample sample_gradient(const Sky& sky, const Sky& sampled,
                                                          glm::vec2 u) {
  EnvironmentSample sample;
  sample.w = sample_lit_sky(sampled, u);
  sample.found.radiance = eval_sky(sky, sample.w);
  sample.found.pdf = lit_sky_pdf(sampled, eval_sky(sampled, sample.w));
  return sample;
}

/// Samples the sky, or the environment map, by luminance.
///
/// @param u  two independent uniforms, in units of 2^-32
template <Features kFeatures>
SIMT_HOST_DEVICE EnvironmentSample sample_sky_at(const Lights<kFeatures>& lights, glm::uvec2 u) {
  if constexpr (kFeatures.extended)
    if (lights.environment.texels.size > 0) return sample_environment(lights.environment, u);
  return sample_gradient(lights.sky, lights.sampled_sky, {uniform_float(u.x), uniform_float(u.y)});
}

/// Samples the sky, or the environment map, for the point `from` (m): by luminance, and with a
/// guide also by visibility.
///
/// @param x      as in environment_uniforms()
/// @param point  receives the bin of the guide, if there is one
template <Features kFeatures>
SIMT_HOST_DEVICE LightSample sample_sky_light(const Lights<kFeatures>& lights, glm::vec3 from,
                                              float x, LightUniforms u, LightPoint& point) {
  if (lights.guide.exists()) {
    const GuidedPoint chosen = choose_guided(lights.guide, guide_cell(lights.guide.cells, from),
                                             environment_uniforms(x, u), u.z);
    point.sky_bin = guide_bin(chosen.u);
    return light_of(sample_sky_at(lights, chosen.u), lights.sky_probability * chosen.density);
  }
  if constexpr (kFeatures.extended)
    if (lights.environment.texels.size > 0)
      return light_of(sample_environment(lights.environment, environment_uniforms(x, u)),
                      lights.sky_probability);
  return light_of(sample_gradient(lights.sky, lights.sampled_sky, {x, uniform_float(u.y)}),
                  lights.sky_probability);
}

/// Converts LightSample::mis_pdf of a sample in a bin from one table of the guide to another.
SIMT_HOST_DEVICE inline void set_mis_table(const SkyGuide& guide, uint32_t sampled,
                                           uint32_t weighed, uint32_t bin, LightSample& sample) {
  sample.mis_pdf *= guide_density(guide, weighed, bin) / guide_density(guide, sampled, bin);
}

/// Sets LightSample::mis_pdf of a guided sample to the density for `origin`, the start of its
/// shadow ray. Rays of BSDF sampling start there, too. With the density for `from`, MIS weights
/// would not sum to 1 where a border between cells of the guide lies between the two points.
///
/// @param from  m, the point for which light was sampled
template <Features kFeatures>
SIMT_HOST_DEVICE void set_mis_origin(const Lights<kFeatures>& lights, glm::vec3 from,
                                     glm::vec3 origin, uint32_t sky_bin, LightSample& sample) {
  const SkyGuide& guide = lights.guide;
  const uint32_t sampled = guide.tables[guide_cell(guide.cells, from)];
  const uint32_t weighed = guide.tables[guide_cell(guide.cells, origin)];
  if (sampled != weighed) set_mis_table(guide, sampled, weighed, sky_bin, sample);
}

/// Samples a distant light, in extended shading.
///
/// @param u  two independent uniforms in [0, 1)
template <Features kFeatures>
SIMT_HOST_DEVICE LightSample sample_distant_light(const Lights<kFeatures>& lights,
                                                  const DistantLight& light, glm::vec2 u) {
  const float pmf = lights.distant_probability * light.pmf;
  if (light.one_minus_cos == 0.0f)
    return {light.to_light, kInfinity, light.radiance, usable_pdf(pmf), kInfinity};
  const glm::vec3 w = sample_uniform_cone(u, light.one_minus_cos);
  const float pdf = usable_pdf(pmf * uniform_cone_pdf(light.one_minus_cos));
  return {Frame(light.to_light).to_world(w), kInfinity, light.radiance, pdf, pdf};
}

SIMT_HOST_DEVICE inline bool is_in_disk(const DistantLight& light, glm::vec3 w) {
  const glm::vec3 difference = w - light.to_light;  // its square is 2 (1 - cos), without rounding
  return glm::dot(difference, difference) <= 2.0f * light.one_minus_cos;
}

/// Returns the density in sr^-1 of a direction in the disk, in light sampling.
template <Features kFeatures>
SIMT_HOST_DEVICE float disk_pdf(const Lights<kFeatures>& lights, const DistantLight& light) {
  return usable_pdf(lights.distant_probability * light.pmf * uniform_cone_pdf(light.one_minus_cos));
}

/// Returns the index of the sky in Lights::choices.
template <Features kFeatures>
SIMT_HOST_DEVICE uint32_t sky_choice(const Lights<kFeatures>& lights) {
  if constexpr (kFeatures.extended)
    if (lights.tree.size > 0 || lights.by_distance) return 1;
  return uint32_t(lights.local.size);
}

/// Samples the light that a uniform chooses by Lights::choices; see sample_light().
template <Features kFeatures>
SIMT_HOST_DEVICE LightSample sample_listed_light(const Lights<kFeatures>& lights, glm::vec3 from,
                                                 glm::vec3 n, LightUniforms u, LightPoint& point) {
  // x chooses and then, rescaled, samples the light: its digits keep their strata.
  const CdfSample choice = sample_cdf_table(lights.choices, u.x);
  const uint32_t sky = sky_choice(lights);
  if (choice.item < sky) return sample_local_lights(lights, from, n, choice, u, point);
  if (choice.item == sky) return sample_sky_light(lights, from, choice.rest, u, point);
  if constexpr (kFeatures.extended)
    return sample_distant_light(lights, lights.distant[choice.item - sky - 1],
                                {choice.rest, uniform_float(u.y)});
  else
    return {};
}

/// Chooses a light and samples a direction to it. The radiance is that before textures.
///
/// @param from   m, the point for which light is sampled
/// @param n      geometric normal there, on the side that receives light; zero for both sides
/// @param point  receives the point on a local light, or the bin of the sky
template <Features kFeatures>
SIMT_HOST_DEVICE LightSample sample_light(const Lights<kFeatures>& lights, glm::vec3 from,
                                          glm::vec3 n, LightUniforms u, LightPoint& point) {
  if (lights.choices.size == 0) return {};
  float factor = 1.0f;
  if (lights.light_guide.exists()) {
    const GuidedUniform guided = guide_light(lights.light_guide, from, u.x, u.z);
    u.x = guided.u;
    factor = guided.factor;
  }
  LightSample sample = sample_listed_light(lights, from, n, u, point);
  sample.pdf = usable_pdf(sample.pdf * factor);
  return sample;
}

}  // namespace winnow
