// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "bvh/build/build_wide_bvh.h"
#include "scene/host_scene.h"

namespace winnow {

/// A folder with the results of build_wide_bvh(), one file per geometry. The name of a file is a
/// 128-bit hash of the builder's version, positions, triangles and spheres. The file contains its
/// name and a hash of its content, so a damaged, foreign or outdated file is never used.
class BvhCache {
 public:
  /// Incremented whenever build_wide_bvh() makes different trees, or their format changes.
  static constexpr uint32_t kBuilderVersion = 4;

  /// Creates the folder if it does not exist. Throws Error if it is not writable.
  explicit BvhCache(std::filesystem::path folder);

  /// Returns the path of the file for a scene, which need not exist.
  std::filesystem::path file_of(const HostScene& scene) const;

  /// Returns the tree in `file`; none unless it is intact and belongs to the scene of its name.
  std::optional<WideBvhArrays> read(const std::filesystem::path& file) const;

  /// Writes or replaces a file atomically. Throws Error.
  void write(const std::filesystem::path& file, const WideBvhArrays& bvh) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace winnow
