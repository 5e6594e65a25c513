// SPDX-License-Identifier: MIT
#include "app/render/aov.h"

#include <fmt/core.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/cli/option_values.h"
#include "app/render/aov_pictures.h"
#include "base/error.h"

namespace winnow {
namespace {

/// Names of the channels, [Aov]; a scalar has one.
constexpr const char* kChannelNames[][3] = {{"albedo.R", "albedo.G", "albedo.B"},
                                            {"N.X", "N.Y", "N.Z"},
                                            {"Z"},
                                            {"P.X", "P.Y", "P.Z"},
                                            {"id.material", "id.primitive", "id.instance"},
                                            {"variance.R", "variance.G", "variance.B"},
                                            {"samples"},
                                            {"bounces"},
                                            {"deaths.R", "deaths.G", "deaths.B"}};

/// Returns an image whose pixels are pixel_at(index).
template <class PixelAt>
Image image_of(const HostFilm& film, PixelAt pixel_at) {
  Image image{film.width, film.height, std::vector<glm::vec3>(film.samples.size())};
  for (size_t pixel = 0; pixel < image.pixels.size(); ++pixel)
    image.pixels[pixel] = pixel_at(pixel);
  return image;
}

/// Returns the mean over the samples of each pixel, whose sum is sum_at(index); black without
/// samples.
template <class SumAt>
Image mean_of(const HostFilm& film, SumAt sum_at) {
  return image_of(film, [&](size_t pixel) {
    using Sum = decltype(sum_at(pixel));
    if (film.samples[pixel] == 0) return glm::vec3(0.0f);
    return glm::vec3(sum_at(pixel) / typename Sum::value_type(film.samples[pixel]));
  });
}

/// Returns the sum of the colours of a pixel's paths.
glm::vec3 termination_colors(const HostFilm& film, size_t pixel) {
  glm::vec3 sum(0.0f);
  for (uint32_t cause = 0; cause < kTerminationCount; ++cause)
    sum += float(film.terminations[pixel * kTerminationCount + cause]) *
           termination_color(Termination(cause));
  return sum;
}

std::vector<uint32_t> pixel_ids(const HostFilm& film, uint32_t FirstHit::*id) {
  std::vector<uint32_t> ids;
  for (const FirstHit& hit : film.first_hits) ids.push_back(hit.*id);
  return ids;
}

/// Returns an empty channel with memory reserved for the values of an image.
ImageChannel empty_channel(const ImageChannel& channel, size_t pixels) {
  return std::visit(
      [&](auto values) {
        values.clear();
        values.reserve(pixels);
        return ImageChannel{channel.name, std::move(values)};
      },
      channel.values);
}

void append_band(const ImageChannel& band, ImageChannel& channel) {
  std::visit(
      [&](auto& values) {
        const auto& more = std::get<std::remove_reference_t<decltype(values)>>(band.values);
        values.insert(values.end(), more.begin(), more.end());
      },
      channel.values);
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
  }
  return {};
}

std::vector<ImageChannel> aov_channels(Aov aov, const HostFilm& film) {
  const auto& names = kChannelNames[size_t(aov)];
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
    for (size_t i = 0; i < band.size(); ++i) {
      if (channels.size() <= i) channels.push_back(empty_channel(band[i], pixels));
      append_band(band[i], channels[i]);
    }
  }
  return channels;
}

std::vector<FilmArray> aov_arrays(Aov aov) {
  switch (aov) {
    case Aov::kAlbedo:
      return {FilmArray::kSamples, FilmArray::kAlbedo};
    case Aov::kNormal:
      return {FilmArray::kSamples, FilmArray::kNormal};
    case Aov::kDepth:
    case Aov::kPosition:
    case Aov::kIds:
      return {FilmArray::kSamples, FilmArray::kFirstHits};
    case Aov::kVariance:
      return {FilmArray::kSamples, FilmArray::kSum, FilmArray::kSquares};
    case Aov::kSamples:
      return {FilmArray::kSamples};
    case Aov::kBounces:
      return {FilmArray::kSamples, FilmArray::kTerminationBounces};
    case Aov::kTerminations:
      return {FilmArray::kSamples, FilmArray::kTerminations};
  }
  return {};
}

}  // namespace winnow
