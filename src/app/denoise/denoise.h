// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/cli/option_table.h"
#include "denoise/denoiser.h"
#include "image/image.h"
#include "image/tone_mapping.h"

namespace winnow {

struct DenoiseOptions {
  std::filesystem::path input;
  std::vector<std::filesystem::path> outputs;
  std::filesystem::path albedo, normal;  ///< empty: layers of `input`
  DeviceRequest device;
  float stops = 0.0f;                       ///< exposure of 8-bit outputs
  ToneCurve tone_curve = ToneCurve::kSrgb;  ///< tone curve of 8-bit outputs
};

OptionTable denoise_options(DenoiseOptions& options);

/// Writes an image without its noise and prints guides and device. Throws Error or UsageError.
void denoise_image(const DenoiseOptions& options);

/// Returns the albedo and the normals among the layers of an OpenEXR image, under the names that
/// Winnow and other renderers give them: "albedo.R", "N.X", "Normal.X", "nn.X", "Denoising
/// Albedo.R". Missing ones are empty.
DenoiseGuides guides_among(const std::vector<ImageChannel>& channels, uint32_t width,
                           uint32_t height);

}  // namespace winnow
