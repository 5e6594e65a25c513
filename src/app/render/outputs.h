// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_values.h"
#include "app/render/aov.h"
#include "film/film_file.h"
#include "image/tone_mapping.h"

namespace CLI {
class App;
}

namespace winnow {

/// What is written of a film: by a render, or from a film file.
struct OutputOptions {
  std::vector<std::filesystem::path> outputs;  ///< images and film files
  std::optional<Exposure> exposure;            ///< of 8-bit images
  ToneCurve tone_curve = ToneCurve::kSrgb;     ///< of 8-bit images
  AovRequest aovs;
};

/// Adds --exposure, --tone-map, --aov and --denoise.
void add_output_options(CLI::App& command, OutputOptions& options);

/// Those of `outputs` that are images, or film files.
std::vector<std::filesystem::path> images_of(const std::vector<std::filesystem::path>& outputs);
std::vector<std::filesystem::path> films_of(const std::vector<std::filesystem::path>& outputs);

/// Where --denoise writes the clean copy of an image: "a/frame.clean.exr" of "a/frame.exr".
std::filesystem::path clean_name(const std::filesystem::path& image);

/// Checks all outputs before any work is done, with further files, as check_outputs() does. Throws
/// UsageError if there are layers but no output that holds layers.
void check_film_outputs(const OutputOptions& options,
                        const std::vector<std::filesystem::path>& others,
                        const std::vector<std::filesystem::path>& inputs);

/// Throws Error unless the film has recorded what --aov names.
///
/// @param film_name  of the film, for the message
void check_aovs_are_in(const FilmFeatures& features, const AovRequest& aovs,
                       const std::string& film_name);

/// The exposure that is used: automatic ones get the stops that suit the image.
///
/// @param is_model  whether it is automatic without --exposure
Exposure chosen_exposure(const Image& image, const std::optional<Exposure>& exposure,
                         bool is_model);

/// Runs several pieces of work even if some of them throw.
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
/// @param image   the mean of the film; without images, anything
/// @param film    is read only for film files and AOVs
/// @param header  of film files
/// @param stops   exposure of 8-bit images
std::vector<std::string> write_film_outputs(const OutputOptions& options, const Image& image,
                                            const FilmSource& film, const FilmFileHeader& header,
                                            float stops, Attempts& attempt);

}  // namespace winnow
