// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/support/run_winnow.h"

namespace winnow {

/// A sphere without any light.
inline constexpr const char* kDarkScene = R"({
  "film": {"width": 8, "height": 8}, "render": {"spp": 2},
  "camera": {"position": [0, 0, 4], "look_at": [0, 0, 0]},
  "materials": {"grey": {"type": "diffuse"}},
  "shapes": [{"type": "sphere", "material": "grey", "center": [0, 0, 0], "radius": 1}]})";

/// Tests of `winnow render`.
class Render : public WinnowTest {
 protected:
  /// Renders the Cornell box on the CPU, small.
  std::vector<std::string> command(const std::vector<std::string>& arguments) const {
    return joined({"render", kCornellBox, "--device", "cpu", "--size", "16x12"}, arguments);
  }
  Outcome render(const std::vector<std::string>& arguments) const {
    return succeed(command(arguments));
  }
  void expect_usage_error(const std::vector<std::string>& arguments,
                          const std::string& part) const {
    expect_failure(2, command(arguments), part);
  }
  nlohmann::json stats_of(const std::vector<std::string>& arguments) const {
    render(joined(arguments, {"--stats", "stats.json", "-o", "stats.png", "--quiet"}));
    return json("stats.json");
  }
};

}  // namespace winnow
