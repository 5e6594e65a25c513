// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <set>

namespace winnow {

/// What happens when a scene names a file outside of its folder.
enum class OutsideFiles { kAllowed, kRefused };

/// Watches the files that the readers of this thread open while it lives: which of them are outside
/// of the folder of a scene. Symbolic links are followed first. There may be one at a time in a
/// thread.
class FolderWatch {
 public:
  FolderWatch(const std::filesystem::path& scene, OutsideFiles outside);
  FolderWatch(const FolderWatch&) = delete;
  ~FolderWatch();

  /// The files outside that were opened.
  const std::set<std::filesystem::path>& outside() const { return outside_; }

  /// To be called before a file is opened that a user's file names. Throws Error, which names the
  /// file, if it is outside of the folder that this thread watches and such files are refused, or
  /// if it is a pipe or a device, for which a reader could wait forever. The scene may be one.
  static void check(const std::filesystem::path& file);

 private:
  bool contains(const std::filesystem::path& file) const;

  std::filesystem::path scene_, folder_;
  OutsideFiles rule_;
  std::set<std::filesystem::path> outside_;
};

}  // namespace winnow
