// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "film/film.h"

namespace winnow {

/// The relative error of the mean of a film, as a square root of relMSE: what --noise limits and
/// what `winnow diff` prints against a perfect image.
///
/// It is estimated from how far the samples that came since an earlier moment differ from those of
/// before, so that the film needs no sums of squares: with a samples of mean A before and b of mean
/// B since, E[(A - B)^2] = v (1/a + 1/b), where v is the variance of a sample; that of the mean of
/// all is v / (a + b). Reads some 65,000 pixels, spread over the film.
///
/// @param before, now  the same render; both with FilmArray::kSum and kSamples
/// @return             none if no pixel has got samples in between
std::optional<double> estimated_error(const HostFilm& before, const HostFilm& now);

}  // namespace winnow
