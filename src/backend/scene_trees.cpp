// SPDX-License-Identifier: MIT
#include "backend/scene_trees.h"

#include <algorithm>

#include "base/error.h"
#include "base/nanoseconds.h"

namespace winnow {
namespace {

// Measured on an H200 and its 16 threads: Sponza and a terrain of a million triangles.

/// Time of the quality build per primitive, s: a serial part, and a part divided by the number of
/// threads. 1 us with 16 threads was measured; the division is an estimate.
constexpr double kSerialBuildSeconds = 0.3e-6, kParallelBuildSeconds = 11.0e-6;
/// Relative additional time of rays in the tree of the fast build: up to 16 % in Sponza and 9 % on
/// the terrain. The time of the fast build itself is negligible.
constexpr double kSlowerRays = 0.08;
/// Rays of all kinds that a multiprocessor traces per second.
constexpr double kRaysPerSecond = 2.0e9 / 132;
/// Limit of the bounces of typical paths, even if the scene's limit is higher.
constexpr uint32_t kTypicalBounces = 4;
/// Rays per path vertex: the next segment and a shadow ray.
constexpr double kRaysPerVertex = 2.0;

/// Bytes of the fast build per primitive, including geometry.
constexpr uint64_t kFastBuildBytes = 560;

}  // namespace

BvhBuild choose_bvh(const RenderSettings& settings, const BvhChoice& choice) {
  if (settings.bvh != BvhBuild::kAuto) return settings.bvh;
  if (settings.expected_spp == 0 || choice.primitives > choice.free_memory / kFastBuildBytes)
    return BvhBuild::kQuality;
  const double build = double(choice.primitives) *
                       (kSerialBuildSeconds + kParallelBuildSeconds / std::max(choice.threads, 1u));
  const double paths = double(settings.width) * settings.height * settings.expected_spp;
  const double rays =
      paths * kRaysPerVertex * (1 + std::min(settings.max_bounces, kTypicalBounces));
  const double saved = kSlowerRays * rays / (kRaysPerSecond * std::max(choice.multiprocessors, 1u));
  return saved > build ? BvhBuild::kQuality : BvhBuild::kFast;
}

SceneTrees::SceneTrees(const RenderSettings& settings, const BvhChoice& choice,
                       BuildFast build_fast)
    : requested_(settings.bvh), build_fast_(std::move(build_fast)) {
  report_.build = choose_bvh(settings, choice);
  if (!settings.bvh_cache.empty()) cache_.emplace(settings.bvh_cache);
}

WideBvhArrays SceneTrees::build(const HostScene& scene) {
  const double start = steady_seconds();
  const std::filesystem::path file = cache_ ? cache_->file_of(scene) : std::filesystem::path();
  std::optional<WideBvhArrays> bvh;
  if (cache_ && requested_ != BvhBuild::kFast) bvh = cache_->read(file);
  report_.cached = bvh && (report_.cached || first_);
  first_ = false;
  if (bvh)
    report_.build = BvhBuild::kQuality;
  else
    bvh = build_new(scene, file);
  report_.seconds += steady_seconds() - start;
  return std::move(*bvh);
}

WideBvhArrays SceneTrees::build_new(const HostScene& scene, const std::filesystem::path& file) {
  if (report_.build == BvhBuild::kFast)
    if (std::optional<WideBvhArrays> bvh = build_fast_(scene)) return std::move(*bvh);
  report_.build = BvhBuild::kQuality;
  WideBvhArrays bvh = build_wide_bvh(scene);
  if (!cache_) return bvh;
  try {
    cache_->write(file, bvh);
  } catch (const Error& error) {  // rendering continues without the cache
    report_.warning = error.what();
  }
  return bvh;
}

}  // namespace winnow
