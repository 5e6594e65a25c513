// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace winnow {

// Files whose bytes are read and written by their position, by several threads at once.

/// An open file, closed in the end.
class FileDescriptor {
 public:
  explicit FileDescriptor(int value) : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(other.value_) { other.value_ = -1; }
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { close(); }

  int value() const { return value_; }

  /// Closes it now. False, with the reason in errno, if what was written may be lost.
  bool close();

 private:
  int value_;  ///< -1: closed
};

/// A file that is read. All Errors have the reason alone.
class InputFile {
 public:
  /// Throws Error if there is no such file, or if it is a pipe.
  explicit InputFile(const std::filesystem::path& file);

  uint64_t size() const { return size_; }  ///< bytes, when it was opened

  /// Throws Error if the file ends before `bytes` bytes.
  void read(uint64_t position, void* data, size_t bytes) const;

 private:
  FileDescriptor descriptor_;
  uint64_t size_;
};

/// A file that is written. All Errors have the reason alone.
class OutputFile {
 public:
  /// Creates the file, or empties it.
  explicit OutputFile(const std::filesystem::path& file);

  /// False of a pipe: bytes then have to be written in their order.
  bool has_positions() const { return has_positions_; }

  /// Writes all bytes. The disk begins with them at once, so that a later flush takes less time.
  void write(uint64_t position, const void* data, size_t bytes) const;

  /// Throws Error if that shows that bytes were lost.
  void close();

 private:
  FileDescriptor descriptor_;
  bool has_positions_ = false;
};

}  // namespace winnow
