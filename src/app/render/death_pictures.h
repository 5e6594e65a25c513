#pragma once

#include <cstdint>
#include <string>

#include "app/render/aov.h"
#include "film/film.h"
#include "image/image.h"

namespace winnow {

/// Mean number of bounces before a path's end, in all channels; 0 where there is no sample.
///
/// @param maps  [height][width]
Image bounce_image(const DeathMaps& maps, uint32_t width, uint32_t height);

/// Mean over a pixel's samples of the colour of each one's cause of death; black where there is no
/// sample.
///
/// @param maps  [height][width]
Image death_image(const DeathMaps& maps, uint32_t width, uint32_t height);

/// The number that gets the last colour: one that few pixels exceed, since else a handful of bright
/// ones would leave the picture dark.
///
/// @param numbers  in the first channel, at least one, none negative
float top_of_scale(const Image& numbers);

/// The colours of the first channel's numbers, from false_color(0) for 0 to false_color(1) for
/// top_of_scale() and more.
Image false_color_image(const Image& numbers);

/// Writes a picture of bounces or deaths: numbers where the format holds any, else colours; deaths
/// as colours always. Returns what they mean, in one line.
std::string write_death_picture(const AovOutput& output, const DeathMaps& maps, uint32_t width,
                                uint32_t height);

}  // namespace winnow
