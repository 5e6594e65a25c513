#include "app/render/aov_pictures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/render/death_pictures.h"
#include "image/color_map.h"
#include "image/image_io.h"
#include "math/sampler.h"

namespace winnow {
namespace {

constexpr float kMaxByte = 255.0f;

/// What the numbers of a picture are.
const char* meaning_of(Aov aov) {
  switch (aov) {
    case Aov::kAlbedo:
      return "share of light that surfaces send on";
    case Aov::kNormal:
      return "shading normals towards the camera";
    case Aov::kDepth:
      return "m along the view direction";
    case Aov::kPosition:
      return "position in m";
    case Aov::kIds:
      return "numbers of material, primitive and instance";
    case Aov::kVariance:
      return "variance of the mean, estimated";
    case Aov::kSamples:
      return "samples of each pixel";
    case Aov::kBounces:
    case Aov::kDeaths:
      break;
  }
  return "";
}

/// The colour whose bytes are the shares [0, 1] of 255.
glm::vec3 color_of_shares(glm::vec3 shares) {
  const glm::vec3 bytes = glm::round(glm::clamp(shares, 0.0f, 1.0f) * kMaxByte);
  return color_of_bytes(uint8_t(bytes.x), uint8_t(bytes.y), uint8_t(bytes.z));
}

/// Each pixel by a function of it.
template <class ColorOf>
Image colors_of(Image image, ColorOf color_of) {
  for (glm::vec3& pixel : image.pixels) pixel = color_of(pixel);
  return image;
}

/// The box of what the camera sees, from black to red, green and blue; nothing is black.
Image position_colors(const Image& positions, const HostFilm& film) {
  glm::vec3 low(INFINITY), high(-INFINITY);
  for (const FirstHit& hit : film.first_hits)
    if (hit.primitive > 0) low = glm::min(low, hit.position), high = glm::max(high, hit.position);
  const glm::vec3 size = glm::max(high - low, glm::vec3(1e-30f));
  Image colors =
      colors_of(positions, [&](glm::vec3 p) { return color_of_shares((p - low) / size); });
  for (size_t pixel = 0; pixel < colors.pixels.size(); ++pixel)
    if (film.first_hits[pixel].primitive == 0) colors.pixels[pixel] = glm::vec3(0.0f);
  return colors;
}

/// A colour at random for each material and instance; black for nothing.
Image id_colors(const Image& ids) {
  return colors_of(ids, [](glm::vec3 id) {
    const glm::uvec4 random = pcg4d({uint32_t(id.x), uint32_t(id.z), 0, 0});
    return id.y > 0.0f ? color_of_shares({uniform_float(random.x), uniform_float(random.y),
                                          uniform_float(random.z)})
                       : glm::vec3(0.0f);
  });
}

/// Numbers as colours; the infinite black.
Image number_colors(const Image& numbers) {
  Image finite = colors_of(numbers, [](glm::vec3 v) {
    const float mean = (v.x + v.y + v.z) / 3.0f;
    return glm::vec3(std::isfinite(mean) ? mean : 0.0f);
  });
  Image colors = false_color_image(finite);
  for (size_t pixel = 0; pixel < colors.pixels.size(); ++pixel)
    if (!std::isfinite(numbers.pixels[pixel].x)) colors.pixels[pixel] = glm::vec3(0.0f);
  return colors;
}

Image colors_of_aov(Aov aov, const Image& image, const HostFilm& film) {
  switch (aov) {
    case Aov::kNormal:
      return colors_of(image, [](glm::vec3 n) { return color_of_shares(0.5f * n + 0.5f); });
    case Aov::kPosition:
      return position_colors(image, film);
    case Aov::kIds:
      return id_colors(image);
    case Aov::kDepth:
    case Aov::kVariance:
    case Aov::kSamples:
      return number_colors(image);
    case Aov::kAlbedo:
    case Aov::kBounces:
    case Aov::kDeaths:
      break;
  }
  return image;
}

}  // namespace

std::string write_aov(const AovOutput& output, const HostFilm& film) {
  if (output.aov == Aov::kBounces || output.aov == Aov::kDeaths)
    return write_death_picture(output, death_maps(film), film.width, film.height);
  const Image image = aov_image(output.aov, film);
  const bool numbers = holds_numbers(image_format(output.file));
  write_image(output.file, numbers ? image : colors_of_aov(output.aov, image, film));
  return fmt::format("{}: {}, as {}", output.file.string(), meaning_of(output.aov),
                     numbers ? "numbers" : "colours");
}

}  // namespace winnow
