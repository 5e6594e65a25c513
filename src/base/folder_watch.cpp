// SPDX-License-Identifier: MIT
#include "base/folder_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "base/files.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

thread_local FolderWatch* watch_of_thread = nullptr;

/// Returns the absolute path without links and dots. The file need not exist.
fs::path real_path(const fs::path& file) {
  std::error_code error;
  const fs::path absolute = fs::absolute(file, error);
  const fs::path canonical = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : canonical;
}

}  // namespace

FolderWatch::FolderWatch(const fs::path& scene, OutsideFiles outside)
    : scene_(scene),
      folder_(real_path(scene.has_parent_path() ? scene.parent_path() : ".")),
      rule_(outside) {
  watch_of_thread = this;
}

FolderWatch::~FolderWatch() {
  watch_of_thread = nullptr;
}

bool FolderWatch::contains(const fs::path& file) const {
  const auto [of_folder, of_file] =
      std::mismatch(folder_.begin(), folder_.end(), file.begin(), file.end());
  return of_folder == folder_.end();
}

void FolderWatch::check(const fs::path& file) {
  FolderWatch* watch = watch_of_thread;
  if (!watch) return;
  if (file != watch->scene_) refuse_endless(file);
  const fs::path opened = real_path(file);
  if (watch->contains(opened)) return;
  if (watch->rule_ == OutsideFiles::kRefused)
    throw Error(fmt::format(
        "{}: the file is outside of the scene's folder; --confine allows only files inside of it",
        file.string()));
  watch->outside_.insert(opened);
}

}  // namespace winnow
