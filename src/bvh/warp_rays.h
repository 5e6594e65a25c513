#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/triangle.h"
#include "bvh/wide_bvh_node.h"
#include "compaction/group/warp_reduce.h"
#include "compaction/simt/simt.h"

namespace winnow {

/// What the lanes of a warp show each other of their rays, in shared memory, so that each lane can
/// test primitives of any ray. [lane]
struct WarpRays {
  static constexpr uint32_t kNone = ~0u;

  /// The nearest hit of a ray so far. Of two at one distance the lower number counts.
  struct alignas(16) Nearest {
    float t;             ///< m
    uint32_t number;     ///< of the primitive, in the scene
    uint32_t reference;  ///< that leads to it; kNone where there is no hit
    uint32_t unused;     // so that one access moves it

    SIMT_HOST_DEVICE bool is_before(Nearest other) const {
      return (t < other.t) | ((t == other.t) & (number < other.number));  // no branch
    }
  };

  /// A ShearedRay in two accesses.
  struct alignas(16) PackedRay {
    glm::vec3 origin;
    float sx, sy, sz;
    uint32_t axes;  ///< a byte each, x lowest
    uint32_t unused;
  };

  /// Primitives that a lane has others test.
  struct alignas(16) Loan {
    Leaves leaves;
    uint32_t owner_and_first;  ///< lane + 256 number of its first primitive

    SIMT_HOST_DEVICE uint32_t owner() const { return owner_and_first % simt::kWarpSize; }
    SIMT_HOST_DEVICE uint32_t first() const { return uint32_t(int32_t(owner_and_first) >> 8); }
  };

  PackedRay rays[simt::kWarpSize];
  Nearest nearest[simt::kWarpSize];
  Loan loans[simt::kWarpSize];  ///< at the number of a lane's first primitive to test

  SIMT_HOST_DEVICE void show(uint32_t lane, const ShearedRay& ray, float t) {
    rays[lane] = {
        ray.origin, ray.sx, ray.sy, ray.sz, ray.x_axis | ray.y_axis << 8 | ray.z_axis << 16, 0};
    nearest[lane] = {t, kNone, kNone, 0};
  }

  SIMT_HOST_DEVICE bool has_hit(uint32_t lane) const { return nearest[lane].reference != kNone; }

  /// Lends primitives of all lanes: those with numbers in [0, 32). Returns a mask of the numbers
  /// where those of a lane start.
  ///
  /// @param first  number of the lane's first primitive, which may be below 0
  SIMT_KERNEL uint32_t lend(simt::Warp auto warp, const Leaves& leaves, int first) {
    const int end = first + int(simt::popcount(leaves.bits));
    const int start = first > 0 ? first : 0;
    const bool lends = start < int(simt::kWarpSize) && start < end;
    warp.sync();  // all have read the loans before
    if (lends) loans[start] = {leaves, warp.thread_rank() + (uint32_t(first) << 8)};
    const uint32_t starts = compaction::warp_or(warp, lends ? 1u << start : 0);
    warp.sync();
    return starts;
  }

  SIMT_HOST_DEVICE ShearedRay ray(uint32_t lane) const {
    const PackedRay packed = rays[lane];
    ShearedRay ray;
    ray.x_axis = packed.axes & 0xff;
    ray.y_axis = packed.axes >> 8 & 0xff;
    ray.z_axis = packed.axes >> 16;
    ray.origin = packed.origin;
    ray.sx = packed.sx;
    ray.sy = packed.sy;
    ray.sz = packed.sz;
    return ray;
  }
};

}  // namespace winnow
