// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Makes all functions that wait for the reader of a pipe throw Error. Signal handlers may call it.
void end_waits_for_readers();

/// Replaces a file like replace_file(), but lets several threads write it by position.
void replace_positioned_file(const std::filesystem::path& target,
                             const std::function<void(const OutputFile&)>& write);

// Files that several threads read or write at once, by position.

/// Owner of an open file, which closes it.
class FileDescriptor {
 public:
  explicit FileDescriptor(int value) : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(other.value_) { other.value_ = -1; }
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { close(); }

  int value() const { return value_; }

  /// Closes the file now. Returns false, with the reason in errno, if written bytes may be lost.
  bool close();

 private:
  int value_;  ///< -1: closed
};

/// A file open for reading. Its Errors state only the reason, without the file.
class InputFile {
 public:
  /// Throws Error if there is no such file, or if it is a pipe.
  explicit InputFile(const std::filesystem::path& file);

  uint64_t size() const { return size_; }  ///< bytes at the time of opening

  /// Throws Error if the file ends before `bytes` bytes.
  void read(uint64_t position, void* data, size_t bytes) const;

 private:
  FileDescriptor descriptor_;
  uint64_t size_;
};

/// A file open for writing. Its Errors state only the reason, without the file.
class OutputFile {
 public:
  /// Creates the file, or truncates it.
  explicit OutputFile(const std::filesystem::path& file);

  /// Returns false for a pipe, to which bytes must be written in their order.
  bool has_positions() const { return has_positions_; }

  /// Writes all bytes and starts their transfer to disk, so that a later flush takes less time.
  void write(uint64_t position, const void* data, size_t bytes) const;

  /// Closes the file. Throws Error if written bytes were lost.
  void close();

 private:
  FileDescriptor descriptor_;
  bool has_positions_ = false;
};

}  // namespace winnow
