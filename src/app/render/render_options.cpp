// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "app/render/render.h"
#include "app/render/render_passes.h"
#include "app/render/share.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

/// Returns --loop, --cull, --group, --driver, --regenerate and --wave-size, which do not change the
/// image.
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

/// Returns --stats, --checkpoint, --every, --resume and --record-masks.
OptionTable file_options(RenderOptions& options) {
  return {
      option("--stats", "FILE", options.stats, path_type(),
             "JSON file to write: rays, termination causes and times of every bounce, and a hash "
             "of the film."),
      option("--checkpoint", "FILE.film", options.checkpoint, path_type(),
             "Film file to write during the render and at its end. --resume continues from it."),
      option("--every", "S", options.every, parsed_by(parse_seconds, "above 0, at most 10^9"),
             "Time between checkpoints. It becomes longer if writing takes more than half of the "
             "time (1 % if --every is not given).",
             {.unit = "s", .default_text = fmt::format("{:g}", PassPlan().checkpoint_interval)}),
      option("--resume", "FILE.film", options.resume, path_type(),
             "Film file to continue. With the same scene and options, the image is that of a "
             "single render; --spp may be larger. If the file is that of --checkpoint and does not "
             "exist yet, the render starts from the beginning."),
      option("--record-masks", "FILE", options.masks, path_type(),
             "File to write: which paths of the first wave survive each bounce, for "
             "compaction_bench --masks.")};
}

}  // namespace

OptionTable render_options(RenderOptions& options) {
  RenderSettings& settings = options.settings;
  OptionTable table = {argument("SCENE", options.scene, kSceneHelp)};
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
  append(table, {max_bounces_option(options.max_bounces), size_option(options.size),
                 camera_option(options.camera)});
  append(table, sequence_options(options.sequence));
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
       bvh_cache_option(settings.bvh_cache), display_option(options.display)});
  append(table, file_options(options));
  append(table,
         {option("--share", "I/N", options.share, parsed_by(parse_share_here),
                 "Render part I of N, counted from 0, into a film file, for winnow merge. auto "
                 "takes both from Slurm, MPI or Kubernetes.",
                 {.default_text = "the whole image"}),
          option("--mpi", "on|off", options.mpi, on_or_off(),
                 "Whether the processes that mpirun or srun starts render one image together."),
          quiet_option(options.quiet)});
  return table;
}

}  // namespace winnow
