// SPDX-License-Identifier: MIT
#include "app/render/render_image.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <ostream>
#include <system_error>
#include <thread>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/output_files.h"
#include "app/render/noise.h"
#include "backend/collect_results.h"
#include "base/error.h"
#include "base/files.h"
#include "compaction/record/record_steps.h"
#include "compaction/tools/mask_file.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "load/load_scene.h"
#include "scene/scene_bounds.h"
#include "scene/scene_summary.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Returns the share of light that --clamp-indirect removed.
double removed_share_of(Renderer& renderer) {
  double share = 0.0;
  renderer.at_film([&] {
    share = removed_share(read_arrays(RendererFilm(renderer),
                                      {FilmArray::kSum, FilmArray::kSamples, FilmArray::kRemoved}));
  });
  return share;
}

NoiseReport noise_report(Renderer& renderer, const RenderGoal& goal) {
  constexpr uint32_t kAll = 0;
  size_t noisy = 0;
  renderer.at_film([&] {
    const HostFilm film = read_arrays(RendererFilm(renderer), noise_arrays());
    noisy = noisy_pixels(film, kAll, *goal.noise).size();
  });
  return {.limit = *goal.noise, .noisy_share = double(noisy) / double(goal.pixel_count)};
}

/// Writes the steps of the first wave of a render without culling: its bounces. Shadow rays are in
/// a queue of their own, so their time does not depend on where the paths are.
void write_steps(std::ostream& stream, const std::vector<compaction::Mask>& masks,
                 const RenderReport& report) {
  constexpr double kNanosecondsPerMillisecond = 1e6, kNanosecondsPerSecond = 1e9;
  const std::vector<BounceStats>& bounces = report.stats.bounces;
  if (masks.empty()) throw Error("there is no bounce to record");
  const double share = double(masks[0].entries) / double(report.stats.paths);  // share of all waves
  const double moved = double(bounces[0].state_bytes) / double(bounces[0].alive);
  compaction::StepFile file(stream, {.state_bytes = uint32_t(std::lround(moved / 2))});
  std::vector<uint8_t> classes(masks[0].entries, 0);
  for (size_t b = 0; b < masks.size(); ++b) {
    const auto nanoseconds = [&](Stage stage) {
      return share * kNanosecondsPerMillisecond * bounces[b].milliseconds[size_t(stage)];
    };
    const double shadow = nanoseconds(Stage::kShadow);
    file.add(classes.data(), nullptr, masks[0].entries,
             nanoseconds(Stage::kIntersect) + nanoseconds(Stage::kShade) + shadow, shadow);
    for (uint32_t path = 0; path < masks[0].entries; ++path)
      if (!masks[b].selected(path)) classes[path] = compaction::StepItems::kInactive;
  }
  file.finish(share * kNanosecondsPerSecond * report.render_seconds);
}

/// Writes the masks and returns a legend: "m.bin: which of the first wave's 2048 paths survive each
/// of 9 bounces".
std::string write_masks_of(Renderer& renderer, const RenderOptions& options,
                           const RenderReport& report) {
  const fs::path& file = options.masks;
  std::vector<compaction::Mask> masks;
  for (AliveMask& mask : renderer.alive_masks())
    masks.push_back({.entries = mask.entries, .words = std::move(mask.words)});
  replace_file(file, [&](std::ostream& stream) {
    if (records_steps(options))
      write_steps(stream, masks, report);
    else
      compaction::write_masks(stream, masks);
  });
  return fmt::format("{}: which of the first wave's {} paths survive each of {} bounce{}",
                     file.string(), masks.empty() ? 0 : masks.front().entries, masks.size(),
                     masks.size() == 1 ? "" : "s");
}

/// Returns whether no camera ray has hit a surface. False for a scene in which rays may have passed
/// a medium.
bool sees_nothing(const HostScene& scene, const RenderStats& stats) {
  const bool has_clear_boundaries = std::ranges::any_of(scene.materials, [](const Material& m) {
    return m.type == MaterialType::kNull || (m.bounds_media && has_alpha_cutouts(m));
  });
  if (stats.bounces.empty() || has_clear_boundaries || scene.camera_medium != kNoMedium)
    return false;
  const BounceStats& first = stats.bounces.front();
  return first.alive > 0 && first.terminations[size_t(Termination::kEscaped)] == first.alive;
}

void warn_of_empty_view(const HostScene& scene) {
  const glm::vec3 middle = scene_bounds(scene).center();
  print_warning(
      fmt::format("the camera sees nothing: no ray of it hits a surface; --look-at {:.4g},{:.4g},"
                  "{:.4g} turns it to the middle of the scene",
                  middle.x, middle.y, middle.z));
}

/// Warns that the picture is black although the scene has light.
void warn_if_black(const Image& film) {
  const bool is_black = std::none_of(film.pixels.begin(), film.pixels.end(), [](glm::vec3 pixel) {
    return pixel.x > 0.0f || pixel.y > 0.0f || pixel.z > 0.0f;
  });
  if (is_black)
    print_warning(
        "the image is black: no light reaches what the camera sees; --sky soft adds "
        "light, --camera looks elsewhere");
}

