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
      "rectangle that shadow rays go to, its center and half\nits sides: X,Y,Z,UX,UY,UZ,VX,VY,VZ "
      "(default: at the\nfirst shape that emits, or near the top of the scene)");
  auto size = [&options](const std::string& text) { options.size = parse_size("--size", text); };
  add_option(command, "--size", "WxH", size,
             "pixels, one primary ray each (default: 1920x1080 on a\nGPU, 640x360 on the CPU)");
  auto spp = [&options](const std::string& text) {
    options.spp = uint32_t(parse_whole_number("--spp", text, 1, kMaxSpp));
  };
  add_option(command, "--spp", "N", spp, "primary rays of a pixel (default: 1)");
  auto repeat = [&options](const std::string& text) {
    options.repeat = uint32_t(parse_whole_number("--repeat", text, 1, kMaxRepeat));
  };
  add_option(
      command, "--repeat", "N", repeat,
      "rounds, in which each set is traced once by each tracer\n(default: 21 on a GPU, 5 on the "
      "CPU)");
  auto bvh = [&options](const std::string& text) {
    options.fast_build = parse_choice("--bvh", text, {"quality", "fast"}) == 1;
  };
  add_option(command, "--bvh", "BUILD", bvh,
             "how the tree is built: quality, or fast, on a GPU\n(default: quality)");
  command.add_flag("--sorted", options.sorted,
                   "also traces the rays from hits sorted by where they\nstart and point, and on a "
                   "GPU times the sorting: what\nan order of the rays would gain and cost");
  auto seed = [&options](const std::string& text) {
    options.seed = parse_whole_number("--seed", text, 0, UINT64_MAX);
  };
  add_option(command, "--seed", "N", seed, "of the random numbers (default: 0)");
  auto threads = [&options](const std::string& text) {
    options.threads = uint32_t(parse_whole_number("--threads", text, 1, kMaxThreads));
  };
  add_option(command, "--threads", "N", threads,
             "threads on the CPU (default: all of the hardware)");
  auto device = [&options](const std::string& text) {
    options.device = parse_device("--device", text);
  };
  add_option(command, "--device", "DEVICE", device,
             "auto, cpu, cuda or cuda:K (default: auto,\nwhich is the first GPU or else the CPU)");
  command.add_option("--json", options.json, "file to write: all that was measured")
      ->type_name("FILE")
      ->take_last();
  command.add_flag("--quiet", options.quiet, "print errors only");
  command.footer(
      "Rays: primary; diffuse1 and diffuse2 from what the one before met, cosine-weighted; "
      "shadow1\n"
      "and shadow2 to the light from what primary and diffuse1 met. The exit code is 1 if\n"
      "more than one ray of 100,000 finds what is wrong.");
}

}  // namespace winnow
