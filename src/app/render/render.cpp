// SPDX-License-Identifier: MIT
#include "app/render/render.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <ostream>
#include <thread>
#include <utility>

#include "app/cli/check_outputs.h"
#include "app/cli/choose_device.h"
#include "app/cli/console.h"
#include "app/render/aov_pictures.h"
#include "app/render/noise.h"
#include "app/render/render_passes.h"
#include "app/render/stats_json.h"
#include "base/error.h"
#include "base/files.h"
#include "bvh/build/bvh_cache.h"
#include "compaction/tools/mask_file.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "load/load_scene.h"
#include "scene/scene_summary.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Runs `work` and adds the time that it takes to `seconds`.
template <class Work>
auto timed(double& seconds, Work work) {
  struct Timer {
    double& seconds;
    double start = steady_seconds();
    ~Timer() { seconds += steady_seconds() - start; }
  } timer{seconds};
  return work();
}

/// Throws UsageError if there are layers but no .exr output.
void check_layers(const RenderOptions& options) {
  const bool has_exr =
      std::any_of(options.outputs.begin(), options.outputs.end(),
                  [](const fs::path& output) { return image_format(output) == ImageFormat::kExr; });
  if (options.aovs.layers.empty() || has_exr) return;
  const std::string& name = enum_name(options.aovs.layers.front());
  throw UsageError(fmt::format(
      "--aov {0}: layers are part of an .exr file; add -o FILE.exr, or write {0}=FILE", name));
}

/// Throws UsageError for options that contradict each other.
void check_choices(const RenderOptions& options) {
  check_layers(options);
  if (!options.settings.bvh_cache.empty()) BvhCache{options.settings.bvh_cache};  // throws
  if (options.settings.loop == Loop::kWave) return;
  auto fail = [](const char* option, const char* reason) {
    throw UsageError(fmt::format("{}: {}; leave out --loop path", option, reason));
  };
  if (!options.masks.empty()) fail("--record-masks", "only --loop wave culls");
  if (options.settings.regenerate) fail("--regenerate", "only --loop wave has slots to fill");
}

/// Throws Error for the baselines Thrust and CUB on the CPU: they run on GPUs only.
void check_cull_runs_on(const ChosenDevice& device, Cull cull) {
  if (device.cuda || (cull != Cull::kThrust && cull != Cull::kCub)) return;
  throw Error(fmt::format(
      "--cull {}: needs a GPU, and this render is on the CPU{}; look-ahead does "
      "the same there",
      enum_name(cull), device.why_not_cuda.empty() ? "" : " (" + device.why_not_cuda + ")"));
}

std::vector<fs::path> outputs_of(const RenderOptions& options) {
  if (!options.outputs.empty()) return options.outputs;
  std::string name = options.scene.stem().string();
  return {(name.empty() ? "image" : name) + ".png"};
}

RenderSettings settings_for(const HostScene& scene, const RenderOptions& options) {
  RenderSettings settings = options.settings;
  settings.width = options.size ? options.size->width : scene.width;
  settings.height = options.size ? options.size->height : scene.height;
  settings.max_bounces = options.max_bounces.value_or(scene.max_bounces);
  settings.measure_stages = !options.stats.empty();
  keep_aovs(options.aovs, settings);
  settings.record_masks = !options.masks.empty();
  const bool ends_by_spp = !options.time_limit && !options.noise;
  if (ends_by_spp) settings.expected_spp = options.spp.value_or(scene.spp);
  // The sequence must not depend on when the render ends, so only a given number counts.
  if (options.spp || ends_by_spp) settings.sobol_spp = options.spp.value_or(scene.spp);
  settings.keep_squares |= options.noise.has_value();
  return settings;
}

RenderGoal goal_for(const HostScene& scene, const RenderOptions& options,
                    const RenderSettings& settings) {
  uint32_t spp = options.time_limit || options.noise ? kUnlimitedSpp : scene.spp;
  return {.pixel_count = uint64_t(settings.width) * settings.height,
          .spp = options.spp.value_or(spp),
          .time_limit = options.time_limit,
          .noise = options.noise};
}

/// "16", or "2.37" if the number of samples differs between pixels.
std::string spp_text(uint64_t paths, uint64_t pixel_count) {
  if (paths % pixel_count == 0) return std::to_string(paths / pixel_count);
  return fmt::format("{:.2f}", double(paths) / double(pixel_count));
}

