// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/config.h"
#include "app/cli/shared_options.h"
#include "backend/cpu/wave_recorder.h"
#include "backend/renderer.h"
#include "image/image.h"
#include "image/tone_mapping.h"
#include "scene/host_scene.h"

namespace winnow {

/// A pixel of the image; (0, 0) is the top left one.
struct PixelPosition {
  uint32_t x = 0, y = 0;
};

/// The options of `winnow see`. Empty ones take their value from the scene.
struct SeeOptions : SceneOptions {
  std::filesystem::path scene;
  std::filesystem::path page;          ///< empty: <scene>.html in the current folder
  uint32_t paths = 512;                ///< number of paths to follow
  std::optional<PixelPosition> pixel;  ///< centre of the followed paths; none: the whole image
  std::vector<Cull> culls;             ///< none: all that a CPU has
  std::vector<Group> groups;           ///< none: both
  uint32_t spp = 16;                   ///< samples per pixel of the picture
  std::optional<Exposure> exposure;
  ToneCurve tone_curve = ToneCurve::kSrgb;
  std::filesystem::path bench;  ///< file of `winnow bench --json`; empty: none
  RenderSettings settings;      ///< further settings of the renderer
  bool quiet = false;
};

OptionTable see_options(SeeOptions& options);

/// Chooses `count` pixels whose paths are followed, in the order of a wave. Every 32 consecutive
/// ones are a tile of 8x4 pixels, the pixels of a warp in any render. The tiles are evenly spaced
/// along a Morton curve over the image, or surround one pixel. If the image has fewer complete
/// tiles, the pixels start at its first one.
///
/// @param count  at least 1
/// @return       film positions, row by row, all different
/// Throws UsageError if the image has fewer pixels, or if the pixel is not in it.
std::vector<uint32_t> followed_pixels(Size image, uint32_t count,
                                      std::optional<PixelPosition> around);

/// Follows paths of one wave on the CPU and writes their page. Throws Error or UsageError.
void see(const SeeOptions& options);

struct FollowedMode {
  BenchConfig config;
  std::vector<IterationRecord> iterations;  ///< [iteration]
  RenderStats stats;
};

struct FollowedWave {
  std::vector<PathRecord> paths;  ///< [path], independent of the mode
  std::vector<FollowedMode> modes;
};

/// Returns the combinations of culling and grouping that do different work, as `winnow bench`
/// compares them.
///
/// @param culls, groups  empty: all except `auto`, which is `append` in a first wave, and except
///                       modes that need a GPU
/// Throws UsageError for modes that need a GPU.
std::vector<BenchConfig> followed_configs(const std::vector<Cull>& culls,
                                          const std::vector<Group>& groups, bool roulette);

/// Renders the first sample of some pixels as one wave, once in each mode, and records it. Throws
/// Error if the paths of two modes differ.
///
/// @param renderer  result of make_cpu_renderer() with `recorder`; its film is lost
/// @param pixels    film positions
FollowedWave follow_wave(Renderer& renderer, WaveRecorder& recorder,
                         const std::vector<BenchConfig>& configs,
                         const std::vector<uint32_t>& pixels);

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
