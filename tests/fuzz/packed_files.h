// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace winnow {

/// A folder of files that one input describes, so that a fuzzer reaches readers of several files.
///
/// The input begins with the main file. A line "=== NAME" ends a file and begins another one. A
/// file is ignored if its name has other characters than lowercase letters, digits, periods and
/// dashes. The folder always contains t.png (2x2 texels), m.ply, m.obj and m.mtl.
class PackedFiles {
 public:
  /// Writes the files to a folder of this process.
  /// @param main  name of the main file
  PackedFiles(std::string_view input, const std::string& main);
  PackedFiles(const PackedFiles&) = delete;
  ~PackedFiles();

  const std::filesystem::path& main() const { return main_; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  void write(const std::string& name, std::string_view bytes);

  std::filesystem::path folder_, main_;
  std::set<std::string> written_;
};

/// A file of these bytes in a folder of this process; it is removed by remove_fuzz_files().
std::filesystem::path fuzz_file(const std::string& name, std::string_view bytes);

/// The folder of this process, which the end of the program removes.
const std::filesystem::path& fuzz_folder();

}  // namespace winnow