void announce(const HostScene& scene, const RenderSettings& settings, const RenderGoal& goal,
              const std::string& device_name, const ChosenDevice& device) {
  std::string samples =
      goal.spp == kUnlimitedSpp
          ? ""
          : fmt::format(", {}{} samples per pixel", goal.noise ? "at most " : "", goal.spp);
  std::string limit =
      goal.time_limit ? fmt::format(", at most {}", duration_text(*goal.time_limit)) : "";
  if (goal.noise) limit += fmt::format(", until the noise is below {}", *goal.noise);
  std::string reason =
      device.why_not_cuda.empty() ? "" : fmt::format(" (no GPU: {})", device.why_not_cuda);
  print_message(fmt::format("{}: {}x{}{}{}, on {}{}", scene.name, settings.width, settings.height,
                            samples, limit, device_name, reason));
}

/// The outcome of --noise.
NoiseReport noise_report(Renderer& renderer, const RenderGoal& goal) {
  constexpr uint32_t kAll = 0;
  const size_t noisy = noisy_pixels(renderer.host_film(), kAll, *goal.noise).size();
  return {.limit = *goal.noise, .noisy_share = double(noisy) / double(goal.pixel_count)};
}

/// Runs several pieces of work even if some of them throw.
class Attempts {
 public:
  template <class Work>
  void operator()(Work work) try {
    work();
  } catch (const std::exception&) {
    if (!first_failure_) first_failure_ = std::current_exception();
  }

  void throw_first_failure() const {
    if (first_failure_) std::rethrow_exception(first_failure_);
  }

 private:
  std::exception_ptr first_failure_;
};

/// Writes the masks and returns a legend: "m.bin: which of the first wave's 2048 paths survive each
/// of 9 bounces".
std::string write_masks_of(Renderer& renderer, const fs::path& file) {
  std::vector<compaction::Mask> masks;
  for (AliveMask& mask : renderer.alive_masks())
    masks.push_back({.entries = mask.entries, .words = std::move(mask.words)});
  replace_file(file, [&](std::ostream& stream) { compaction::write_masks(stream, masks); });
  return fmt::format("{}: which of the first wave's {} paths survive each of {} bounce{}",
                     file.string(), masks.empty() ? 0 : masks.front().entries, masks.size(),
                     masks.size() == 1 ? "" : "s");
}

/// The value of --exposure; without one it is automatic for models, and 0 for scenes.
Exposure exposure_for(const Image& film, const RenderOptions& options) {
  Exposure exposure = options.exposure.value_or(Exposure{.is_automatic = is_model(options.scene)});
  if (exposure.is_automatic) exposure.stops = auto_exposure(film);
  return exposure;
}

/// Says that the picture is black although the scene has light, which is seldom meant.
void warn_if_black(const Image& film) {
  const bool is_black = std::none_of(film.pixels.begin(), film.pixels.end(), [](glm::vec3 pixel) {
    return pixel.x > 0.0f || pixel.y > 0.0f || pixel.z > 0.0f;
  });
  if (is_black)
    print_message(
        "warning: the image is black: no light reaches what the camera sees; --sky soft adds "
        "light, --camera looks elsewhere");
}

/// Writes all files and completes the report. Returns the legends of the files that need one, a
/// line each.
std::vector<std::string> write_results(const RenderOptions& options,
                                       const std::vector<fs::path>& outputs, const Image& film,
                                       Renderer& renderer, RenderReport& report) {
  std::vector<std::string> legends;
  Attempts attempt;
  timed(report.write_seconds, [&] {
    const HostFilm all = options.aovs.empty() ? HostFilm() : renderer.host_film();
    std::vector<ImageChannel> channels;
    for (Aov aov : options.aovs.layers)
      for (ImageChannel& channel : aov_channels(aov, all)) channels.push_back(std::move(channel));
    const ToneMapping mapping{.curve = options.tone_curve, .exposure = report.exposure.stops};
    for (const fs::path& output : outputs)
      attempt([&] { write_image(output, film, mapping, channels); });
    for (const AovOutput& aov : options.aovs.pictures)
      attempt([&] { legends.push_back(write_aov(aov, all)); });
    if (!options.masks.empty())
      attempt([&] { legends.push_back(write_masks_of(renderer, options.masks)); });
  });
  if (!options.stats.empty())
    attempt([&] {
      report.film_hash = image_hash(film);
      replace_file(options.stats, [&](std::ostream& stream) { stream << stats_json(report); });
    });
  attempt.throw_first_failure();
  return legends;
}

