// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <random>

#include "film/film.h"

namespace winnow {

inline constexpr FilmFeatures kAllFilmFeatures{true, true, true, true, true, true, true};

/// A film whose arrays hold random bits, but for the exponents of floats, and few samples.
inline HostFilm random_film(uint32_t width, uint32_t height, const FilmFeatures& features) {
  HostFilm film = make_host_film(width, height, features);
  std::mt19937 random(width * 31 + height);
  auto fill = [&](FilmArray, size_t, auto& array) {
    auto* bytes = reinterpret_cast<unsigned char*>(array.data());
    for (size_t i = 0; i < array.size() * sizeof(array[0]); ++i) bytes[i] = uint8_t(random() % 60);
  };
  for_each_field(features, fill, film);
  for (uint32_t& samples : film.samples) samples %= 64;
  return film;
}

/// Whether all arrays of two films have the same bits.
inline bool have_same_bits(const HostFilm& a, const HostFilm& b) {
  bool same = a.width == b.width && a.height == b.height;
  auto compare = [&](FilmArray, size_t, const auto& x, const auto& y) {
    same = same && x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0);
  };
  for_each_field(kAllFilmFeatures, compare, a, b);
  return same;
}

}  // namespace winnow
