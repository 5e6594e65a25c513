// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/span.h"
#include "shading/bsdf/albedo_table.h"
#include "shading/bsdf/fresnel.h"

namespace winnow {

// Iridescence: a transparent film of some hundred nm on a dielectric or metal, such as oil, soap or
// the oxide on steel. The waves reflected by its two boundaries interfere.
//
// Belcour & Barla, "A Practical Extension to Microfacet Theory for the Modeling of Varying
// Iridescence", SIGGRAPH 2017. With the reflectances R12 of the upper boundary and R23 of the
// lower, T = 1 - R12 and r = sqrt(R12 R23), the sum over all reflections inside the film
// (Airy) is, at a wavelength,
//
//   R = R12 + Rs + 2 (Rs - T) sum over m > 0 of r^m cos(m phase),    Rs = T^2 R23 / (1 - r^2)
//
// where the phase is 2 pi path / wavelength, plus pi if the lower boundary leads to the higher
// index. In colours, cos(2 pi m path / wavelength) is replaced by its colour, which is tabulated
// over the path. Polarisation is ignored, as in KHR_materials_iridescence of glTF.

/// Colours of interference as a function of the path difference; 0 beyond the last node: many
/// fringes within the visible range average to nothing.
struct FilmTable {
  static constexpr uint32_t kNodes = 801;
  static constexpr float kMaxPath = 8000.0f;  // nm, path difference of the last node

  simt::Span<const glm::vec3> values;  ///< [path]

  /// @param path  nm, at least 0
  SIMT_HOST_DEVICE glm::vec3 at(float path) const {
    const TableStep step = table_step(path / kMaxPath, kNodes);
    return glm::mix(values.data[step.first], values.data[step.first + 1], step.fraction);
  }
};

struct ThinFilm {
  float ior;        ///< index of refraction, at least 1; the outside has 1
  float thickness;  ///< nm
};

/// Factor by which a channel of a saturated colour may exceed the reflectance of constructive
/// interference.
inline constexpr float kFilmGamut = 1.2f;

/// Limit of the base's reflectance: a perfectly reflecting base would keep all light in the film.
inline constexpr float kMaxFilmBase = 0.9999f;

/// Sums all reflections at a film.
///
/// @param upper  R12
/// @param lower  R23, [0, 1]
/// @param sign   -1 where the base has a higher index than the film, else 1
/// @param path   nm, path difference of light that crosses the film twice
SIMT_HOST_DEVICE inline glm::vec3 interfere(FilmTable table, float upper, glm::vec3 lower,
                                            glm::vec3 sign, float path) {
  constexpr int kOrders = 3;  // the next one is below 1 % for films of glass
  lower = glm::min(lower, kMaxFilmBase);
  const float passed = 1.0f - upper;
  const glm::vec3 r = glm::sqrt(upper * lower);
  const glm::vec3 single = passed * passed * lower / (1.0f - r * r);
  glm::vec3 sum = upper + single, amplitude = 2.0f * (single - passed);
  for (int order = 1; order <= kOrders; ++order) {
    amplitude *= sign * r;
    sum += amplitude * table.at(float(order) * path);
  }
  const glm::vec3 a(std::sqrt(upper)), b = glm::sqrt(lower), most = (a + b) / (1.0f + a * b);
  return glm::clamp(sum, glm::vec3(0.0f), glm::min(kFilmGamut * most * most, 1.0f));
}

/// Returns the reflectance of a film on a dielectric.
///
/// @param cosine  cosine of the direction outside, [0, 1]
/// @param ior     index of the base; a film of index 1 has the reflectance of the base
SIMT_NOINLINE SIMT_HOST_DEVICE inline glm::vec3 film_on_dielectric(FilmTable table, ThinFilm film,
                                                                   float cosine, float ior) {
  const Crossing upper = cross_dielectric(cosine, film.ior);
  const Crossing lower = cross_dielectric(upper.cos_t, ior / film.ior);
  return interfere(table, upper.reflected, glm::vec3(lower.reflected),
                   glm::vec3(ior > film.ior ? -1.0f : 1.0f),
                   2.0f * film.ior * film.thickness * upper.cos_t);
}

/// Returns the reflectance of a film on a metal. Treats the metal as a dielectric with the same
/// reflectance at normal incidence.
///
/// @param cosine       cosine of the direction outside, [0, 1]
/// @param reflectance  reflectance of the metal at normal incidence; with a film of index 1 the
///                     result is schlick_fresnel()
SIMT_NOINLINE SIMT_HOST_DEVICE inline glm::vec3 film_on_metal(FilmTable table, ThinFilm film,
                                                              float cosine, glm::vec3 reflectance) {
  const Crossing upper = cross_dielectric(cosine, film.ior);
  const glm::vec3 root = glm::sqrt(glm::clamp(reflectance, 0.0f, kMaxFilmBase));
  const glm::vec3 ior = (1.0f + root) / (1.0f - root);
  const glm::vec3 ratio = (ior - film.ior) / (ior + film.ior);
  const glm::vec3 sign(ratio.x > 0.0f ? -1.0f : 1.0f, ratio.y > 0.0f ? -1.0f : 1.0f,
                       ratio.z > 0.0f ? -1.0f : 1.0f);
  return interfere(table, upper.reflected, schlick_fresnel(ratio * ratio, upper.cos_t), sign,
                   2.0f * film.ior * film.thickness * upper.cos_t);
}

}  // namespace winnow
