// SPDX-License-Identifier: MIT
#include <algorithm>

#include "app/bench/bench.h"
#include "app/cli/add_option.h"
#include "base/error.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

template <class Number>
void add_number(CLI::App& command, const std::string& name, Number& value, uint64_t min,
                uint64_t max, const std::string& help) {
  auto read = [&value, name, min, max](const std::string& text) {
    value = uint32_t(parse_whole_number(name, text, min, max));
  };
  add_option(command, name, "N", read, help);
}

/// Adds an option whose value is a list of `names`.
template <class Value>
void add_list(CLI::App& command, const std::string& name, std::vector<Value>& values,
              const std::vector<std::string>& names, const std::string& help) {
  auto read = [&values, name, names](const std::string& text) {
    values.clear();
    for (size_t choice : parse_choices(name, text, names)) values.push_back(Value(choice));
  };
  add_option(command, name, "LIST", read, help);
}

void add_matrix_options(CLI::App& command, BenchOptions& options) {
  const std::vector<std::string> off_on = {"off", "on"};
  BenchMatrix& matrix = options.matrix;
  add_list(command, "--cull", matrix.culls, enum_names<Cull>(),
           "any of none, append, scan, ballot, look-back, look-ahead,\nmove, thrust, cub, auto "
           "(default: all on a GPU;\nnone,append,auto on the CPU)");
  add_list(command, "--loop", matrix.loops, enum_names<Loop>(),
           "wave: all paths bounce by bounce; path: each path to\nits end (default: wave,path)");
  add_list(command, "--roulette", matrix.roulettes, off_on,
           "whether Russian roulette ends paths (default: on,off)");
  auto regenerates = [&options, off_on](const std::string& text) {
    options.matrix.regenerates.clear();
    for (size_t choice : parse_choices("--regenerate", text, off_on))
      options.matrix.regenerates.push_back(bool(choice));
    options.regenerate_given = true;
  };
  add_option(command, "--regenerate", "LIST", regenerates,
             "on: wave + append, with finished paths replaced by\nnew ones (default: off,on)");
  auto drivers = [&options](const std::string& text) {
    options.matrix.drivers.clear();
    for (size_t choice : parse_choices("--driver", text, enum_names<Driver>()))
      options.matrix.drivers.push_back(Driver(choice));
    options.driver_given = true;
  };
  add_option(command, "--driver", "LIST", drivers,
             "what launches the stages on a GPU: graph or host\n(default: graph)");
}

}  // namespace

void add_bench_options(CLI::App& command, BenchOptions& options) {
  command.add_option("SCENE", options.scenes, kSceneHelp)->type_name("")->required();
  add_matrix_options(command, options);

  auto size = [&options](const std::string& text) { options.size = parse_size("--size", text); };
  add_option(command, "--size", "WxH", size, "pixels, as in 1920x1080 (default: the scene's)");
  add_number(command, "--spp", options.spp, 1, kMaxSpp,
             "samples per pixel of a frame (default: 4)");
  add_number(command, "--max-bounces", options.max_bounces, 0, kMaxBounces,
             "bounces of a path (default: the scene's)");
  add_number(
      command, "--repeat", options.repeat, 1, kMaxRepeat,
      "rounds of one frame with each configuration; a ranking\ntakes at least 5 (default: 9)");
  add_number(command, "--wave-size", options.settings.wave_size, 0, kMaxWaveSize,
             "paths in flight at once (default: 0, the device chooses)");
  add_number(command, "--threads", options.settings.threads, 1, kMaxThreads,
             "threads on the CPU (default: all of the hardware)");
  auto bvh = [&options](const std::string& text) {
    options.settings.bvh = BvhBuild(parse_choice("--bvh", text, enum_names<BvhBuild>()));
  };
  add_option(command, "--bvh", "BUILD", bvh,
             "how the BVH is built: fast, quality or auto, which here\nis quality (default: auto)");
  command
      .add_option("--bvh-cache", options.settings.bvh_cache,
                  "folder that keeps quality BVHs for the next run on a\nGPU")
      ->type_name("DIR")
      ->take_last();
  auto seed = [&options](const std::string& text) {
    options.settings.seed = parse_whole_number("--seed", text, 0, UINT64_MAX);
  };
  add_option(command, "--seed", "N", seed, "of the random numbers (default: 0)");
  auto sampler = [&options](const std::string& text) {
    options.settings.sampler =
        SamplerType(parse_choice("--sampler", text, enum_names<SamplerType>()));
  };
  add_option(command, "--sampler", "NAME", sampler, "hash or sobol (default: sobol)");
  auto device = [&options](const std::string& text) {
    options.device = parse_device("--device", text);
  };
  add_option(command, "--device", "DEVICE", device,
             "auto, cpu, cuda or cuda:K (default: auto,\nwhich is the first GPU or else the CPU)");
  command.add_option("--json", options.json, "file to write: all measurements")
      ->type_name("FILE")
      ->take_last();
  command.add_option("--csv", options.csv, "file to write: a line for each configuration")
      ->type_name("FILE")
      ->take_last();
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
  if (!cuda && options.driver_given) throw UsageError("--driver: needs a GPU; leave it out");
  if (options.regenerate_given && has(matrix.regenerates, true) && !has(matrix.loops, Loop::kWave))
    throw UsageError("--regenerate: on needs --loop wave");
  if (matrix.culls.empty()) matrix.culls = default_culls(cuda);
  return matrix;
}

}  // namespace winnow
