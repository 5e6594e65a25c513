// SPDX-License-Identifier: MIT
#include "app/render/render.h"

#include <fmt/core.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "app/cli/choose_device.h"
#include "app/cli/console.h"
#include "app/render/checkpoint.h"
#include "app/render/live_view.h"
#include "app/render/motion.h"
#include "app/render/render_image.h"
#include "app/render/render_job.h"
#include "app/render/render_passes.h"
#include "base/error.h"
#include "bvh/build/bvh_cache.h"
#include "image/image_io.h"
#include "load/load_scene.h"
#include "scene/scene_summary.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Throws UsageError, which names the option that makes the render a share, if an image is written.
void check_share_outputs(const RenderOptions& options, const std::string& option) {
  if (options.outputs.empty() || !images_of(options.outputs).empty() ||
      !options.aovs.pictures.empty())
    throw UsageError(option +
                     ": a share is not a whole image; write it with -o FILE.film, and images with "
                     "winnow merge");
}

void check_film_choices(const RenderOptions& options) {
  for (const auto& [option, file] :
       {std::pair("--checkpoint", &options.checkpoint), std::pair("--resume", &options.resume)})
    if (!file->empty() && !is_film_file(*file))
      throw UsageError(
          fmt::format("{} {}: is not a film file; name it *.film", option, file->string()));
  if (options.every && options.checkpoint.empty())
    throw UsageError("--every: there is nothing to write; add --checkpoint FILE.film");
  if (!options.resume.empty() && !options.masks.empty())
    throw UsageError("--record-masks: records the first wave, which --resume does not trace again");
  if (records_steps(options) && options.settings.cull != Cull::kNone)
    throw UsageError("--record-masks " + options.masks.string() +
                     ": steps are recorded without culling; add --cull none");
  if (!options.share) return;
  if (options.noise)
    throw UsageError(
        "--noise: compares neighbouring tiles, which are in other shares; leave out --share");
  check_share_outputs(options, "--share");
}

void check_sequence_choices(const RenderOptions& options) {
  check_sequence(options.sequence, options.scene);
  if (!options.sequence.is_given()) return;
  auto refuse = [](const std::string& option, const char* reason) {
    throw UsageError(
        fmt::format("{}: {}; leave out --camera-path, --turntable and --frames", option, reason));
  };
  if (options.camera.is_given() && !options.sequence.turntable)
    refuse("--camera", "each image of a sequence has its own camera");
  if (options.share) refuse("--share", "is a part of one image");
  if (!options.checkpoint.empty()) refuse("--checkpoint", "holds one image");
  if (!options.resume.empty()) refuse("--resume", "continues one image");
  if (!options.masks.empty()) refuse("--record-masks", "is of one image");
  if (options.display) refuse("--display", "shows one image, whose camera viewers move");
  for (const fs::path& film : films_of(options.outputs))
    refuse("-o " + film.string(), "a film file holds one image");
}

void check_choices(const RenderOptions& options) {
  if (options.devices && options.device.kind != DeviceRequest::Kind::kAuto)
    throw UsageError("--devices: --device names one already; leave out one of them");
  check_camera_change(options.camera);
  check_film_choices(options);
  check_sequence_choices(options);
  check_shutter(options);
  check_denoise_quality(options.denoise_quality, options.aovs.guides);
  if (!options.settings.bvh_cache.empty()) BvhCache{options.settings.bvh_cache};  // throws
  if (moves_in_pass(options.settings.cull) && options.settings.group == Group::kMaterial)
    throw UsageError("--group: material leaves the paths of --cull " +
                     enum_name(options.settings.cull) + " where they are; use --cull append");
  const bool measures_paths = options.aovs.contains(Aov::kCost);
  if (options.settings.loop == Loop::kWave && !measures_paths) return;
  auto fail = [&](const char* option, const char* reason) {
    throw UsageError(fmt::format("{}: {}; leave out {}", option, reason,
                                 measures_paths ? "--aov cost" : "--loop path"));
  };
  if (!options.masks.empty()) fail("--record-masks", "only --loop wave culls");
  if (options.settings.regenerate) fail("--regenerate", "only --loop wave has slots to fill");
  if (options.settings.tracer == Tracer::kRt)
    fail("--tracer", "rt traces the queues of --loop wave");
}

