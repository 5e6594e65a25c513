// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace winnow {

class OutputFile;

/// Throws Error, without the name of the file, if the stream holds a Git LFS pointer: a text in
/// place of a large file that was not fetched. The stream must be at its start, and stays there.
/// Git Large File Storage, "Specification", version 1.
void refuse_lfs_pointer(std::istream& stream);

/// Returns the extension in lower case.
std::string extension_of(const std::filesystem::path& file);

/// Throws Error if the file is a pipe or a device: opening or reading it may never end.
void refuse_endless(const std::filesystem::path& file);

/// Returns all bytes of a file. Throws Error with the file and the reason when it cannot be read,
/// or is a Git LFS pointer.
std::string read_file(const std::filesystem::path& file);

/// Returns the content of a text file. Throws Error with the file and the reason when it cannot be
/// read, is empty or is not text.
std::string read_text_file(const std::filesystem::path& file);

/// Writes a temporary file beside the target, flushes it to disk and renames it, so that the target
/// is always either the old file or the complete new one. Follows a symbolic link; writes directly
/// to a pipe or a device. Throws Error with the file and the reason when it cannot be written, and
/// leaves no temporary file.
///
/// @param write  writes the content to a binary stream, in which it may seek; may throw Error
void replace_file(const std::filesystem::path& target,
                  const std::function<void(std::ostream&)>& write);

/// Replaces a file like replace_file(), but lets several threads write it by position.
void replace_positioned_file(const std::filesystem::path& target,
                             const std::function<void(const OutputFile&)>& write);

}  // namespace winnow
