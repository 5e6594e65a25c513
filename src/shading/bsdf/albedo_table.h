// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/span.h"

namespace winnow {

// Tables of directional albedos over the cosine of a direction, the roughness of a surface and its
// index of refraction.

/// Position of a coordinate among evenly spaced nodes.
struct TableStep {
  uint32_t first;  ///< index of the node below
  float fraction;  ///< [0, 1], position between that node and the next
};

/// @param x  [0, 1]
SIMT_HOST_DEVICE inline TableStep table_step(float x, uint32_t node_count) {
  const float position = glm::clamp(x, 0.0f, 1.0f) * float(node_count - 1);
  const uint32_t first = glm::min(uint32_t(position), node_count - 2);
  return {first, position - float(first)};
}

/// Interpolates between four nodes of a table.
///
/// @param cell  first of the nodes; the others follow it in its row and in the next row
SIMT_HOST_DEVICE inline float bilinear(const float* cell, uint32_t row_length, float along_row,
                                       float across) {
  const float* next = cell + row_length;
  return glm::mix(glm::mix(cell[0], cell[1], along_row), glm::mix(next[0], next[1], along_row),
                  across);
}

/// An albedo as a function of cosine, roughness and index of refraction, linear between nodes.
/// Nodes are denser where the function is curved: at grazing cosines and small indices.
struct AlbedoTable {
  static constexpr uint32_t kCosines = 32, kRoughnesses = 16, kIndices = 32;

  simt::Span<const float> values;  ///< [index][roughness][cosine]; metal, sheen: one index

  SIMT_HOST_DEVICE float at(float cosine, float roughness) const {
    return at(cosine_step(cosine), roughness_step(roughness));
  }

  /// @param ior  inside over outside, at least 1
  SIMT_HOST_DEVICE float at(float cosine, float roughness, float ior) const {
    return at(cosine_step(cosine), roughness_step(roughness), index_step(ior));
  }

  SIMT_HOST_DEVICE float at(TableStep cosine, TableStep roughness) const {
    return look_up(cosine, roughness, 0);
  }

  SIMT_HOST_DEVICE float at(TableStep cosine, TableStep roughness, TableStep index) const {
    return glm::mix(look_up(cosine, roughness, index.first),
                    look_up(cosine, roughness, index.first + 1), index.fraction);
  }

  SIMT_HOST_DEVICE static TableStep cosine_step(float cosine) {
    return table_step(cosine_coordinate(cosine), kCosines);
  }
  SIMT_HOST_DEVICE static TableStep roughness_step(float roughness) {
    return table_step(roughness, kRoughnesses);
  }
  SIMT_HOST_DEVICE static TableStep index_step(float ior) {
    return table_step(index_coordinate(ior), kIndices);
  }

  SIMT_HOST_DEVICE static float cosine_coordinate(float cosine) { return std::sqrt(cosine); }
  SIMT_HOST_DEVICE static float index_coordinate(float ior) { return (ior - 1.0f) / (ior + 1.0f); }

 private:
  SIMT_HOST_DEVICE float look_up(TableStep c, TableStep r, uint32_t index) const {
    const size_t row = size_t(index) * kRoughnesses + r.first;
    return bilinear(values.data + row * kCosines + c.first, kCosines, c.fraction, r.fraction);
  }
};

/// Cosine-weighted means of an AlbedoTable without indices over all directions.
struct MeanTable {
  simt::Span<const float> values;  ///< [roughness]

  SIMT_HOST_DEVICE float at(float roughness) const {
    const TableStep r = AlbedoTable::roughness_step(roughness);
    return glm::mix(values.data[r.first], values.data[r.first + 1], r.fraction);
  }
};

/// An albedo of surfaces with different alphas along x and y, as a function of the direction, the
/// larger roughness and the ratio of the two; linear between nodes. Nodes are denser at grazing
/// cosines and near the direction of the smaller alpha.
struct BrushedTable {
  static constexpr uint32_t kCosines = AlbedoTable::kCosines,
                            kRoughnesses = AlbedoTable::kRoughnesses, kRatios = 8, kAzimuths = 8;

  simt::Span<const float> values;  ///< [roughness][ratio][azimuth][cosine]

  /// @param w  above or below z = 0
  SIMT_NOINLINE SIMT_HOST_DEVICE float at(float alpha_x, float alpha_y, glm::vec3 w) const {
    const float larger = glm::max(alpha_x, alpha_y), smaller = glm::min(alpha_x, alpha_y);
    const float along = std::abs(alpha_x < alpha_y ? w.y : w.x);
    const float sine = std::sqrt(w.x * w.x + w.y * w.y);
    const TableStep r = table_step(std::sqrt(larger), kRoughnesses);
    const TableStep q = table_step(std::sqrt(smaller / larger), kRatios);
    const TableStep a = table_step(sine > 0.0f ? std::sqrt(along / sine) : 1.0f, kAzimuths);
    const TableStep c = table_step(AlbedoTable::cosine_coordinate(std::abs(w.z)), kCosines);
    auto at_azimuth = [&](uint32_t roughness, uint32_t ratio, uint32_t azimuth) {
      const size_t row = (size_t(roughness) * kRatios + ratio) * kAzimuths + azimuth;
      const float* at = values.data + row * kCosines + c.first;
      return glm::mix(at[0], at[1], c.fraction);
    };
    auto at_ratio = [&](uint32_t roughness, uint32_t ratio) {
      return glm::mix(at_azimuth(roughness, ratio, a.first),
                      at_azimuth(roughness, ratio, a.first + 1), a.fraction);
    };
    auto at_roughness = [&](uint32_t roughness) {
      return glm::mix(at_ratio(roughness, q.first), at_ratio(roughness, q.first + 1), q.fraction);
    };
    return glm::mix(at_roughness(r.first), at_roughness(r.first + 1), r.fraction);
  }
};

/// Cosine-weighted means of a BrushedTable over all directions.
struct BrushedMeanTable {
  simt::Span<const float> values;  ///< [roughness][ratio]

  SIMT_NOINLINE SIMT_HOST_DEVICE float at(float alpha_x, float alpha_y) const {
    const float larger = glm::max(alpha_x, alpha_y), smaller = glm::min(alpha_x, alpha_y);
    const TableStep r = table_step(std::sqrt(larger), BrushedTable::kRoughnesses);
    const TableStep q = table_step(std::sqrt(smaller / larger), BrushedTable::kRatios);
    const float* row = values.data + size_t(r.first) * BrushedTable::kRatios + q.first;
    const float* next = row + BrushedTable::kRatios;
    return glm::mix(glm::mix(row[0], row[1], q.fraction), glm::mix(next[0], next[1], q.fraction),
                    r.fraction);
  }
};

}  // namespace winnow
