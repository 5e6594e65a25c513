#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "math/sampling.h"

namespace winnow {

/// Microfacets whose slopes have a normal distribution, which leaves fewer steep ones than GGX: a
/// highlight without a halo. They may be rougher along x than along y.
///
/// Beckmann & Spizzichino, "The Scattering of Electromagnetic Waves from Rough Surfaces", 1963;
/// Heitz, "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 2014.
///
/// As of GGX (conductor.h), Smith's G1(w) is 2 cos / (cos + S(w)). The slope of w, in units of the
/// facets' roughness along it, is a = cos / r with r = |(alpha_x x, alpha_y y)|; then S(w) is
/// cos erf(a) + r exp(-a^2) / sqrt(pi).
///
/// Kernels call these functions instead of holding a copy at each use: few materials want them, and
/// all pay for code that does not fit into the instruction cache.
struct Beckmann {
  float alpha_x, alpha_y;

  /// Density of microfacet normals, sr^-1 per projected area.
  SIMT_NOINLINE SIMT_HOST_DEVICE float distribution(glm::vec3 h) const {
    constexpr float kMinSquare = 1e-16f;  // no facet is as steep; 0 / 0 would be
    const float area = alpha_x * alpha_y, x = alpha_y * h.x, y = alpha_x * h.y;
    const float z2 = glm::max(h.z * h.z, kMinSquare);
    return std::exp(-(x * x + y * y) / (area * area * z2)) / (kPi * area * z2 * z2);
  }

  /// S(w).
  SIMT_NOINLINE SIMT_HOST_DEVICE float stretch(glm::vec3 w) const {
    const View view(w.z, glm::length(along(w)));
    return view.within + view.beyond;
  }

  /// Samples a microfacet normal with the density with which `wo`, above z = 0, sees them.
  ///
  /// In units of the roughness, slopes x towards `wo` and y across it have the density
  /// (a + x) exp(-x^2 - y^2), above x = -a. That of x is a sum of three with inverses, whose shares
  /// are the terms of cos + S(wo):
  ///   a exp(-x^2)   of all x > 0;
  ///   a exp(-x^2)   of |x| < a, one in |x| / a of which is above 0;
  ///   x exp(-x^2)   of x > a.
  SIMT_NOINLINE SIMT_HOST_DEVICE glm::vec3 sample_visible(glm::vec3 wo, glm::vec2 u) const {
    const glm::vec2 tilt = along(wo);
    const float r = glm::length(tilt);
    const View view(wo.z, r);
    const float whole = wo.z + view.within + view.beyond, part = u.x * whole;
    float across = std::abs(2.0f * u.y - 1.0f);

    float x;
    if (part < wo.z + view.within) {
      const bool everywhere = part < wo.z;
      x = inverse_erf((everywhere ? part : part - wo.z) / wo.z);
      const float above = everywhere ? 1.0f : x * r / wo.z;
      const bool is_above = across < above;
      across = is_above ? across / above : (across - above) / (1.0f - above);
      if (!is_above) x = -x;
    } else {
      const float share = (whole - part) / view.beyond;
      x = std::sqrt(view.a * view.a - std::log(glm::clamp(share, 1.0f - kOneMinusEpsilon, 1.0f)));
    }
    const float y = std::copysign(inverse_erf(across), u.y - 0.5f);

    const glm::vec2 axis = r > 0.0f ? tilt / r : glm::vec2{1.0f, 0.0f};
    return glm::normalize(
        glm::vec3{alpha_x * (x * axis.x - y * axis.y), alpha_y * (x * axis.y + y * axis.x), 1.0f});
  }

 private:
  /// What S of a direction consists of.
  struct View {
    float a;
    float within;  ///< cos erf(a)
    float beyond;  ///< r exp(-a^2) / sqrt(pi)

    SIMT_HOST_DEVICE View(float cosine, float r) : a(cosine / r) {
      constexpr float kInvSqrtPi = 0.56418958f;
      within = cosine * std::erf(a);
      beyond = r * kInvSqrtPi * std::exp(-a * a);
    }
  };

  SIMT_HOST_DEVICE glm::vec2 along(glm::vec3 w) const { return {alpha_x * w.x, alpha_y * w.y}; }
};

}  // namespace winnow
