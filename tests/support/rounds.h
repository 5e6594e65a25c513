// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdlib>

namespace winnow {

/// Returns how often a random search repeats, or how many samples an image takes: `count` times
/// $WINNOW_TEST_FACTOR, if that is a number above 0. The nightly workflow takes more than a push.
inline unsigned rounds(unsigned count) {
  const char* factor = std::getenv("WINNOW_TEST_FACTOR");
  return factor ? count * std::max(1u, unsigned(std::strtoul(factor, nullptr, 10))) : count;
}

/// Whether $WINNOW_TEST_FACTOR asks for a longer search: then tests have more schedules, too.
inline bool is_long_search() {
  return rounds(1) > 1;
}

}  // namespace winnow
