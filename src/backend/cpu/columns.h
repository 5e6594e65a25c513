// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

namespace winnow {

// On the CPU the stages run over batches of paths whose values lie in columns. The loops over a
// batch call the functions that the stages call for one path; compiled as a part of the loop, they
// run for 8 or 16 paths at a time in the lanes of vector instructions, with the same bits.

/// Paths of a batch: enough that vectors of 16 lanes are full, few enough that the columns stay in
/// an L1 cache.
inline constexpr uint32_t kBatchSize = 64;

/// A number for each path of a batch.
template <class T>
struct alignas(64) Column {
  T values[kBatchSize];

  T& operator[](uint32_t i) { return values[i]; }
  const T& operator[](uint32_t i) const { return values[i]; }
};

/// Three numbers for each path of a batch.
template <class T>
struct Column3 {
  Column<T> x, y, z;

  glm::vec<3, T> operator[](uint32_t i) const { return {x[i], y[i], z[i]}; }
  void set(uint32_t i, glm::vec<3, T> v) {
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
  }
};
using VectorColumn = Column3<float>;

/// Lanes of the widest vectors.
inline constexpr uint32_t kLanes = 16;

/// Items for which a loop over a batch runs: full vectors, so that no loop over a rest is left.
/// Those beyond the last item compute what no one reads.
inline uint32_t full_vectors(uint32_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

}  // namespace winnow
