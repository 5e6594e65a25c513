#pragma once

#include <string>
#include <vector>

#include "app/bench/summary.h"

namespace winnow {

// What `winnow bench` prints of a scene, at most 100 columns wide. Each ends with a line break.

/// A line for each configuration: time, speed beside wave + none, rank.
std::string frame_table(const SceneBench& bench, const std::vector<ConfigSummary>& summaries);

/// A line for each bounce: who lives, and why the others died. The same for every configuration.
std::string death_table(const RenderStats& stats);

/// A line for each bounce: lanes, bytes and stages of one configuration, what it saved against
/// `none`, and on a GPU the gain of gain_milliseconds().
std::string bounce_table(const ConfigRun& run, const ConfigRun* none, bool cuda);

/// A line for each stage: the time of wave + none, of the ideal and of one configuration.
std::string stage_table(const ConfigSummary& none, const ConfigSummary& mode,
                        const std::string& name);

}  // namespace winnow