void print_result(const std::vector<fs::path>& outputs, const RenderReport& report,
                  uint64_t pixel_count) {
  std::string files;
  for (const fs::path& output : outputs) files += (files.empty() ? "" : ", ") + output.string();
  double speed = double(report.stats.paths) / report.render_seconds;
  fmt::print("{}: {}x{}, {} samples per pixel in {}, {}\n", files, report.settings.width,
             report.settings.height, spp_text(report.stats.paths, pixel_count),
             duration_text(report.render_seconds), speed_text(speed));
  const bool shows_exposure =
      std::any_of(outputs.begin(), outputs.end(),
                  [](const fs::path& output) { return !holds_numbers(image_format(output)); });
  if (report.exposure.is_automatic && shows_exposure)
    fmt::print("--exposure auto chose {:+g} stops\n", report.exposure.stops);
}

}  // namespace

int render(const RenderOptions& options) {
  check_choices(options);
  std::vector<fs::path> outputs = outputs_of(options), images = outputs;
  for (const AovOutput& aov : options.aovs.pictures) images.push_back(aov.file);
  std::vector<fs::path> inputs = {options.scene};
  if (options.sky && !options.sky->file.empty()) inputs.push_back(options.sky->file);
  check_outputs(images, {options.stats, options.masks}, inputs);
  ChosenDevice device = choose_device(options.device);
  check_cull_runs_on(device, options.settings.cull);

  RenderReport report;
  HostScene scene = timed(report.load_seconds, [&] {
    return load_scene(options.scene, options.parameters, options.time);
  });
  if (options.sky) replace_sky(*options.sky, scene);
  if (!options.quiet) print_warnings(scene);
  RenderSettings settings = report.settings = settings_for(scene, options);
  scene.width = settings.width, scene.height = settings.height;  // for the bounds of ray origins
  if (options.camera) scene.camera = camera_of(*options.camera, {settings.width, settings.height});
  scene.filter = report.filter = options.filter.value_or(scene.filter);
  RenderGoal goal = goal_for(scene, options, settings);
  for (const fs::path& image : images) check_image_fits(image, settings.width, settings.height);

  std::unique_ptr<Renderer> renderer =
      timed(report.build_seconds, [&] { return make_renderer(device, scene, settings); });

  report.bvh = renderer->bvh();
  if (!report.bvh.warning.empty()) print_message("warning: " + report.bvh.warning);

  Interrupt interrupt;
  if (!options.quiet) announce(scene, settings, goal, renderer->device_name(), device);
  ProgressPrinter printer(progress_style(options.quiet));
  report.render_seconds = render_passes(*renderer, goal, interrupt, printer);
  report.stats = renderer->stats();
  if (settings.clamps()) report.removed_share = removed_share(renderer->host_film());
  if (goal.noise) report.noise = noise_report(*renderer, goal);
  uint64_t wanted = goal.pixel_count * goal.spp;
  report.interrupted = interrupt.requested() && report.stats.paths < wanted;
  if (report.stats.paths == 0) {
    print_message("winnow: interrupted before the first sample; nothing is written");
    return kExitInterrupted;
  }
  if (report.interrupted && !options.quiet)
    print_message(fmt::format("interrupted after {} samples per pixel; writing the image so far",
                              spp_text(report.stats.paths, goal.pixel_count)));

  report.device = renderer->device_name();
  report.scene = options.scene.string();
  if (!device.cuda)
    report.threads = settings.threads ? settings.threads : std::thread::hardware_concurrency();
  const Image film = renderer->film();
  report.exposure = exposure_for(film, options);
  if (!options.quiet && summarize(scene).has_light()) warn_if_black(film);
  std::vector<std::string> legends = write_results(options, outputs, film, *renderer, report);
  if (options.quiet) return 0;
  print_result(outputs, report, goal.pixel_count);
  if (settings.clamps())
    fmt::print("--clamp-indirect {:g} removed {:.2g} % of the light\n", settings.clamp_indirect,
               100.0 * report.removed_share);
  for (const std::string& legend : legends) fmt::print("{}\n", legend);
  return 0;
}

}  // namespace winnow
