// SPDX-License-Identifier: MIT
#include "app/render/render.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <thread>
#include <utility>

#include "app/cli/choose_device.h"
#include "app/cli/console.h"
#include "app/render/checkpoint.h"
#include "app/render/noise.h"
#include "app/render/render_job.h"
#include "app/render/render_passes.h"
#include "app/render/stats_json.h"
#include "backend/collect_results.h"
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

/// The same of the options about film files.
void check_film_choices(const RenderOptions& options) {
  for (const auto& [option, file] :
       {std::pair("--checkpoint", &options.checkpoint), std::pair("--resume", &options.resume)})
    if (!file->empty() && !is_film_file(*file))
      throw UsageError(
          fmt::format("{} {}: is no film file; name it *.film", option, file->string()));
  if (options.every && options.checkpoint.empty())
    throw UsageError("--every: there is nothing to write; add --checkpoint FILE.film");
  if (!options.resume.empty() && !options.masks.empty())
    throw UsageError("--record-masks: records the first wave, which --resume does not trace again");
  if (!options.share) return;
  if (options.noise)
    throw UsageError(
        "--noise: decides by neighbouring tiles, which are in other shares; leave out --share");
  if (options.outputs.empty() || !images_of(options.outputs).empty() ||
      !options.aovs.pictures.empty())
    throw UsageError(
        "--share: a share is no whole image; write it with -o FILE.film, and images with winnow "
        "merge");
}

