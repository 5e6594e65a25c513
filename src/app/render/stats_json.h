// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/render/outputs.h"
#include "app/sequence/sequence.h"
#include "backend/renderer.h"
#include "bvh/bvh_build.h"
#include "scene/pixel_filter.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

/// The outcome of --noise.
struct NoiseReport {
  double limit;        ///< relative error, as given
  double noisy_share;  ///< [0, 1], share of pixels in or next to a tile above the limit
};

struct FrameReport {
  SequenceFrame frame;
  std::vector<std::filesystem::path> files;
};

struct RenderReport {
  std::string device;
  std::vector<DeviceStats> devices;  ///< empty if there is only one
  std::string scene;                 ///< the file, as given
  RenderSettings settings;
  FilterDescription filter;
  std::optional<uint32_t> threads;  ///< worker threads of a CPU render
  double load_seconds = 0.0;
  double build_seconds = 0.0;  ///< time for acceleration structure, film and device memory
  double render_seconds = 0.0;
  double cpu_seconds = 0.0;    ///< CPU time of the process for rendering, without earlier runs
  double write_seconds = 0.0;  ///< time for the images
  std::optional<NoiseReport> noise = {};
  std::optional<FrameReport> frame = {};
  WrittenOutputs written;
  double removed_share = 0.0;  ///< [0, 1], light removed by --clamp-indirect
  bool interrupted = false;
  bool sees_nothing = false;  ///< no camera ray has hit a surface or may have passed a medium
  std::string failure;        ///< why samples are lacking, if the renderer could not go on
  std::string film_hash;
  BvhReport bvh;
  RenderStats stats;
};

/// Returns the report as JSON text. Bounces that no path reached are omitted.
std::string stats_json(const RenderReport& report);

/// Returns the reports of a sequence as a JSON array.
std::string stats_json(const std::vector<RenderReport>& reports);

}  // namespace winnow
