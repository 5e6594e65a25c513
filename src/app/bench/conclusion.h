#pragma once

#include <string>
#include <vector>

#include "app/bench/summary.h"

namespace winnow {

/// What the numbers of a scene say, in plain sentences; see bench_conclusion.cpp for each rule. A
/// difference that cannot be told from the noise is called that.
std::vector<std::string> bench_conclusions(const SceneBench& bench,
                                           const std::vector<ConfigSummary>& summaries);

}  // namespace winnow
