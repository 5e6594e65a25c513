#pragma once

#include <array>
#include <cstdint>
#include <vector>

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
inline constexpr std::array<const char*, kDeathCount> kDeathNames = {
    "alive", "escaped", "hit_light", "roulette", "zero_throughput", "max_depth", "not_finite"};

/// The stages of the wavefront, in the order in which they run.
enum class Stage : uint32_t { kGenerate, kIntersect, kShade, kShadow, kCull, kFilm, kPath };
inline constexpr uint32_t kStageCount = 7;
inline constexpr std::array<const char*, kStageCount> kStageNames = {
    "generate", "intersect", "shade", "shadow", "cull", "film", "path"};

/// One turn of the bounce loop, summed over all samples.
struct BounceStats {
  uint64_t alive = 0;  ///< paths at the start of the bounce
  uint64_t shadow_rays = 0;
  std::array<uint64_t, kDeathCount> deaths{};      ///< [Death]; [kAlive] stays 0
  std::array<double, kStageCount> milliseconds{};  ///< [Stage], ms; on the CPU summed over threads
};

struct RenderStats {
  uint64_t paths = 0;                ///< camera rays
  std::vector<BounceStats> bounces;  ///< [bounce], max_bounces + 1 of them
};

}  // namespace winnow
