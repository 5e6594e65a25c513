// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/see/see.h"
#include "base/error.h"
#include "compaction/simt/simt.h"
#include "math/morton.h"
#include "wavefront/state/wave.h"

namespace winnow {
namespace {

/// Size of the tile of a warp in Wave::pixel_at(), pixels.
constexpr uint32_t kWarpWidth = 8, kWarpHeight = 4;

/// Position of the pixels of a warp, in units of tiles.
struct WarpTile {
  uint32_t x, y;
};

/// Returns all tiles that are completely in the image, in the order of a wave.
std::vector<WarpTile> whole_tiles(Size image) {
  std::vector<WarpTile> tiles;
  for (uint32_t y = 0; y < image.height / kWarpHeight; ++y)
    for (uint32_t x = 0; x < image.width / kWarpWidth; ++x) tiles.push_back({x, y});
  return tiles;
}

std::vector<WarpTile> tiles_along_curve(std::vector<WarpTile> tiles, size_t count) {
  std::ranges::sort(tiles, {}, [](const WarpTile& tile) { return morton_code(tile.x, tile.y); });
  std::vector<WarpTile> chosen;
  for (size_t i = 0; i < count; ++i)  // the centres of equal parts of the curve
    chosen.push_back(tiles[(2 * i + 1) * tiles.size() / (2 * count)]);
  return chosen;
}

std::vector<WarpTile> nearest_tiles(std::vector<WarpTile> tiles, size_t count,
                                    PixelPosition pixel) {
  // Distances are in half pixels, so that the centre of a tile is a whole number.
  auto distance = [&](const WarpTile& tile) {
    const int64_t dx = int64_t(tile.x * 2 + 1) * kWarpWidth - int64_t(pixel.x) * 2,
                  dy = int64_t(tile.y * 2 + 1) * kWarpHeight - int64_t(pixel.y) * 2;
    return dx * dx + dy * dy;
  };
  std::ranges::sort(
      tiles, {}, [&](const WarpTile& tile) { return std::tuple(distance(tile), tile.y, tile.x); });
  tiles.resize(count);
  return tiles;
}

std::vector<uint32_t> pixels_of_tiles(std::vector<WarpTile> tiles, Size image) {
  std::ranges::sort(tiles, {}, [](const WarpTile& tile) { return std::tuple(tile.y, tile.x); });
  std::vector<uint32_t> pixels;
  for (const WarpTile& tile : tiles)
    for (uint32_t y = 0; y < kWarpHeight; ++y)
      for (uint32_t x = 0; x < kWarpWidth; ++x)
        pixels.push_back((tile.y * kWarpHeight + y) * image.width + tile.x * kWarpWidth + x);
  return pixels;
}

}  // namespace

std::vector<uint32_t> followed_pixels(Size image, uint32_t count,
                                      std::optional<PixelPosition> around) {
  const uint64_t pixel_count = uint64_t(image.width) * image.height;
  if (count > pixel_count)
    throw UsageError(
        fmt::format("--paths: the image has {} pixels, fewer than {}; use a larger "
                    "--size or fewer paths",
                    pixel_count, count));
  if (around && (around->x >= image.width || around->y >= image.height))
    throw UsageError(fmt::format("--pixel: {},{} is not in the image of {}x{} pixels", around->x,
                                 around->y, image.width, image.height));

  const size_t warps = simt::ceil_div(count, simt::kWarpSize);
  std::vector<WarpTile> tiles = whole_tiles(image);
  std::vector<uint32_t> pixels;
  if (tiles.size() >= warps) {
    tiles = around ? nearest_tiles(std::move(tiles), warps, *around)
                   : tiles_along_curve(std::move(tiles), warps);
    pixels = pixels_of_tiles(std::move(tiles), image);
  } else {
    const Wave all{.width = image.width, .height = image.height};
    for (uint32_t i = 0; i < count; ++i) pixels.push_back(all.pixel_at(i));
  }
  pixels.resize(count);
  return pixels;
}

}  // namespace winnow
