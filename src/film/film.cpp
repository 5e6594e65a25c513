// SPDX-License-Identifier: MIT
#include "film/film.h"

#include <oneapi/tbb/parallel_for.h>

#include "image/image.h"

namespace winnow {

std::vector<FilmArray> arrays_of(const FilmFeatures& features) {
  std::vector<FilmArray> arrays;
  for_each_field(features, [&](FilmArray name, size_t) { arrays.push_back(name); });
  return arrays;
}

HostFilm make_host_film(uint32_t width, uint32_t height, const FilmFeatures& features) {
  HostFilm film{.width = width, .height = height};
  auto resize = [&](FilmArray, size_t per_pixel, auto& array) {
    array.resize(size_t(width) * height * per_pixel);
  };
  for_each_field(features, resize, film);
  return film;
}

Film view_of(HostFilm& film) {
  constexpr FilmFeatures kAll{true, true, true, true, true, true, true};
  Film view{.width = film.width, .height = film.height};
  auto point = [](FilmArray, size_t, auto& span, auto& array) {
    span = {array.data(), array.size()};
  };
  for_each_field(kAll, point, view, film);
  return view;
}

std::vector<FilmField> fields_of(const FilmFeatures& features, const Film& film) {
  std::vector<FilmField> fields;
  auto add = [&]<class T>(FilmArray, size_t per_pixel, const simt::Span<T>& array) {
    fields.push_back({reinterpret_cast<std::byte*>(array.data), per_pixel * sizeof(T)});
  };
  for_each_field(features, add, film);
  return fields;
}

size_t film_bytes_per_pixel(const FilmFeatures& features) {
  size_t bytes = 0;
  for (const FilmField& field : fields_of(features, {})) bytes += field.bytes_per_pixel;
  return bytes;
}

Image mean_radiance(const HostFilm& film) {
  Image image{film.width, film.height, std::vector<glm::vec3>(film.sum.size(), glm::vec3(0.0f))};
  oneapi::tbb::parallel_for(size_t(0), film.sum.size(), [&](size_t i) {
    if (film.samples[i] > 0) image.pixels[i] = glm::vec3(film.sum[i] / double(film.samples[i]));
  });
  return image;
}

Image mean_foreground(const HostFilm& film) {
  Image image{film.width, film.height, std::vector<glm::vec3>(film.sum.size(), glm::vec3(0.0f))};
  image.alpha.resize(film.sum.size(), 0.0f);
  for (size_t i = 0; i < film.sum.size(); ++i) {
    const double samples = film.samples[i], covered = samples - film.background[i].w;
    if (!(covered > 0.0)) continue;
    image.pixels[i] = glm::vec3((film.sum[i] - glm::dvec3(film.background[i])) / samples);
    image.alpha[i] = float(covered / samples);
  }
  return image;
}

double removed_share(const HostFilm& film) {
  double removed = 0.0, kept = 0.0;
  for (size_t i = 0; i < film.removed.size(); ++i) {
    if (film.samples[i] == 0) continue;
    const glm::dvec3 &r = film.removed[i], &k = film.sum[i];
    removed += (r.x + r.y + r.z) / film.samples[i];
    kept += (k.x + k.y + k.z) / film.samples[i];
  }
  return removed > 0.0 ? removed / (removed + kept) : 0.0;
}

}  // namespace winnow
