// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "wavefront/state/render_settings.h"

namespace winnow {

/// One configuration of the renderer. All of them render the same image.
struct BenchConfig {
  Loop loop = Loop::kWave;
  Cull cull = Cull::kAppend;
  bool roulette = true;
  bool regenerate = false;
  Driver driver = Driver::kGraph;
};

/// The values of each setting; bench_configs() combines them.
struct BenchMatrix {
  std::vector<Cull> culls;
  std::vector<Loop> loops = {Loop::kWave, Loop::kPath};
  std::vector<bool> roulettes = {true, false};
  std::vector<bool> regenerates = {false, true};
  std::vector<Driver> drivers = {Driver::kGraph};
};

/// Returns the culling modes that are useful on the device: all on a GPU; on the CPU neither CUDA's
/// libraries nor the kernels, which run there one thread at a time, for tests.
std::vector<Cull> default_culls(bool cuda);

/// Returns all combinations that differ: a path loop has no queue, so it neither culls nor
/// regenerates and has no driver; a wave that regenerates is measured with `append` only.
std::vector<BenchConfig> bench_configs(const BenchMatrix& matrix);

RenderSettings with_config(RenderSettings settings, const BenchConfig& config);

/// "path", "wave + append", "wave + append, regenerating", "wave + none, host driver".
std::string config_name(const BenchConfig& config);

/// "with roulette", "without roulette".
std::string roulette_name(bool roulette);

}  // namespace winnow
