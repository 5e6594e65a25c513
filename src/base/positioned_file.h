// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace winnow {

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
