#pragma once

#include <string>
#include <vector>

#include "wavefront/state/render_settings.h"

namespace winnow {

/// One way to render the same picture, which `winnow bench` times.
struct BenchConfig {
  Loop loop = Loop::kWave;
  Cull cull = Cull::kAppend;
  bool roulette = true;
  bool regenerate = false;
  Driver driver = Driver::kGraph;
};

/// What is varied.
struct BenchMatrix {
  std::vector<Cull> culls;
  std::vector<Loop> loops = {Loop::kWave, Loop::kPath};
  std::vector<bool> roulettes = {true, false};
  std::vector<bool> regenerates = {false, true};
  std::vector<Driver> drivers = {Driver::kGraph};
};

/// Those that make sense on the device: all on a GPU. On the CPU neither the libraries of CUDA nor
/// the kernels, which run there one thread at a time to be tested.
std::vector<Cull> default_culls(bool cuda);

/// All combinations that differ: a path loop has no queue, so it neither culls, regenerates nor has
/// a driver; and a wave that regenerates is measured with `append` alone.
std::vector<BenchConfig> bench_configs(const BenchMatrix& matrix);

RenderSettings with_config(RenderSettings settings, const BenchConfig& config);

/// "path", "wave + append", "wave + append, regenerating", "wave + none, host driver".
std::string way_name(const BenchConfig& config);

/// "with roulette", "without roulette".
std::string roulette_name(bool roulette);

}  // namespace winnow
