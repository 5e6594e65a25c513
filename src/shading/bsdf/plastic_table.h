// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "shading/bsdf/albedo_table.h"

namespace winnow {

/// What the rough boundary of plastic transmits and reflects, as a function of cosine, roughness
/// and index of refraction, linear between nodes. Nodes are denser where the function is curved: at
/// grazing cosines and small indices. If the index is below 1, light from outside is reflected
/// totally beyond the critical angle, and one node of cosines is at that angle for each index.
struct PlasticTable {
  static constexpr uint32_t kCosines = 32, kRoughnesses = 32, kIndices = 32, kInternalIndices = 128;
  /// Coordinate of the critical cosine.
  static constexpr float kCritical = 8.0f / float(kCosines - 1);

  /// Values for indices above 1, or for their reciprocals.
  struct Side {
    simt::Span<const float> transmittances;  ///< [index][roughness][cosine], from outside
    /// [internal index][roughness], mean transmittance from inside, times the larger of ior^2 and 1
    simt::Span<const float> internal;
  };
  Side above, below;  ///< indices above 1 and below 1

  /// Returns the transmittance for light to or from a direction outside.
  SIMT_HOST_DEVICE float transmittance(float cosine, float roughness, float ior) const {
    const float* values = side(ior).transmittances.data;
    const TableStep c = table_step(cosine_coordinate(cosine, ior), kCosines);
    const TableStep r = table_step(roughness, kRoughnesses);
    const TableStep i = table_step(index_coordinate(ior), kIndices);
    auto look_up = [&](uint32_t index) {
      const float* cell = values + (index * kRoughnesses + r.first) * kCosines + c.first;
      return bilinear(cell, kCosines, c.fraction, r.fraction);
    };
    return glm::mix(look_up(i.first), look_up(i.first + 1), i.fraction);
  }

  /// Returns the cosine-weighted mean reflectance for light from inside.
  SIMT_HOST_DEVICE float internal_reflectance(float roughness, float ior) const {
    const TableStep r = table_step(roughness, kRoughnesses);
    const TableStep i = table_step(index_coordinate(ior), kInternalIndices);
    const float* cell = side(ior).internal.data + i.first * kRoughnesses + r.first;
    const float larger2 = glm::max(ior * ior, 1.0f);
    return 1.0f - bilinear(cell, kRoughnesses, r.fraction, i.fraction) / larger2;
  }

  /// Returns the coordinate of a cosine outside, [0, 1].
  SIMT_HOST_DEVICE static float cosine_coordinate(float cosine, float ior) {
    if (!(ior < 1.0f)) return AlbedoTable::cosine_coordinate(cosine);
    const float critical2 = 1.0f - ior * ior, refracted2 = cosine * cosine - critical2;
    if (!(refracted2 > 0.0f))
      return kCritical * (1.0f - std::sqrt(glm::max(1.0f - cosine / std::sqrt(critical2), 0.0f)));
    return kCritical +
           (1.0f - kCritical) * AlbedoTable::cosine_coordinate(std::sqrt(refracted2) / ior);
  }

  /// Inverts cosine_coordinate().
  static float cosine_at(float coordinate, float ior) {
    if (!(ior < 1.0f)) return coordinate * coordinate;
    const float critical2 = 1.0f - ior * ior;
    if (!(coordinate > kCritical)) {
      const float rest = 1.0f - coordinate / kCritical;
      return std::sqrt(critical2) * (1.0f - rest * rest);
    }
    const float root = (coordinate - kCritical) / (1.0f - kCritical), refracted = ior * root * root;
    return std::sqrt(critical2 + refracted * refracted);
  }

 private:
  SIMT_HOST_DEVICE const Side& side(float ior) const { return ior < 1.0f ? below : above; }
  SIMT_HOST_DEVICE static float index_coordinate(float ior) {
    return AlbedoTable::index_coordinate(ior < 1.0f ? 1.0f / ior : ior);
  }
};

}  // namespace winnow