/// Writes all files except the statistics of a sequence, and completes the report.
void write_results(const RenderSetup& setup, const RenderOptions& options, const FilmToWrite& film,
                   RenderReport& report) {
  Attempts attempt;
  timed(report.write_seconds, [&] {
    setup.renderer.at_film(
        [&] { report.written = write_film_outputs(options, film, setup.denoiser, attempt); });
    if (!options.masks.empty())
      attempt([&] {
        report.written.legends.push_back(write_masks_of(setup.renderer, options, report));
      });
  });
  if (!options.stats.empty()) report.film_hash = image_hash(film.mean);
  if (!options.stats.empty() && !report.frame)
    attempt([&] { write_text(options.stats, stats_json(report)); });
  attempt.throw_first_failure();
}

void print_result(const std::vector<fs::path>& outputs, const RenderReport& report,
                  uint64_t pixel_count) {
  std::string files;
  for (const fs::path& output : outputs) files += (files.empty() ? "" : ", ") + output.string();
  double speed = double(report.stats.paths) / report.render_seconds;
  fmt::print("{}: {}x{}, {} samples per pixel in {}, {}\n", files, report.settings.width,
             report.settings.height, spp_text(report.stats.paths, pixel_count),
             duration_text(report.render_seconds), speed_text(speed));
  const std::vector<fs::path> images = images_of(outputs);
  const bool shows_exposure = std::any_of(images.begin(), images.end(), [](const fs::path& output) {
    return !holds_numbers(image_format(output));
  });
  if (report.written.exposure.is_automatic && shows_exposure)
    fmt::print("--exposure auto chose {:+g} stops\n", report.written.exposure.stops);
}

std::vector<fs::path> files_of(const RenderOptions& of_frame) {
  std::vector<fs::path> files = of_frame.outputs;
  if (of_frame.aovs.guides)
    for (const fs::path& output : of_frame.outputs) files.push_back(clean_name(output));
  for (const AovOutput& aov : of_frame.aovs.pictures) files.push_back(aov.file);
  return files;
}

void print_interrupted_sequence(const RenderOptions& options,
                                const std::vector<SequenceFrame>& frames, size_t done) {
  auto name = [&](size_t i) {
    return options_of_frame(options, frames[i].number).outputs.front().string();
  };
  const std::string there = done == 0 ? "none is written"
                            : done == 1
                                ? name(0) + " is written"
                                : fmt::format("{} to {} are written", name(0), name(done - 1));
  print_message(fmt::format(
      "interrupted in image {} of {}: {}; the same command with --skip-existing renders the others",
      done + 1, frames.size(), there));
}

}  // namespace

std::string spp_text(uint64_t paths, uint64_t pixel_count) {
  if (paths % pixel_count == 0) return std::to_string(paths / pixel_count);
  return fmt::format("{:.2f}", double(paths) / double(pixel_count));
}

