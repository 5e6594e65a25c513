// SPDX-License-Identifier: MIT
#include <algorithm>

#include "app/bench/bench.h"
#include "app/cli/add_option.h"
#include "base/error.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

/// A parser for add_value: a list of `names`.
template <class Value>
auto list_of(const std::vector<std::string>& names) {
  return [names](const std::string& option, const std::string& text) {
    std::vector<Value> values;
    for (size_t choice : parse_choices(option, text, names)) values.push_back(Value(choice));
    return values;
  };
}

void add_matrix_options(CLI::App& command, BenchMatrix& matrix) {
  const auto off_on = list_of<bool>({"off", "on"});
  add_value(command, "--cull", matrix.culls, list_of<Cull>(enum_names<Cull>()), "LIST",
            "any of none, append, scan, ballot, look-back, look-ahead,\nmove, thrust, cub, auto "
            "(default: all on a GPU;\nnone,append,auto on the CPU)");
  add_value(
      command, "--group", matrix.groups, list_of<Group>({"none", "material"}), "LIST",
      "material: none and append with paths grouped by material,\ntoo (default: none,material "
      "on a GPU; none on the CPU)");
  add_value(command, "--loop", matrix.loops, list_of<Loop>(enum_names<Loop>()), "LIST",
            "wave: all paths bounce by bounce; path: each path to\nits end (default: wave,path)");
  add_value(command, "--roulette", matrix.roulettes, off_on, "LIST",
            "whether Russian roulette ends paths (default: on,off)");
  add_value(command, "--regenerate", matrix.regenerates, off_on, "LIST",
            "on: wave + append, with finished paths replaced by\nnew ones (default: off,on)");
  add_value(command, "--driver", matrix.drivers, list_of<Driver>(enum_names<Driver>()), "LIST",
            "what launches the stages on a GPU: graph or host\n(default: graph)");
}

}  // namespace

void add_bench_options(CLI::App& command, BenchOptions& options) {
  command.add_option("SCENE", options.scenes, kSceneHelp)->type_name("")->required();
  add_parameters(command, options.parameters);
  add_time(command, options.time);
  add_confine(command, options.outside);
  add_matrix_options(command, options.matrix);
  add_value(command, "--size", options.size, parse_size, "WxH",
            "pixels, as in 1920x1080 (default: the scene's)");
  add_value(command, "--spp", options.spp, whole_number(1, kMaxSpp), "N",
            "samples per pixel of a frame (default: 4)");
  add_value(command, "--max-bounces", options.max_bounces, whole_number(0, kMaxBounces), "N",
            "bounces of a path (default: the scene's)");
  add_value(command, "--sky", options.sky, parse_sky, "SKY", kSkyHelp);
  add_value(
      command, "--repeat", options.repeat, whole_number(1, kMaxRepeat), "N",
      "rounds of one frame with each configuration; a ranking\ntakes at least 5 (default: 9)");
  add_value(command, "--wave-size", options.settings.wave_size, whole_number(0, kMaxWaveSize), "N",
            "paths in flight at once (default: 0, the device chooses)");
  add_value(command, "--threads", options.settings.threads, whole_number(1, kMaxThreads), "N",
            "threads on the CPU (default: all of the hardware)");
  add_value(command, "--bvh", options.settings.bvh, parse_enum<BvhBuild>, "BUILD",
            "how the BVH is built: fast, quality or auto, which here\nis quality (default: auto)");
  add_path(command, "--bvh-cache", options.settings.bvh_cache, "DIR",
           "folder that keeps quality BVHs for the next run on a\nGPU");
  add_seed(command, options.settings.seed, "of the random numbers (default: 0)");
  add_value(command, "--sampler", options.settings.sampler, parse_enum<SamplerType>, "NAME",
            "hash or sobol (default: sobol)");
  add_device(command, options.device);
  add_path(command, "--json", options.json, "FILE", "file to write: all measurements");
  add_path(command, "--csv", options.csv, "FILE", "file to write: a line for each configuration");
  command.add_flag("--quiet", options.quiet, "print errors only");
  command.footer(
      "A LIST is separated by commas, as in none,append. scripts/bench-report draws the JSON "
      "file.\n"
      "Ctrl-C (or SIGTERM) stops after the current frame and writes the complete rounds, with "
      "exit\n"
      "code 0; if there are none, the exit code is 130.");
}

BenchMatrix matrix_for(const BenchOptions& options, bool cuda) {
  BenchMatrix matrix = options.matrix;
  auto has = [](const auto& list, auto value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  for (Cull cull : {Cull::kThrust, Cull::kCub})
    if (!cuda && has(matrix.culls, cull))
      throw UsageError("--cull: " + enum_name(cull) + " needs a GPU");
  if (!cuda && !matrix.drivers.empty()) throw UsageError("--driver: needs a GPU; leave it out");
  if (has(matrix.regenerates, true) && !has(matrix.loops, Loop::kWave))
    throw UsageError("--regenerate: on needs --loop wave");
  if (matrix.culls.empty()) matrix.culls = default_culls(cuda);
  if (matrix.groups.empty()) matrix.groups = default_groups(cuda);
  if (matrix.regenerates.empty()) matrix.regenerates = BenchMatrix().regenerates;
  if (matrix.drivers.empty()) matrix.drivers = BenchMatrix().drivers;
  return matrix;
}

}  // namespace winnow
