// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "compaction/learn/judge/options.h"
#include "compaction/learn/judge/trial.h"

namespace compaction::judge {

/// Judges `function` as `options` say and prints the verdict, also where a call crashes or does not
/// end. Returns the exit status: 0 pass, 1 fail.
///
/// @param name  of the function, for the verdict
int judge_and_report(const Options& options, const std::string& name, const Function& function);

/// The verdict in words, one line for each thing to know. Ends in a line break.
std::string describe(const Verdict& verdict, const std::string& name);

/// Counts beside those of a rung, as a table.
std::string describe_costs(const Verdict& verdict, const std::string& name, const std::string& rung,
                           const Counts& of_rung);

}  // namespace compaction::judge
