#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/enum_names.h"

namespace winnow {

/// Why a path ended. `kAlive` is none of these.
enum class Death : uint32_t {
  kAlive,
  kEscaped,         ///< left the scene
  kHitLight,        ///< reached a surface that emits and reflects nothing
  kRoulette,        ///< lost at Russian roulette
  kZeroThroughput,  ///< nothing scatters into the sampled direction
  kMaxDepth,        ///< used up its bounces
  kNotFinite,       ///< met a NaN or an infinity; its sample counts as what was gathered before
};
inline constexpr uint32_t kDeathCount = 7;
template <>
inline constexpr std::array<const char*, kDeathCount> kEnumNames<Death> = {
    "alive", "escaped", "hit_light", "roulette", "zero_throughput", "max_depth", "not_finite"};

/// The stages of the wavefront, in the order in which they run; then others.
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

/// One turn of the bounce loop, summed over all waves.
struct BounceStats {
  uint64_t alive = 0;   ///< paths at the start of the bounce
  uint64_t queued = 0;  ///< entries of the work queue then: the living, and the dead not yet culled
  uint64_t busy_warps = 0;   ///< groups of 32 neighbouring entries with a living path among them;
                             ///< alive / (32 * busy_warps) is the lanes' efficiency
  uint64_t waves = 0;        ///< waves that came to it
  uint64_t culls = 0;        ///< in how many of these the queue was culled at its end
  uint64_t state_bytes = 0;  ///< of path state that its stages read and wrote
  uint64_t shadow_rays = 0;
  std::array<uint64_t, kDeathCount> deaths{};      ///< [Death]; [kAlive] stays 0
  std::array<double, kStageCount> milliseconds{};  ///< [Stage], ms; on the CPU summed over threads
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

/// What a driver that records a wave launches at once. All 0 where it does not record.
struct RecordedWork {
  uint32_t kernels = 0;  ///< those of a loop count once
  uint32_t loops = 0;    ///< that the device repeats by itself
  uint32_t others = 0;   ///< copies, and whatever else is neither
};

struct RenderStats {
  RecordedWork recorded = {};
  uint64_t paths = 0;                ///< camera rays
  uint64_t waves = 0;                ///< how often the loop over bounces ran
  double host_seconds = 0.0;         ///< that the host took to start them; 0 on the CPU
  std::vector<BounceStats> bounces;  ///< [bounce], max_bounces + 1 of them
};

/// Where and when the paths of each pixel ended, summed over its samples.
struct DeathMaps {
  std::vector<uint32_t> samples;                          ///< [pixel], row by row
  std::vector<uint32_t> bounces;                          ///< [pixel], scattering events before
  std::vector<std::array<uint32_t, kDeathCount>> deaths;  ///< [pixel][Death]
};

/// Which entries of a work queue live on after a bounce: what a culling pass has to select.
struct AliveMask {
  uint32_t entries = 0;         ///< of the queue
  std::vector<uint32_t> words;  ///< [ceil(entries / 32)]; bit i % 32 of word i / 32 is entry i
};

}  // namespace winnow
