// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/limits.h"

namespace winnow {

/// All bytes of a file; those that gzip compressed are decompressed.
/// Throws Error, which names the file, where it cannot be read or is damaged.
/// @param most  bytes after decompression
std::string read_maybe_compressed(const std::filesystem::path& file,
                                  uint64_t most = kMaxDecompressedBytes);

/// The folders in which a pbrt scene looks for its files.
class PbrtFolders {
 public:
  /// @param scene  the file of the scene
  explicit PbrtFolders(const std::filesystem::path& scene) : of_scene_(scene.parent_path()) {}

  /// The path of a file that the scene names, relative to the scene or to the file that names it;
  /// nothing if there is none.
  std::optional<std::filesystem::path> find(const std::string& name,
                                            const std::string& named_by) const;

 private:
  std::filesystem::path of_scene_;
};

}  // namespace winnow
