// SPDX-License-Identifier: MIT
#include "app/cli/output_files.h"

#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ostream>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "image/image_io.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

void check_writable(const fs::path& file) {
  if (file == kStandardOutput) return;
  auto fail = [&](const std::string& reason) {
    throw Error(fmt::format("{}: cannot be written: {}", file.string(), reason));
  };
  fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code failure;
  fs::file_status folder_status = fs::status(folder, failure);
  if (folder_status.type() == fs::file_type::not_found)
    fail(fmt::format("the folder {} does not exist; create it first", folder.string()));
  if (failure) fail(failure.message());
  if (!fs::is_directory(folder_status)) fail(fmt::format("{} is not a folder", folder.string()));

  fs::file_status status = fs::status(file, failure);
  if (status.type() == fs::file_type::none) fail(failure.message());
  if (fs::is_directory(status)) fail("it is a folder; name a file in it");
  if (fs::exists(status) && ::access(file.c_str(), W_OK) != 0)
    fail(std::generic_category().message(errno));
  bool replaced = !fs::exists(status) || fs::is_regular_file(status);
  if (replaced && ::access(folder.c_str(), W_OK | X_OK) != 0)
    fail(fmt::format("the folder {}: {}", folder.string(), std::generic_category().message(errno)));
}

/// Returns one path for all spellings of it.
fs::path resolved(const fs::path& file) {
  std::error_code failure;
  fs::path absolute = fs::absolute(file, failure);
  fs::path result = fs::weakly_canonical(absolute, failure);
  return failure ? absolute : result;
}

}  // namespace

void check_outputs(const std::vector<fs::path>& images, const std::vector<fs::path>& others,
                   const std::vector<fs::path>& inputs) {
  std::vector<fs::path> outputs = images;
  for (const fs::path& other : others)
    if (!other.empty()) outputs.push_back(other);

  for (const fs::path& image : images) image_format(image);
  std::set<fs::path> read, written;
  for (const fs::path& input : inputs)
    if (!input.empty()) read.insert(resolved(input));
  for (const fs::path& output : outputs) {
    if (read.count(resolved(output)))
      throw UsageError(fmt::format("{}: is an input; write to another file", output.string()));
    if (!written.insert(resolved(output)).second)
      throw UsageError(fmt::format("{}: is given twice as an output", output.string()));
  }
  for (const fs::path& output : outputs) check_writable(output);
}

void write_stdout(const std::string& text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() || std::fflush(stdout) != 0)
    throw Error("stdout: cannot be written: " + std::generic_category().message(errno));
}

void write_text(const fs::path& file, const std::string& text) {
  if (file == kStandardOutput) return write_stdout(text);
  replace_file(file, [&](std::ostream& stream) { stream << text; });
}

fs::path fallback_for(const fs::path& file) {
  std::error_code failure;
  const fs::path parent = fs::temp_directory_path(failure);
  if (failure) return {};
  std::string folder = (parent / "winnow-XXXXXX").string();
  return ::mkdtemp(folder.data()) ? fs::path(folder) / file.filename() : fs::path();
}

fs::path write_fallback(const fs::path& file, const std::function<void(const fs::path&)>& write) {
  fs::path other = fallback_for(file);
  if (other.empty()) return {};
  try {
    write(other);
    return other;
  } catch (const std::exception&) {
    std::error_code ignored;
    fs::remove_all(other.parent_path(), ignored);
    return {};
  }
}

void write_or_fall_back(const fs::path& file, const std::function<void(const fs::path&)>& write) {
  try {
    write(file);
  } catch (const Error& error) {
    const fs::path other = write_fallback(file, write);
    if (other.empty()) throw;
    throw Error(fmt::format("{}; it is in {} instead", error.what(), other.string()));
  }
}

}  // namespace winnow
