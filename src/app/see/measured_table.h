// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace winnow {

/// Measurements of one mode by `winnow bench`.
struct MeasuredMode {
  std::string name;  ///< result of mode_name(), "path loop", or "regenerating"
  double samples_per_second = 0.0;
  std::optional<double> speed;  ///< median speed relative to `none`
};

/// Measurements of one scene by `winnow bench`, with or without Russian roulette.
struct MeasuredTable {
  std::string device;
  uint32_t width = 0, height = 0;  ///< pixels
  uint32_t max_bounces = 0;
  std::vector<MeasuredMode> modes;
};

/// Reads a file that `winnow bench --json` wrote.
///
/// @param scene     name of the scene, as `HostScene::name`
/// @param roulette  roulette setting of the rows to read
/// Throws Error, which names the file, if it is another file or if it does not contain the scene.
MeasuredTable read_measured(const std::filesystem::path& file, const std::string& scene,
                            bool roulette);

}  // namespace winnow
