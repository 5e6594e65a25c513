// SPDX-License-Identifier: MIT
#include "app/commands.h"

#include <fmt/core.h>

#include <thread>

#include "app/cli/check_outputs.h"
#include "app/cli/console.h"
#include "backend/renderer.h"
#include "base/error.h"
#include "image/color_map.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "load/gltf/write_glb.h"
#include "load/load_scene.h"
#include "load/winnow/winnow_json.h"
#include "scene/scene_summary.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

void print_flip(const Image& image, const Image& reference, const std::vector<fs::path>& outputs) {
  const std::vector<float> differences = flip(image, reference);
  double sum = 0.0;
  Image map{image.width, image.height, {}};
  for (float difference : differences) {
    sum += double(difference);
    map.pixels.push_back(false_color(difference));
  }
  fmt::print("{:<8}{:.6g}\n", "FLIP", sum / double(differences.size()));
  for (const fs::path& output : outputs) write_image(output, map);
}

/// All files that write_winnow_json() writes, the scene last.
std::vector<fs::path> winnow_json_files(const fs::path& file, const HostScene& scene) {
  std::vector<fs::path> files = winnow_json_meshes(file, scene);
  const std::vector<fs::path> images = winnow_json_images(file, scene);
  files.insert(files.end(), images.begin(), images.end());
  files.push_back(file);
  return files;
}

/// Loads a scene and prints its warnings.
HostScene load_changed(const fs::path& file, const SceneChanges& changes) {
  HostScene scene = load_scene(file, changes.parameters, changes.time, changes.outside);
  if (changes.sky) replace_sky(*changes.sky, scene);
  print_warnings(scene);
  return scene;
}

}  // namespace

void print_info(const fs::path& file, const SceneChanges& changes) {
  const HostScene scene = load_changed(file, changes);
  fmt::print("{}", summary_text(scene));
}

void convert(const fs::path& from, const fs::path& to, const SceneChanges& changes) {
  const bool is_glb = to.extension() == ".glb";
  if (!is_glb && to.extension() != ".json")
    throw UsageError(
        fmt::format("{}: expected a file of the type .json or .glb to write", to.string()));
  check_outputs({}, {to}, {from});
  const HostScene scene = load_changed(from, changes);
  const std::vector<fs::path> files =
      is_glb ? std::vector<fs::path>{to} : winnow_json_files(to, scene);
  check_outputs({}, files, {from});
  if (is_glb)
    for (const std::string& what : write_glb(to, scene))
      print_message(fmt::format("warning: {}: glTF has no form for {}", to.string(), what));
  else
    write_winnow_json(to, scene);
  for (const fs::path& written : files) fmt::print("{}\n", written.string());
}

void print_devices() {
  constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
  unsigned threads = std::thread::hardware_concurrency();
  fmt::print("{:<8}{} hardware {}\n", "cpu", threads, threads == 1 ? "thread" : "threads");

  CudaDevices cuda = list_cuda_devices();
  if (cuda.devices.empty()) fmt::print("{:<8}none: {}\n", "cuda", cuda.why_none);
  for (const CudaDevice& gpu : cuda.devices)
    fmt::print("{:<8}{}, {:.1f} GiB, {} multiprocessors, compute capability {}.{}\n",
               fmt::format("cuda:{}", gpu.index), gpu.name, double(gpu.memory) / kGibi,
               gpu.multiprocessors, gpu.major, gpu.minor);
}

void print_diff(const fs::path& a, const fs::path& b, const std::vector<fs::path>& outputs,
                const std::vector<fs::path>& flips) {
  std::vector<fs::path> written = outputs;
  written.insert(written.end(), flips.begin(), flips.end());
  check_outputs(written, {}, {a, b});
  Image image = read_image(a), reference = read_image(b);
  if (image.width != reference.width || image.height != reference.height)
    throw Error(fmt::format("{} is {}x{}, {} is {}x{}: only images of one size can be compared",
                            a.string(), image.width, image.height, b.string(), reference.width,
                            reference.height));

  Difference difference = compare(image, reference);
  fmt::print("{:<8}{:.6g}\n", "MSE", difference.mse);
  fmt::print("{:<8}{:.6g}\n", "relMSE", difference.relative_mse);
  fmt::print("{:<8}{:.2f} dB\n", "PSNR", difference.psnr);
  fmt::print("{:<8}{:.6g}\n", "max", difference.max);
  if (difference.not_finite_count > 0)
    fmt::print("{} values are not finite and left out\n", difference.not_finite_count);
  for (const fs::path& output : outputs) write_image(output, difference_image(image, reference));
  if (!flips.empty()) print_flip(image, reference, flips);
}

}  // namespace winnow
