// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/cli/shared_options.h"
#include "app/see/followed_pixels.h"

namespace winnow {

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

/// Follows paths of one wave on the CPU and writes a page that shows them. Throws Error or
/// UsageError.
void see(const SeeOptions& options);

}  // namespace winnow
