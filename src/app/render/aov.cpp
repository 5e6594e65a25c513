// SPDX-License-Identifier: MIT
#include "app/render/aov.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/cli/option_values.h"
#include "base/error.h"
#include "image/color_map.h"
#include "image/image_io.h"
#include "math/sampler.h"

namespace winnow {
namespace {

struct AovFacts {
  const char* meaning;            ///< for the legend
  const char* channels[3];        ///< names; a scalar has one
  std::vector<FilmArray> arrays;  ///< arrays of the film from which it is computed
};

const AovFacts& facts_of(Aov aov) {
  using enum FilmArray;
  static const AovFacts kFacts[] = {
      {"directional albedo", {"albedo.R", "albedo.G", "albedo.B"}, {kSamples, kAlbedo}},
      {"shading normals towards the camera", {"N.X", "N.Y", "N.Z"}, {kSamples, kNormal}},
      {"m along the view direction", {"Z"}, {kSamples, kFirstHits}},
      {"position in m", {"P.X", "P.Y", "P.Z"}, {kSamples, kFirstHits}},
      {"ids of material, primitive and instance",
       {"id.material", "id.primitive", "id.instance"},
       {kSamples, kFirstHits}},
      {"estimated variance of the mean",
       {"variance.R", "variance.G", "variance.B"},
       {kSamples, kSum, kSquares}},
      {"samples per pixel", {"samples"}, {kSamples}},
      {"mean bounces of the paths", {"bounces"}, {kSamples, kTerminationBounces}},
      {"why paths ended", {"deaths.R", "deaths.G", "deaths.B"}, {kSamples, kTerminations}},
      {"time of a path, in cycles of a GPU or ns of a CPU",
       {"cost.traversal", "cost.shading"},
       {kSamples, kCost}}};
  static_assert(std::size(kFacts) == kEnumNames<Aov>.size());
  return kFacts[size_t(aov)];
}

template <class PixelAt>
Image image_of(const HostFilm& film, PixelAt pixel_at) {
  Image image{film.width, film.height, std::vector<glm::vec3>(film.samples.size())};
  for (size_t pixel = 0; pixel < image.pixels.size(); ++pixel)
    image.pixels[pixel] = pixel_at(pixel);
  return image;
}

/// Returns sum_at(index) / sample count for each pixel; black without samples.
template <class SumAt>
Image mean_of(const HostFilm& film, SumAt sum_at) {
  return image_of(film, [&](size_t pixel) {
    using Sum = decltype(sum_at(pixel));
    if (film.samples[pixel] == 0) return glm::vec3(0.0f);
    return glm::vec3(sum_at(pixel) / typename Sum::value_type(film.samples[pixel]));
  });
}

glm::vec3 termination_colors(const HostFilm& film, size_t pixel) {
  glm::vec3 sum(0.0f);
  for (uint32_t cause = 0; cause < kTerminationCount; ++cause)
    sum += float(film.terminations[pixel * kTerminationCount + cause]) *
           termination_color(Termination(cause));
  return sum;
}

/// Returns the mean costs of a sample at bounces [first, end).
glm::dvec2 mean_costs(const HostFilm& film, size_t pixel, uint32_t first, uint32_t end) {
  glm::dvec2 sum(0.0);
  for (uint32_t bounce = first; bounce < end; ++bounce) {
    const StepCosts& costs = film.cost[pixel * kCostBounces + bounce];
    sum += glm::dvec2(double(costs.traversal), double(costs.shading));
  }
  return film.samples[pixel] > 0 ? sum / double(film.samples[pixel]) : glm::dvec2(0.0);
}

std::vector<float> cost_values(const HostFilm& film, int step, uint32_t first, uint32_t end) {
  std::vector<float> values;
  for (size_t pixel = 0; pixel < film.samples.size(); ++pixel)
    values.push_back(float(mean_costs(film, pixel, first, end)[step]));
  return values;
}

/// Returns the costs of all bounces together, and those of each.
std::vector<ImageChannel> cost_channels(const HostFilm& film) {
  std::vector<ImageChannel> channels;
  for (int step = 0; step < 2; ++step) {
    const std::string name = facts_of(Aov::kCost).channels[step];
    channels.push_back({name, cost_values(film, step, 0, kCostBounces)});
    for (uint32_t bounce = 0; bounce < kCostBounces; ++bounce)
      channels.push_back(
          {fmt::format("{}.{}", name, bounce), cost_values(film, step, bounce, bounce + 1)});
  }
  return channels;
}

std::vector<uint32_t> pixel_ids(const HostFilm& film, uint32_t FirstHit::*id) {
  std::vector<uint32_t> ids;
  for (const FirstHit& hit : film.first_hits) ids.push_back(hit.*id);
  return ids;
}

/// Appends the values of a band to a channel of an image with this number of pixels.
void append_band(const ImageChannel& band, size_t pixels, ImageChannel& channel) {
  std::visit(
      [&](auto& values) {
        const auto& more = std::get<std::remove_reference_t<decltype(values)>>(band.values);
        values.reserve(pixels);
        values.insert(values.end(), more.begin(), more.end());
      },
      channel.values);
}

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

/// Returns ", as numbers from 0 to 8", or the meaning of the colours.
/// @param values  an image whose first channel holds the values
std::string scale_legend(const Image& values, bool numbers) {
  const float max = max_value(values);
  if (numbers) return fmt::format(", as numbers from 0 to {:.4g}", max);
  const float top = top_of_scale(values);
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

template <class ColorOf>
Image colors_of(Image image, ColorOf color_of) {
  for (glm::vec3& pixel : image.pixels) pixel = color_of(pixel);
  return image;
}

/// Returns the sum of traversal and shading as a scalar image.
Image whole_costs(const Image& costs) {
  return colors_of(costs, [](glm::vec3 c) { return glm::vec3(c.z); });
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

bool AovRequest::contains(Aov aov) const {
  return std::find(layers.begin(), layers.end(), aov) != layers.end() ||
         std::any_of(pictures.begin(), pictures.end(),
                     [aov](const AovOutput& picture) { return picture.aov == aov; });
}

void add_aov(const std::string& option, const std::string& text, AovRequest& request) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    for (size_t choice : parse_choices(option, text, enum_names<Aov>()))
      if (std::find(request.layers.begin(), request.layers.end(), Aov(choice)) ==
          request.layers.end())
        request.layers.push_back(Aov(choice));
    return;
  }
  if (equals + 1 == text.size())
    throw UsageError(fmt::format("{}: \"{}\" is not NAME=FILE, as in {}=image.png", option, text,
                                 enum_names<Aov>().front()));
  const Aov aov = parse_enum<Aov>(option, text.substr(0, equals));
  request.pictures.push_back({aov, text.substr(equals + 1)});
}

void keep_aovs(const AovRequest& request, RenderSettings& settings) {
  for (Aov aov : {Aov::kAlbedo, Aov::kNormal, Aov::kDepth, Aov::kPosition, Aov::kIds})
    settings.keep_first_hits |= request.contains(aov);
  settings.keep_first_hits |= request.guides;
  settings.keep_squares |= request.contains(Aov::kVariance);
  settings.map_terminations |=
      request.contains(Aov::kBounces) || request.contains(Aov::kTerminations);
  settings.keep_cost |= request.contains(Aov::kCost);
}

Image aov_image(Aov aov, const HostFilm& film) {
  switch (aov) {
    case Aov::kAlbedo:
      return mean_of(film, [&](size_t pixel) { return film.albedo[pixel]; });
    case Aov::kNormal:
      return mean_of(film, [&](size_t pixel) { return film.normal[pixel]; });
    case Aov::kDepth:
      return image_of(film, [&](size_t pixel) {
        const FirstHit& hit = film.first_hits[pixel];
        return glm::vec3(hit.primitive > 0 ? hit.depth : INFINITY);
      });
    case Aov::kPosition:
      return image_of(film, [&](size_t pixel) { return film.first_hits[pixel].position; });
    case Aov::kIds:
      return image_of(film, [&](size_t pixel) {
        const FirstHit& hit = film.first_hits[pixel];
        return glm::vec3(hit.material, hit.primitive, hit.instance);
      });
    case Aov::kVariance:
      return image_of(film, [&](size_t pixel) {
        return glm::vec3(
            variance_of_mean(film.sum[pixel], film.squares[pixel], film.samples[pixel]));
      });
    case Aov::kSamples:
      return image_of(film, [&](size_t pixel) { return glm::vec3(float(film.samples[pixel])); });
    case Aov::kBounces:
      return mean_of(film,
                     [&](size_t pixel) { return glm::dvec3(film.termination_bounces[pixel]); });
    case Aov::kTerminations:
      return mean_of(film, [&](size_t pixel) { return termination_colors(film, pixel); });
    case Aov::kCost:
      return image_of(film, [&](size_t pixel) {
        const glm::dvec2 costs = mean_costs(film, pixel, 0, kCostBounces);
        return glm::vec3(costs.x, costs.y, costs.x + costs.y);
      });
  }
  return {};
}

std::vector<ImageChannel> aov_channels(Aov aov, const HostFilm& film) {
  const auto& names = facts_of(aov).channels;
  if (aov == Aov::kCost) return cost_channels(film);
  if (aov == Aov::kSamples) return {{names[0], film.samples}};
  if (aov == Aov::kIds)
    return {{names[0], pixel_ids(film, &FirstHit::material)},
            {names[1], pixel_ids(film, &FirstHit::primitive)},
            {names[2], pixel_ids(film, &FirstHit::instance)}};
  const Image image = aov_image(aov, film);
  std::vector<ImageChannel> channels;
  for (int c = 0; c < 3 && names[c]; ++c) {
    std::vector<float> values;
    for (const glm::vec3& pixel : image.pixels) values.push_back(pixel[c]);
    channels.push_back({names[c], std::move(values)});
  }
  return channels;
}

std::vector<ImageChannel> aov_channels(Aov aov, const FilmSource& film) {
  const FilmShape shape = film.shape();
  const std::vector<FilmArray> arrays = aov_arrays(aov);
  std::vector<ImageChannel> channels;
  const size_t pixels = size_t(shape.width) * shape.height;
  for (const TileRows rows : bands_of(film)) {
    const std::vector<ImageChannel> band = aov_channels(aov, read_rows(film, arrays, rows));
    for (size_t i = 0; i < band.size(); ++i)
      if (i < channels.size())
        append_band(band[i], pixels, channels[i]);
      else
        channels.push_back(band[i]);
  }
  return channels;
}

std::vector<FilmArray> aov_arrays(Aov aov) {
  return facts_of(aov).arrays;
}

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
    case Aov::kCost:
      return false_color_image(whole_costs(image));
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
  const std::string legend = output.aov == Aov::kBounces ? scale_legend(image, numbers)
                             : output.aov == Aov::kCost  ? scale_legend(whole_costs(image), numbers)
                             : output.aov == Aov::kTerminations ? termination_legend(film)
                             : numbers                          ? ", as numbers"
                                                                : ", as colours";
  return fmt::format("{}: {}{}", output.file.string(), facts_of(output.aov).meaning, legend);
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
