// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/shapes.h"
#include "bvh/wide_bvh_node.h"
#include "compaction/group/warp.h"
#include "compaction/simt/simt.h"

namespace winnow {

/// The rays of a warp in shared memory, so that each lane can test primitives for any ray. [lane]
struct WarpRays {
  static constexpr uint32_t kNone = ~0u;

  /// The nearest hit of a ray so far. Among hits at equal distance the lowest primitive wins.
  struct alignas(16) Nearest {
    float t;             ///< m
    uint32_t primitive;  ///< index in the scene
    uint32_t reference;  ///< index in WideBvh::primitives; kNone without a hit
    uint32_t unused;     // for one 16-byte access

    SIMT_HOST_DEVICE bool is_before(Nearest other) const {
      return (t < other.t) | ((t == other.t) & (primitive < other.primitive));  // no branch
    }
  };

  /// A ShearedRay and the item whose ray it is, in two 16-byte accesses.
  struct alignas(16) PackedRay {
    glm::vec3 origin;
    float sx, sy, sz;
    uint32_t axes;  ///< a byte each, x lowest
    uint32_t item;
  };

  /// Primitives of one ray that other lanes test.
  struct alignas(16) TestJob {
    PrimitiveGroup primitives;
    uint32_t owner_and_first;  ///< lane of the ray + 256 times the rank of its first primitive
    SIMT_HOST_DEVICE uint32_t owner() const { return owner_and_first % simt::kWarpSize; }
    SIMT_HOST_DEVICE uint32_t first() const { return uint32_t(int32_t(owner_and_first) >> 8); }
  };

  PackedRay rays[simt::kWarpSize];
  Nearest nearest[simt::kWarpSize];
  TestJob jobs[simt::kWarpSize];  ///< [rank of the first primitive of the job]

  SIMT_HOST_DEVICE void publish(uint32_t lane, uint32_t item, const ShearedRay& ray, float t) {
    rays[lane] = {
        ray.origin, ray.sx, ray.sy, ray.sz, ray.x_axis | ray.y_axis << 8 | ray.z_axis << 16, item};
    nearest[lane] = {t, kNone, kNone, 0};
  }

  SIMT_HOST_DEVICE bool has_hit(uint32_t lane) const { return nearest[lane].reference != kNone; }

  /// Writes test jobs for the primitives of all lanes with ranks in [0, 32). Returns a mask of the
  /// ranks where jobs start. All lanes of the warp call it together.
  ///
  /// @param first  rank of this lane's first primitive among those of the warp; may be negative
  SIMT_KERNEL uint32_t share(simt::Warp auto warp, const PrimitiveGroup& primitives, int first) {
    const int end = first + int(simt::popcount(primitives.bits));
    const int start = first > 0 ? first : 0;
    const bool shares = start < int(simt::kWarpSize) && start < end;
    warp.sync();  // all lanes have read the previous jobs
    if (shares) jobs[start] = {primitives, warp.thread_rank() + (uint32_t(first) << 8)};
    const uint32_t starts = compaction::warp_or(warp, shares ? 1u << start : 0);
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
