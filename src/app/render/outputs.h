// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_values.h"
#include "app/render/aov.h"
#include "base/enum_names.h"
#include "film/film_file.h"
#include "image/tone_mapping.h"

namespace CLI {
class App;
}

namespace winnow {

/// What becomes of samples that are much brighter than those around them.
enum class Fireflies {
  kKeep,
  kReweight,  ///< film/fireflies.h
};
template <>
inline constexpr std::array<const char*, 2> kEnumNames<Fireflies> = {"keep", "reweight"};

/// What is written of a film: by a render, or from a film file.
struct OutputOptions {
  std::vector<std::filesystem::path> outputs;  ///< images and film files
  std::optional<Exposure> exposure;            ///< of 8-bit images
  ToneCurve tone_curve = ToneCurve::kSrgb;     ///< of 8-bit images
  AovRequest aovs;
  Fireflies fireflies = Fireflies::kKeep;
};

/// Adds --exposure, --tone-map, --fireflies, --aov and --denoise.
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

/// Throws Error unless the film has recorded what --aov names and --fireflies needs.
///
/// @param film_name  of the film, for the message
void check_arrays_are_in(const FilmFeatures& features, const OutputOptions& options,
                         const std::string& film_name);

/// What is written as the image of a film: the mean of its samples, or the same reweighted.
///
/// @param mean  of the film
/// @param film  has recorded brightness layers if they are asked for; else not read
Image written_image(const OutputOptions& options, Image mean, const FilmSource& film);

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
