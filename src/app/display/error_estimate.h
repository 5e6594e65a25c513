// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "film/film.h"

namespace winnow {

/// Estimates the relative error of the mean of a film, the square root of relMSE, which --noise
/// limits and `winnow diff` prints.
///
/// Compares the samples before and after an earlier moment, so that the film needs no sums of
/// squares: with a samples of mean A before and b of mean B after, E[(A - B)^2] = v (1/a + 1/b),
/// where v is the variance of a sample; the variance of the mean of all is v / (a + b). Reads about
/// 65,000 pixels, spread over the film.
///
/// @param before, now  films of the same render, both with FilmArray::kSum and kSamples
/// @return             none if no pixel received samples in between
std::optional<double> estimated_error(const HostFilm& before, const HostFilm& now);

}  // namespace winnow
