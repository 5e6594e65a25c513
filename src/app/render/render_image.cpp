// SPDX-License-Identifier: MIT
#include "app/render/render_image.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>
#include <thread>
#include <utility>

#include "app/cli/console.h"
#include "app/render/noise.h"
#include "backend/collect_results.h"
#include "base/files.h"
#include "compaction/tools/mask_file.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "load/load_scene.h"
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

/// Returns the outcome of --noise.
NoiseReport noise_report(Renderer& renderer, const RenderGoal& goal) {
  constexpr uint32_t kAll = 0;
  size_t noisy = 0;
  renderer.at_film([&] {
    const HostFilm film = read_arrays(RendererFilm(renderer), noise_arrays());
    noisy = noisy_pixels(film, kAll, *goal.noise).size();
  });
  return {.limit = *goal.noise, .noisy_share = double(noisy) / double(goal.pixel_count)};
}

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

/// Returns the share of the light of `all` that `some` lacks.
double missing_share(const Image& all, const Image& some) {
  glm::dvec3 whole(0.0), kept(0.0);
  for (size_t i = 0; i < all.pixels.size(); ++i)
    whole += glm::dvec3(all.pixels[i]), kept += glm::dvec3(some.pixels[i]);
  const double light = whole.x + whole.y + whole.z;
  return light > 0.0 ? 1.0 - (kept.x + kept.y + kept.z) / light : 0.0;
}

/// Returns the image to write; with --fireflies, its samples are reweighted.
Image written_image_of(const RenderOptions& options, const Image& film, Renderer& renderer,
                       RenderReport& report) {
  if (options.fireflies == Fireflies::kKeep) return film;
  Image image;
  timed(report.write_seconds, [&] {
    renderer.at_film([&] { image = written_image(options, film, RendererFilm(renderer)); });
  });
  if (!image.pixels.empty()) report.fireflies_share = missing_share(film, image);
  return image;
}

/// Writes all files except the statistics of a sequence, and completes the report. Returns the
/// legends of the files that need one, a line each.
///
/// @param film   mean of the samples
/// @param image  image of the film to write
std::vector<std::string> write_results(const RenderOptions& options, const Image& film,
                                       const Image& image, Renderer& renderer,
                                       const FilmFileHeader& header,
                                       const std::optional<Denoiser>& denoiser,
                                       RenderReport& report) {
  std::vector<std::string> legends;
  Attempts attempt;
  timed(report.write_seconds, [&] {
    renderer.at_film([&] {
      legends = write_film_outputs(options, image, RendererFilm(renderer), header,
                                   report.exposure.stops, attempt);
      report.clean = write_clean_images(options, image, RendererFilm(renderer),
                                        report.exposure.stops, denoiser, attempt, legends);
    });
    if (!options.masks.empty())
      attempt([&] { legends.push_back(write_masks_of(renderer, options.masks)); });
  });
  if (!options.stats.empty()) report.film_hash = image_hash(film);
  if (!options.stats.empty() && !report.frame)
    attempt([&] {
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
  const std::vector<fs::path> images = images_of(outputs);
  const bool shows_exposure = std::any_of(images.begin(), images.end(), [](const fs::path& output) {
    return !holds_numbers(image_format(output));
  });
  if (report.exposure.is_automatic && shows_exposure)
    fmt::print("--exposure auto chose {:+g} stops\n", report.exposure.stops);
}

}  // namespace

std::string spp_text(uint64_t paths, uint64_t pixel_count) {
  if (paths % pixel_count == 0) return std::to_string(paths / pixel_count);
  return fmt::format("{:.2f}", double(paths) / double(pixel_count));
}

double render_image(const RenderSetup& setup, const RenderGoal& goal, PassPlan& plan,
                    const std::optional<RenderRecord>& earlier, RenderReport& report) {
  Renderer& renderer = setup.renderer;
  const double seconds = setup.checkpoints.run(
      [&] { return render_passes(renderer, goal, setup.interrupt, setup.printer, plan); });
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
      any(setup.job.processes(), setup.interrupt.requested()) && report.stats.paths < wanted;
  return seconds;
}

void describe_render(const RenderSetup& setup, const RenderOptions& options, RenderReport& report) {
  report.device = setup.renderer.device_name();
  report.devices = setup.renderer.device_stats();
  report.scene = options.scene.string();
  if (!setup.device.cuda)
    report.threads =
        report.settings.threads ? report.settings.threads : std::thread::hardware_concurrency();
}

int finish_image(const RenderSetup& setup, const RenderOptions& options, const RenderGoal& goal,
                 const PassPlan& plan, double seconds, RenderReport& report) {
  const RenderSettings& settings = report.settings;
  Renderer& renderer = setup.renderer;
  describe_render(setup, options, report);
  setup.checkpoints.save(renderer, plan.noise, seconds);
  const FilmFileHeader header = setup.checkpoints.header(renderer, plan.noise, seconds);
  const Image film = renderer.film();
  const Image image = written_image_of(options, film, renderer, report);
  if (!setup.job.is_first()) {
    renderer.at_film({});  // the first one writes all files
    return 0;
  }
  report.exposure = chosen_exposure(image, options.exposure, is_model(options.scene));
  const bool is_whole = plan.tiles.is_whole();
  if (!options.quiet && is_whole && summarize(setup.scene).has_light()) warn_if_black(film);
  std::vector<std::string> legends =
      write_results(options, film, image, renderer, header, setup.denoiser, report);
  // A scheduler must not mistake an incomplete share for a complete one.
  const int exit_code = report.interrupted && !is_whole ? kExitInterrupted : 0;
  if (options.quiet) return exit_code;
  print_result(options.outputs, report, goal.pixel_count);
  if (settings.clamps())
    fmt::print("--clamp-indirect {:g} removed {:.2g} % of the light\n", settings.clamp_indirect,
               100.0 * report.removed_share);
  if (report.fireflies_share)
    fmt::print("--fireflies reweight left out {:.2g} % of the light\n",
               100.0 * *report.fireflies_share);
  for (const std::string& legend : legends) fmt::print("{}\n", legend);
  return exit_code;
}

}  // namespace winnow
