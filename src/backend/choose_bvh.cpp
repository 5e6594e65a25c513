#include "backend/choose_bvh.h"

#include <algorithm>

namespace winnow {
namespace {

// Measured on an H200 and its 16 threads: Sponza and a terrain of a million triangles.

/// The quality build takes so much for a primitive, once and shared out between the threads: 1 us
/// with 16 threads was measured, the rest is an estimate. s
constexpr double kSerialBuildSeconds = 0.3e-6, kSharedBuildSeconds = 11.0e-6;
/// In the tree of the fast build rays take longer by this part: up to 16 % in Sponza and 9 % on the
/// terrain. Beside the quality build the fast one takes no time.
constexpr double kSlowerRays = 0.08;
/// Rays that a multiprocessor traces in a second, of all kinds.
constexpr double kRaysPerSecond = 2.0e9 / 132;
/// Paths rarely have more bounces than this, whatever they may.
constexpr uint32_t kMaxCountedBounces = 4;
/// Each vertex of a path extends it and casts a shadow ray.
constexpr double kRaysPerVertex = 2.0;

/// What the fast build needs for a primitive, the geometry included.
constexpr uint64_t kFastBuildBytes = 560;

}  // namespace

BvhBuild choose_bvh(const RenderSettings& settings, const BvhChoice& choice) {
  if (settings.bvh != BvhBuild::kAuto) return settings.bvh;
  if (settings.expected_spp == 0 || choice.primitives > choice.free_memory / kFastBuildBytes)
    return BvhBuild::kQuality;
  const double build = double(choice.primitives) *
                       (kSerialBuildSeconds + kSharedBuildSeconds / std::max(choice.threads, 1u));
  const double paths = double(settings.width) * settings.height * settings.expected_spp;
  const double rays =
      paths * kRaysPerVertex * (1 + std::min(settings.max_bounces, kMaxCountedBounces));
  const double saved = kSlowerRays * rays / (kRaysPerSecond * std::max(choice.multiprocessors, 1u));
  return saved > build ? BvhBuild::kQuality : BvhBuild::kFast;
}

}  // namespace winnow
