// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/render/render.h"
#include "app/render/render_passes.h"
#include "base/error.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

constexpr uint64_t kMaxShares = 1u << 22;  ///< number of tiles of the largest image

/// Returns the number in an environment variable, if it is set.
std::optional<uint64_t> number_in(const EnvironmentVariables& environment, const char* name) {
  const char* text = environment(name);
  if (!text || !*text) return std::nullopt;
  return parse_whole_number(name, text, 0, UINT32_MAX);
}

Share checked_share(const std::string& option, uint64_t index, uint64_t count) {
  if (count < 1 || count > kMaxShares || index >= count)
    throw UsageError(fmt::format("{}: {}/{} is not a share; expected I/N, with I from 0 to N - 1",
                                 option, index, count));
  return {uint32_t(index), uint32_t(count)};
}

/// Returns the share of a task in a job array of Slurm. Ids may start anywhere and have a step.
std::optional<Share> slurm_share(const std::string& option,
                                 const EnvironmentVariables& environment) {
  const auto id = number_in(environment, "SLURM_ARRAY_TASK_ID");
  const auto count = number_in(environment, "SLURM_ARRAY_TASK_COUNT");
  if (!id || !count) return std::nullopt;
  const uint64_t min = number_in(environment, "SLURM_ARRAY_TASK_MIN").value_or(0);
  const uint64_t max = number_in(environment, "SLURM_ARRAY_TASK_MAX").value_or(min + *count - 1);
  const uint64_t step =
      std::max<uint64_t>(number_in(environment, "SLURM_ARRAY_TASK_STEP").value_or(1), 1);
  if (max < min || *id < min || (max - min) / step + 1 != *count)
    throw UsageError(
        fmt::format("{} auto: the ids of this array job have gaps; give the share, as in {} "
                    "$SLURM_ARRAY_TASK_ID/16",
                    option, option));
  return checked_share(option, (*id - min) / step, *count);
}

/// Returns the options that do not change the image.
OptionTable work_options(RenderSettings& settings) {
  return {
      option("--loop", "LOOP", settings.loop, name_of<Loop>(),
             "Order of the work: wave traces all paths bounce by bounce, path traces each path to "
             "its end.",
             {.keyword = "loop"}),
      option("--cull", "MODE", settings.cull, name_of<Cull>(),
             "How terminated paths are removed. thrust and cub need a GPU; the image is the same.",
             {.keyword = "cull"}),
      option(
          "--group", "HOW", settings.group, name_of<Group>(),
          "Whether paths at the same kind of material are put side by side and shaded by kernels "
          "of their own. auto does so where --cull auto expects or has measured that it pays. "
          "--loop path ignores it, and on a CPU material is for tests only; the image is the same.",
          {.keyword = "group"}),
      option("--driver", "WHO", settings.driver, name_of<Driver>(),
             "What launches the bounces on a GPU: a CUDA graph on the GPU itself, or the host.",
             {.keyword = "driver"}),
      flag("--regenerate", settings.regenerate,
           "Start new paths in the slots of terminated ones, so that the wave stays full.",
           {.keyword = "regenerate"}),
      wave_size_option(settings.wave_size)};
}

OptionTable file_options(RenderOptions& options) {
  return {
      text_output_option("--stats", options.stats, options.quiet,
                         "JSON file to write: rays, termination causes and times of every bounce, "
                         "and a hash of the film."),
      option("--checkpoint", "FILE.film", options.checkpoint, path_type(),
             "Film file to write during the render and at its end. --resume continues from it."),
      option("--every", "S", options.every, parsed_by(parse_seconds, "above 0, at most 10^9"),
             "Time between checkpoints. It becomes longer if writing takes more than half of the "
             "time (1 % if --every is not given).",
             {.unit = "s", .default_text = fmt::format("{:g}", PassPlan().checkpoint_interval)}),
      option(
          "--resume", "FILE.film", options.resume, path_type(),
          "Film file to continue. With the same scene and options, the image is that of a "
          "single render; --spp may be larger. Without SCENE, the scene and all options that are "
          "not given are those of the film, which is also the checkpoint. If the file is that of "
          "--checkpoint and does not exist yet, the render starts from the beginning."),
      option("--record-masks", "FILE", options.masks, path_type(),
             "File to write: which paths of the first wave survive each bounce, for "
             "compaction_bench --masks. FILE.steps, with --cull none, also holds the times of the "
             "bounces, for compaction-advise.")};
}

}  // namespace

Share parse_share(const std::string& option, const std::string& text,
                  const EnvironmentVariables& environment) {
  if (text != "auto") {
    const size_t slash = text.find('/');
    if (slash == std::string::npos)
      throw UsageError(fmt::format("{}: \"{}\" is not I/N, as in 0/16, or auto", option, text));
    return checked_share(option, parse_whole_number(option, text.substr(0, slash), 0, UINT32_MAX),
                         parse_whole_number(option, text.substr(slash + 1), 0, UINT32_MAX));
  }
  if (const auto share = slurm_share(option, environment)) return *share;
  constexpr const char* kIndexAndCount[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                               {"PMI_RANK", "PMI_SIZE"},
                                               {"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"}};
  for (const auto& [index_name, count_name] : kIndexAndCount) {
    const auto index = number_in(environment, index_name),
               count = number_in(environment, count_name);
    if (index && count) return checked_share(option, *index, *count);
    if (index)
      throw UsageError(
          fmt::format("{} auto: {} is set and {} is not; set it to the number of shares", option,
                      index_name, count_name));
  }
  throw UsageError(fmt::format(
      "{} auto: no scheduler says which share this is (SLURM_ARRAY_TASK_ID, OMPI_COMM_WORLD_RANK, "
      "PMI_RANK, JOB_COMPLETION_INDEX); give it, as in {} 0/16",
      option, option));
}

