// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace winnow {

enum class ExrType { kHalf, kFloat, kUint };

/// A channel of a file that a test writes or has read.
struct ExrChannel {
  ExrType type = ExrType::kFloat;
  std::vector<double> values;  ///< [height][width] of the samples in the data window
  int sampling = 1;            ///< distance of samples along both axes
};

/// Left, top, right and bottom edge; the last pixels are inside.
using ExrWindow = std::array<int, 4>;

struct ExrPart {
  ExrWindow data = {0, 0, 0, 0}, display = {0, 0, 0, 0};
  std::map<std::string, ExrChannel> channels;
  std::string name = {}, view = {};  ///< empty: none
  int compression = 3;               ///< by its number; 3 is ZIP
  bool has_tiles = false, has_levels = false;
  std::map<std::string, std::string> strings = {};
  std::map<std::string, int> numbers = {};
  std::vector<float> chromaticities = {};  ///< x and y of red, green, blue and white; empty: none
  std::vector<float> adopted_neutral = {};
  std::vector<std::string> views = {};  ///< attribute multiView
  bool is_cube_map = false;
};

/// Returns a part of one size for both windows whose channels have the same value in all pixels.
ExrPart exr_part(int width, int height, const std::map<std::string, double>& values);

/// Returns the bytes of a file, as the OpenEXR library writes them.
std::string exr_bytes(const std::vector<ExrPart>& parts);

/// Returns the bytes of a file of luminance and chroma with 2x2 subsampling, as the library makes
/// it from colours of one value with an alpha of 0.5.
std::string exr_luminance_chroma_bytes(int width, int height, std::array<float, 3> color);

/// Returns the bytes of a file with deep parts after the flat ones.
std::string exr_bytes_with_deep(const std::vector<ExrPart>& parts, int deep_count = 1);

/// Reads all parts with the OpenEXR library, without attributes other than those above.
std::vector<ExrPart> read_exr_parts(const std::string& bytes);

}  // namespace winnow
