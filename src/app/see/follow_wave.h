// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "app/bench/config.h"
#include "backend/cpu/wave_recorder.h"
#include "backend/renderer.h"

namespace winnow {

struct FollowedMode {
  BenchConfig config;
  std::vector<IterationRecord> iterations;  ///< [iteration]
  RenderStats stats;
};

struct FollowedWave {
  std::vector<PathRecord> paths;  ///< [path], independent of the mode
  std::vector<FollowedMode> modes;
};

/// Returns the combinations of culling and grouping that do different work, as `winnow bench`
/// compares them.
///
/// @param culls, groups  empty: all except `auto`, which is `append` in a first wave, and except
///                       modes that need a GPU
/// Throws UsageError for modes that need a GPU.
std::vector<BenchConfig> followed_configs(const std::vector<Cull>& culls,
                                          const std::vector<Group>& groups, bool roulette);

/// Renders the first sample of some pixels as one wave, once in each mode, and records it. Throws
/// Error if the paths of two modes differ.
///
/// @param renderer  result of make_cpu_renderer() with `recorder`; its film is lost
/// @param pixels    film positions
FollowedWave follow_wave(Renderer& renderer, WaveRecorder& recorder,
                         const std::vector<BenchConfig>& configs,
                         const std::vector<uint32_t>& pixels);

}  // namespace winnow