void check_runs_on(const ChosenDevice& device, const RenderSettings& settings) {
  if (device.cuda) return;
  const std::string reason = device.why_not_cuda.empty() ? "" : " (" + device.why_not_cuda + ")";
  constexpr const char* kNeedsGpu = "{}: needs a GPU, and this render is on the CPU{}; {}";
  if (mode_of(settings.cull).needs_gpu)
    throw Error(fmt::format(kNeedsGpu, "--cull " + enum_name(settings.cull), reason,
                            "look-ahead does the same there"));
  if (settings.tracer == Tracer::kRt)
    throw Error(fmt::format(kNeedsGpu, "--tracer rt", reason, "use --tracer bvh"));
}

/// Resolves --tracer auto: the tracers are compared if all GPUs have ray-tracing cores.
Tracer tracer_in_use(const RenderSettings& settings, const ChosenDevice& device) {
  if (settings.tracer != Tracer::kAuto) return settings.tracer;
  const bool compares = device.cuda && settings.loop_in_use() == Loop::kWave &&
                        std::ranges::all_of(device.indices, [](int gpu) {
                          return ray_tracing_cores(gpu).value_or(0) > 0;
                        });
  return compares ? Tracer::kAuto : Tracer::kBvh;
}

std::vector<fs::path> outputs_of(const RenderOptions& options) {
  if (!options.outputs.empty()) return options.outputs;
  std::string name = options.scene.stem().string();
  return {(name.empty() ? "image" : name) + ".png"};
}

/// Returns the settings that a command asks for, apart from the size and the number of bounces.
RenderSettings settings_for(const HostScene& scene, const RenderOptions& options) {
  RenderSettings settings = options.settings;
  settings.measure_stages |= !options.stats.empty() || records_steps(options);
  keep_aovs(options.aovs, settings);
  settings.keep_layers |= options.fireflies == Fireflies::kReweight;
  settings.keep_background |= options.alpha;
  settings.record_masks = !options.masks.empty();
  const bool ends_by_spp = !options.time_limit && !options.noise;
  if (ends_by_spp) settings.expected_spp = options.spp.value_or(scene.spp);
  // The sequence must not depend on when the render ends, so it uses only a fixed number.
  if (options.spp || ends_by_spp) settings.sobol_spp = options.spp.value_or(scene.spp);
  settings.keep_squares |= options.noise.has_value();
  return settings;
}

/// Says why the background of a model is black: the lights of its file are all of its light.
void note_black_background(const RenderOptions& options, const HostScene& scene) {
  const SceneSummary summary = summarize(scene);
  if (!is_model(options.scene) || options.sky || summary.has_sky || !summary.has_light()) return;
  print_message(fmt::format(
      "{}: its own lights alone light it, so its background is black; --sky soft adds a sky",
      options.scene.string()));
}

/// @param frame_count  0: a single image
void announce(const HostScene& scene, const RenderRecord& record, size_t frame_count,
              const std::string& device_name, const ChosenDevice& device) {
  std::string samples =
      record.spp == kUnlimitedSpp
          ? ""
          : fmt::format(", {}{} samples per pixel", record.noise ? "at most " : "", record.spp);
  std::string limit =
      record.time_limit ? fmt::format(", at most {}", duration_text(*record.time_limit)) : "";
  if (record.noise) limit += fmt::format(", until the noise is below {}", *record.noise);
  if (frame_count > 0)
    limit += fmt::format(", {} image{}", frame_count, frame_count == 1 ? "" : "s");
  std::string reason =
      device.why_not_cuda.empty() ? "" : fmt::format(" (no GPU: {})", device.why_not_cuda);
  print_message(fmt::format("{}: {}x{}{}{}, on {}{}", scene.name, record.settings.width,
                            record.settings.height, samples, limit, device_name, reason));
}

