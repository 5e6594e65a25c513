// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>

namespace winnow {

/// Returns how often a random search repeats: `count`, multiplied by $WINNOW_TEST_FACTOR if it is
/// set. The nightly workflow searches longer than a test has time to.
inline unsigned rounds(unsigned count) {
  const char* factor = std::getenv("WINNOW_TEST_FACTOR");
  return factor ? count * unsigned(std::strtoul(factor, nullptr, 10)) : count;
}

}  // namespace winnow
