// SPDX-License-Identifier: MIT
#include <algorithm>

#include "app/bench/bench.h"
#include "base/error.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

OptionTable matrix_options(BenchMatrix& matrix) {
  const auto off_on = list_of<bool>({"off", "on"});
  return {
      option("--cull", "LIST", matrix.culls, list_of<Cull>(enum_names<Cull>()),
             "Culling modes to measure. thrust and cub need a GPU.",
             {.default_text = "all on a GPU; none,append,auto on the CPU", .keyword = "cull"}),
      option("--group", "LIST", matrix.groups, list_of<Group>({"none", "material"}),
             "With material, none and append are also measured with paths grouped by material.",
             {.default_text = "none,material on a GPU; none on the CPU", .keyword = "group"}),
      option("--loop", "LIST", matrix.loops, list_of<Loop>(enum_names<Loop>()),
             "Order of the work: wave traces all paths bounce by bounce, path traces each path to "
             "its end.",
             {.keyword = "loop"}),
      option("--roulette", "LIST", matrix.roulettes, off_on,
             "Whether Russian roulette terminates paths.", {.keyword = "roulette"}),
      option("--regenerate", "LIST", matrix.regenerates, off_on,
             "With on, wave + append is also measured with terminated paths replaced by new ones.",
             {.default_text = "off,on", .keyword = "regenerate"}),
      option("--driver", "LIST", matrix.drivers, list_of<Driver>(enum_names<Driver>()),
             "What launches the stages on a GPU.", {.default_text = "graph", .keyword = "driver"}),
      option("--tracer", "LIST", matrix.tracers, list_of<Tracer>({"bvh", "rt"}),
             "What finds the primitives that rays hit on a GPU: bvh, Winnow's BVH, and rt, OptiX. "
             "With rt, the host launches the stages.",
             {.keyword = "tracer"})};
}

}  // namespace

OptionTable bench_options(BenchOptions& options) {
  RenderSettings& settings = options.settings;
  OptionTable table = {files("SCENE", options.scenes, kSceneHelp, {.is_required = true})};
  append(table, scene_options(options));
  append(table, matrix_options(options.matrix));
  append(
      table,
      {size_option(options.size),
       option("--spp", "N", options.spp, whole_number(1, kMaxSpp),
              "Number of samples per pixel of a frame.", {.keyword = "spp"}),
       max_bounces_option(options.max_bounces),
       option("--repeat", "N", options.repeat, whole_number(1, kMaxRepeat),
              "Number of rounds of one frame with each configuration. A ranking takes at least 5.",
              {.keyword = "repeat"}),
       wave_size_option(settings.wave_size), threads_option(settings.threads),
       option("--bvh", "BUILD", settings.bvh, name_of<BvhBuild>(),
              "How the BVH is built; auto is quality here.", {.keyword = "bvh"}),
       bvh_cache_option(settings.bvh_cache), seed_option(settings.seed),
       sampler_option(settings.sampler), device_option(options.device),
       text_output_option("--json", options.json, options.quiet,
                          "File to write: all measurements, as JSON."),
       text_output_option("--csv", options.csv, options.quiet,
                          "File to write: one line for each configuration."),
       quiet_option(options.quiet)});
  return table;
}

BenchMatrix matrix_for(const BenchOptions& options, bool cuda) {
  BenchMatrix matrix = options.matrix;
  auto has = [](const auto& list, auto value) { return std::ranges::count(list, value) > 0; };
  for (Cull cull : matrix.culls)
    if (!cuda && mode_of(cull).needs_gpu)
      throw UsageError("--cull: " + enum_name(cull) + " needs a GPU");
  if (!cuda && !matrix.drivers.empty()) throw UsageError("--driver: needs a GPU; leave it out");
  if (!cuda && has(matrix.tracers, Tracer::kRt))
    throw UsageError("--tracer: rt needs a GPU; leave it out");
  if (has(matrix.regenerates, true) && !has(matrix.loops, Loop::kWave))
    throw UsageError("--regenerate: on needs --loop wave");
  if (matrix.culls.empty()) matrix.culls = default_culls(cuda);
  if (matrix.groups.empty()) matrix.groups = default_groups(cuda);
  if (matrix.regenerates.empty()) matrix.regenerates = BenchMatrix().regenerates;
  if (matrix.drivers.empty()) matrix.drivers = BenchMatrix().drivers;
  return matrix;
}

}  // namespace winnow
