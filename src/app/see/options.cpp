// SPDX-License-Identifier: MIT
#include "app/cli/add_option.h"
#include "app/see/see.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

constexpr uint64_t kMinFollowed = 32;    // a warp
constexpr uint64_t kMaxFollowed = 2048;  // which a page still shows

PixelPosition parse_pixel(const std::string& option, const std::string& text) {
  const size_t comma = text.find(',');
  if (comma == std::string::npos)
    throw UsageError(option + ": expected X,Y, found \"" + text + "\"");
  auto coordinate = [&](const std::string& part) {
    return uint32_t(parse_whole_number(option, part, 0, UINT32_MAX));
  };
  return {coordinate(text.substr(0, comma)), coordinate(text.substr(comma + 1))};
}

/// A parser for add_value: a list of `names`, separated by commas.
template <class Value>
auto modes_of(const std::vector<std::string>& names) {
  return [names](const std::string& option, const std::string& text) {
    std::vector<Value> values;
    for (size_t choice : parse_choices(option, text, names)) values.push_back(Value(choice));
    return values;
  };
}

}  // namespace

void add_see_options(CLI::App& command, SeeOptions& options) {
  RenderSettings& settings = options.settings;
  command.add_option("SCENE", options.scene, kSceneHelp)->type_name("")->required();
  add_parameters(command, options.parameters);
  add_time(command, options.time);
  add_confine(command, options.outside);
  add_path(command, "-o,--output", options.page, "PAGE.html",
           "page to write, one file (default: SCENE's name, .html,\nin the current folder)");
  add_value(
      command, "--paths", options.paths, whole_number(kMinFollowed, kMaxFollowed), "N",
      "paths to follow, all of one wave: warps of 32\nneighbouring pixels each (default: 512)");
  add_value(command, "--pixel", options.pixel, parse_pixel, "X,Y",
            "follow the warps around this pixel (default: warps\nevenly spread over the image)");
  add_value(
      command, "--cull", options.culls, modes_of<Cull>(enum_names<Cull>()), "LIST",
      "any of none, append, scan, ballot, look-back,\nlook-ahead, move, auto (default: all but "
      "auto)");
  add_value(
      command, "--group", options.groups, modes_of<Group>({"none", "material"}), "LIST",
      "material: none and append with paths grouped by\nmaterial, too (default: none,material)");
  add_path(command, "--bench", options.bench, "FILE",
           "JSON file of winnow bench, whose times of this scene\nare shown beside the modes");
  add_value(command, "--spp", options.spp, whole_number(1, kMaxSpp), "N",
            "samples per pixel of the picture (default: 16)");
  add_value(command, "--size", options.size, parse_size, "WxH",
            "pixels, as in 1920x1080 (default: the scene's)");
  add_value(command, "--camera", options.camera, parse_view, "LIST", kViewHelp);
  add_value(command, "--max-bounces", options.max_bounces, whole_number(0, kMaxBounces), "N",
            "bounces of a path (default: the scene's)");
  auto on_or_off = [](const std::string& option, const std::string& text) {
    return parse_choice(option, text, {"on", "off"}) == 0;
  };
  add_value(command, "--roulette", settings.roulette, on_or_off, "on|off",
            "whether Russian roulette ends paths (default: on)");
  add_value(command, "--lights", settings.lights, parse_enum<LightChoice>, "CHOICE",
            "how samples choose among lights: uniform, power or bvh\n(default: power)");
  add_value(command, "--sky", options.sky, parse_sky, "SKY", kSkyHelp);
  add_value(command, "--exposure", options.exposure, parse_exposure, "STOPS",
            "stops by which the picture is brighter, or auto\n(default: 0; models: auto)");
  add_value(command, "--tone-map", options.tone_curve, parse_enum<ToneCurve>, "CURVE",
            "of the picture: srgb, aces or agx (default: srgb)");
  add_seed(command, settings.seed, "of the random numbers (default: 0)");
  add_value(command, "--sampler", settings.sampler, parse_enum<SamplerType>, "NAME",
            "hash or sobol (default: sobol)");
  add_value(command, "--threads", settings.threads, whole_number(1, kMaxThreads), "N",
            "threads that render the picture (default: all of the\nhardware)");
  command.add_flag("--quiet", options.quiet, "print errors only");
  command.footer(
      "It renders on the CPU, by the loop and the culling kernels that a GPU runs. A LIST is "
      "separated\n"
      "by commas, as in none,append.");
}

}  // namespace winnow
