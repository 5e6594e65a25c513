#pragma once

#include <string>

#include "app/bench/summary.h"

namespace winnow {

/// All that `winnow bench` prints of a scene. Of the bounces and stages only those with the first
/// roulette setting, of `none` and of the best culling mode; the rest is in the JSON file.
std::string scene_text(const SceneBench& bench, const std::string& device_name);

}  // namespace winnow
