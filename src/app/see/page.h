// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/see/follow_wave.h"
#include "image/image.h"
#include "image/tone_mapping.h"
#include "scene/host_scene.h"

namespace winnow {

struct SeenScene {
  const HostScene& scene;
  const RenderSettings& settings;
  const FollowedWave& wave;
  const Image& picture;                    ///< image of the scene, of any size
  ToneMapping mapping;                     ///< for the picture and the colours of paths
  const nlohmann::ordered_json& measured;  ///< result of read_measured(), or null
  std::string where;  ///< the followed pixels in words: "spread over the image"
};

/// Reads the measurements of one scene from a file that `winnow bench --json` wrote: {device, size,
/// maxBounces, modes}, where `modes` are [mode] {name, samplesPerSecond, speed}: `name` as in the
/// page, "path loop" or "regenerating", `speed` the median relative to `none`, or null.
///
/// @param scene     name of the scene, as `HostScene::name`
/// @param roulette  roulette setting of the rows to read
/// Throws Error, which names the file, if it is another file or if it does not contain the scene.
nlohmann::ordered_json read_measured(const std::filesystem::path& file, const std::string& scene,
                                     bool roulette);

/// Template of every page: page/page.html with page.css and its scripts, which the build embeds in
/// the program.
extern const char* const kSeePage;

/// Returns a self-contained HTML page that shows how each mode culls the wave.
///
/// Opened with #end, it goes to the last bounce of each mode and writes the numbers that it shows
/// there as JSON into <pre id="end">, for tests: per mode the active paths of each bounce, and the
/// terminated paths by cause.
std::string see_page(const SeenScene& seen);

}  // namespace winnow
