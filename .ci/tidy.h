// SPDX-License-Identifier: MIT
// .ci/tidy includes this file before each source: libstdc++ has no std::source_location for clang
// before version 15.
#pragma once

#if defined(__clang__) && !__has_builtin(__builtin_source_location)
#define __cpp_lib_source_location 201907L
namespace std {
struct source_location {
  static constexpr source_location current() { return {}; }
  constexpr unsigned line() const { return 0; }
  constexpr unsigned column() const { return 0; }
  constexpr const char* file_name() const { return ""; }
  constexpr const char* function_name() const { return ""; }
};
}  // namespace std
#endif
