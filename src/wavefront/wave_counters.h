#pragma once

#include <cstdint>

#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"
#include "compaction/simt/span.h"
#include "wavefront/paths.h"

namespace winnow {

/// What the paths of one wave do, bounce by bounce. Nothing is reset while the wave is under way.
struct WaveCounters {
  Span<uint32_t> alive;        ///< [bounce], paths at its start, as the culling counted them
  Span<uint32_t> shadow_rays;  ///< [bounce]
  Span<uint32_t> deaths;       ///< [bounce][Death]
};

/// The same over all waves so far.
struct TotalCounters {
  Span<uint64_t> alive;        ///< [bounce]
  Span<uint64_t> shadow_rays;  ///< [bounce]
  Span<uint64_t> deaths;       ///< [bounce][Death]
};

/// Adds one to a counter that many threads count in: one atomic for all lanes of a warp that add to
/// the same counter at the same moment.
SIMT_HOST_DEVICE inline void count_one(uint32_t& counter) {
#if defined(__CUDA_ARCH__)
  unsigned same = __match_any_sync(__activemask(), reinterpret_cast<uintptr_t>(&counter));
  bool leads = (same & simt::lanes_below(threadIdx.x % simt::kWarpSize)) == 0;
  if (leads) simt::add_relaxed(counter, simt::popcount(same));
#else
  simt::add_relaxed(counter, 1u);
#endif
}

/// Starts the counters of a wave, one bounce an item.
struct OpenCounters {
  static constexpr Stage kStage = Stage::kGenerate;

  WaveCounters counters;
  uint32_t path_count;

  SIMT_HOST_DEVICE void operator()(uint32_t bounce) const {
    counters.alive[bounce] = bounce == 0 ? path_count : 0;
    counters.shadow_rays[bounce] = 0;
    for (uint32_t death = 0; death < kDeathCount; ++death)
      counters.deaths[bounce * kDeathCount + death] = 0;
  }
};

/// Counts one path's certificate.
struct CountDeath {
  static constexpr Stage kStage = Stage::kFilm;

  Span<const Certificate> certificate;  ///< [path]
  WaveCounters counters;

  SIMT_HOST_DEVICE void operator()(PathId path) const {
    Certificate c = certificate[path];
    count_one(counters.deaths[c.bounce() * kDeathCount + uint32_t(c.death())]);
  }
};

/// Who knows how many paths were alive.
enum class AliveFrom {
  kQueues,  ///< the culling counted its survivors
  kDeaths,  ///< nothing was culled: those that have not died before
};

/// Adds the counters of a finished wave to the totals, one bounce an item.
struct CloseCounters {
  static constexpr Stage kStage = Stage::kFilm;

  WaveCounters counters;
  TotalCounters totals;
  uint32_t path_count;
  AliveFrom alive_from;

  SIMT_HOST_DEVICE void operator()(uint32_t bounce) const {
    totals.alive[bounce] +=
        alive_from == AliveFrom::kQueues ? counters.alive[bounce] : survivors(bounce);
    totals.shadow_rays[bounce] += counters.shadow_rays[bounce];
    for (uint32_t death = 0; death < kDeathCount; ++death)
      totals.deaths[bounce * kDeathCount + death] += counters.deaths[bounce * kDeathCount + death];
  }

 private:
  SIMT_HOST_DEVICE uint32_t survivors(uint32_t bounce) const {
    uint32_t alive = path_count;
    for (uint32_t i = 0; i < bounce * kDeathCount; ++i) alive -= counters.deaths[i];
    return alive;
  }
};

}  // namespace winnow
