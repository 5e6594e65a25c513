// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/cli/option_values.h"
#include "app/cli/sky.h"
#include "app/cli/view.h"
#include "app/see/followed_pixels.h"
#include "base/folder_watch.h"
#include "image/tone_mapping.h"
#include "load/mitsuba/parameters.h"
#include "wavefront/state/render_settings.h"

namespace CLI {
class App;
}

namespace winnow {

/// The options of `winnow see`. Empty ones take their value from the scene.
struct SeeOptions {
  std::filesystem::path scene;
  MitsubaParameters parameters;                   ///< of a Mitsuba scene
  std::optional<double> time;                     ///< s, a moment of its animations
  OutsideFiles outside = OutsideFiles::kAllowed;  ///< of the folder of the scene
  std::filesystem::path page;                     ///< empty: <scene>.html in the current folder
  uint32_t paths = 512;                           ///< to follow
  std::optional<PixelPosition> pixel;             ///< around which; else all over the image
  std::vector<Cull> culls;                        ///< none: all that a CPU has
  std::vector<Group> groups;                      ///< none: both
  uint32_t spp = 16;                              ///< samples per pixel of the picture
  std::optional<Size> size;
  std::optional<View> camera;
  std::optional<uint32_t> max_bounces;
  std::optional<SkyRequest> sky;
  std::optional<Exposure> exposure;
  ToneCurve tone_curve = ToneCurve::kSrgb;
  std::filesystem::path bench;  ///< what `winnow bench --json` wrote; empty: none
  RenderSettings settings;      ///< further settings of the renderer
  bool quiet = false;
};

/// Adds the options of `winnow see` to `command`; parsing it fills `options`.
void add_see_options(CLI::App& command, SeeOptions& options);

/// Follows paths of one wave on the CPU and writes a page that shows them. Throws Error or
/// UsageError.
void see(const SeeOptions& options);

}  // namespace winnow
