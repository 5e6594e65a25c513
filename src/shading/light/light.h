#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/alias_table.h"
#include "math/frame.h"
#include "math/sampling.h"
#include "shading/light/sky.h"

namespace winnow {

// Next-event estimation. A light sample goes to the sky or to a shape, and to a shape with a chance
// proportional to its power. The densities with which it would have found what a path hit by
// itself need no search for the light: all that the choice depends on is emission and total power.

enum class EmissiveKind : uint32_t { kTriangle, kSphere };

/// An emitting triangle or sphere with what sampling it needs.
struct EmissiveShape {
  EmissiveKind kind = EmissiveKind::kTriangle;
  glm::vec3 emission{0.0f};            ///< W sr^-1 m^-2, from both sides
  glm::vec3 p{0.0f};                   ///< m, first vertex or center
  glm::vec3 edge1{0.0f}, edge2{0.0f};  ///< m, triangle: from `p` to the other vertices
  glm::vec3 n{0.0f};                   ///< triangle: unit normal
  float radius = 0.0f;                 ///< m, sphere
};

/// All that emits, on one device. Built by `build_light_table`.
struct Lights {
  simt::Span<const EmissiveShape> shapes;  ///< [shape]
  simt::Span<const AliasEntry> table;      ///< [shape], by power
  float total_power = 0.0f;                ///< W, of luminance, of all shapes
  float shape_probability = 0.0f;  ///< 1, 0.5 or 0: chance that a light sample goes to a shape
  Sky sky;
};

/// Light from one direction, if nothing is in its way.
struct LightSample {
  glm::vec3 wi{0.0f};        ///< unit length, to the light
  float distance = 0.0f;     ///< m; infinity for the sky
  glm::vec3 radiance{0.0f};  ///< W sr^-1 m^-2
  float pdf = 0.0f;          ///< sr^-1, with the choice of the light; 0: no light
};

/// Power of a square metre in W, of luminance: a sphere shines outwards, a triangle to both sides.
SIMT_HOST_DEVICE inline float sphere_radiosity(glm::vec3 emission) {
  return kPi * luminance(emission);
}
SIMT_HOST_DEVICE inline float triangle_radiosity(glm::vec3 emission) {
  return kTwoPi * luminance(emission);
}

/// A density that a division can use, else 0.
SIMT_HOST_DEVICE inline float usable_pdf(float pdf) {
  return pdf > 0.0f && pdf <= kMaxFloat ? pdf : 0.0f;
}

/// Density in sr^-1 with which sample_light finds a point of an emitting triangle. The chance of a
/// triangle over its area is its radiosity over the total power, so its area drops out.
///
/// @param distance      m, from where light was sampled to the point
/// @param cos_at_light  |n . w| at the point
SIMT_HOST_DEVICE inline float triangle_light_pdf(const Lights& lights, glm::vec3 emission,
                                                 float distance, float cos_at_light) {
  float pdf_area = lights.shape_probability * triangle_radiosity(emission) / lights.total_power;
  return usable_pdf(pdf_area * distance * distance / cos_at_light);
}

/// 1 - cos of the half angle of the cone that a sphere fills: 2 from inside; 0 on its surface,
/// where rounding decides about in and out, and where no light is sampled.
///
/// @param distance  m, to the center
SIMT_HOST_DEVICE inline float sphere_one_minus_cos(float radius, float distance) {
  constexpr float kSkin = 1e-3f;  // of the radius
  if (distance < (1.0f - kSkin) * radius) return 2.0f;
  if (distance < (1.0f + kSkin) * radius) return 0.0f;
  float sin_max = radius / distance;
  return sin_max * sin_max / (1.0f + std::sqrt(1.0f - sin_max * sin_max));
}

/// Density in sr^-1 with which sample_light finds an emitting sphere.
///
/// @param from  the same point that sample_light got
SIMT_HOST_DEVICE inline float sphere_light_pdf(const Lights& lights, glm::vec3 emission,
                                               glm::vec3 center, float radius, glm::vec3 from) {
  float power = 4.0f * kPi * radius * radius * sphere_radiosity(emission);
  float pmf = lights.shape_probability * power / lights.total_power;
  return usable_pdf(pmf *
                    uniform_cone_pdf(sphere_one_minus_cos(radius, glm::length(center - from))));
}

/// Density in sr^-1 with which sample_light finds direction `w` of the sky.
SIMT_HOST_DEVICE inline float sky_light_pdf(const Lights& lights, glm::vec3 w) {
  return (1.0f - lights.shape_probability) * sky_pdf(lights.sky, w);
}

/// A point spread evenly over the triangle.
SIMT_HOST_DEVICE inline LightSample sample_triangle_light(const Lights& lights,
                                                          const EmissiveShape& triangle,
                                                          glm::vec3 from, glm::vec2 u) {
  glm::vec2 b = sample_uniform_triangle(u);
  glm::vec3 to_light = (triangle.p - from) + b.x * triangle.edge1 + b.y * triangle.edge2;
  float distance = glm::length(to_light);
  if (!(distance > 0.0f)) return {};
  glm::vec3 wi = to_light / distance;
  float pdf =
      triangle_light_pdf(lights, triangle.emission, distance, std::abs(glm::dot(triangle.n, wi)));
  return {wi, distance, triangle.emission, pdf};
}

/// A direction spread evenly over those that meet a sphere.
///
/// @param pdf  sr^-1, of the sample
SIMT_HOST_DEVICE inline LightSample sample_sphere_direction(glm::vec3 center, float radius,
                                                            glm::vec3 emission, glm::vec3 from,
                                                            glm::vec2 u, float pdf) {
  glm::vec3 to_center = center - from;
  float center_distance = glm::length(to_center);
  bool inside = center_distance < radius;

  glm::vec3 axis =
      center_distance > 0.0f ? to_center / center_distance : glm::vec3{0.0f, 0.0f, 1.0f};
  glm::vec3 w = sample_uniform_cone(u, sphere_one_minus_cos(radius, center_distance));

  // The chord from the sine of the angle to the axis: the difference of two large squares would
  // lose the digits of a small sphere far away, and its rim would hide itself.
  float middle = center_distance * w.z;
  float closest2 = center_distance * center_distance * (w.x * w.x + w.y * w.y);
  float half_chord = std::sqrt(glm::max(radius * radius - closest2, 0.0f));
  float distance = inside ? middle + half_chord : middle - half_chord;
  return {Frame(axis).to_world(w), distance, emission, pdf};
}

SIMT_HOST_DEVICE inline LightSample sample_sphere_light(const Lights& lights,
                                                        const EmissiveShape& sphere, glm::vec3 from,
                                                        glm::vec2 u) {
  float pdf = sphere_light_pdf(lights, sphere.emission, sphere.p, sphere.radius, from);
  if (pdf == 0.0f) return {};
  return sample_sphere_direction(sphere.p, sphere.radius, sphere.emission, from, u, pdf);
}

SIMT_HOST_DEVICE inline LightSample sample_sky_light(const Lights& lights, glm::vec2 u) {
  SkySample sample = sample_sky(lights.sky, u);
  float pdf = (1.0f - lights.shape_probability) * sample.pdf;
  return {sample.w, kInfinity, eval_sky(lights.sky, sample.w), usable_pdf(pdf)};
}

/// Chooses a light and a direction to it.
///
/// @param from  m, the point to be lit
/// @param u     four independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline LightSample sample_light(const Lights& lights, glm::vec3 from,
                                                 glm::vec4 u) {
  // Shape or sky. The probability is 0, 0.5 or 1, so what is left of u.z is uniform and below 1.
  if (u.z >= lights.shape_probability) {
    float rest = (u.z - lights.shape_probability) / (1.0f - lights.shape_probability);
    return sample_sky_light(lights, {rest, u.w});
  }
  glm::vec2 u_shape{u.z / lights.shape_probability, u.w};

  const EmissiveShape& shape = lights.shapes[sample_alias_table(lights.table, {u.x, u.y})];
  return shape.kind == EmissiveKind::kSphere ? sample_sphere_light(lights, shape, from, u_shape)
                                             : sample_triangle_light(lights, shape, from, u_shape);
}

}  // namespace winnow
