// SPDX-License-Identifier: MIT
#include "app/bench_rays/bench_rays.h"
#include "app/cli/add_option.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

LightRectangle parse_light(const std::string& option, const std::string& text) {
  const auto n = parse_numbers(option, text, "X,Y,Z,UX,UY,UZ,VX,VY,VZ", 9);
  return {.center = {n[0], n[1], n[2]}, .u = {n[3], n[4], n[5]}, .v = {n[6], n[7], n[8]}};
}

}  // namespace

void add_bench_rays_options(CLI::App& command, BenchRaysOptions& options) {
  command.add_option("SCENE", options.scene, kSceneHelp)->type_name("")->required();
  add_parameters(command, options.parameters);
  add_confine(command, options.outside);
  add_value(command, "--camera", options.camera, parse_view, "LIST", kViewHelp);
  add_value(
      command, "--light", options.light, parse_light, "LIST",
      "target of shadow rays, a rectangle by its center and\nhalf sides: X,Y,Z,UX,UY,UZ,VX,VY,VZ "
      "(default: at the\nfirst emitter, or near the top of the scene)");
  add_value(
      command, "--size", options.size, parse_size, "WxH",
      "pixels, each with --spp primary rays (default:\n1920x1080 on a GPU, 640x360 on the CPU)");
  add_value(command, "--spp", options.spp, whole_number(1, kMaxSpp), "N",
            "primary rays per pixel (default: 1)");
  add_value(command, "--repeat", options.repeat, whole_number(1, kMaxRepeat), "N",
            "repetitions of each set with each tracer (default: 21 on\na GPU, 5 on the CPU)");
  auto is_fast = [](const std::string& option, const std::string& text) {
    return parse_choice(option, text, {"quality", "fast"}) == 1;
  };
  add_value(command, "--bvh", options.fast_build, is_fast, "BUILD",
            "build of the tree: quality, or fast on a GPU\n(default: quality)");
  command.add_flag(
      "--sorted", options.sorted,
      "also trace secondary rays sorted by origin and\ndirection; on a GPU also measure the "
      "sorting");
  add_seed(command, options.seed, "seed of the random numbers (default: 0)");
  add_value(command, "--threads", options.threads, whole_number(1, kMaxThreads), "N",
            "CPU threads (default: all of the hardware)");
  add_device(command, options.device);
  add_path(command, "--json", options.json, "FILE", "file for all results");
  command.add_flag("--quiet", options.quiet, "print errors only");
  command.footer(
      "Rays: primary; diffuse1 from hits of primary rays and diffuse2 from those of diffuse1,\n"
      "cosine-weighted; shadow1 and shadow2 from hits of primary and diffuse1 rays to the light.\n"
      "The exit code is 1 if more than one ray of 100,000 is wrong.");
}

}  // namespace winnow
