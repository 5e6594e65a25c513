// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace winnow {

// The functions that a fuzzer calls. Each target reads its input as a user's file: it succeeds, or
// throws Error or UsageError with one line. Any other exception is a finding, as is a report of a
// sanitizer. The tests run the same functions on the seeds and on former findings.

/// A reader under test.
struct FuzzTarget {
  const char* name;                     ///< also the name of its dictionary
  bool (*run)(std::string_view input);  ///< returns whether it was read; throws all but Error
  std::vector<std::string> (*seeds)();  ///< inputs that are read without an error

  friend void PrintTo(const FuzzTarget& self, std::ostream* out) { *out << self.name; }
};

/// A property that does not hold.
struct FuzzFinding : std::logic_error {
  using std::logic_error::logic_error;
};

inline void expect_in_fuzz(bool holds, const std::string& what) {
  if (!holds) throw FuzzFinding(what);
}

/// Calls read(). Returns false if it throws Error or UsageError, whose messages must have one line.
template <class Read>
bool reads(Read read) {
  const auto check = [](const std::string& message) {
    expect_in_fuzz(!message.empty() && message.find('\n') == std::string::npos,
                   "a message without one line: " + message);
  };
  try {
    read();
    return true;
  } catch (const Error& error) {
    check(error.what());
  } catch (const UsageError& error) {
    check(error.what());
  }
  return false;
}

// The targets, by source.
std::vector<FuzzTarget> scene_fuzz_targets();
std::vector<FuzzTarget> image_fuzz_targets();
std::vector<FuzzTarget> film_fuzz_targets();
std::vector<FuzzTarget> command_line_fuzz_targets();

/// All of them.
std::vector<FuzzTarget> fuzz_targets();

/// Throws std::invalid_argument if there is none of this name.
FuzzTarget fuzz_target(std::string_view name);

}  // namespace winnow