/// The state of a render before its first pass.
struct Begin {
  std::optional<ResumedFilm> resumed;  ///< film of an earlier process that this one continues
  RenderRecord record;                 ///< description of this render
  PassPlan plan;
};

/// Reads the film to continue, if any, and completes settings and goal by it.
Begin begin_render(RenderJob& job, const RenderOptions& options, const HostScene& scene,
                   const RenderSettings& settings, const std::optional<Shutter>& shutter,
                   bool on_gpu) {
  Begin begin;
  begin.resumed = job.read_resumed(options);
  begin.record = begin_record(options, scene, settings, on_gpu);
  begin.record.shutter = shutter;
  if (shutter) begin.record.motion_hash = scene.motion_hash;
  if (begin.resumed) adopt(begin.resumed->record, options, begin.record);
  const Share share = begin.record.share;
  if (share.count > 1) check_share_outputs(options, "--resume " + options.resume.string());
  FilmTiles& tiles = begin.plan.tiles = tiles_of_share(settings.width, settings.height, share);
  if (share.count > tiles.present.size())
    throw UsageError(fmt::format(
        "--share {}/{}: the image has only {} tiles of {}x{} pixels; use at most as many shares",
        share.index, share.count, tiles.present.size(), kFilmTileSide, kFilmTileSide));
  begin.record.pixel_count = tiles.pixel_count();
  job.check_same(begin.record, scene);
  begin.plan.checkpoint_interval = options.every.value_or(begin.plan.checkpoint_interval);
  begin.plan.keeps_interval = options.every.has_value();
  begin.plan.processes = &job.processes();
  if (!begin.resumed) return begin;
  const RenderRecord& earlier = begin.resumed->record;
  check_continues(*begin.resumed, begin.record, options);
  begin.plan.paths = earlier.stats.paths;
  begin.plan.noise = earlier.noise_state;
  RenderRecord both = begin.record;
  join_devices(both, earlier);
  if (const std::string mixed = mixed_rounding(both); !mixed.empty())
    print_warning(fmt::format("{}: its samples are rendered {}, which round differently",
                              options.resume.string(), mixed));
  return begin;
}

/// Copies the samples of the earlier render onto the film of a new renderer.
void put_samples_back(RenderJob& job, Begin& begin, Renderer& renderer) {
  if (!begin.resumed) return;
  const std::optional<FilmFileReader>& film = begin.resumed->film;
  if (film) begin.plan.samples = read_arrays(*film, {FilmArray::kSamples}).samples;
  begin.plan.samples = values_of_first(job.processes(), std::move(begin.plan.samples));
  renderer.at_film([&] { put_film(*film, begin.resumed->header.tiles, renderer); });
  begin.resumed.reset();
}

RenderSettings change_scene(const RenderJob& job, const RenderOptions& options,
                            const ChosenDevice& device, HostScene& scene) {
  if (options.sky) replace_sky(*options.sky, scene);
  report_loading(scene, options.scene, options.quiet, options.strict);
  RenderSettings settings = settings_for(scene, options);
  settings.threads = job.threads_of(settings.threads);
  apply_options(options, scene, settings);
  settings.tracer = tracer_in_use(settings, device);
  scene.filter = options.filter.value_or(scene.filter);
  return settings;
}

void check_files(const RenderOptions& options) {
  std::vector<fs::path> inputs = {options.scene, options.sequence.camera_path};
  if (options.sky && !options.sky->file.empty()) inputs.push_back(options.sky->file);
  const RenderOptions written =
      options.sequence.is_given() ? options_of_frame(options, 0) : options;
  check_film_outputs(written, {options.stats, options.masks, options.checkpoint}, inputs);
}

