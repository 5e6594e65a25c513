// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "bvh/build/build_wide_bvh.h"
#include "bvh/build/bvh_cache.h"
#include "bvh/bvh_build.h"
#include "scene/host_scene.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// The input of the choice between the builds on a GPU.
struct BvhChoice {
  uint64_t primitives = 0;
  uint32_t threads = 1;                 ///< threads of the CPU, for the quality build
  uint32_t multiprocessors = 1;         ///< multiprocessors of the GPU, for rays
  uint64_t free_memory = ~uint64_t(0);  ///< bytes of free memory on the GPU
};

/// Returns settings.bvh, or for kAuto the build that is likely to finish the image first, according
/// to measured rates: kQuality if its rays save more time than it takes. An unknown sample count is
/// taken as large.
BvhBuild choose_bvh(const RenderSettings& settings, const BvhChoice& choice);

/// Obtains the trees of a scene for a GPU, from the cache or by one of the builds; reports which.
class SceneTrees {
 public:
  /// Runs the fast build; returns none if the tree would be too deep for the traversal.
  using BuildFast = std::function<std::optional<WideBvhArrays>(const HostScene&)>;

  /// Throws Error if the folder settings.bvh_cache is not writable.
  SceneTrees(const RenderSettings& settings, const BvhChoice& choice, BuildFast build_fast);

  /// Reads the tree from the cache, unless the settings request the fast build; otherwise builds
  /// it. Writes trees of the quality build to the cache.
  WideBvhArrays build(const HostScene& scene);

  const BvhReport& report() const { return report_; }

 private:
  WideBvhArrays build_new(const HostScene& scene, const std::filesystem::path& file);

  BvhBuild requested_;
  std::optional<BvhCache> cache_;
  BuildFast build_fast_;
  BvhReport report_;
  bool first_ = true;
};

}  // namespace winnow
