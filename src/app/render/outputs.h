// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_table.h"
#include "app/render/aov.h"
#include "base/enum_names.h"
#include "film/film_file.h"
#include "image/tone_mapping.h"

namespace winnow {

/// Treatment of samples that are much brighter than those around them.
enum class Fireflies {
  kKeep,
  kReweight,  ///< film/fireflies.h
};
template <>
inline constexpr std::array<const char*, 2> kEnumNames<Fireflies> = {"keep", "reweight"};

/// Files to write from a film, which is rendered or read from a film file.
struct OutputOptions {
  std::vector<std::filesystem::path> outputs;  ///< images and film files
  std::optional<Exposure> exposure;            ///< for 8-bit images
  ToneCurve tone_curve = ToneCurve::kSrgb;     ///< for 8-bit images
  AovRequest aovs;
  Fireflies fireflies = Fireflies::kKeep;
};

/// Returns --exposure, --tone-map, --fireflies, --aov and --denoise.
OptionTable output_options(OutputOptions& options);

// Return the images or the film files among `outputs`.
std::vector<std::filesystem::path> images_of(const std::vector<std::filesystem::path>& outputs);
std::vector<std::filesystem::path> films_of(const std::vector<std::filesystem::path>& outputs);

/// Returns the file for the clean copy of an image: "a/frame.clean.exr" for "a/frame.exr".
std::filesystem::path clean_name(const std::filesystem::path& image);

/// Checks all outputs and further files before any work is done, as check_outputs() does. Throws
/// UsageError if there are layers but no output that holds layers.
void check_film_outputs(const OutputOptions& options,
                        const std::vector<std::filesystem::path>& others,
                        const std::vector<std::filesystem::path>& inputs);

/// Throws Error unless the film has recorded the arrays that --aov and --fireflies need.
///
/// @param film_name  name of the film for the message
void check_arrays_are_in(const FilmFeatures& features, const OutputOptions& options,
                         const std::string& film_name);

/// Returns the image to write: the mean of the samples, or the reweighted samples.
///
/// @param mean  mean of the film
/// @param film  read only if samples are reweighted; it has then recorded brightness layers
Image written_image(const OutputOptions& options, Image mean, const FilmSource& film);

/// Returns the exposure to use. An automatic one gets the stops that suit the image.
///
/// @param is_model  whether the exposure is automatic without --exposure
Exposure chosen_exposure(const Image& image, const std::optional<Exposure>& exposure,
                         bool is_model);

/// Runs several tasks even if some of them throw.
class Attempts {
 public:
  template <class Work>
  void operator()(Work work) try {
    work();
  } catch (const std::exception&) {
    failures_.push_back(std::current_exception());
  }

  /// Prints the reasons of all failures but the first, which it throws.
  void throw_first_failure() const;

 private:
  std::vector<std::exception_ptr> failures_;
};

/// Writes film files, images and AOVs. A file that cannot be written where it should goes to a
/// folder for temporary files. Returns the legends of the files that need one, a line each.
///
/// @param image   mean of the film; unused without images
/// @param film    read only for film files and AOVs
/// @param header  header of film files
/// @param stops   exposure of 8-bit images
std::vector<std::string> write_film_outputs(const OutputOptions& options, const Image& image,
                                            const FilmSource& film, const FilmFileHeader& header,
                                            float stops, Attempts& attempt);

}  // namespace winnow
