// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/cli/shared_options.h"

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

}  // namespace winnow
