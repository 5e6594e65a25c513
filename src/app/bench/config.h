// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "wavefront/state/render_settings.h"

namespace winnow {

/// One configuration of the renderer. All with the same tracer render the same image.
struct BenchConfig {
  Loop loop = Loop::kWave;
  Cull cull = Cull::kAppend;
  bool roulette = true;
  bool regenerate = false;
  Driver driver = Driver::kGraph;
  Group group = Group::kNone;
  Tracer tracer = Tracer::kBvh;
};

/// The values of each setting; bench_configs() combines them.
struct BenchMatrix {
  std::vector<Cull> culls;
  std::vector<Loop> loops = {Loop::kWave, Loop::kPath};
  std::vector<bool> roulettes = {true, false};
  std::vector<bool> regenerates = {false, true};
  std::vector<Driver> drivers = {Driver::kGraph};
  std::vector<Group> groups = {Group::kNone};
  std::vector<Tracer> tracers = {Tracer::kBvh};
};

/// Returns the culling modes that are useful on the device: all on a GPU; on the CPU neither CUDA's
/// libraries nor the kernels, which run one thread at a time there, for tests.
std::vector<Cull> default_culls(bool cuda);

/// Returns the ways of grouping that are useful on the device: none on the CPU.
std::vector<Group> default_groups(bool cuda);

/// Returns all combinations that differ: a path loop has no queue, so it neither culls nor
/// regenerates and has no driver; a wave that regenerates is measured with `append` only, and one
/// that groups with `none` and `append`: grouping culls, so that a pass after it removes nothing
/// more. `auto` decides by itself whether to group. The host drives waves with Tracer::kRt.
std::vector<BenchConfig> bench_configs(const BenchMatrix& matrix);

RenderSettings with_config(RenderSettings settings, const BenchConfig& config);

/// Returns "path", "wave + append", "wave + append, by material", "wave + append, regenerating",
/// "wave + none, host driver" or "wave + none, rt".
std::string config_name(const BenchConfig& config);

/// Returns "append", or "append+mat" if paths are grouped by material; empty for a path loop.
std::string cull_name(const BenchConfig& config);

/// Returns "with roulette" or "without roulette".
std::string roulette_name(bool roulette);

}  // namespace winnow