/// Returns the options of a command. If it names no scene, they come from the film to continue.
RenderOptions with_scene(RenderJob& job, const RenderOptions& given) {
  if (!given.scene.empty()) return given;
  if (given.resume.empty()) throw UsageError("SCENE is required; see winnow render --help");
  const std::string record = job.is_first() ? record_text(read_record(given.resume)) : "";
  return resumed_options(parse_record(text_of_first(job.processes(), record)), given);
}

int render_in(RenderJob& job, const RenderOptions& given) {
  check_choices(given);
  job.check_choices(given);
  RenderOptions options = given;
  options.quiet |= !job.is_first();
  options.outputs = outputs_of(given);
  if (job.is_first()) check_files(options);
  std::unique_ptr<Display> opened = options.display ? open_display(*options.display) : nullptr;
  const DeviceRequest request = options.devices.value_or(options.device);
  if (!job.has_several()) hide_further_gpus(request);
  use_one_queue_per_gpu();
  ChosenDevice device = job.choose(request);
  check_runs_on(device, options.settings);
  const std::vector<std::jthread> opening = open_gpus(device.indices);
  std::optional<Denoiser> denoiser;
  if (job.is_first())
    denoiser = denoiser_for(options, {device.first_cuda(), options.settings.threads});

  RenderReport report;
  RenderSettings settings;
  std::optional<Shutter> shutter;
  HostScene scene = timed(report.load_seconds, [&] {
    GltfChoice choice = options.choice;
    choice.is_sequence = options.sequence.follows_scene();
    const double first_time =
        choice.is_sequence ? options.sequence.time_of(options.sequence.frames->first) : 0.0;
    HostScene loaded = load_scene(options.scene, options.parameters,
                                  time_of_objects(options, first_time), options.outside, choice);
    shutter = shutter_of_objects(options, loaded.shutter, first_time);
    blur_camera(options, shutter, loaded);
    if (!loaded.is_animated && loaded.camera.motion.empty()) shutter = {};
    settings = change_scene(job, options, device, loaded);
    return loaded;
  });
  report.filter = scene.filter;
  if (!options.quiet) note_black_background(options, scene);
  std::vector<SequenceFrame> frames;
  if (options.sequence.is_given()) {
    std::vector<std::string> warnings;
    frames = sequence_frames(options.sequence, options.shutter, options.scene,
                             options.choice.camera, scene, warnings);
    std::erase_if(warnings, [&](const std::string& warning) {
      return std::ranges::find(scene.warnings, warning) != scene.warnings.end();
    });
    report_warnings(warnings, options.scene, options.quiet, options.strict);
    frames = missing_frames(job, options, frames);
    if (frames.empty()) {
      if (!options.quiet) print_message("--skip-existing: all images are there already");
      return 0;
    }
    scene.camera = camera_around_frames(frames, settings);
  }
  for (const fs::path& image : images_of(options.outputs))
    check_image_fits(image, settings.width, settings.height);
  for (const AovOutput& aov : options.aovs.pictures)
    check_image_fits(aov.file, settings.width, settings.height);
  Begin begin = begin_render(job, options, scene, settings, shutter, device.cuda);
  const RenderRecord& record = begin.record;
  report.settings = record.settings;
  std::optional<RenderRecord> earlier;
  if (begin.resumed) earlier = begin.resumed->record;
  Checkpoints checkpoints(options.checkpoint, record, begin.plan.tiles, earlier);

  auto scenes_at = [&](double frame_time) {
    return with_options(options, scene, scenes_of_file(options, scene.shutter, frame_time));
  };
  const bool changes = options.sequence.follows_scene() && !options.time && scene.is_animated;
  std::unique_ptr<Renderer> renderer = timed(report.build_seconds, [&] {
    if (!scene.is_animated || !(shutter || changes))
      return job.make(device, scene, record.settings);
    return job.make(
        device, scene, record.settings, scenes_at(frames.empty() ? 0.0 : frames.front().time),
        shutter ? TimeSlices::for_samples(record.settings.sobol_spp) : TimeSlices::of_moment());
  });
  put_samples_back(job, begin, *renderer);

  report.bvh = renderer->bvh();
  if (!report.bvh.warning.empty()) print_warning(report.bvh.warning);

  Interrupt interrupt;
  if (!options.quiet) announce(scene, record, frames.size(), renderer->device_name(), device);
  ProgressPrinter printer(progress_style(options.quiet));
  RenderSetup setup{job, scene, device, *renderer, checkpoints, denoiser, interrupt, printer};
  if (changes)
    setup.scenes_of_frame = [&](const SequenceFrame& frame) { return scenes_at(frame.time); };
  if (!frames.empty()) return render_sequence(setup, options, record, begin.plan, frames, report);

  if (!options.checkpoint.empty())
    begin.plan.checkpoint = [&](const NoiseState& noise, double seconds) {
      checkpoints.save(*renderer, noise, seconds);
    };
  const std::unique_ptr<Display> display = std::move(opened);  // ends before the interrupt does
  std::optional<LiveView> view;
  if (display) {
    display->begin(shown_render(options, scene, *renderer));
    auto save = [&](double rendered) { return save_images(setup, options, begin.plan, rendered); };
    view.emplace(*display, *renderer, scene.camera, save);
    begin.plan.view = &*view;
  }
  const double seconds = render_image(setup, record, begin.plan, earlier, report);
  if (report.stats.paths == 0) {
    print_message("winnow: interrupted before the first sample; nothing is written");
    return kExitInterrupted;
  }
  if (earlier && report.stats.paths == earlier->stats.paths && !report.interrupted &&
      !options.quiet)
    print_message(
        fmt::format("{}: is finished, with {} samples per pixel; a larger --spp adds more",
                    options.resume.string(), spp_text(report.stats.paths, record.pixel_count)));
  if (!report.failure.empty())
    print_message(fmt::format("winnow: {}; writing the image so far, of {} samples per pixel",
                              report.failure, spp_text(report.stats.paths, record.pixel_count)));
  else if (report.interrupted && !options.quiet)
    print_message(fmt::format("interrupted after {} samples per pixel; writing the image so far",
                              spp_text(report.stats.paths, record.pixel_count)));
  const int exit_code = finish_image(setup, options, record, begin.plan, seconds, report);
  if (display) display->say("saved the last image");
  return exit_code;
}

}  // namespace

