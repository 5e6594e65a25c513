#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "backend/choose_bvh.h"
#include "bvh/build/build_wide_bvh.h"
#include "bvh/build/bvh_cache.h"
#include "bvh/bvh_build.h"
#include "scene/host_scene.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// Makes the trees of a scene for a GPU, as the settings of a render say, and tells how.
class SceneTrees {
 public:
  /// The fast build; none where it makes a tree that is too deep for the traversal.
  using BuildFast = std::function<std::optional<WideBvhArrays>(const HostScene&)>;

  /// Throws Error if the folder of settings.bvh_cache cannot be written to.
  SceneTrees(const RenderSettings& settings, const BvhChoice& choice, BuildFast build_fast);

  /// Reads the tree from its file, unless the fast build is asked for; else builds it. One of the
  /// quality build goes to its file.
  WideBvhArrays build(const HostScene& scene);

  /// On all trees so far.
  const BvhReport& report() const { return report_; }

 private:
  std::optional<WideBvhArrays> read(const std::filesystem::path& file) const;
  WideBvhArrays build_new(const HostScene& scene, const std::filesystem::path& file);

  BvhBuild asked_;
  std::optional<BvhCache> cache_;
  BuildFast build_fast_;
  BvhReport report_;
  bool first_ = true;
};

}  // namespace winnow
