#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bvh/bvh_build.h"
#include "scene/pixel_filter.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

/// How --noise ended.
struct NoiseReport {
  double limit;        ///< relative error that was asked for
  double noisy_share;  ///< [0, 1], of the pixels: in tiles that are noisier still, or beside them
};

/// What --stats tells of one render.
struct RenderReport {
  std::string device;
  std::string scene;  ///< the file, as it was given
  RenderSettings settings;
  FilterDescription filter;
  std::optional<uint32_t> threads;  ///< worker threads of a CPU render
  double load_seconds = 0.0;
  double build_seconds = 0.0;  ///< of acceleration structure, film and device memory
  double render_seconds = 0.0;
  double write_seconds = 0.0;  ///< of the images
  std::optional<NoiseReport> noise = {};
  double removed_share = 0.0;  ///< [0, 1], of all light, by --clamp-indirect
  bool interrupted = false;
  std::string film_hash;
  BvhReport bvh;
  RenderStats stats;
};

/// The report as JSON text. Bounces that no path reached are left out.
std::string stats_json(const RenderReport& report);

/// "wave", "path"; [Loop].
const std::vector<std::string>& loop_names();

/// "none", "append", ...; [Cull].
const std::vector<std::string>& cull_names();

/// "hash", "sobol"; [SamplerType].
const std::vector<std::string>& sampler_names();

/// "graph", "host"; [Driver].
const std::vector<std::string>& driver_names();

/// "auto", "fast", "quality"; [BvhBuild].
const std::vector<std::string>& bvh_build_names();

}  // namespace winnow