Shutter parse_shutter(const std::string& option, const std::string& text) {
  constexpr double kMost = 1e6;  // s
  auto fail = [&](const char* expected) {
    throw UsageError(
        fmt::format("{}: expected {}, as in -0.01:0.01, found \"{}\"", option, expected, text));
  };
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 2) fail("A:B in seconds");
  const Shutter shutter{parse_moment(option, parts[0]), parse_moment(option, parts[1])};
  if (!(std::abs(shutter.open) <= kMost && std::abs(shutter.close) <= kMost))
    fail("at most 1e6 seconds");
  if (!(shutter.open < shutter.close)) fail("A before B");
  return shutter;
}

OptionTable render_options(RenderOptions& options) {
  RenderSettings& settings = options.settings;
  auto share = [](const std::string& option, const std::string& text) {
    return parse_share(option, text, [](const char* name) { return std::getenv(name); });
  };
  OptionTable table = {argument("SCENE", options.scene, kSceneHelp)};
  table.front().form.is_required = false;  // --resume alone has that of the film
  append(table, scene_options(options));
  append(
      table,
      {files("-o,--output", options.outputs,
             "Image to write: .png, .jpg, .hdr, .pfm or .exr, or a film file, .film, for merge and "
             "convert. The option may be repeated.",
             {}, {.default_text = "SCENE's name with .png, in the current folder"}),
       option("--spp", "N", options.spp, whole_number(1, kMaxSpp), "Number of samples per pixel.",
              {.default_text = "the scene's, or no limit with --time-limit or --noise",
               .keyword = "spp"}),
       option("--noise", "T", options.noise, parsed_by(parse_noise, "above 0, at most 1", "float"),
              "Relative error below which a part of the image needs no more samples, as in 0.05. "
              "--spp is then the maximum.",
              {.default_text = "no adaptive sampling", .keyword = "noise"}),
       option("--time-limit", "S", options.time_limit,
              parsed_by(parse_seconds, "above 0, at most 10^9", "float"),
              "Maximum time of rendering. Every pixel gets at least one sample.",
              {.unit = "s", .default_text = "no limit", .keyword = "time_limit"})});
  append(table, output_options(options));
  append(table, {max_bounces_option(options.max_bounces), size_option(options.size)});
  append(table, camera_options(options.camera));
  append(table, sequence_options(options.sequence));
  append(table,
         {option("--shutter", "A:B", options.shutter, parsed_by(parse_shutter),
                 "Motion blur: the shutter is open from A to B seconds after the time of an image, "
                 "as in -0.01:0.01.",
                 {.default_text = "that of a pbrt or JSON scene, else no motion blur"})});
  append(
      table,
      {option("--filter", "NAME[:RADIUS]", options.filter,
              parsed_by(parse_filter, alternatives(enum_names<FilterType>())),
              "Reconstruction filter, and its radius in pixels, as in gaussian:1.5.",
              {.default_text = kOfScene, .keyword = "filter"}),
       seed_option(settings.seed), sampler_option(settings.sampler), lights_option(settings.lights),
       roulette_option(settings.roulette),
       option("--clamp-indirect", "X", settings.clamp_indirect,
              parsed_by(parse_radiance, "above 0", "float"),
              "Maximum that light scattered more than once adds to a sample. It darkens the image, "
              "and --stats reports how much.",
              {.unit = "W sr^-1 m^-2", .default_text = "no limit", .keyword = "clamp_indirect"}),
       device_option(options.device),
       option("--devices", "LIST", options.devices,
              parsed_by(parse_devices, "all, or a list as in 0,2", "str | Sequence[int]"),
              "GPUs that render together. The image is that of one GPU.", {.keyword = "devices"}),
       threads_option(settings.threads)});
  append(table, work_options(settings));
  append(
      table,
      {option("--bvh", "BUILD", settings.bvh, name_of<BvhBuild>(),
              "How the BVH is built. quality takes longer to build and is faster to trace; auto "
              "chooses the one that is likely to finish the render first. The image is the same.",
              {.keyword = "bvh"}),
       option("--tracer", "TRACER", settings.tracer, name_of<Tracer>(),
              "What finds the primitives that rays hit on a GPU: bvh, Winnow's BVH; rt, OptiX, "
              "which uses ray-tracing cores; or auto, the faster of both in early waves if the GPU "
              "has such cores, else bvh. With rt, the host launches the bounces. Winnow's own "
              "tests compute the hits, so the image differs only where primitives coincide and at "
              "edges.",
              {.keyword = "tracer"}),
       bvh_cache_option(settings.bvh_cache), display_option(options.display)});
  append(table, file_options(options));
  append(table,
         {option("--share", "I/N", options.share, parsed_by(share),
                 "Render part I of N, counted from 0, into a film file, for winnow merge. auto "
                 "takes both from Slurm, MPI or Kubernetes.",
                 {.default_text = "the whole image"}),
          option("--mpi", "on|off", options.mpi, on_or_off(),
                 "Whether the processes that mpirun or srun starts render one image together."),
          quiet_option(options.quiet)});
  return table;
}

}  // namespace winnow
