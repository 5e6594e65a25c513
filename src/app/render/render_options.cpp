#include <fmt/core.h>

#include "app/cli/add_option.h"
#include "app/cli/stats_json.h"
#include "app/render/render.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

/// An option that `parse(name, text)` reads.
template <class Value, class Parse>
void add_value(CLI::App& command, const std::string& name, Value& value, Parse parse,
               const std::string& placeholder, const std::string& help) {
  auto read = [&value, name, parse](const std::string& text) { value = parse(name, text); };
  add_option(command, name, placeholder, read, help);
}

auto whole_number(uint64_t min, uint64_t max) {
  return [min, max](const std::string& option, const std::string& text) {
    return uint32_t(parse_whole_number(option, text, min, max));
  };
}

}  // namespace

void add_render_options(CLI::App& command, RenderOptions& options) {
  RenderSettings& settings = options.settings;
  command.add_option("SCENE", options.scene, kSceneHelp)->type_name("")->required();
  command
      .add_option("-o,--output", options.outputs,
                  "image to write: .png, .jpg, .hdr, .pfm or .exr;\n"
                  "several may be given (default: SCENE's name, .png,\n"
                  "in the current folder)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_value(command, "--spp", options.spp, whole_number(1, kMaxSpp), "N",
            "samples per pixel, the most of any with --noise\n"
            "(default: the scene's, or what --time-limit and\n--noise take)");
  add_value(command, "--noise", options.noise, parse_noise, "T",
            "relative error at which a part of the image needs no\n"
            "more samples, as in 0.05; in other parts they go on");
  add_value(command, "--exposure", options.tone_mapping.exposure, parse_stops, "STOPS",
            "brighten .png and .jpg; each stop doubles the light,\nand -1 halves it (default: 0)");
  auto tone_curve = [](const std::string& option, const std::string& text) {
    return ToneCurve(parse_choice(option, text, tone_curve_names()));
  };
  add_value(command, "--tone-map", options.tone_mapping.curve, tone_curve, "CURVE",
            "how .png and .jpg show what is brighter than a display:\n"
            "srgb cuts it off, aces and agx bend towards white\n(default: srgb)");
  add_value(command, "--max-bounces", options.max_bounces, whole_number(0, kMaxBounces), "N",
            "bounces of a path; 0 shows lights only (default: the scene's)");
  add_value(command, "--size", options.size, parse_size, "WxH",
            "pixels, as in 1920x1080 (default: the scene's)");
  add_value(command, "--camera", options.camera, parse_view, "LIST", kViewHelp);
  add_value(command, "--filter", options.filter, parse_filter, "NAME[:RADIUS]",
            "how far samples of a pixel reach: box, tent, gaussian or\n"
            "blackman-harris, and the radius in pixels\n(default: the scene's, else box:0.5)");
  auto seed = [](const std::string& option, const std::string& text) {
    return parse_whole_number(option, text, 0, UINT64_MAX);
  };
  add_value(command, "--seed", settings.seed, seed, "N", "of the random numbers (default: 0)");
  auto sampler = [](const std::string& option, const std::string& text) {
    return SamplerType(parse_choice(option, text, sampler_names()));
  };
  add_value(command, "--sampler", settings.sampler, sampler, "NAME",
            fmt::format("where random numbers come from: hash, all independent,\n"
                        "or sobol, evenly spread (default: {})",
                        sampler_names()[size_t(settings.sampler)]));
  add_value(command, "--device", options.device, parse_device, "DEVICE",
            "auto, cpu, cuda or cuda:K (default: auto,\nwhich is the first GPU or else the CPU)");
  add_value(command, "--threads", settings.threads, whole_number(1, kMaxThreads), "N",
            "threads of a CPU render (default: all of the hardware)");
  auto loop = [](const std::string& option, const std::string& text) {
    return Loop(parse_choice(option, text, loop_names()));
  };
  add_value(command, "--loop", settings.loop, loop, "LOOP",
            "wave: all paths bounce by bounce; path: each path\nto its end (default: wave)");
  auto cull = [](const std::string& option, const std::string& text) {
    return Cull(parse_choice(option, text, cull_names()));
  };
  add_value(command, "--cull", settings.cull, cull, "MODE",
            fmt::format("how finished paths leave the wave: none, append, scan,\n"
                        "ballot, look-back, look-ahead, move, thrust, cub (these\n"
                        "two on a GPU only) or auto; the image is the same\n(default: {})",
                        cull_names()[size_t(settings.cull)]));
  auto driver = [](const std::string& option, const std::string& text) {
    return Driver(parse_choice(option, text, driver_names()));
  };
  add_value(command, "--driver", settings.driver, driver, "WHO",
            "who starts the bounces on a GPU: the GPU itself by a\ngraph, or the host "
            "(default: graph)");
  auto lights = [](const std::string& option, const std::string& text) {
    return LightChoice(parse_choice(option, text, light_choice_names()));
  };
  add_value(command, "--lights", settings.lights, lights, "CHOICE",
            "how samples choose among lights: uniform, power, or bvh,\n"
            "a tree of them, for each point to be lit (default: power)");
  auto bvh = [](const std::string& option, const std::string& text) {
    return BvhBuild(parse_choice(option, text, bvh_build_names()));
  };
  add_value(command, "--bvh", settings.bvh, bvh, "BUILD",
            "how the tree for rays is built: fast, quality (takes\n"
            "longer, rays take less) or auto, whichever is likely\n"
            "to be done first; the image is the same\n(default: auto)");
  command
      .add_option("--bvh-cache", settings.bvh_cache,
                  "folder where quality trees are kept for the next\n"
                  "render of the same geometry on a GPU")
      ->type_name("DIR")
      ->take_last();
  auto on_or_off = [](const std::string& option, const std::string& text) {
    return parse_choice(option, text, {"on", "off"}) == 0;
  };
  add_value(command, "--roulette", settings.roulette, on_or_off, "on|off",
            "end paths of little weight early, by chance (default: on)");
  add_value(command, "--clamp-indirect", settings.clamp_indirect, parse_radiance, "X",
            "the most that light scattered more than once may add\n"
            "to a sample, in W/sr/m^2; darkens, and --stats says how\nmuch (default: no limit)");
  command.add_flag("--regenerate", settings.regenerate,
                   "let new paths take the places of finished ones, so that\nthe wave stays full");
  add_value(command, "--wave-size", settings.wave_size, whole_number(0, kMaxWaveSize), "N",
            "paths in flight at once (default: 0, the device chooses)");
  add_value(command, "--time-limit", options.time_limit, parse_seconds, "S",
            "seconds of rendering; every pixel gets one sample\nin any case");
  command
      .add_option(
          "--stats", options.stats,
          "JSON file to write: rays, deaths and times of every\nbounce, and a hash of the film")
      ->type_name("FILE")
      ->take_last();
  auto add_aovs = [&options](const std::vector<std::string>& texts) {
    options.aovs = {};
    for (const std::string& text : texts) add_aov("--aov", text, options.aovs);
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--aov", add_aovs,
          "layers for .exr outputs, or a picture of its own:\n"
          "albedo, normal, depth, position, ids, variance,\n"
          "samples, bounces (how many the paths took) or deaths\n"
          "(why they ended); several may be given")
      ->type_name("NAME,...|NAME=FILE")
      ->allow_extra_args(false);
  command
      .add_option("--record-masks", options.masks,
                  "file to write: which paths of the first wave live on\n"
                  "after each bounce, for compaction_bench --masks")
      ->type_name("FILE")
      ->take_last();
  command.add_flag("--quiet", options.quiet, "print errors only");
  command.footer(
      "Ctrl-C (or SIGTERM) ends the render and writes what there is, with exit code 0; a second "
      "one\n"
      "ends the program at once. Ended before its first sample, a render writes nothing and exits\n"
      "with 130.");
}

}  // namespace winnow
