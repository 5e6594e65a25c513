// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "app/bench_rays/bench_rays.h"
#include "app/cli/add_option.h"
#include "base/error.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

LightRectangle parse_light(const std::string& text) {
  const auto n = parse_numbers("--light", text, "X,Y,Z,UX,UY,UZ,VX,VY,VZ", 9);
  return {.center = {n[0], n[1], n[2]}, .u = {n[3], n[4], n[5]}, .v = {n[6], n[7], n[8]}};
}

}  // namespace

void add_bench_rays_options(CLI::App& command, BenchRaysOptions& options) {
  command.add_option("SCENE", options.scene, kSceneHelp)->type_name("")->required();
  auto camera = [&options](const std::string& text) {
    options.camera = parse_view("--camera", text);
  };
  add_option(command, "--camera", "LIST", camera, kViewHelp);
  auto light = [&options](const std::string& text) { options.light = parse_light(text); };
  add_option(
      command, "--light", "LIST", light,
      "target of shadow rays, a rectangle by its center and\nhalf sides: X,Y,Z,UX,UY,UZ,VX,VY,VZ "
      "(default: at the\nfirst emitter, or near the top of the scene)");
  auto size = [&options](const std::string& text) { options.size = parse_size("--size", text); };
  add_option(
      command, "--size", "WxH", size,
      "pixels, each with --spp primary rays (default:\n1920x1080 on a GPU, 640x360 on the CPU)");
  auto spp = [&options](const std::string& text) {
    options.spp = uint32_t(parse_whole_number("--spp", text, 1, kMaxSpp));
  };
  add_option(command, "--spp", "N", spp, "primary rays per pixel (default: 1)");
  auto repeat = [&options](const std::string& text) {
    options.repeat = uint32_t(parse_whole_number("--repeat", text, 1, kMaxRepeat));
  };
  add_option(command, "--repeat", "N", repeat,
             "repetitions of each set with each tracer (default: 21 on\na GPU, 5 on the CPU)");
  auto bvh = [&options](const std::string& text) {
    options.fast_build = parse_choice("--bvh", text, {"quality", "fast"}) == 1;
  };
  add_option(command, "--bvh", "BUILD", bvh,
             "build of the tree: quality, or fast on a GPU\n(default: quality)");
  command.add_flag(
      "--sorted", options.sorted,
      "also trace secondary rays sorted by origin and\ndirection; on a GPU also measure the "
      "sorting");
  auto seed = [&options](const std::string& text) {
    options.seed = parse_whole_number("--seed", text, 0, UINT64_MAX);
  };
  add_option(command, "--seed", "N", seed, "seed of the random numbers (default: 0)");
  auto threads = [&options](const std::string& text) {
    options.threads = uint32_t(parse_whole_number("--threads", text, 1, kMaxThreads));
  };
  add_option(command, "--threads", "N", threads, "CPU threads (default: all of the hardware)");
  auto device = [&options](const std::string& text) {
    options.device = parse_device("--device", text);
  };
  add_option(command, "--device", "DEVICE", device,
             "auto, cpu, cuda or cuda:K (default: auto,\nwhich is the first GPU or else the CPU)");
  command.add_option("--json", options.json, "file for all results")
      ->type_name("FILE")
      ->take_last();
  command.add_flag("--quiet", options.quiet, "print errors only");
  command.footer(
      "Rays: primary; diffuse1 from hits of primary rays and diffuse2 from those of diffuse1,\n"
      "cosine-weighted; shadow1 and shadow2 from hits of primary and diffuse1 rays to the light.\n"
      "The exit code is 1 if more than one ray of 100,000 is wrong.");
}

}  // namespace winnow
