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
#include "base/names.h"
#include "denoise/denoiser.h"
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
  DenoiseQuality denoise_quality = DenoiseQuality::kHigh;
  Fireflies fireflies = Fireflies::kKeep;
  bool alpha = false;  ///< images are transparent where camera rays leave the scene
};

/// Returns --exposure, --tone-map, --fireflies, --alpha, --aov, --denoise and --denoise-quality.
OptionTable output_options(OutputOptions& options);

// Return the images or the film files among `outputs`.
std::vector<std::filesystem::path> images_of(std::vector<std::filesystem::path> outputs);
std::vector<std::filesystem::path> films_of(std::vector<std::filesystem::path> outputs);

/// Returns the file for the clean copy of an image: "a/frame.clean.exr" for "a/frame.exr".
std::filesystem::path clean_name(const std::filesystem::path& image);

/// Checks files as check_outputs() does. Throws UsageError for layers that no output can hold.
void check_film_outputs(const OutputOptions& options,
                        const std::vector<std::filesystem::path>& others,
                        const std::vector<std::filesystem::path>& inputs);

/// Throws Error unless the film has recorded the arrays that --aov, --fireflies and --alpha need.
void check_arrays_are_in(const FilmFeatures& features, const OutputOptions& options,
                         const std::string& film_name);

/// Writes an image whose colours are multiplied by alpha, if it has alpha; PNG gets straight alpha.
/// The parameters are those of write_image().
void write_covered_image(const std::filesystem::path& file, const Image& image,
                         const ToneMapping& mapping,
                         const std::vector<ImageChannel>& channels = {});

/// Throws UsageError for a quality other than the default without --denoise.
void check_denoise_quality(DenoiseQuality quality, bool denoises);

/// Returns a denoiser of the quality of the options if --denoise is given. Throws Error in one line
/// if none is available, and what check_denoise_quality() throws. Called before anything is
/// rendered.
std::optional<Denoiser> denoiser_for(const OutputOptions& options, DenoiserSettings settings);

/// The denoised images and their cost, for --stats and for the user.
struct CleanReport {
  std::string library;  ///< "Open Image Denoise 2.3.1"; empty without --denoise
  std::string device;   ///< "CPU" or "CUDA"
  double seconds = 0.0;
  BrightPixels bright = {};
  std::vector<std::filesystem::path> noisy = {}, clean = {};  ///< [image], files as requested
};

/// Returns `image`, of this film, without noise.
///
/// @param film    has recorded first hits
/// @param report  receives library, device and time
/// Throws Error if the library fails.
Image clean_image(const FilmSource& film, const Image& image, const Denoiser& denoiser,
                  CleanReport& report);

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

struct FilmToWrite {
  const FilmSource& film;
  const Image& mean;             ///< mean of its samples
  const FilmFileHeader& header;  ///< header of film files
  bool is_model = false;         ///< whether the exposure is automatic without --exposure
};

/// Facts about written files, for --stats and for the user.
struct WrittenOutputs {
  Exposure exposure;                      ///< exposure of 8-bit images
  std::optional<double> fireflies_share;  ///< [0, 1], light left out of the image by --fireflies
  CleanReport clean;
  std::vector<std::string> legends;  ///< one line for each file that needs one
};

/// Writes film files, images, AOVs and, with --denoise, a clean copy beside each image. A file that
/// cannot be written where it should goes to a folder for temporary files. Each file is an attempt.
///
/// @param film      has recorded what the options need: see check_arrays_are_in()
/// @param denoiser  none: writes no clean copies
WrittenOutputs write_film_outputs(const OutputOptions& options, const FilmToWrite& film,
                                  const std::optional<Denoiser>& denoiser, Attempts& attempt);

}  // namespace winnow
