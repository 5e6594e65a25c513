#include "app/render/death_pictures.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "image/color_map.h"
#include "image/image_io.h"

namespace winnow {
namespace {

struct DeathColor {
  const char* color;  ///< in words
  const char* cause;
  std::array<uint8_t, 3> srgb;
};

/// [Death]. Told apart by lightness and by blue against yellow, which nearly everyone sees.
constexpr std::array<DeathColor, kDeathCount> kDeathColors = {{
    {"black", "alive", {0, 0, 0}},
    {"sky blue", "left the scene", {86, 180, 233}},
    {"yellow", "hit a light", {240, 228, 66}},
    {"orange", "lost at Russian roulette", {213, 94, 0}},
    {"grey", "nothing scattered further", {128, 128, 128}},
    {"dark blue", "used up its bounces", {0, 60, 140}},
    {"white", "met a NaN or an infinity", {255, 255, 255}},
}};

/// An image by a function of the pixel's number, which is asked where there are samples.
template <class PixelAt>
Image image_of(const DeathMaps& maps, uint32_t width, uint32_t height, PixelAt pixel_at) {
  size_t pixel_count = size_t(width) * height;
  assert(maps.samples.size() == pixel_count);
  Image image{width, height, std::vector<glm::vec3>(pixel_count, glm::vec3(0.0f))};
  for (size_t pixel = 0; pixel < pixel_count; ++pixel)
    if (maps.samples[pixel] > 0) image.pixels[pixel] = pixel_at(pixel);
  return image;
}

float greatest(const Image& numbers) {
  float greatest = 0.0f;
  for (const glm::vec3& pixel : numbers.pixels) greatest = std::max(greatest, pixel.x);
  return greatest;
}

std::string write_bounces(const std::filesystem::path& file, const Image& bounces) {
  float most = greatest(bounces);
  if (holds_numbers(image_format(file))) {
    write_image(file, bounces);
    return fmt::format("{}: mean bounces of the paths, as numbers from 0 to {:.4g}", file.string(),
                       most);
  }
  write_image(file, false_color_image(bounces));
  float top = top_of_scale(bounces);
  return fmt::format("{}: mean bounces of the paths, from 0 ({}) over {} to {:.4g}{} ({})",
                     file.string(), kLowestColor, kColorsBetween, top,
                     top < most ? fmt::format(" and more, up to {:.4g}", most) : "", kHighestColor);
}

/// "12.3 %", or "< 0.1 %" of what is rare.
std::string share_text(uint64_t part, uint64_t whole) {
  constexpr double kPercent = 100.0, kMin = 0.1;
  double share = kPercent * double(part) / double(whole);
  return share < kMin ? fmt::format("< {} %", kMin) : fmt::format("{:.1f} %", share);
}

/// "d.png: why paths ended; sky blue: left the scene (81.2 %), ..." Causes that did not occur are
/// left out.
std::string death_legend(const std::filesystem::path& file, const DeathMaps& maps) {
  std::array<uint64_t, kDeathCount> deaths{};
  uint64_t all = 0;
  for (const auto& pixel : maps.deaths)
    for (uint32_t cause = 0; cause < kDeathCount; ++cause) {
      deaths[cause] += pixel[cause];
      all += pixel[cause];
    }
  std::string causes;
  for (uint32_t cause = 0; cause < kDeathCount; ++cause)
    if (deaths[cause] > 0)
      causes += fmt::format("{} {}: {} ({})", causes.empty() ? "" : ",", kDeathColors[cause].color,
                            kDeathColors[cause].cause, share_text(deaths[cause], all));
  return fmt::format("{}: why paths ended;{}", file.string(), causes);
}

}  // namespace

Image bounce_image(const DeathMaps& maps, uint32_t width, uint32_t height) {
  return image_of(maps, width, height, [&](size_t pixel) {
    return glm::vec3(float(double(maps.bounces[pixel]) / maps.samples[pixel]));
  });
}

Image death_image(const DeathMaps& maps, uint32_t width, uint32_t height) {
  std::array<glm::vec3, kDeathCount> colors;
  for (uint32_t cause = 0; cause < kDeathCount; ++cause) {
    auto [red, green, blue] = kDeathColors[cause].srgb;
    colors[cause] = color_of_bytes(red, green, blue);
  }
  return image_of(maps, width, height, [&](size_t pixel) {
    glm::vec3 sum(0.0f);
    for (uint32_t cause = 0; cause < kDeathCount; ++cause)
      sum += float(maps.deaths[pixel][cause]) * colors[cause];
    return sum / float(maps.samples[pixel]);
  });
}

float top_of_scale(const Image& numbers) {
  constexpr double kShareWithin = 0.995;
  std::vector<float> sorted;
  for (const glm::vec3& pixel : numbers.pixels) sorted.push_back(pixel.x);
  auto top = sorted.begin() + int64_t(std::ceil(kShareWithin * double(sorted.size() - 1)));
  std::nth_element(sorted.begin(), top, sorted.end());
  return *top > 0.0f ? *top : greatest(numbers);
}

Image false_color_image(const Image& numbers) {
  float top = top_of_scale(numbers);
  Image colors = numbers;
  for (glm::vec3& pixel : colors.pixels) pixel = false_color(top > 0.0f ? pixel.x / top : 0.0f);
  return colors;
}

std::string write_death_picture(const AovOutput& output, const DeathMaps& maps, uint32_t width,
                                uint32_t height) {
  if (output.aov == Aov::kBounces)
    return write_bounces(output.file, bounce_image(maps, width, height));
  write_image(output.file, death_image(maps, width, height));
  return death_legend(output.file, maps);
}

}  // namespace winnow
