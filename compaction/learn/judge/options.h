// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "compaction/learn/judge/trial.h"

namespace compaction::judge {

struct Options {
  std::string file;  ///< the student's source; empty: judge `rung`
  Settings settings;
  std::string call;  ///< C++ that calls the function; empty: a function named like the task
  std::string rung;  ///< rung to compare with; empty: chosen by rung_beside()
  std::string page;  ///< HTML file to write, which shows a call; empty: none
  bool help = false;
};

/// Messages of the program that judges a student's source to the program that waits for it, in a
/// file that both map. They distinguish a verdict from an exit() in the student's code.
struct Progress {
  char trial[256] = {};    ///< the call in progress; empty: none has begun
  uint64_t trials = 0;     ///< number of calls that have begun
  bool has_ended = false;  ///< the verdict is printed
};
inline constexpr const char* kProgressVariable = "COMPACTION_JUDGE_PROGRESS";  ///< name of the file

/// Parses the options of `compaction-judge`, which also passes them to the program that it builds,
/// and returns the exit status of `work`. Prints the text of --help, or one line about wrong
/// options or an exception, and returns the status that --help states.
int with_options(int argc, char** argv, const std::function<int(const Options&)>& work);

/// Judges `function` and prints the verdict, even if a call crashes or does not end. Returns the
/// exit status: 0 pass, 1 fail.
///
/// @param name  name of the function in the verdict
int judge_and_report(const Options& options, const std::string& name, const Function& function);

}  // namespace compaction::judge
