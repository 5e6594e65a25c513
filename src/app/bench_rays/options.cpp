// SPDX-License-Identifier: MIT
#include "app/bench_rays/bench_rays.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

LightRectangle parse_light(const std::string& option, const std::string& text) {
  const auto n = parse_numbers(option, text, "X,Y,Z,UX,UY,UZ,VX,VY,VZ", 9);
  return {.center = {n[0], n[1], n[2]}, .u = {n[3], n[4], n[5]}, .v = {n[6], n[7], n[8]}};
}

}  // namespace

OptionTable bench_rays_options(BenchRaysOptions& options) {
  OptionTable table = {argument("SCENE", options.scene, kSceneHelp)};
  append(table, source_options(options));
  append(table, camera_options(options.camera));
  OptionRow light =
      option("--light", "LIST", options.light, parsed_by(parse_light),
             "Target of shadow rays, a rectangle by its centre and half sides: "
             "X,Y,Z,UX,UY,UZ,VX,VY,VZ.",
             {.unit = "m", .default_text = "at the first emitter, or near the top of the scene"});
  light.form.is_list = true;
  append(
      table,
      {light,
       option("--size", "WxH", options.size, parsed_by(parse_size),
              "Width and height of an image whose pixels have --spp primary rays each.",
              {.unit = "pixels", .default_text = "1920x1080 on a GPU, 640x360 on the CPU"}),
       option("--spp", "N", options.spp, whole_number(1, kMaxSpp),
              "Number of primary rays per pixel."),
       option("--repeat", "N", options.repeat, whole_number(1, kMaxRepeat),
              "Number of repetitions of each set of rays with each tracer.",
              {.default_text = "21 on a GPU, 5 on the CPU"}),
       option("--bvh", "BUILD", options.fast_build, one_of<bool>({"quality", "fast"}),
              "How the BVH is built. fast needs a GPU."),
       option("--tracer", "LIST", options.tracers, list_of<Tracer>({"bvh", "rt"}),
              "Tracers to measure on a GPU: bvh, Winnow's BVH, and rt, OptiX."),
       flag("--sorted", options.sorted,
            "Also trace secondary rays sorted by origin and direction. On a GPU, also measure the "
            "sorting."),
       seed_option(options.seed), threads_option(options.threads), device_option(options.device),
       text_output_option("--json", options.json, options.quiet,
                          "File to write: all results, as JSON."),
       quiet_option(options.quiet)});
  return table;
}

}  // namespace winnow
