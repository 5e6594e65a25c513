// SPDX-License-Identifier: MIT
#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/folder_watch.h"
#include "base/limits.h"

namespace winnow {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_write(const fs::path& target) {
  const std::string reason = errno ? std::generic_category().message(errno) : "the write failed";
  throw Error(fmt::format("{}: cannot be written: {}", target.string(), reason));
}

/// Creates `file` with the content that `write` writes to a stream. Errors name `target`.
void write_content(const fs::path& file, const fs::path& target,
                   const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  if (!stream) fail_to_write(target);
  try {
    write(stream);
  } catch (const Error& error) {
    if (!stream) fail_to_write(target);
    throw Error(fmt::format("{}: {}", target.string(), error.what()));
  }
  stream.close();  // flushes: a full disk may be reported only here
  if (!stream) fail_to_write(target);
}

/// Creates `file` with the content that `write` writes by position. Errors name `target`.
void write_positions(const fs::path& file, const fs::path& target,
                     const std::function<void(const OutputFile&)>& write) {
  try {
    OutputFile output(file);
    write(output);
    output.close();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", target.string(), error.what()));
  }
}

/// Waits until the content of `file` is on disk, so that no rename reaches the disk before it.
void flush_to_disk(const fs::path& file, const fs::path& target) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_to_write(target);
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  const bool is_unsupported = error == EINVAL || error == ENOTSUP;  // the file system cannot flush
  errno = error;
  if (error != 0 && !is_unsupported) fail_to_write(target);
}

/// Returns a unique name in the folder of `target`, whose length does not depend on that of
/// `target`. It has a random part, as two hosts or containers that write into one folder may use
/// the same process id.
fs::path temporary_name(const fs::path& target) {
  static const unsigned random = std::random_device{}();
  static std::atomic<unsigned> count{0};
  return target.parent_path() /
         fmt::format(".winnow-{}-{:08x}-{}.tmp", ::getpid(), random, ++count);
}

/// Number of calls of end_waits_for_readers(). Lock-free, since signal handlers write it.
std::atomic<unsigned> ended_waits{0};
static_assert(std::atomic<unsigned>::is_always_lock_free);

/// Waits until a program reads the pipe, and returns it open for writing. Throws Error if
/// end_waits_for_readers() is called first.
FileDescriptor open_with_reader(const fs::path& pipe) {
  constexpr std::chrono::milliseconds kPause(10);
  const unsigned ended_before = ended_waits;
  while (true) {
    FileDescriptor descriptor(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    if (descriptor.value() >= 0) return descriptor;
    if (errno != ENXIO) fail_to_write(pipe);
    if (ended_waits != ended_before)
      throw Error(fmt::format("{}: interrupted while no program read this pipe", pipe.string()));
    std::this_thread::sleep_for(kPause);
  }
}

/// Calls create(file) for a temporary file, which then replaces `target`. A `target` that exists
/// and is not a regular file is written directly.
void replace_by(const fs::path& target, const std::function<void(const fs::path&)>& create) {
  std::error_code ignored;
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored)) {
    std::optional<FileDescriptor> pipe;
    if (fs::is_fifo(target, ignored)) pipe = open_with_reader(target);
    return create(target);
  }

  fs::path resolved = fs::weakly_canonical(target, ignored);
  if (resolved.empty()) resolved = target;
  const fs::path temporary = temporary_name(resolved);
  try {
    create(temporary);
    flush_to_disk(temporary, target);
    std::error_code failure;
    fs::rename(temporary, resolved, failure);
    if (failure)
      throw Error(fmt::format("{}: cannot be written: {}", target.string(), failure.message()));
  } catch (...) {
    fs::remove(temporary, ignored);
    throw;
  }
}

/// Returns the time of the last change of a file's content, or nothing if it is unknown.
std::optional<fs::file_time_type> change_time(const fs::path& file) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(file, error);
  if (error) return {};
  return time;
}

constexpr int kLog2Gibi = 30;
constexpr std::string_view kLfsPointer = "version https://git-lfs.github.com/spec";
constexpr const char* kLfsMessage =
    "this is a Git LFS pointer, not the file itself; run `git lfs pull` to fetch the file";

constexpr mode_t kNewFileMode = 0666;  // before the user's umask

[[noreturn]] void fail_with_errno(const char* what) {
  throw Error(fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

}  // namespace

void end_waits_for_readers() {
  ++ended_waits;
}

void refuse_lfs_pointer(std::istream& stream) {
  std::string start(kLfsPointer.size(), '\0');
  stream.read(start.data(), std::streamsize(start.size()));
  start.resize(size_t(stream.gcount()));
  stream.clear();
  stream.seekg(0);
  if (start == kLfsPointer) throw Error(kLfsMessage);
}

std::string extension_of(const fs::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = char(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

void refuse_endless(const fs::path& file) {
  std::error_code error;
  if (fs::is_other(file, error))
    throw Error(fmt::format("{}: this is a pipe or a device; expected a file", file.string()));
}

std::string read_file(const fs::path& file) {
  FolderWatch::check(file);
  const std::string name = file.string();
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found)
    throw Error(fmt::format("{}: there is no such file", name));
  if (fs::is_directory(status))
    throw Error(fmt::format("{}: this is a folder; expected a scene file", name));

  errno = 0;
  const std::optional<fs::file_time_type> changed = change_time(file);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(fmt::format("{}: cannot be opened: {}", name, std::strerror(errno)));

  constexpr size_t kMinChunk = size_t{1} << 12, kMaxChunk = size_t{1} << 20;
  const uint64_t most = fs::is_regular_file(status) ? kMaxFileBytes : kMaxPipeBytes;
  const auto check_size = [&](uint64_t size) {
    if (size > most)
      throw Error(fmt::format("{}: the file is too large; expected at most {} GiB", name,
                              most >> kLog2Gibi));
  };
  std::string text;
  size_t chunk = kMaxChunk;
  const uintmax_t size = fs::file_size(file, error);
  const bool has_size = !error && size > 0;  // files in /proc report 0
  if (!error) {
    check_size(size);
    chunk = std::clamp(size_t(size) + 1, kMinChunk, kMaxChunk);
    text.reserve(size + chunk);  // with room for the read that finds the end
  }
  while (stream) {
    check_size(text.size());
    const size_t filled = text.size();
    text.resize(filled + chunk);
    stream.read(text.data() + filled, std::streamsize(chunk));
    text.resize(filled + size_t(stream.gcount()));
  }
  if (stream.bad()) throw Error(fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
  if (has_size && (text.size() != size || change_time(file) != changed))
    throw Error(fmt::format("{}: the file changed while it was read; try again", name));
  if (text.starts_with(kLfsPointer)) throw Error(fmt::format("{}: {}", name, kLfsMessage));
  return text;
}

std::string read_text_file(const fs::path& file) {
  std::string text = read_file(file);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw Error(fmt::format("{}: the file is empty", file.string()));
  if (text.find('\0') != std::string::npos)
    throw Error(fmt::format("{}: this is not a text file", file.string()));
  return text;
}

void replace_file(const fs::path& target, const std::function<void(std::ostream&)>& write) {
  replace_by(target, [&](const fs::path& file) { write_content(file, target, write); });
}

void replace_positioned_file(const fs::path& target,
                             const std::function<void(const OutputFile&)>& write) {
  replace_by(target, [&](const fs::path& file) { write_positions(file, target, write); });
}

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
