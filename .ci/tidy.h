// SPDX-License-Identifier: MIT
// Included by .ci/tidy before each source: before clang 15, libstdc++ has no std::source_location.
#pragma once

#if defined(__clang__) && !__has_builtin(__builtin_source_location)
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
