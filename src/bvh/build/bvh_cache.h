#pragma once

#include <filesystem>
#include <optional>

#include "base/content_hash.h"
#include "bvh/build/build_wide_bvh.h"
#include "scene/host_scene.h"

namespace winnow {

/// What build_wide_bvh() made of scenes, kept in a folder: one file for each content. A file is
/// named by the hash of positions, triangles and spheres and of the builder's version, and holds
/// that and a hash of its own content, so that one that is damaged, foreign or old is never used.
class BvhCache {
 public:
  /// Raise it when build_wide_bvh() makes other trees, or their format changes.
  static constexpr uint32_t kBuilderVersion = 2;

  /// Makes the folder where there is none. Throws Error if it cannot be written to.
  explicit BvhCache(std::filesystem::path folder);

  /// The scene's file, whether it exists or not.
  std::filesystem::path file_of(const HostScene& scene) const;

  /// What `file` holds; none where it does not hold the tree of the scene that it is named for.
  std::optional<WideBvhArrays> read(const std::filesystem::path& file) const;

  /// Writes or replaces a file: there is the old one or the complete new one, whatever happens.
  /// Throws Error.
  void write(const std::filesystem::path& file, const WideBvhArrays& bvh) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace winnow