/// Throws UsageError for options that contradict each other.
void check_choices(const RenderOptions& options) {
  if (options.devices && options.device.kind != DeviceRequest::Kind::kAuto)
    throw UsageError("--devices: --device names one already; leave out either");
  check_film_choices(options);
  if (!options.settings.bvh_cache.empty()) BvhCache{options.settings.bvh_cache};  // throws
  if (options.settings.cull == Cull::kMove && options.settings.group == Group::kMaterial)
    throw UsageError(
        "--group: material leaves the paths of --cull move where they are; use --cull append");
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

/// The outcome of --clamp-indirect.
double removed_share_of(Renderer& renderer) {
  double share = 0.0;
  renderer.at_film([&] {
    share = removed_share(read_arrays(RendererFilm(renderer),
                                      {FilmArray::kSum, FilmArray::kSamples, FilmArray::kRemoved}));
  });
  return share;
}

/// The outcome of --noise.
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
std::vector<std::string> write_results(const RenderOptions& options, const Image& image,
                                       Renderer& renderer, const FilmFileHeader& header,
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
  if (!options.stats.empty())
    attempt([&] {
      report.film_hash = image_hash(image);
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

/// The render of an earlier process that this one continues, and how.
struct Begin {
  std::optional<ResumedFilm> resumed;
  RenderRecord record;  ///< of this render
  FilmTiles tiles;      ///< to render
  PassPlan plan;
};

/// Reads the film to continue, if there is one, and lets it complete settings and goal.
Begin begin_render(RenderJob& job, const RenderOptions& options, const HostScene& scene,
                   bool on_gpu, RenderSettings& settings, RenderGoal& goal) {
  Begin begin;
  begin.resumed = job.read_resumed(options);
  Share share = options.share.value_or(Share{});
  if (begin.resumed) adopt(begin.resumed->record, options, settings, goal, share);
  begin.tiles = tiles_of_share(settings.width, settings.height, share);
  if (share.count > begin.tiles.present.size())
    throw UsageError(fmt::format(
        "--share {}/{}: the image has only {} tiles of {}x{} pixels; use at most as many shares",
        share.index, share.count, begin.tiles.present.size(), kFilmTileSide, kFilmTileSide));
  goal.pixel_count = begin.tiles.pixel_count();
  begin.record = begin_record(options, scene, settings, goal, on_gpu);
  begin.record.share = share;
  job.check_same(begin.record, scene);
  begin.plan = {.tiles = begin.tiles,
                .checkpoint_interval = options.every.value_or(PassPlan().checkpoint_interval),
                .keeps_interval = options.every.has_value(),
                .ranks = &job.ranks()};
  if (!begin.resumed) return begin;
  const RenderRecord& earlier = begin.resumed->record;
  check_continues(options.resume, *begin.resumed, begin.record, options, goal);
  begin.plan.paths = earlier.stats.paths;
  begin.plan.noise = earlier.noise_state;
  if (joined(earlier.architecture, begin.record.architecture) == Architecture::kMixed)
    print_message(fmt::format(
        "warning: {}: was rendered on {}, and is continued on {}: the film has the bits of neither",
        options.resume.string(), enum_name(earlier.architecture),
        enum_name(begin.record.architecture)));
  return begin;
}

/// Puts the samples of the earlier render onto the film of a new renderer.
void put_samples_back(RenderJob& job, Begin& begin, Renderer& renderer) {
  if (!begin.resumed) return;
  const std::optional<FilmFileReader>& film = begin.resumed->film;
  if (film) begin.plan.samples = read_arrays(*film, {FilmArray::kSamples}).samples;
  begin.plan.samples = values_of_first(job.ranks(), std::move(begin.plan.samples));
  renderer.at_film([&] { put_film(*film, begin.resumed->header.tiles, renderer); });
  begin.resumed.reset();
}

int render_in(RenderJob& job, const RenderOptions& given) {
  check_choices(given);
  job.check_choices(given);
  RenderOptions options = given;
  options.quiet |= !job.is_first();
  options.outputs = outputs_of(given);
  std::vector<fs::path> inputs = {options.scene};
  if (options.sky && !options.sky->file.empty()) inputs.push_back(options.sky->file);
  if (job.is_first())
    check_film_outputs(options, {options.stats, options.masks, options.checkpoint}, inputs);
  ChosenDevice device = job.choose(options.devices.value_or(options.device));
  check_cull_runs_on(device, options.settings.cull);
  std::optional<Denoiser> denoiser;
  if (job.is_first())
    denoiser = denoiser_for(options, {device.first_cuda(), options.settings.threads});

  RenderReport report;
  HostScene scene = timed(report.load_seconds, [&] {
    return load_scene(options.scene, options.parameters, options.time, options.outside);
  });
  if (options.sky) replace_sky(*options.sky, scene);
  if (!options.quiet) print_warnings(scene);
  RenderSettings settings = settings_for(scene, options);
  settings.threads = job.threads_of(settings.threads);
  scene.width = settings.width, scene.height = settings.height;  // for the bounds of ray origins
  if (options.camera) scene.camera = camera_of(*options.camera, {settings.width, settings.height});
  scene.filter = report.filter = options.filter.value_or(scene.filter);
  RenderGoal goal = goal_for(scene, options, settings);
  for (const fs::path& image : images_of(options.outputs))
    check_image_fits(image, settings.width, settings.height);
  for (const AovOutput& aov : options.aovs.pictures)
    check_image_fits(aov.file, settings.width, settings.height);
  Begin begin = begin_render(job, options, scene, device.cuda, settings, goal);
  report.settings = settings;
  std::optional<RenderRecord> earlier;
  if (begin.resumed) earlier = begin.resumed->record;
  Checkpoints checkpoints(options.checkpoint, begin.record, begin.tiles, earlier);

  goal.devices = std::max(1u, uint32_t(device.indices.size())) * job.ranks().count();
  std::unique_ptr<Renderer> renderer =
      timed(report.build_seconds, [&] { return job.make(device, scene, settings); });
  put_samples_back(job, begin, *renderer);

  report.bvh = renderer->bvh();
  if (!report.bvh.warning.empty()) print_message("warning: " + report.bvh.warning);

  Interrupt interrupt;
  if (!options.quiet) announce(scene, settings, goal, renderer->device_name(), device);
  ProgressPrinter printer(progress_style(options.quiet));
  if (!options.checkpoint.empty())
    begin.plan.checkpoint = [&](const NoiseState& noise, double seconds) {
      checkpoints.save(*renderer, noise, seconds);
    };
  const double seconds = checkpoints.run(
      [&] { return render_passes(*renderer, goal, interrupt, printer, begin.plan); });
  report.render_seconds = seconds;
  report.stats = renderer->stats();
  if (earlier) {
    report.render_seconds += earlier->seconds;
    add_stats(report.stats, earlier->stats);
  }
  if (settings.clamps()) report.removed_share = removed_share_of(*renderer);
  if (goal.noise) report.noise = noise_report(*renderer, goal);
  uint64_t wanted = goal.pixel_count * goal.spp;
  report.interrupted = any(job.ranks(), interrupt.requested()) && report.stats.paths < wanted;
  if (report.stats.paths == 0) {
    print_message("winnow: interrupted before the first sample; nothing is written");
    return kExitInterrupted;
  }
  if (report.interrupted && !options.quiet)
    print_message(fmt::format("interrupted after {} samples per pixel; writing the image so far",
                              spp_text(report.stats.paths, goal.pixel_count)));

  report.device = renderer->device_name();
  report.devices = renderer->device_stats();
  report.scene = options.scene.string();
  if (!device.cuda)
    report.threads = settings.threads ? settings.threads : std::thread::hardware_concurrency();
  checkpoints.save(*renderer, begin.plan.noise, seconds);
  const FilmFileHeader header = checkpoints.header(*renderer, begin.plan.noise, seconds);
  const Image film = renderer->film();
  if (!job.is_first()) {
    renderer->at_film({});  // where the first one writes all files
    return 0;
  }
  report.exposure = chosen_exposure(film, options.exposure, is_model(options.scene));
  const bool is_whole = begin.tiles.is_whole();
  if (!options.quiet && is_whole && summarize(scene).has_light()) warn_if_black(film);
  std::vector<std::string> legends =
      write_results(options, film, *renderer, header, denoiser, report);
  // A scheduler must not take a part of a share for a share.
  const int exit_code = report.interrupted && !is_whole ? kExitInterrupted : 0;
  if (options.quiet) return exit_code;
  print_result(options.outputs, report, goal.pixel_count);
  if (settings.clamps())
    fmt::print("--clamp-indirect {:g} removed {:.2g} % of the light\n", settings.clamp_indirect,
               100.0 * report.removed_share);
  for (const std::string& legend : legends) fmt::print("{}\n", legend);
  return exit_code;
}

}  // namespace

int render(const RenderOptions& options) {
  RenderJob job(options);
  return job.run([&] { return render_in(job, options); });
}

}  // namespace winnow
