// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace winnow {

/// What `winnow bench` measured of one mode.
struct MeasuredMode {
  std::string name;  ///< as mode_name(), "path loop", or "regenerating"
  double samples_per_second = 0.0;
  std::optional<double> speed;  ///< beside that of `none`, the median
};

/// What `winnow bench` measured of one scene, with or without Russian roulette.
struct MeasuredTable {
  std::string device;
  uint32_t width = 0, height = 0;  ///< pixels
  uint32_t max_bounces = 0;
  std::vector<MeasuredMode> modes;
};

/// Reads a file that `winnow bench --json` wrote.
///
/// @param scene     its name, as `HostScene::name`
/// @param roulette  of the rows to take
/// Throws Error, which names the file, if it is another file or if nothing was measured of the
/// scene.
MeasuredTable read_measured(const std::filesystem::path& file, const std::string& scene,
                            bool roulette);

}  // namespace winnow
