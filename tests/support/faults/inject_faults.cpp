// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// A library that tests preload into the program (LD_PRELOAD). It makes calls of the C library fail.
// The program itself has no code for it. WINNOW_FAULT is
//
//   CALL:FIRST:ERRNO[:PART[:COUNT]]
//
// CALL is one of the functions below; of those of its calls that are about a path that contains
// PART, those before the one numbered FIRST (from 0) work, and all others or the next COUNT fail
// with the number ERRNO. With ERRNO 0, a read finds the end of the file, and a write or fsync does
// nothing. With -1, a read works, and then the first byte of the file is written anew, as another
// program would. PART of malloc is the least number of bytes of a call that counts.

namespace {

constexpr size_t kMaxText = 4096;

/// The fault that WINNOW_FAULT describes.
struct Fault {
  char call[32] = "", part[256] = "";
  long first = 0, count = LONG_MAX;
  int error = 0;
  std::atomic<long> calls{0};

  Fault() {
    const char* text = std::getenv("WINNOW_FAULT");
    if (text) std::sscanf(text, "%31[^:]:%ld:%d:%255[^:]:%ld", call, &first, &error, part, &count);
  }

  /// Whether this call fails.
  bool fails(const char* name, const char* path) {
    if (std::strcmp(name, call) != 0 || !std::strstr(path, part)) return false;
    const long before = calls++;
    return before >= first && before - first < count;
  }
};

Fault& fault() {
  static Fault instance;
  return instance;
}

/// Whether this call on an open file fails.
bool file_fails(const char* name, int file) {
  char link[64], path[kMaxText] = "";
  if (std::strcmp(name, fault().call) != 0) return false;
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (::readlink(link, path, sizeof path - 1) < 0) path[0] = '\0';
  return fault().fails(name, path);
}

/// The function that this library hides.
template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Sets errno. Returns the result of a call that fails.
int fail(int result) {
  errno = fault().error;
  return fault().error ? -1 : result;
}

constexpr int kChangeFile = -1;

/// Whether this read is to be answered by fail(). May change the file instead.
bool read_fails(int file) {
  if (!file_fails("read", file)) return false;
  if (fault().error != kChangeFile) return true;
  char link[64], byte = 0;
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const int again = original<int(const char*, int, ...)>("open")(link, O_RDWR);
  if (again < 0 || original<ssize_t(int, void*, size_t, off_t)>("pread")(again, &byte, 1, 0) != 1 ||
      original<ssize_t(int, const void*, size_t, off_t)>("pwrite")(again, &byte, 1, 0) != 1)
    std::abort();
  close(again);
  return false;
}

int open_file(const char* name, const char* path, int flags, mode_t mode) {
  if (fault().fails("open", path)) return fail(-1);
  return original<int(const char*, int, ...)>(name)(path, flags, mode);
}

FILE* open_stream(const char* name, const char* path, const char* mode) {
  if (fault().fails("open", path)) return fail(0), nullptr;
  return original<FILE*(const char*, const char*)>(name)(path, mode);
}

/// Whether this allocation fails.
bool allocation_fails(size_t bytes) {
  return bytes >= std::strtoul(fault().part, nullptr, 10) && fault().fails("malloc", fault().part);
}

}  // namespace

extern "C" {

// The allocator itself, which dlsym() would call.
void* __libc_malloc(size_t);

void* malloc(size_t bytes) {
  if (allocation_fails(bytes)) return fail(0), nullptr;
  return __libc_malloc(bytes);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return open_file("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return open_file("open64", path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  return open_stream("fopen", path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return open_stream("fopen64", path, mode);
}

ssize_t write(int file, const void* data, size_t bytes) {
  if (file_fails("write", file)) return fail(int(bytes));
  return original<ssize_t(int, const void*, size_t)>("write")(file, data, bytes);
}

ssize_t writev(int file, const iovec* parts, int count) {
  if (file_fails("write", file)) return fail(0);
  return original<ssize_t(int, const iovec*, int)>("writev")(file, parts, count);
}

ssize_t pwrite(int file, const void* data, size_t bytes, off_t at) {
  if (file_fails("write", file)) return fail(int(bytes));
  return original<ssize_t(int, const void*, size_t, off_t)>("pwrite")(file, data, bytes, at);
}

ssize_t pwrite64(int file, const void* data, size_t bytes, off64_t at) {
  if (file_fails("write", file)) return fail(int(bytes));
  return original<ssize_t(int, const void*, size_t, off64_t)>("pwrite64")(file, data, bytes, at);
}

ssize_t read(int file, void* data, size_t bytes) {
  if (read_fails(file)) return fail(0);
  return original<ssize_t(int, void*, size_t)>("read")(file, data, bytes);
}

ssize_t pread(int file, void* data, size_t bytes, off_t at) {
  if (read_fails(file)) return fail(0);
  return original<ssize_t(int, void*, size_t, off_t)>("pread")(file, data, bytes, at);
}

ssize_t pread64(int file, void* data, size_t bytes, off64_t at) {
  if (read_fails(file)) return fail(0);
  return original<ssize_t(int, void*, size_t, off64_t)>("pread64")(file, data, bytes, at);
}

int fsync(int file) {
  if (file_fails("fsync", file)) return fail(0);
  return original<int(int)>("fsync")(file);
}

int rename(const char* from, const char* to) {
  if (fault().fails("rename", to)) return fail(0);
  return original<int(const char*, const char*)>("rename")(from, to);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  if (fault().fails("pthread_create", "")) return fault().error;
  return original<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
      "pthread_create")(thread, attributes, run, argument);
}

}  // extern "C"
