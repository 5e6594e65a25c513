// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "compaction/learn/judge/trial.h"

namespace compaction::judge {

/// Options that cannot be obeyed, or --help. what() is the text to show.
struct OptionsError : std::runtime_error {
  OptionsError(const std::string& text, int status) : std::runtime_error(text), status(status) {}
  int status;  ///< exit status of the program: 0 of --help, else 2
};

struct Options {
  std::string file;  ///< the student's source
  Settings settings;
  std::string call;          ///< C++ that calls the function; empty takes the task's name
  std::string rung;          ///< to compare with; empty takes that of the file's name
  std::string page;          ///< HTML file that shows a call; empty for none
  bool judges_rung = false;  ///< of the ladder instead of a file
};

/// Of `compaction-judge`, and of the program that it builds.
Options parse_options(const std::vector<std::string>& arguments);

}  // namespace compaction::judge