double render_image(const RenderSetup& setup, const RenderGoal& goal, PassPlan& plan,
                    const std::optional<RenderRecord>& earlier, RenderReport& report) {
  Renderer& renderer = setup.renderer;
  const std::clock_t cpu_start = std::clock();
  const double start = steady_seconds();
  const double seconds = setup.checkpoints.run([&] {
    try {
      return render_passes(renderer, goal, setup.interrupt, setup.printer, plan);
    } catch (const SliceError& error) {
      if (setup.job.has_several() || renderer.stats().paths == 0) throw;
      report.failure = error.what();
      setup.printer.finish();
      return steady_seconds() - start;
    }
  });
  report.cpu_seconds = double(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  report.render_seconds = seconds;
  report.stats = renderer.stats();
  if (earlier) {
    report.render_seconds += earlier->seconds;
    add_stats(report.stats, earlier->stats);
  }
  if (report.settings.clamps()) report.removed_share = removed_share_of(renderer);
  if (goal.noise) report.noise = noise_report(renderer, goal);
  const uint64_t wanted = goal.pixel_count * goal.spp;
  report.interrupted =
      !report.failure.empty() ||
      (any(setup.job.processes(), setup.interrupt.requested()) && report.stats.paths < wanted);
  return seconds;
}

void describe_render(const RenderSetup& setup, const RenderOptions& options, RenderReport& report) {
  report.device = setup.renderer.device_name();
  report.devices = setup.renderer.device_stats();
  report.scene = options.scene.string();
  if (!setup.device.cuda)
    report.threads =
        report.settings.threads ? report.settings.threads : std::thread::hardware_concurrency();
  report.sees_nothing = sees_nothing(setup.scene, report.stats);
}

int finish_image(const RenderSetup& setup, const RenderOptions& options, const RenderGoal& goal,
                 const PassPlan& plan, double seconds, RenderReport& report) {
  const RenderSettings& settings = report.settings;
  Renderer& renderer = setup.renderer;
  describe_render(setup, options, report);
  setup.checkpoints.save(renderer, plan.noise, seconds);
  const FilmFileHeader header = setup.checkpoints.header(renderer, plan.noise, seconds);
  const Image mean = renderer.film();
  if (!setup.job.is_first()) {
    renderer.at_film({});  // the first one writes all files
    return 0;
  }
  const bool is_whole = plan.tiles.is_whole();
  if (!options.quiet && is_whole && report.sees_nothing)
    warn_of_empty_view(setup.scene);
  else if (!options.quiet && is_whole && summarize(setup.scene).has_light())
    warn_if_black(mean);
  write_results(setup, options, {RendererFilm(renderer), mean, header, is_model(options.scene)},
                report);
  // A scheduler must not mistake an incomplete share for a complete one.
  const int exit_code_of_lack = report.failure.empty() ? kExitInterrupted : kExitFailure;
  const bool lacks = report.interrupted && (!is_whole || !report.failure.empty());
  const int exit_code = lacks ? exit_code_of_lack : 0;
  if (options.quiet) return exit_code;
  print_result(options.outputs, report, goal.pixel_count);
  if (settings.clamps())
    fmt::print("--clamp-indirect {:g} removed {:.2g} % of the light\n", settings.clamp_indirect,
               100.0 * report.removed_share);
  if (report.written.fireflies_share)
    fmt::print("--fireflies reweight left out {:.2g} % of the light\n",
               100.0 * *report.written.fireflies_share);
  for (const std::string& legend : report.written.legends) fmt::print("{}\n", legend);
  return exit_code;
}

std::string save_images(const RenderSetup& setup, const RenderOptions& options,
                        const PassPlan& plan, double seconds) {
  Renderer& renderer = setup.renderer;
  const FilmFileHeader header = setup.checkpoints.header(renderer, plan.noise, seconds);
  Attempts attempt;
  const WrittenOutputs written = write_film_outputs(
      options, {RendererFilm(renderer), renderer.film(), header, is_model(options.scene)},
      setup.denoiser, attempt);
  attempt.throw_first_failure();
  std::string files;
  for (const auto* names : {&options.outputs, &written.clean.clean})
    for (const fs::path& name : *names) files += (files.empty() ? "saved " : ", ") + name.string();
  return files;
}

RenderOptions options_of_frame(RenderOptions options, uint32_t number) {
  for (fs::path& output : options.outputs) output = numbered_file(output, number);
  for (AovOutput& aov : options.aovs.pictures) aov.file = numbered_file(aov.file, number);
  return options;
}

std::vector<SequenceFrame> missing_frames(RenderJob& job, const RenderOptions& options,
                                          const std::vector<SequenceFrame>& frames) {
  if (!options.sequence.skip_existing) return frames;
  std::vector<uint8_t> are_missing;
  for (const SequenceFrame& frame : frames) {
    const std::vector<fs::path> files = files_of(options_of_frame(options, frame.number));
    std::error_code failure;
    are_missing.push_back(!std::all_of(files.begin(), files.end(), [&](const fs::path& file) {
      return fs::exists(file, failure);
    }));
  }
  are_missing = values_of_first(job.processes(), std::move(are_missing));
  std::vector<SequenceFrame> missing;
  for (size_t i = 0; i < frames.size(); ++i)
    if (are_missing[i]) missing.push_back(frames[i]);
  return missing;
}

CameraDescription camera_around_frames(const std::vector<SequenceFrame>& frames,
                                       const RenderSettings& settings) {
  std::vector<CameraDescription> cameras;
  for (const SequenceFrame& frame : frames) cameras.push_back(frame.camera);
  return camera_around(cameras, float(settings.width) / float(settings.height));
}

int render_sequence(const RenderSetup& setup, RenderOptions options, const RenderGoal& goal,
                    const PassPlan& plan, const std::vector<SequenceFrame>& frames,
                    const RenderReport& first) {
  std::vector<RenderReport> reports;
  auto finish = [&](int exit_code) {
    if (!options.stats.empty() && setup.job.is_first())
      write_text(options.stats, stats_json(reports));
    return exit_code;
  };
  for (size_t i = 0; i < frames.size(); ++i) {
    setup.printer.begin_image(uint32_t(i), uint32_t(frames.size()));
    RenderReport report = first;
    if (i > 0) report.load_seconds = report.build_seconds = 0.0;
    timed(report.build_seconds, [&] {
      if (i > 0 && setup.scenes_of_frame) setup.job.set_scenes(setup.scenes_of_frame(frames[i]));
      setup.renderer.set_camera(frames[i].camera);
    });
    PassPlan of_image = plan;
    const double seconds = render_image(setup, goal, of_image, {}, report);
    if (!report.failure.empty()) throw Error(report.failure);
    if (report.interrupted) {
      print_interrupted_sequence(options, frames, i);
      return finish(kExitInterrupted);
    }
    const RenderOptions of_frame = options_of_frame(options, frames[i].number);
    report.frame = {frames[i], files_of(of_frame)};
    finish_image(setup, of_frame, goal, of_image, seconds, report);
    // All images have the same exposure.
    if (i == 0)
      options.exposure = Exposure{.is_automatic = false, .stops = report.written.exposure.stops};
    reports.push_back(std::move(report));
  }
  return finish(0);
}

}  // namespace winnow
