// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "app/render/aov.h"
#include "image/image.h"

namespace winnow {

/// Writes the image of an AOV: values if the format stores floats, otherwise colours; causes of
/// termination always as colours. Returns a legend of one line.
std::string write_aov(const AovOutput& output, const HostFilm& film);

/// Returns the image of an AOV as colours that a display can show.
///
/// @param image  aov_image() of the film
Image aov_colors(Aov aov, const Image& image, const HostFilm& film);

/// Returns the linear colour of a cause of termination.
glm::vec3 termination_color(Termination cause);

/// Returns the value that gets the last colour of the scale: the 99.5th percentile, since a few
/// outliers would leave the rest of the image dark; the maximum if that percentile is 0.
///
/// @param values  an image whose first channel holds the values; at least one, none negative
float top_of_scale(const Image& values);

/// Returns the first channel in false colour, from false_color(0) for 0 to false_color(1) for
/// top_of_scale() and above.
Image false_color_image(const Image& values);

}  // namespace winnow
