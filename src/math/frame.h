// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// Right-handed orthonormal basis; `n` is the local z axis.
struct Frame {
  glm::vec3 s, t, n;  ///< world space

  /// Builds an arbitrary basis around `n`, which has unit length.
  /// Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 2017.
  SIMT_HOST_DEVICE explicit Frame(glm::vec3 n) : n(n) {
    float sign = std::copysign(1.0f, n.z);
    float a = -1.0f / (sign + n.z);
    float b = n.x * n.y * a;
    s = {1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x};
    t = {b, sign + n.y * n.y * a, -n.y};
  }

  /// Builds the basis whose `s` is nearest to `tangent`. Both have unit length and are not
  /// parallel.
  SIMT_HOST_DEVICE Frame(glm::vec3 n, glm::vec3 tangent)
      : s(glm::normalize(tangent - glm::dot(tangent, n) * n)), t(glm::cross(n, s)), n(n) {}

  SIMT_HOST_DEVICE glm::vec3 to_local(glm::vec3 w) const {
    return {glm::dot(w, s), glm::dot(w, t), glm::dot(w, n)};
  }
  SIMT_HOST_DEVICE glm::vec3 to_world(glm::vec3 w) const { return w.x * s + w.y * t + w.z * n; }
};

}  // namespace winnow
