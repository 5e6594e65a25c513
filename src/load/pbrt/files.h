// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/limits.h"

namespace winnow {

/// Returns all bytes of a file, decompressed if gzip compressed them. Throws Error, which names the
/// file, if it cannot be read or is damaged.
/// @param most  largest number of bytes after decompression
std::string read_maybe_compressed(const std::filesystem::path& file,
                                  uint64_t most = kMaxDecompressedBytes);

/// Folders that are searched for the files of a pbrt scene.
class PbrtFolders {
 public:
  /// @param scene  file of the scene
  explicit PbrtFolders(const std::filesystem::path& scene) : of_scene_(scene.parent_path()) {}

  /// Returns the path of a file that the scene names, relative to the scene or to the file that
  /// names it; nothing if there is no such file.
  std::optional<std::filesystem::path> find(const std::string& name,
                                            const std::string& named_by) const;

 private:
  std::filesystem::path of_scene_;
};

}  // namespace winnow
