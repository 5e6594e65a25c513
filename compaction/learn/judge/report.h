// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "compaction/learn/judge/options.h"
#include "compaction/learn/judge/trial.h"

namespace compaction::judge {

/// Judges `function` and prints the verdict, even if a call crashes or does not end. Returns the
/// exit status: 0 pass, 1 fail.
///
/// @param name  name of the function in the verdict
int judge_and_report(const Options& options, const std::string& name, const Function& function);

/// Returns the verdict as lines of text, the last of which ends in a line break.
std::string describe(const Verdict& verdict, const std::string& name);

}  // namespace compaction::judge
