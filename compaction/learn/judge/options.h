// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "compaction/learn/judge/trial.h"

namespace compaction::judge {

/// Thrown for wrong options and for --help. what() is the text to print.
struct OptionsError : std::runtime_error {
  OptionsError(const std::string& text, int status) : std::runtime_error(text), status(status) {}
  int status;  ///< exit status of the program: 0 for --help, else 2
};

struct Options {
  std::string file;  ///< the student's source
  Settings settings;
  std::string call;          ///< C++ that calls the function; empty: a function named like the task
  std::string rung;          ///< rung to compare with; empty: chosen by rung_beside()
  std::string page;          ///< HTML file to write, which shows a call; empty: none
  bool judges_rung = false;  ///< whether to judge `rung` instead of `file`
};

/// Parses the options of `compaction-judge`, which also passes them to the program that it builds.
/// Throws OptionsError.
Options parse_options(const std::vector<std::string>& arguments);

}  // namespace compaction::judge
