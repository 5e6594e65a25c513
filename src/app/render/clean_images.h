// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/render/outputs.h"
#include "denoise/denoiser.h"

namespace winnow {

// --denoise writes a copy without noise beside each image.

/// The denoised images and their cost, for --stats and for the user.
struct CleanReport {
  std::string library;  ///< "Open Image Denoise 2.3.1"
  std::string device;   ///< "CPU" or "CUDA"
  double seconds = 0.0;
  std::vector<std::filesystem::path> noisy = {}, clean = {};  ///< [image], files as requested
};

/// Returns a denoiser if --denoise is given. Throws Error in one line if none is available. Called
/// before anything is rendered.
std::optional<Denoiser> denoiser_for(const OutputOptions& options, const DenoiseDevice& device);

/// Denoises the image, guided by the film's albedo and normals, and writes a clean copy of each
/// image among the outputs. A file that cannot be written where it should goes to a folder for
/// temporary files.
///
/// @param image  the mean of the film
/// @param film      has recorded first hits: see AovRequest::guides
/// @param stops     exposure of 8-bit images
/// @param denoiser  none: does nothing
/// @param legends   receives a line for each image
CleanReport write_clean_images(const OutputOptions& options, const Image& image,
                               const FilmSource& film, float stops,
                               const std::optional<Denoiser>& denoiser, Attempts& attempt,
                               std::vector<std::string>& legends);

}  // namespace winnow
