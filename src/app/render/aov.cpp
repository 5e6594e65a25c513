// SPDX-License-Identifier: MIT
#include "app/render/aov.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/cli/option_values.h"
#include "app/render/aov_pictures.h"
#include "base/error.h"

namespace winnow {
namespace {

/// [Aov]; a scalar has one name.
const std::vector<std::vector<std::string>>& channel_names() {
  static const std::vector<std::vector<std::string>> names = {
      {"albedo.R", "albedo.G", "albedo.B"},
      {"N.X", "N.Y", "N.Z"},
      {"Z"},
      {"P.X", "P.Y", "P.Z"},
      {"id.material", "id.primitive", "id.instance"},
      {"variance.R", "variance.G", "variance.B"},
      {"samples"},
      {"bounces"},
      {"deaths.R", "deaths.G", "deaths.B"}};
  return names;
}

/// An image whose pixels are pixel_at(index).
template <class PixelAt>
Image image_of(const HostFilm& film, PixelAt pixel_at) {
  Image image{film.width, film.height, std::vector<glm::vec3>(film.samples.size())};
  for (size_t pixel = 0; pixel < image.pixels.size(); ++pixel)
    image.pixels[pixel] = pixel_at(pixel);
  return image;
}

Image mean_of(const HostFilm& film, const std::vector<glm::dvec3>& sums) {
  return image_of(film, [&](size_t pixel) {
    return film.samples[pixel] > 0 ? glm::vec3(sums[pixel] / double(film.samples[pixel]))
                                   : glm::vec3(0.0f);
  });
}

template <class IdOf>
std::vector<uint32_t> pixel_ids(const HostFilm& film, IdOf id_of) {
  std::vector<uint32_t> ids;
  for (const FirstHit& hit : film.first_hits) ids.push_back(id_of(hit));
  return ids;
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
  settings.keep_squares |= request.contains(Aov::kVariance);
  settings.map_deaths |= request.contains(Aov::kBounces) || request.contains(Aov::kDeaths);
}

Image aov_image(Aov aov, const HostFilm& film) {
  switch (aov) {
    case Aov::kAlbedo:
      return mean_of(film, film.albedo);
    case Aov::kNormal:
      return mean_of(film, film.normal);
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
      return bounce_image(death_maps(film), film.width, film.height);
    case Aov::kDeaths:
      return death_image(death_maps(film), film.width, film.height);
  }
  return {};
}

std::vector<ImageChannel> aov_channels(Aov aov, const HostFilm& film) {
  const std::vector<std::string>& names = channel_names()[size_t(aov)];
  if (aov == Aov::kSamples) return {{names[0], film.samples}};
  if (aov == Aov::kIds)
    return {{names[0], pixel_ids(film, [](const FirstHit& hit) { return hit.material; })},
            {names[1], pixel_ids(film, [](const FirstHit& hit) { return hit.primitive; })},
            {names[2], pixel_ids(film, [](const FirstHit& hit) { return hit.instance; })}};
  const Image image = aov_image(aov, film);
  std::vector<ImageChannel> channels;
  for (size_t c = 0; c < names.size(); ++c) {
    std::vector<float> values;
    for (const glm::vec3& pixel : image.pixels) values.push_back(pixel[int(c)]);
    channels.push_back({names[c], std::move(values)});
  }
  return channels;
}

}  // namespace winnow
