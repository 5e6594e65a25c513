#include "load/textures/environment_file.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "image/image_io.h"

namespace winnow {
namespace {

/// Beyond this, sums and products of radiance come too near to what a float can hold.
constexpr float kBrightestTexel = 1e9f;

bool is_radiance(float value) {
  return value >= 0.0f && value <= kBrightestTexel;
}

/// @return  pixels that were none
size_t keep_radiance(Image& image) {
  size_t dropped = 0;
  for (glm::vec3& pixel : image.pixels) {
    if (is_radiance(pixel.x) && is_radiance(pixel.y) && is_radiance(pixel.z)) continue;
    pixel = glm::vec3(0.0f);
    ++dropped;
  }
  return dropped;
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
    if (const size_t dropped = keep_radiance(image))
      warnings.push_back(
          fmt::format("{}: {} pixels are negative, above 1e9 or not finite; they "
                      "become black",
                      file.string(), dropped));
    return image;
  } catch (const std::runtime_error& error) {
    warnings.push_back(fmt::format("{}; a soft sky is used", error.what()));
    return std::nullopt;
  }
}

}  // namespace winnow
