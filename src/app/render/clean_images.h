// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/render/outputs.h"
#include "denoise/denoiser.h"

namespace winnow {

// --denoise: beside each image that is written, the same image without noise.

/// What was denoised, for --stats and for the user.
struct CleanReport {
  std::string library;  ///< "Open Image Denoise 2.3.1"
  std::string device;   ///< "CPU" or "CUDA"
  double seconds = 0.0;
  std::vector<std::filesystem::path> noisy = {},
                                     clean = {};  ///< [image], files as they were asked for
};

/// A denoiser if --denoise is given. Throws Error in one line if there can be none: before anything
/// is rendered.
std::optional<Denoiser> denoiser_for(const OutputOptions& options, const DenoiseDevice& device);

/// Denoises the image, guided by the film's albedo and normals, and writes a clean copy of each
/// image among the outputs. A file that cannot be written where it should goes to a folder for
/// temporary files.
///
/// @param image  the mean of the film
/// @param film   has recorded first hits: see AovRequest::guides
/// @param stops     exposure of 8-bit images
/// @param denoiser  without one, nothing is done
/// @param legends   a line for each image is added
CleanReport write_clean_images(const OutputOptions& options, const Image& image,
                               const FilmSource& film, float stops,
                               const std::optional<Denoiser>& denoiser, Attempts& attempt,
                               std::vector<std::string>& legends);

}  // namespace winnow
