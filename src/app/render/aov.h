#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "film/film.h"
#include "image/image.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// What --aov tells of each pixel beside its light.
enum class Aov {
  kAlbedo,    ///< share of light that what the camera sees sends on; mean of the samples
  kNormal,    ///< its shading normal towards the camera, world space; mean of the samples
  kDepth,     ///< m, along the view direction; of the first sample, infinite where nothing is
  kPosition,  ///< m, world space; of the first sample
  kIds,       ///< numbers from 1 of material, primitive and instance; of the first sample
  kVariance,  ///< of the pixel's mean, estimated from its samples
  kSamples,   ///< how many there were
  kBounces,   ///< mean number of bounces of the paths
  kDeaths,    ///< why they ended, as the mean of colours
};

/// "albedo", "normal", ...; [Aov].
const std::vector<std::string>& aov_names();

/// A picture of --aov, and its file.
struct AovOutput {
  Aov aov;
  std::filesystem::path file;
};

/// All that --aov asks for.
struct AovRequest {
  std::vector<Aov> layers;          ///< of .exr outputs
  std::vector<AovOutput> pictures;  ///< files of their own

  bool empty() const { return layers.empty() && pictures.empty(); }
  bool asks_for(Aov aov) const;
};

/// Adds NAME=FILE or NAME,NAME,... to what is asked for, else throws UsageError, which names the
/// option.
void add_aov(const std::string& option, const std::string& text, AovRequest& request);

/// Lets the film hold what is asked for.
void keep_aovs(const AovRequest& request, RenderSettings& settings);

/// The numbers of an AOV, of a film that holds them, named as compositing programs know them.
std::vector<ImageChannel> aov_channels(Aov aov, const HostFilm& film);

/// The same as an image: one number in all its channels, or three. Numbers above 2^24 are rounded.
Image aov_image(Aov aov, const HostFilm& film);

}  // namespace winnow
