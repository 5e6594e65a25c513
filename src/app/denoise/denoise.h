// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "app/cli/option_table.h"
#include "denoise/denoiser.h"
#include "image/tone_mapping.h"

namespace winnow {

struct DenoiseOptions {
  std::filesystem::path input;
  std::vector<std::filesystem::path> outputs;
  std::filesystem::path albedo, normal;  ///< empty: layers of `input`
  bool strict = false;                   ///< warnings of reading end the command
  DeviceRequest device;
  DenoiseQuality quality = DenoiseQuality::kHigh;
  float stops = 0.0f;                       ///< exposure of 8-bit outputs
  ToneCurve tone_curve = ToneCurve::kSrgb;  ///< tone curve of 8-bit outputs
};

OptionTable denoise_options(DenoiseOptions& options);

/// Writes an image without its noise and prints guides and device. An OpenEXR file keeps its other
/// layers, its windows and its colours. Throws Error or UsageError.
void denoise_image(const DenoiseOptions& options);

}  // namespace winnow
