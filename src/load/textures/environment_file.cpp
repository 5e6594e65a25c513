// SPDX-License-Identifier: MIT
#include "load/textures/environment_file.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "image/image_io.h"

namespace winnow {
namespace {

/// Sums and products of larger radiances could overflow a float.
constexpr float kMaxRadiance = 1e9f;

bool is_radiance(float value) {
  return value >= 0.0f && value <= kMaxRadiance;
}

/// Sets pixels that are not radiances to black.
/// @return  their number
size_t clear_invalid_pixels(Image& image) {
  size_t cleared = 0;
  for (glm::vec3& pixel : image.pixels) {
    if (is_radiance(pixel.x) && is_radiance(pixel.y) && is_radiance(pixel.z)) continue;
    pixel = glm::vec3(0.0f);
    ++cleared;
  }
  return cleared;
}

}  // namespace

std::optional<Image> read_environment_file(const std::filesystem::path& file,
                                           std::vector<std::string>& warnings) {
  std::error_code status;
  if (!std::filesystem::exists(file, status)) {
    warnings.push_back(
        fmt::format("{}: the environment map does not exist; a soft sky is used", file.string()));
    return std::nullopt;
  }
  try {
    Image image = read_image(file);
    if (const size_t cleared = clear_invalid_pixels(image))
      warnings.push_back(
          fmt::format("{}: {} pixels are negative, above 1e9 or not finite; they "
                      "become black",
                      file.string(), cleared));
    return image;
  } catch (const std::runtime_error& error) {
    warnings.push_back(fmt::format("{}; a soft sky is used", error.what()));
    return std::nullopt;
  }
}

}  // namespace winnow
