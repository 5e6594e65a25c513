// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/cli/option_values.h"

namespace winnow {

/// A pixel of the image; (0, 0) is the top left one.
struct PixelPosition {
  uint32_t x = 0, y = 0;
};

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

}  // namespace winnow
