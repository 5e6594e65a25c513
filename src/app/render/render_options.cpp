// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "app/cli/add_option.h"
#include "app/render/render.h"
#include "app/render/share.h"
#include "load/load_scene.h"

namespace winnow {

void add_render_options(CLI::App& command, RenderOptions& options) {
  RenderSettings& settings = options.settings;
  command.add_option("SCENE", options.scene, kSceneHelp)->type_name("")->required();
  add_parameters(command, options.parameters);
  add_time(command, options.time);
  add_confine(command, options.outside);
  command
      .add_option("-o,--output", options.outputs,
                  "image to write: .png, .jpg, .hdr, .pfm or .exr, or a film\n"
                  "file, .film, for merge and convert; several may be given\n"
                  "(default: SCENE's name, .png, in the current folder)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_value(command, "--spp", options.spp, whole_number(1, kMaxSpp), "N",
            "samples per pixel, the maximum with --noise\n"
            "(default: the scene's; none with --time-limit or\n--noise)");
  add_value(command, "--noise", options.noise, parse_noise, "T",
            "relative error at which a part of the image needs no\n"
            "more samples, as in 0.05");
  add_output_options(command, options);
  add_value(command, "--max-bounces", options.max_bounces, whole_number(0, kMaxBounces), "N",
            "bounces of a path; 0 shows lights only (default: the scene's)");
  add_value(command, "--size", options.size, parse_size, "WxH",
            "pixels, as in 1920x1080 (default: the scene's)");
  add_value(command, "--camera", options.camera, parse_view, "LIST", kViewHelp);
  add_sequence_options(command, options.sequence);
  add_value(command, "--sky", options.sky, parse_sky, "SKY", kSkyHelp);
  add_value(command, "--filter", options.filter, parse_filter, "NAME[:RADIUS]",
            "reconstruction filter: box, tent, gaussian or\n"
            "blackman-harris, and its radius in pixels\n(default: the scene's, else box:0.5)");
  add_seed(command, settings.seed, "seed of the random numbers (default: 0)");
  add_value(command, "--sampler", settings.sampler, parse_enum<SamplerType>, "NAME",
            fmt::format("source of random numbers: hash, independent, or sobol,\n"
                        "evenly distributed (default: {})",
                        enum_name(settings.sampler)));
  add_device(command, options.device);
  add_value(command, "--devices", options.devices, parse_devices, "LIST",
            "GPUs that render together: all, or as in 0,2; the\nimage is that of one");
  add_value(command, "--threads", settings.threads, whole_number(1, kMaxThreads), "N",
            "threads of a CPU render (default: all of the hardware)");
  add_value(command, "--loop", settings.loop, parse_enum<Loop>, "LOOP",
            "wave: all paths bounce by bounce; path: each path\nto its end (default: wave)");
  add_value(command, "--cull", settings.cull, parse_enum<Cull>, "MODE",
            fmt::format("how finished paths leave the wave: none, append, scan,\n"
                        "ballot, look-back, look-ahead, move, thrust, cub (these\n"
                        "two on a GPU only) or auto; the image is the same\n(default: {})",
                        enum_name(settings.cull)));
  add_value(command, "--group", settings.group, parse_enum<Group>, "HOW",
            fmt::format("whether paths at the same kind of material are put side\n"
                        "by side and shaded by kernels of their own: none,\n"
                        "material, or auto, where --cull auto expects or has\n"
                        "measured that it pays; --loop path ignores it, and on\n"
                        "a CPU material is for tests only; the image is the same\n(default: {})",
                        enum_name(settings.group)));
  add_value(command, "--driver", settings.driver, parse_enum<Driver>, "WHO",
            "what launches the bounces on a GPU: graph, a CUDA graph\non the GPU itself, or host "
            "(default: graph)");
  add_value(command, "--lights", settings.lights, parse_enum<LightChoice>, "CHOICE",
            "how samples choose among lights: uniform, by power, or\n"
            "bvh, a tree that is traversed for each shading point\n(default: power)");
  add_value(command, "--bvh", settings.bvh, parse_enum<BvhBuild>, "BUILD",
            "how the BVH is built: fast, quality (slower to build,\n"
            "faster to trace) or auto, whichever is likely to finish\n"
            "the render first; the image is the same\n(default: auto)");
  add_path(command, "--bvh-cache", settings.bvh_cache, "DIR",
           "folder where quality BVHs are kept for the next\n"
           "render of the same geometry on a GPU");
  auto on_or_off = [](const std::string& option, const std::string& text) {
    return parse_choice(option, text, {"on", "off"}) == 0;
  };
  add_value(command, "--roulette", settings.roulette, on_or_off, "on|off",
            "Russian roulette: ends paths of low throughput at random\n(default: on)");
  add_value(command, "--clamp-indirect", settings.clamp_indirect, parse_radiance, "X",
            "limit of what light scattered more than once may add to\n"
            "a sample, in W/sr/m^2; darkens the image, and --stats\nreports how much (default: no "
            "limit)");
  command.add_flag("--regenerate", settings.regenerate,
                   "start new paths in the slots of finished ones, so that\nthe wave stays full");
  add_value(command, "--wave-size", settings.wave_size, whole_number(0, kMaxWaveSize), "N",
            "paths in flight at once (default: 0, the device chooses)");
  add_value(command, "--time-limit", options.time_limit, parse_seconds, "S",
            "seconds of rendering; every pixel gets at least one\nsample");
  add_value(command, "--display", options.display, parse_display, "WHERE", kDisplayHelp);
  add_path(command, "--stats", options.stats, "FILE",
           "JSON file to write: rays, deaths and times of every\nbounce, and a hash of the film");
  add_path(command, "--checkpoint", options.checkpoint, "FILE.film",
           "film file to write while rendering, and at the end,\nfrom which --resume continues");
  add_value(command, "--every", options.every, parse_seconds, "S",
            "seconds between checkpoints (default: 60, or more where\n"
            "writing them would take more than 1 % of the time)");
  add_path(command, "--resume", options.resume, "FILE.film",
           "film file to continue: with the same scene and options,\n"
           "the image is the one that a single render gives;\n"
           "--spp may be larger. If it is that of --checkpoint and\n"
           "does not exist yet, the render begins at the beginning");
  add_value(command, "--share", options.share, parse_share_here, "I/N",
            "render part I of N, counted from 0, into a film file, for\n"
            "winnow merge; auto: what Slurm, MPI or Kubernetes says");
  add_value(command, "--mpi", options.mpi, on_or_off, "on|off",
            "whether the processes that mpirun or srun starts render\none image together (default: "
            "on)");
  add_path(command, "--record-masks", options.masks, "FILE",
           "file to write: which paths of the first wave survive\n"
           "each bounce, for compaction_bench --masks");
  command.add_flag("--quiet", options.quiet, "print errors only");
  command.footer(
      "Ctrl-C (or SIGTERM) ends the render and writes the image so far, with exit code 0; a "
      "second\n"
      "one ends the program at once. A render that ends before its first sample writes nothing "
      "and\n"
      "exits with 130.");
}

}  // namespace winnow
