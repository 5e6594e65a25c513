// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "math/exponential.h"
#include "math/sampling.h"

namespace winnow {

/// Microfacets with normally distributed slopes. Steep ones are rarer than with GGX, so highlights
/// have no halo. Roughness may differ between x and y.
///
/// Beckmann & Spizzichino, "The Scattering of Electromagnetic Waves from Rough Surfaces", 1963;
/// Heitz, "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 2014.
///
/// Smith's S(w), see microfacets.h, is cos erf(a) + r exp(-a^2) / sqrt(pi), where a = cos / r and
/// r = |(alpha_x x, alpha_y y)|: a is the slope of w in units of the roughness along it.
///
/// These functions are not inlined: few materials use them, and inlined copies would push the code
/// of other materials out of the instruction cache.
struct Beckmann {
  float alpha_x, alpha_y;

  /// Returns D(h), the density of microfacet normals, sr^-1 per projected area.
  SIMT_NOINLINE SIMT_HOST_DEVICE float distribution(glm::vec3 h) const {
    constexpr float kMinSquare = 1e-16f;  // avoids 0 / 0; D is 0 at such slopes
    const float area = alpha_x * alpha_y, x = alpha_y * h.x, y = alpha_x * h.y;
    const float z2 = glm::max(h.z * h.z, kMinSquare);
    return exponential(-(x * x + y * y) / (area * area * z2)) / (kPi * area * z2 * z2);
  }

  SIMT_NOINLINE SIMT_HOST_DEVICE float smith_s(glm::vec3 w) const {
    const SmithTerms terms(std::abs(w.z), glm::length(scaled(w)));
    return terms.erf_term + terms.exp_term;
  }

  /// Samples a microfacet normal visible from `wo`, which has z > 0.
  ///
  /// In units of the roughness, slopes x towards `wo` and y across it have the density
  /// (a + x) exp(-x^2 - y^2) for x > -a, up to a factor. The density of x is a sum of three that
  /// have inverses, with the terms of cos + S(wo) as their weights:
  ///   a exp(-x^2)   for x > 0;
  ///   a exp(-x^2)   for |x| < a, of which the share |x| / a has x > 0;
  ///   x exp(-x^2)   for x > a.
  SIMT_NOINLINE SIMT_HOST_DEVICE glm::vec3 sample_visible(glm::vec3 wo, glm::vec2 u) const {
    const glm::vec2 tilt = scaled(wo);
    const float r = glm::length(tilt);
    const SmithTerms terms(wo.z, r);
    const float whole = wo.z + terms.erf_term + terms.exp_term, part = u.x * whole;
    const bool is_steep = part >= wo.z + terms.erf_term;  // the third term
    const bool is_first = part < wo.z;

    const float erf_x = (is_first ? part : part - wo.z) / wo.z;
    const float share = glm::clamp((whole - part) / terms.exp_term, 1.0f - kOneMinusEpsilon, 1.0f);
    const float log = logarithm(is_steep ? share : inverse_erf_rest(erf_x));
    float x = is_steep ? std::sqrt(terms.a * terms.a - log) : inverse_erf(erf_x, -log);

    float across = std::abs(2.0f * u.y - 1.0f);
    float above = x * r / wo.z;  // share of the second term's slopes with x > 0
    above = is_first ? 2.0f : above;
    above = is_steep ? 2.0f : above;
    const bool is_above = across < above;
    const float rescaled = is_above ? across / above : (across - above) / (1.0f - above);
    across = above < 2.0f ? rescaled : across;
    x = is_above ? x : -x;
    const float y = std::copysign(inverse_erf(across), u.y - 0.5f);

    const glm::vec2 axis = r > 0.0f ? tilt / r : glm::vec2{1.0f, 0.0f};
    return glm::normalize(
        glm::vec3{alpha_x * (x * axis.x - y * axis.y), alpha_y * (x * axis.y + y * axis.x), 1.0f});
  }

 private:
  struct SmithTerms {
    float a;
    float erf_term;  ///< cos erf(a)
    float exp_term;  ///< r exp(-a^2) / sqrt(pi)

    /// @param cosine  positive
    SIMT_HOST_DEVICE SmithTerms(float cosine, float r) : a(cosine / r) {
      constexpr float kInvSqrtPi = 0.56418958f;
      const float gaussian = exponential(-a * a);
      erf_term = cosine * erf(a, gaussian);
      exp_term = r * kInvSqrtPi * gaussian;
    }

    /// Returns the error function with an error of at most 3e-7.
    ///
    /// @param x         not negative
    /// @param gaussian  exp(-x^2)
    /// Abramowitz & Stegun, "Handbook of Mathematical Functions", 1964, 7.1.26.
    SIMT_HOST_DEVICE static float erf(float x, float gaussian) {
      const float t = 1.0f / (1.0f + 0.3275911f * x);
      float series = 1.421413741f + t * (-1.453152027f + t * 1.061405429f);
      series = t * (0.254829592f + t * (-0.284496736f + t * series));
      return 1.0f - series * gaussian;
    }
  };

  SIMT_HOST_DEVICE glm::vec2 scaled(glm::vec3 w) const { return {alpha_x * w.x, alpha_y * w.y}; }
};

}  // namespace winnow
