// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

namespace winnow {

/// A homogeneous participating medium. Light that travels through it is absorbed and scattered,
/// with Henyey & Greenstein's phase function (1941).
struct Medium {
  glm::vec3 absorption{0.0f};  ///< m^-1, coefficient per channel
  glm::vec3 scattering{0.0f};  ///< m^-1, coefficient per channel
  float asymmetry = 0.0f;      ///< (-1, 1), mean cosine of the scattering angle; above 0 is forward

  bool operator==(const Medium&) const = default;
};

}  // namespace winnow
