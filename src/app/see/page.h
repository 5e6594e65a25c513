// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "app/see/follow_wave.h"
#include "app/see/measured_table.h"
#include "image/image.h"
#include "image/tone_mapping.h"
#include "scene/host_scene.h"

namespace winnow {

/// Contents of a page of `winnow see`.
struct SeenScene {
  const HostScene& scene;
  const RenderSettings& settings;
  const FollowedWave& wave;
  const Image& picture;  ///< image of the scene, of any size
  ToneMapping mapping;   ///< for the picture and the colours of paths
  std::optional<MeasuredTable> measured;
  std::string where;  ///< the followed pixels in words: "spread over the image"
};

/// Returns "append" or "append, grouped".
std::string mode_name(const BenchConfig& config);

/// Returns the data of a page as JSON, without the character `<`. `path` and `queue` count from 0.
/// Modes with equal queues share them. Members:
///
///   scene, description, where, width, height, maxBounces, roulette
///   picture         data URI, PNG
///   causes          names, [Termination]
///   surfaces        names of the classes of hits
///   materials       names
///   paths           [path] {pixel, death, bounce, color, vertices}: `vertices` are [bounce] of
///                   [x, y, z, film x, film y, surface, material], the film position null behind
///                   the camera, the material null where there is none
///   queues          [queue][entry] path
///   modes           [mode] {name, cull, grouped, movesState, steps}: `steps` are [iteration] of
///                   [queue that is traced, queue that is shaded]
///   measured        null, or {device, size, maxBounces, modes}
std::string page_data(const SeenScene& seen);

/// Template of every page: page/page.html with page.css and its scripts, which the build embeds in
/// the program.
extern const char* const kSeePage;

/// Returns a self-contained HTML page that shows how each mode culls the wave.
///
/// Opened with #end, it goes to the last bounce of each mode and writes the numbers that it shows
/// there as JSON into <pre id="end">, for tests: per mode the active paths of each bounce, and the
/// terminated paths by cause.
std::string see_page(const SeenScene& seen);

/// Returns bytes in base 64 (RFC 4648), with padding.
std::string base64_text(const std::string& bytes);

}  // namespace winnow
