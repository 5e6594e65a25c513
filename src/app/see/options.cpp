// SPDX-License-Identifier: MIT
#include "app/see/see.h"
#include "base/error.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

constexpr uint64_t kMinFollowed = 32;    // one warp
constexpr uint64_t kMaxFollowed = 2048;  // a page shows no more

PixelPosition parse_pixel(const std::string& option, const std::string& text) {
  const size_t comma = text.find(',');
  if (comma == std::string::npos)
    throw UsageError(option + ": expected X,Y, found \"" + text + "\"");
  auto coordinate = [&](const std::string& part) {
    return uint32_t(parse_whole_number(option, part, 0, UINT32_MAX));
  };
  return {coordinate(text.substr(0, comma)), coordinate(text.substr(comma + 1))};
}

}  // namespace

OptionTable see_options(SeeOptions& options) {
  RenderSettings& settings = options.settings;
  OptionTable table = {argument("SCENE", options.scene, kSceneHelp)};
  append(table, scene_options(options));
  append(table, camera_options(options.camera));
  append(
      table,
      {option("-o,--output", "PAGE.html", options.page, path_type(), "Page to write, one file.",
              {.default_text = "SCENE's name with .html, in the current folder"}),
       option("--paths", "N", options.paths, whole_number(kMinFollowed, kMaxFollowed),
              "Number of paths to follow, all of one wave: warps of 32 neighbouring pixels each."),
       option("--pixel", "X,Y", options.pixel, parsed_by(parse_pixel),
              "Follow the warps around this pixel.",
              {.default_text = "warps spread evenly over the image"}),
       option("--cull", "LIST", options.culls, list_of<Cull>(enum_names<Cull>()),
              "Culling modes to follow. thrust and cub need a GPU and are not available.",
              {.default_text = "all that are available but auto"}),
       option("--group", "LIST", options.groups, list_of<Group>({"none", "material"}),
              "With material, none and append are also followed with paths grouped by material.",
              {.default_text = "none,material"}),
       option("--bench", "FILE", options.bench, path_type(),
              "JSON file of winnow bench, whose times of this scene are shown beside the modes."),
       option("--spp", "N", options.spp, whole_number(1, kMaxSpp),
              "Number of samples per pixel of the picture."),
       size_option(options.size), max_bounces_option(options.max_bounces),
       roulette_option(settings.roulette), lights_option(settings.lights),
       exposure_option(options.exposure), tone_map_option(options.tone_curve),
       seed_option(settings.seed), sampler_option(settings.sampler),
       threads_option(settings.threads), quiet_option(options.quiet)});
  return table;
}

}  // namespace winnow
