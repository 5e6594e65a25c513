// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_values.h"
#include "app/cli/sky.h"
#include "app/cli/view.h"
#include "app/render/aov.h"
#include "image/tone_mapping.h"
#include "load/mitsuba/parameters.h"
#include "wavefront/state/render_settings.h"

namespace CLI {
class App;
}

namespace winnow {

/// The options of `winnow render`. Empty ones take their value from the scene.
struct RenderOptions {
  std::filesystem::path scene;
  MitsubaParameters parameters;                ///< of a Mitsuba scene
  std::optional<double> time;                  ///< s, a moment of its animations
  std::vector<std::filesystem::path> outputs;  ///< empty: <scene>.png in the current folder
  std::optional<uint32_t> spp;                 ///< samples per pixel
  std::optional<uint32_t> max_bounces;
  std::optional<Size> size;
  std::optional<View> camera;
  std::optional<SkyRequest> sky;
  std::optional<FilterDescription> filter;
  std::optional<Exposure> exposure;         ///< of 8-bit outputs
  ToneCurve tone_curve = ToneCurve::kSrgb;  ///< of 8-bit outputs
  RenderSettings settings;                  ///< further settings of the renderer
  DeviceRequest device;
  std::optional<double> time_limit;  ///< s
  std::optional<double> noise;       ///< relative error at which tiles need no more samples
  std::filesystem::path stats;       ///< empty: none
  AovRequest aovs;
  std::filesystem::path masks;  ///< empty: none
  bool quiet = false;
};

/// Adds the options of `winnow render` to `command`; parsing it fills `options`.
void add_render_options(CLI::App& command, RenderOptions& options);

/// Renders a scene and writes its images. Returns the exit code.
int render(const RenderOptions& options);

}  // namespace winnow
