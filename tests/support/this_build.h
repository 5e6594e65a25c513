// SPDX-License-Identifier: MIT
#pragma once

namespace winnow {

/// The build of the programs that tests start. Tests read it at run time, because .ci/run links the
/// tests that one build compiled into another build too.
struct ThisBuild {
  const char* winnow;  ///< file of the program
  const char* soak;    ///< file of winnow_soak
  /// File of a library that makes calls of the C library fail (faults/); empty under sanitizers,
  /// which must be loaded first.
  const char* faults;
  bool is_sanitized;  ///< whether the programs run under sanitizers
  bool is_hardened;   ///< whether stacks and sizes of buffers are checked
  bool is_release;    ///< whether assertions are off
};
extern const ThisBuild kThisBuild;

}  // namespace winnow