int render(const RenderOptions& options) {
  RenderJob job(options);
  return job.run([&] { return render_in(job, with_scene(job, options)); });
}

MemoryRender render_in_memory(const HostScene& scene, const RenderOptions& given,
                              const StopRequest& stop, MovingRenderer::SceneAt scene_at) {
  check_choices(given);
  RenderOptions options = given;
  options.mpi = false;
  RenderJob job(options);
  const ChosenDevice device = job.choose(options.devices.value_or(options.device));
  check_runs_on(device, options.settings);

  MemoryRender render{.scene = std::make_unique<HostScene>(scene), .renderer = {}, .report = {}};
  RenderReport& report = render.report;
  RenderSettings settings = change_scene(job, options, device, *render.scene);
  Begin begin = begin_render(job, options, *render.scene, settings,
                             scene_at ? scene.shutter : std::nullopt, device.cuda);
  const RenderRecord& record = begin.record;
  report.settings = record.settings;
  report.filter = render.scene->filter;
  if (scene_at) scene_at = with_options(options, *render.scene, std::move(scene_at));
  render.renderer = timed(report.build_seconds, [&] {
    return job.make(device, *render.scene, record.settings, std::move(scene_at),
                    TimeSlices::for_samples(record.settings.sobol_spp));
  });
  report.bvh = render.renderer->bvh();

  Checkpoints none({}, record, begin.plan.tiles, {});
  const std::optional<Denoiser> no_denoiser;
  ProgressPrinter printer(progress_style(options.quiet));
  const RenderSetup setup{job,  *render.scene, device, *render.renderer,
                          none, no_denoiser,   stop,   printer};
  render_image(setup, record, begin.plan, {}, report);
  describe_render(setup, options, report);
  return render;
}

}  // namespace winnow
