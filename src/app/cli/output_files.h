// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace winnow {

/// Stands for the standard output in place of a text file to write.
inline constexpr const char* kStandardOutput = "-";

/// Checks, before any work is done, that all outputs can be written. Throws UsageError for an
/// unknown extension, a file that is given twice or an output that is also an input, and Error for
/// a folder that does not exist or is not writable; the message names the file.
///
/// @param images  files whose extension selects the format
/// @param others  further files to write, or kStandardOutput; empty paths are ignored
/// @param inputs  files that are read; empty paths are ignored
void check_outputs(const std::vector<std::filesystem::path>& images,
                   const std::vector<std::filesystem::path>& others,
                   const std::vector<std::filesystem::path>& inputs);

/// Writes a text, and what was printed before it. Throws Error if that fails, as on a full disk.
void write_stdout(const std::string& text = "");

/// Writes a text to the standard output for kStandardOutput, and otherwise replaces the file.
/// Throws Error with the file and the reason when it cannot be written.
void write_text(const std::filesystem::path& file, const std::string& text);

/// Returns a file of the same name in a new folder for temporary files that only this user can
/// read; empty if the folder cannot be created.
std::filesystem::path fallback_for(const std::filesystem::path& file);

/// Calls write(fallback_for(file)) and returns that file; empty if it cannot be written.
std::filesystem::path write_fallback(
    const std::filesystem::path& file,
    const std::function<void(const std::filesystem::path&)>& write);

/// Calls write(file). If that throws an Error, calls write_fallback() and throws an Error
/// that names both.
void write_or_fall_back(const std::filesystem::path& file,
                        const std::function<void(const std::filesystem::path&)>& write);

}  // namespace winnow
