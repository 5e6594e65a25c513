// SPDX-License-Identifier: MIT
#include "app/see/see.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "app/cli/json.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/render/outputs.h"
#include "base/error.h"
#include "base/files.h"
#include "compaction/simt/simt.h"
#include "load/load_scene.h"

namespace winnow {

namespace {

constexpr uint32_t kMaxPictureSide = 512;  // pixels; about the size on a page

/// Returns the side of the squares of pixels that become a pixel of the picture.
uint32_t reduction(const RenderSettings& settings) {
  return simt::ceil_div(std::max(settings.width, settings.height), kMaxPictureSide);
}

HostScene load_for_page(const SeeOptions& options, RenderSettings& settings) {
  HostScene scene = load_with_options(options.scene, options);
  report_loading(scene, options.scene, options.quiet, options.strict);
  settings = options.settings;
  apply_options(options, scene, settings);
  const uint32_t factor = reduction(settings);
  settings.sobol_spp = simt::ceil_div(options.spp, factor * factor);
  return scene;
}

std::filesystem::path page_file(const SeeOptions& options) {
  if (!options.page.empty()) return options.page;
  const std::string name = options.scene.stem().string();
  return (name.empty() ? "page" : name) + ".html";
}

/// Returns the image reduced to the size of a page: each pixel is the mean of a square.
Image reduced(const Image& image, uint32_t factor) {
  Image small{std::max(image.width / factor, 1u), std::max(image.height / factor, 1u), {}};
  for (uint32_t y = 0; y < small.height; ++y)
    for (uint32_t x = 0; x < small.width; ++x) {
      glm::vec3 sum(0.0f);
      uint32_t count = 0;
      for (uint32_t v = y * factor; v < std::min((y + 1) * factor, image.height); ++v)
        for (uint32_t u = x * factor; u < std::min((x + 1) * factor, image.width); ++u, ++count)
          sum += image.pixels[size_t(v) * image.width + u];
      small.pixels.push_back(sum / float(count));
    }
  return small;
}

std::string where_followed(const SeeOptions& options) {
  return options.pixel
             ? fmt::format("of the warps around pixel {},{}", options.pixel->x, options.pixel->y)
             : "of warps spread over the image";
}

bool have_same_ends(const std::vector<PathRecord>& a, const std::vector<PathRecord>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PathRecord& one, const PathRecord& other) {
                      return one.pixel == other.pixel && one.radiance == other.radiance &&
                             one.termination.bits == other.termination.bits;
                    });
}

WaveRecord record_wave(Renderer& renderer, WaveRecorder& recorder, RenderSettings settings,
                       const std::vector<uint32_t>& pixels) {
  settings.wave_size = uint32_t(pixels.size());
  settings.record_masks = true;  // keeps all pixels in one wave
  renderer.restart(settings);
  renderer.choose_pixels(pixels);
  recorder.is_on = true;
  RenderControl control;
  renderer.render_samples(0, 1, control);
  recorder.is_on = false;
  return recorder.wave();
}

}  // namespace

void see(const SeeOptions& options) {
  const std::filesystem::path file = page_file(options);
  check_outputs({}, {file}, {options.scene, options.bench});
  const std::vector<BenchConfig> configs =
      followed_configs(options.culls, options.groups, options.settings.roulette);
  RenderSettings settings;
  const HostScene scene = load_for_page(options, settings);
  const std::vector<uint32_t> pixels =
      followed_pixels({settings.width, settings.height}, options.paths, options.pixel);
  Json measured;
  if (!options.bench.empty())
    measured = read_measured(options.bench, scene.name, settings.roulette);

  ProgressPrinter progress(progress_style(options.quiet));
  progress.print(scene.name + ": rendering the picture");
  WaveRecorder recorder;
  const std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene, settings, &recorder);
  RenderControl control;
  renderer->render_samples(0, settings.sobol_spp, control);
  const Image picture = reduced(renderer->film(), reduction(settings));
  progress.print(scene.name + ": following paths");
  const FollowedWave wave = follow_wave(*renderer, recorder, configs, pixels);

  const Exposure exposure = chosen_exposure(picture, options.exposure, is_model(options.scene));
  const std::string page = see_page({.scene = scene,
                                     .settings = settings,
                                     .wave = wave,
                                     .picture = picture,
                                     .mapping = {options.tone_curve, exposure.stops},
                                     .measured = measured,
                                     .where = where_followed(options)});
  constexpr size_t kMaxPageMegabytes = 3, kMegabyte = 1'000'000;
  if (page.size() > kMaxPageMegabytes * kMegabyte)
    throw Error(fmt::format(
        "the page would have {:.1f} MB, more than {}; use fewer --paths or --max-bounces",
        double(page.size()) / kMegabyte, kMaxPageMegabytes));
  replace_file(file, [&](std::ostream& stream) { stream << page; });
  progress.finish();
  if (!options.quiet) fmt::print("{}\n", file.string());
}

std::vector<BenchConfig> followed_configs(const std::vector<Cull>& culls,
                                          const std::vector<Group>& groups, bool roulette) {
  for (Cull cull : culls)
    if (mode_of(cull).needs_gpu)
      throw UsageError("--cull: " + enum_name(cull) + " needs a GPU, and see runs on the CPU");
  BenchMatrix matrix{.culls = culls,
                     .loops = {Loop::kWave},
                     .roulettes = {roulette},
                     .regenerates = {false},
                     .groups = groups};
  if (culls.empty()) {
    matrix.culls = available_culls(false);
    std::erase(matrix.culls, Cull::kAuto);
  }
  if (groups.empty()) matrix.groups = {Group::kNone, Group::kMaterial};
  std::vector<BenchConfig> configs = bench_configs(matrix);
  if (configs.empty())
    throw UsageError("--group: material is for --cull none, append and auto; add none");
  return configs;
}

FollowedWave follow_wave(Renderer& renderer, WaveRecorder& recorder,
                         const std::vector<BenchConfig>& configs,
                         const std::vector<uint32_t>& pixels) {
  FollowedWave followed;
  for (const BenchConfig& config : configs) {
    const RenderSettings settings = with_config(renderer.settings(), config);
    WaveRecord wave = record_wave(renderer, recorder, settings, pixels);
    if (followed.modes.empty())
      followed.paths = std::move(wave.paths);
    else if (!have_same_ends(followed.paths, wave.paths))
      throw Error("paths end otherwise with " + config_name(config) + " than with " +
                  config_name(followed.modes.front().config));
    followed.modes.push_back({config, std::move(wave.iterations), renderer.stats()});
  }
  return followed;
}

}  // namespace winnow
