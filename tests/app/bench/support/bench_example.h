// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/report.h"

namespace winnow {

/// Statistics of 64 paths, of which a quarter reaches the second bounce.
///
/// @param first, second  ms of intersect, and again of shade, in each of the two bounces
/// @param cull           ms of the cull after the first bounce; 0: no cull
inline RenderStats example_stats(double first, double second, double cull) {
  RenderStats stats;
  stats.paths = 64;
  stats.waves = 1;
  stats.host_seconds = 1e-5;
  stats.bounces.resize(3);
  stats.bounces[0] = {.alive = 64,
                      .queued = 64,
                      .busy_warps = 2,
                      .waves = 1,
                      .culls = cull > 0.0,
                      .state_bytes = 6400,
                      .shadow_rays = 48};
  stats.bounces[1] = {.alive = 16,
                      .queued = cull > 0.0 ? 16u : 64u,
                      .busy_warps = cull > 0.0 ? 1u : 2u,
                      .waves = 1,
                      .culls = cull > 0.0,
                      .state_bytes = 1600,
                      .shadow_rays = 0};
  stats.bounces[0].terminations[size_t(Termination::kEscaped)] = 48;
  stats.bounces[1].terminations[size_t(Termination::kMaxDepth)] = 16;
  for (Stage stage : {Stage::kIntersect, Stage::kShade}) {
    stats.bounces[0].milliseconds[size_t(stage)] = first;
    stats.bounces[1].milliseconds[size_t(stage)] = second;
  }
  stats.bounces[0].milliseconds[size_t(Stage::kCull)] = cull;
  return stats;
}

/// wave + none (10 ms a frame), wave + scan (8 ms), wave + append, regenerating (7 ms), path (9
/// ms), five rounds, with roulette. The ideal of the stages is 4 + 4 / 4 = 5 of 8 ms; scan
/// takes 6.5.
inline SceneBench example_bench() {
  SceneBench bench;
  bench.file = "a \"scene\", here.json";
  bench.name = "a scene";
  bench.settings.width = 8;
  bench.settings.height = 4;
  bench.settings.max_bounces = 2;
  bench.spp = 2;
  bench.cuda = true;
  auto add = [&](BenchConfig config, double ms, const RenderStats& stats) {
    ConfigRun run;
    run.config = config;
    for (double noise : {0.0, 0.1, -0.1, 0.05, -0.05}) run.frame_milliseconds.push_back(ms + noise);
    run.host_milliseconds.assign(5, 0.01);
    run.film_hash = "0123456789abcdef";
    run.measured = {ms, stats};
    bench.runs.push_back(run);
  };
  add({Loop::kWave, Cull::kNone, true, false, Driver::kGraph}, 10.0, example_stats(2.0, 2.0, 0.0));
  add({Loop::kWave, Cull::kScan, true, false, Driver::kGraph}, 8.0, example_stats(2.0, 1.0, 0.5));
  add({Loop::kWave, Cull::kAppend, true, true, Driver::kGraph}, 7.0, example_stats(2.0, 1.0, 0.0));
  RenderStats path = example_stats(0.0, 0.0, 0.0);
  path.bounces[0].milliseconds[size_t(Stage::kPath)] = 8.5;
  add({Loop::kPath, Cull::kNone, true, false, Driver::kGraph}, 9.0, path);
  return bench;
}

}  // namespace winnow
