// SPDX-License-Identifier: MIT
#include "base/positioned_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace winnow {
namespace {

constexpr mode_t kNewFileMode = 0666;  // before the user's umask

[[noreturn]] void fail_with_errno(const char* what) {
  throw Error(fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

}  // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(value_, other.value_);
  return *this;
}

bool FileDescriptor::close() {
  return value_ < 0 || ::close(std::exchange(value_, -1)) == 0;
}

InputFile::InputFile(const std::filesystem::path& file)
    : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),  // for pipes
      size_(0) {
  if (descriptor_.value() < 0) fail_with_errno("cannot be opened");
  const off_t end = ::lseek(descriptor_.value(), 0, SEEK_END);
  if (end < 0) throw Error("is not a file that can be read twice");
  size_ = uint64_t(end);
}

void InputFile::read(uint64_t position, void* data, size_t bytes) const {
  char* next = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t count = ::pread(descriptor_.value(), next, bytes, off_t(position));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_errno("cannot be read");
    if (count == 0) throw Error("is truncated");
    next += count;
    position += uint64_t(count);
    bytes -= size_t(count);
  }
}

OutputFile::OutputFile(const std::filesystem::path& file)
    : descriptor_(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kNewFileMode)) {
  if (descriptor_.value() < 0) fail_with_errno("cannot be written");
  has_positions_ = ::lseek(descriptor_.value(), 0, SEEK_CUR) >= 0;
}

void OutputFile::write(uint64_t position, const void* data, size_t bytes) const {
  const int file = descriptor_.value();
  const char* next = static_cast<const char*>(data);
  for (size_t left = bytes; left > 0;) {
    const off_t at = off_t(position + (bytes - left));
    const ssize_t count =
        has_positions_ ? ::pwrite(file, next, left, at) : ::write(file, next, left);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_errno("cannot be written");
    next += count;
    left -= size_t(count);
  }
  // Only a hint: not all file systems support it.
  if (has_positions_ && bytes > 0)
    ::sync_file_range(file, off_t(position), off_t(bytes), SYNC_FILE_RANGE_WRITE);
}

void OutputFile::close() {
  if (!descriptor_.close()) fail_with_errno("cannot be written");
}

}  // namespace winnow
