// SPDX-License-Identifier: MIT
#include "app/render/aov_pictures.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "image/color_map.h"
#include "image/image_io.h"
#include "math/sampler.h"

namespace winnow {
namespace {

struct TerminationColor {
  const char* color;
  const char* cause;
  std::array<uint8_t, 3> srgb;
};

/// Colours of the causes of termination, [Termination]. They differ in lightness and from blue to
/// yellow, so that they can be told apart with any kind of colour vision.
constexpr std::array<TerminationColor, kTerminationCount> kTerminationColors = {{
    {"black", "alive", {0, 0, 0}},
    {"sky blue", "left the scene", {86, 180, 233}},
    {"yellow", "hit a light", {240, 228, 66}},
    {"orange", "terminated by Russian roulette", {213, 94, 0}},
    {"grey", "zero throughput", {128, 128, 128}},
    {"dark blue", "reached the bounce limit", {0, 60, 140}},
    {"white", "NaN or infinity", {255, 255, 255}},
}};

float max_value(const Image& values) {
  float max = 0.0f;
  for (const glm::vec3& pixel : values.pixels) max = std::max(max, pixel.x);
  return max;
}

/// Quantities for the legend, [Aov].
constexpr std::array<const char*, 9> kMeanings = {"directional albedo",
                                                  "shading normals towards the camera",
                                                  "m along the view direction",
                                                  "position in m",
                                                  "ids of material, primitive and instance",
                                                  "estimated variance of the mean",
                                                  "samples per pixel",
                                                  "mean bounces of the paths",
                                                  "why paths ended"};

/// Returns ", as numbers from 0 to 8", or the meaning of the colours.
std::string bounce_legend(const Image& bounces, bool numbers) {
  const float max = max_value(bounces);
  if (numbers) return fmt::format(", as numbers from 0 to {:.4g}", max);
  const float top = top_of_scale(bounces);
  return fmt::format(", from 0 ({}) over {} to {:.4g}{} ({})", kLowestColor, kColorsBetween, top,
                     top < max ? fmt::format(" and more, up to {:.4g}", max) : "", kHighestColor);
}

/// Returns "12.3 %", or "< 0.1 %" for smaller shares.
std::string share_text(uint64_t part, uint64_t whole) {
  constexpr double kPercent = 100.0, kSmallest = 0.1;
  double share = kPercent * double(part) / double(whole);
  return share < kSmallest ? fmt::format("< {} %", kSmallest) : fmt::format("{:.1f} %", share);
}

/// Returns "; sky blue: left the scene (81.2 %), ..." Causes that did not occur are omitted.
std::string termination_legend(const HostFilm& film) {
  std::array<uint64_t, kTerminationCount> terminations{};
  for (size_t i = 0; i < film.terminations.size(); ++i)
    terminations[i % kTerminationCount] += film.terminations[i];
  const uint64_t all = std::accumulate(terminations.begin(), terminations.end(), uint64_t(0));
  std::string causes;
  for (uint32_t cause = 0; cause < kTerminationCount; ++cause)
    if (terminations[cause] > 0)
      causes +=
          fmt::format("{} {}: {} ({})", causes.empty() ? ";" : ",", kTerminationColors[cause].color,
                      kTerminationColors[cause].cause, share_text(terminations[cause], all));
  return causes;
}

constexpr float kMaxByte = 255.0f;

/// Returns the linear colour of the sRGB bytes 255 * shares, clamped to [0, 1].
glm::vec3 color_of_shares(glm::vec3 shares) {
  const glm::vec3 bytes = glm::round(glm::clamp(shares, 0.0f, 1.0f) * kMaxByte);
  return color_of_bytes(uint8_t(bytes.x), uint8_t(bytes.y), uint8_t(bytes.z));
}

/// Replaces each pixel by color_of(pixel).
template <class ColorOf>
Image colors_of(Image image, ColorOf color_of) {
  for (glm::vec3& pixel : image.pixels) pixel = color_of(pixel);
  return image;
}

/// Returns positions relative to their bounding box as red, green and blue; black without a hit.
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

/// Returns a random colour for each pair of material and instance; black without a hit.
Image id_colors(const Image& ids) {
  return colors_of(ids, [](glm::vec3 id) {
    const glm::uvec4 random = pcg4d({uint32_t(id.x), uint32_t(id.z), 0, 0});
    return id.y > 0.0f ? color_of_shares({uniform_float(random.x), uniform_float(random.y),
                                          uniform_float(random.z)})
                       : glm::vec3(0.0f);
  });
}

/// Returns the mean of the channels in false colour; infinite values are black.
Image value_colors(const Image& values) {
  Image finite = colors_of(values, [](glm::vec3 v) {
    const float mean = (v.x + v.y + v.z) / 3.0f;
    return glm::vec3(std::isfinite(mean) ? mean : 0.0f);
  });
  Image colors = false_color_image(finite);
  for (size_t pixel = 0; pixel < colors.pixels.size(); ++pixel)
    if (!std::isfinite(values.pixels[pixel].x)) colors.pixels[pixel] = glm::vec3(0.0f);
  return colors;
}

}  // namespace

Image aov_colors(Aov aov, const Image& image, const HostFilm& film) {
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
      return value_colors(image);
    case Aov::kBounces:
      return false_color_image(image);
    case Aov::kAlbedo:
    case Aov::kTerminations:
      break;
  }
  return image;
}

std::string write_aov(const AovOutput& output, const HostFilm& film) {
  const Image image = aov_image(output.aov, film);
  const bool numbers = output.aov != Aov::kTerminations && holds_numbers(image_format(output.file));
  write_image(output.file, numbers ? image : aov_colors(output.aov, image, film));
  const std::string legend = output.aov == Aov::kBounces        ? bounce_legend(image, numbers)
                             : output.aov == Aov::kTerminations ? termination_legend(film)
                             : numbers                          ? ", as numbers"
                                                                : ", as colours";
  return fmt::format("{}: {}{}", output.file.string(), kMeanings[size_t(output.aov)], legend);
}

glm::vec3 termination_color(Termination cause) {
  const auto [red, green, blue] = kTerminationColors[size_t(cause)].srgb;
  return color_of_bytes(red, green, blue);
}

float top_of_scale(const Image& values) {
  constexpr double kShareWithin = 0.995;
  std::vector<float> sorted;
  for (const glm::vec3& pixel : values.pixels) sorted.push_back(pixel.x);
  auto top = sorted.begin() + int64_t(std::ceil(kShareWithin * double(sorted.size() - 1)));
  std::nth_element(sorted.begin(), top, sorted.end());
  return *top > 0.0f ? *top : max_value(values);
}

Image false_color_image(const Image& values) {
  float top = top_of_scale(values);
  Image colors = values;
  for (glm::vec3& pixel : colors.pixels) pixel = false_color(top > 0.0f ? pixel.x / top : 0.0f);
  return colors;
}

}  // namespace winnow
