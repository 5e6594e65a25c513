// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/names.h"
#include "film/film_source.h"
#include "image/image.h"
#include "image/image_channel.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// Arbitrary output variables: quantities of each pixel besides its radiance, for --aov. The first
/// five describe the surface that camera rays hit first.
enum class Aov {
  kAlbedo,        ///< directional albedo; mean of the samples
  kNormal,        ///< shading normal towards the camera, world space; mean of the samples
  kDepth,         ///< m, along the view direction; of the first sample, infinite without a hit
  kPosition,      ///< m, world space; of the first sample
  kIds,           ///< ids of material, primitive and instance, from 1; of the first sample
  kVariance,      ///< variance of the pixel's mean, estimated from its samples
  kSamples,       ///< number of samples
  kBounces,       ///< mean number of bounces of the paths
  kTerminations,  ///< mean over the paths of a colour for the cause of termination
  kCost,          ///< time of the steps of a path, StepCosts; mean of the samples
};
template <>
inline constexpr std::array<const char*, 10> kEnumNames<Aov> = {
    "albedo",   "normal",  "depth",   "position", "ids",
    "variance", "samples", "bounces", "deaths",   "cost"};

/// An AOV that is written to an image of its own.
struct AovOutput {
  Aov aov;
  std::filesystem::path file;
};

/// The values of all --aov options, and whether --denoise is given.
struct AovRequest {
  std::vector<Aov> layers = {};          ///< layers of .exr outputs
  std::vector<AovOutput> pictures = {};  ///< images of their own
  bool guides = false;                   ///< albedo and normal for --denoise

  bool empty() const { return layers.empty() && pictures.empty(); }
  bool contains(Aov aov) const;
};

/// Adds NAME=FILE or NAME,NAME,... to `request`. Throws UsageError, which names the option.
void add_aov(const std::string& option, const std::string& text, AovRequest& request);

/// Sets the settings that make the film record what `request` contains.
void keep_aovs(const AovRequest& request, RenderSettings& settings);

/// Returns the channels of an AOV under the names that compositing programs expect. The film must
/// have recorded them: see keep_aovs().
std::vector<ImageChannel> aov_channels(Aov aov, const HostFilm& film);

/// Reads the film in bands and returns the channels of an AOV.
std::vector<ImageChannel> aov_channels(Aov aov, const FilmSource& film);

/// Returns the arrays of the film from which an AOV is computed.
std::vector<FilmArray> aov_arrays(Aov aov);

/// Returns an AOV as an image; a scalar fills all three channels. Values above 2^24 are rounded.
/// The channels of Aov::kCost are traversal, shading and their sum.
Image aov_image(Aov aov, const HostFilm& film);

/// Writes the image of an AOV: values if the format stores floats, otherwise colours; causes of
/// termination always as colours. Returns a legend of one line.
std::string write_aov(const AovOutput& output, const HostFilm& film);

/// Returns `image`, the aov_image() of the film, as colours that a display can show.
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
