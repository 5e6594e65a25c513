// SPDX-License-Identifier: MIT
#include "app/bench/config.h"

namespace winnow {
namespace {

std::vector<Group> groups_with(const BenchMatrix& matrix, Cull cull, bool regenerate) {
  if (cull == Cull::kAuto) return {Group::kAuto};
  if (!regenerate && (cull == Cull::kNone || cull == Cull::kAppend)) return matrix.groups;
  return {Group::kNone};
}

void add_wave_configs(const BenchMatrix& matrix, Tracer tracer, bool roulette,
                      std::vector<BenchConfig>& configs) {
  const bool is_rt = tracer == Tracer::kRt;
  for (bool regenerate : matrix.regenerates)
    for (Driver driver : is_rt ? std::vector{Driver::kHost} : matrix.drivers) {
      std::vector<Cull> culls = regenerate ? std::vector<Cull>{Cull::kAppend} : matrix.culls;
      for (Cull cull : culls)
        for (Group group : groups_with(matrix, cull, regenerate))
          configs.push_back({Loop::kWave, cull, roulette, regenerate, driver, group, tracer});
    }
}

}  // namespace

std::vector<Cull> default_culls(bool cuda) {
  return cuda ? available_culls(true) : std::vector{Cull::kNone, Cull::kAppend, Cull::kAuto};
}

std::vector<Group> default_groups(bool cuda) {
  if (cuda) return {Group::kNone, Group::kMaterial};
  return {Group::kNone};
}

std::vector<BenchConfig> bench_configs(const BenchMatrix& matrix) {
  std::vector<BenchConfig> configs;
  for (bool roulette : matrix.roulettes)
    for (Loop loop : matrix.loops) {
      if (loop == Loop::kWave)
        for (Tracer tracer : matrix.tracers) add_wave_configs(matrix, tracer, roulette, configs);
      else
        configs.push_back({Loop::kPath, Cull::kNone, roulette, false, matrix.drivers.front()});
    }
  return configs;
}

RenderSettings with_config(RenderSettings settings, const BenchConfig& config) {
  settings.loop = config.loop;
  settings.cull = config.cull;
  settings.roulette = config.roulette;
  settings.regenerate = config.regenerate;
  settings.driver = config.driver;
  settings.group = config.group;
  settings.tracer = config.tracer;
  return settings;
}

std::string config_name(const BenchConfig& config) {
  if (config.loop == Loop::kPath) return "path";
  return "wave + " + enum_name(config.cull) +
         (config.group == Group::kMaterial ? ", by material" : "") +
         (config.regenerate ? ", regenerating" : "") +
         (config.tracer == Tracer::kRt     ? ", rt"
          : config.driver == Driver::kHost ? ", host driver"
                                           : "");
}

std::string cull_name(const BenchConfig& config) {
  if (config.loop == Loop::kPath) return "";
  return enum_name(config.cull) + (config.group == Group::kMaterial ? "+mat" : "");
}

std::string roulette_name(bool roulette) {
  return roulette ? "with roulette" : "without roulette";
}

}  // namespace winnow
