// SPDX-License-Identifier: MIT
#include "tests/support/this_build.h"

namespace winnow {

#ifdef NDEBUG
constexpr bool kIsRelease = true;
#else
constexpr bool kIsRelease = false;
#endif

const ThisBuild kThisBuild = {
    .winnow = WINNOW_BINARY,
    .soak = WINNOW_SOAK_BINARY,
    .faults = WINNOW_FAULTS_LIBRARY,
    .is_sanitized = WINNOW_SANITIZE,
    .is_hardened = WINNOW_HARDEN && !WINNOW_SANITIZE,
    .is_release = kIsRelease,
};

}  // namespace winnow
