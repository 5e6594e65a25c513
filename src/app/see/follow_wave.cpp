// SPDX-License-Identifier: MIT
#include "app/see/follow_wave.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace winnow {
namespace {

bool have_same_ends(const std::vector<PathRecord>& a, const std::vector<PathRecord>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PathRecord& one, const PathRecord& other) {
                      return one.pixel == other.pixel && one.radiance == other.radiance &&
                             one.termination.bits == other.termination.bits;
                    });
}

WaveRecord record_wave(Renderer& renderer, WaveRecorder& recorder, RenderSettings settings,
                       const std::vector<uint32_t>& pixels) {
  settings.wave_size = uint32_t(pixels.size());
  settings.record_masks = true;  // keeps all pixels in one wave
  renderer.restart(settings);
  renderer.choose_pixels(pixels);
  recorder.is_on = true;
  RenderControl control;
  renderer.render_samples(0, 1, control);
  recorder.is_on = false;
  return recorder.wave();
}

}  // namespace

std::vector<BenchConfig> followed_configs(const std::vector<Cull>& culls,
                                          const std::vector<Group>& groups, bool roulette) {
  for (Cull cull : culls)
    if (mode_of(cull).needs_gpu)
      throw UsageError("--cull: " + enum_name(cull) + " needs a GPU, and see runs on the CPU");
  BenchMatrix matrix{.culls = culls,
                     .loops = {Loop::kWave},
                     .roulettes = {roulette},
                     .regenerates = {false},
                     .groups = groups};
  if (culls.empty()) {
    matrix.culls = available_culls(false);
    std::erase(matrix.culls, Cull::kAuto);
  }
  if (groups.empty()) matrix.groups = {Group::kNone, Group::kMaterial};
  std::vector<BenchConfig> configs = bench_configs(matrix);
  if (configs.empty())
    throw UsageError("--group: material is for --cull none, append and auto; add none");
  return configs;
}

FollowedWave follow_wave(Renderer& renderer, WaveRecorder& recorder,
                         const std::vector<BenchConfig>& configs,
                         const std::vector<uint32_t>& pixels) {
  FollowedWave followed;
  for (const BenchConfig& config : configs) {
    const RenderSettings settings = with_config(renderer.settings(), config);
    WaveRecord wave = record_wave(renderer, recorder, settings, pixels);
    if (followed.modes.empty())
      followed.paths = std::move(wave.paths);
    else if (!have_same_ends(followed.paths, wave.paths))
      throw Error("paths end otherwise with " + config_name(config) + " than with " +
                  config_name(followed.modes.front().config));
    followed.modes.push_back({config, std::move(wave.iterations), renderer.stats()});
  }
  return followed;
}

}  // namespace winnow
