// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "film/termination.h"

namespace winnow {

/// The stages of an iteration in the order in which they run, and the stages outside the loop.
enum class Stage : uint32_t {
  kGenerate,
  kIntersect,
  kShade,
  kShadow,
  kCull,
  kFilm,
  kPath,
  kFirstHits
};
inline constexpr uint32_t kStageCount = 8;
template <>
inline constexpr std::array<const char*, kStageCount> kEnumNames<Stage> = {
    "generate", "intersect", "shade", "shadow", "cull", "film", "path", "first_hits"};

/// Counters of one iteration of the loop over bounces, summed over all waves.
struct BounceStats {
  uint64_t alive = 0;        ///< paths at the start of the bounce
  uint64_t queued = 0;       ///< entries of the work queue then: active paths, and terminated ones
                             ///< that have not been culled
  uint64_t busy_warps = 0;   ///< groups of 32 consecutive entries with at least one active path;
                             ///< alive / (32 * busy_warps) is the lane utilization
  uint64_t waves = 0;        ///< waves that reached this bounce
  uint64_t culls = 0;        ///< waves that culled the queue at the end of this bounce
  uint64_t state_bytes = 0;  ///< bytes of path state that stages read and write
  uint64_t shadow_rays = 0;
  std::array<uint64_t, kTerminationCount> terminations{};  ///< [Termination]; [kAlive] stays 0
  std::array<double, kStageCount> milliseconds{};  ///< [Stage], ms; on the CPU summed over threads

  bool operator==(const BounceStats&) const = default;
};

/// The counts of BounceStats that are single numbers, and their names in statistics.
inline constexpr std::array<std::pair<const char*, uint64_t BounceStats::*>, 7> kBounceCounts = {
    {{"alive", &BounceStats::alive},
     {"queued", &BounceStats::queued},
     {"busy_warps", &BounceStats::busy_warps},
     {"waves", &BounceStats::waves},
     {"culls", &BounceStats::culls},
     {"state_bytes", &BounceStats::state_bytes},
     {"shadow_rays", &BounceStats::shadow_rays}}};

/// The nodes of the graph that a driver has recorded for a wave. All 0 if it does not record.
struct RecordedWork {
  uint32_t kernels = 0;  ///< kernels; those in a loop count once
  uint32_t loops = 0;    ///< conditional nodes, which the device repeats without the host
  uint32_t others = 0;   ///< copies and all other nodes

  bool operator==(const RecordedWork&) const = default;
};

struct RenderStats {
  RecordedWork recorded = {};
  uint64_t paths = 0;  ///< camera rays
  uint64_t waves = 0;
  double host_seconds = 0.0;         ///< time that the host took to launch the waves; 0 on the CPU
  std::vector<BounceStats> bounces;  ///< [bounce], max_bounces + 1 of them

  bool operator==(const RenderStats&) const = default;
};

/// Mask of the entries of a queue that stay active after a bounce: the input of a culling pass.
struct AliveMask {
  uint32_t entries = 0;         ///< entries of the queue
  std::vector<uint32_t> words;  ///< [ceil(entries / 32)]; bit i % 32 of word i / 32 is entry i
};

}  // namespace winnow
