// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "scene/volumes/sparse_values.h"

namespace winnow {

/// A NanoVDB file in memory.
class NvdbFile {
 public:
  /// Throws Error, in one line, if the file cannot be read, and if this build has no NanoVDB.
  explicit NvdbFile(const std::filesystem::path& file);
  /// @param name  of the file, for messages
  NvdbFile(std::string bytes, std::string name);

  const std::string& name() const { return name_; }

  /// Returns whether there is a grid of a name. Throws Error for a file of another kind.
  bool has_grid(std::string_view grid) const;

  /// Returns the first grid of a name: of numbers, vectors, and the quantised kinds. Throws Error,
  /// in one line, if there is none, and for a file that is broken or of another kind.
  SparseGrid read(std::string_view grid) const;

 private:
  std::string bytes_, name_;
};

}  // namespace winnow
