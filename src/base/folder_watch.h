// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <set>

namespace winnow {

/// Whether a scene may name files outside of its folder.
enum class OutsideFiles { kAllowed, kRefused };

/// Records which files the readers of this thread open outside of the folder of a scene, as long as
/// the object lives. Symbolic links are followed first. A thread has at most one at a time.
class FolderWatch {
 public:
  FolderWatch(const std::filesystem::path& scene, OutsideFiles outside);
  FolderWatch(const FolderWatch&) = delete;
  ~FolderWatch();

  const std::set<std::filesystem::path>& outside() const { return outside_; }

  /// Call this before opening a file that a user's file names. Throws Error, which names the file,
  /// if it is outside of the folder that this thread watches and such files are refused, or if it
  /// is a pipe or a device, for which a reader could wait forever. The scene itself may be one.
  static void check(const std::filesystem::path& file);

 private:
  bool contains(const std::filesystem::path& file) const;

  std::filesystem::path scene_, folder_;
  OutsideFiles rule_;
  std::set<std::filesystem::path> outside_;
};

}  // namespace winnow
