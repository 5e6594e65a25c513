#include "app/render.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

#include "app/check_outputs.h"
#include "app/choose_device.h"
#include "app/message.h"
#include "app/print_warnings.h"
#include "app/render_passes.h"
#include "app/stats_json.h"
#include "error.h"
#include "film/image_hash.h"
#include "film/image_io.h"
#include "film/replace_file.h"
#include "scene/load_scene.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr int kExitInterrupted = 130;  // as shells report a program that Ctrl-C ended

/// Adds the seconds that `work` takes to `seconds`.
template <class Work>
auto timed(double& seconds, Work work) {
  struct Timer {
    double& seconds;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ~Timer() {
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
  } timer{seconds};
  return work();
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
  return settings;
}

RenderGoal goal_for(const HostScene& scene, const RenderOptions& options,
                    const RenderSettings& settings) {
  uint32_t spp = options.time_limit ? kUnlimitedSpp : scene.spp;
  return {.pixel_count = uint64_t(settings.width) * settings.height,
          .spp = options.spp.value_or(spp),
          .time_limit = options.time_limit};
}

/// "16", or "2.37" if the samples are not the same number for all pixels.
std::string spp_text(uint64_t paths, uint64_t pixel_count) {
  if (paths % pixel_count == 0) return std::to_string(paths / pixel_count);
  return fmt::format("{:.2f}", double(paths) / double(pixel_count));
}

void announce(const HostScene& scene, const RenderSettings& settings, const RenderGoal& goal,
              const std::string& device_name, const ChosenDevice& device) {
  std::string samples =
      goal.spp == kUnlimitedSpp ? "" : fmt::format(", {} samples per pixel", goal.spp);
  std::string limit =
      goal.time_limit ? fmt::format(", at most {}", duration_text(*goal.time_limit)) : "";
  std::string reason =
      device.why_not_cuda.empty() ? "" : fmt::format(" (no GPU: {})", device.why_not_cuda);
  print_message(fmt::format("{}: {}x{}{}{}, on {}{}", scene.name, settings.width, settings.height,
                            samples, limit, device_name, reason));
}

/// Writes each image. One that fails does not keep the others from being written; its error is
/// thrown at the end.
void write_images(const std::vector<fs::path>& outputs, const Image& film) {
  std::exception_ptr first_failure;
  for (const fs::path& output : outputs) try {
      write_image(output, film);
    } catch (const std::exception&) {
      if (!first_failure) first_failure = std::current_exception();
    }
  if (first_failure) std::rethrow_exception(first_failure);
}

void print_result(const std::vector<fs::path>& outputs, const RenderReport& report,
                  uint64_t pixel_count) {
  std::string files;
  for (const fs::path& output : outputs) files += (files.empty() ? "" : ", ") + output.string();
  double speed = double(report.stats.paths) / report.render_seconds;
  fmt::print("{}: {}x{}, {} samples per pixel in {}, {}\n", files, report.settings.width,
             report.settings.height, spp_text(report.stats.paths, pixel_count),
             duration_text(report.render_seconds), speed_text(speed));
}

}  // namespace

int render(const RenderOptions& options) {
  std::vector<fs::path> outputs = outputs_of(options);
  check_outputs(outputs, {options.stats}, {options.scene});
  bool needs_gpu_list = options.device.kind != DeviceRequest::Kind::kCpu;
  ChosenDevice device =
      choose_device(options.device, needs_gpu_list ? list_cuda_devices() : CudaDevices{});

  RenderReport report;
  HostScene scene = timed(report.load_seconds, [&] { return load_scene(options.scene); });
  if (!options.quiet) print_warnings(scene);
  RenderSettings settings = report.settings = settings_for(scene, options);
  RenderGoal goal = goal_for(scene, options, settings);
  for (const fs::path& output : outputs) check_image_fits(output, settings.width, settings.height);

  std::unique_ptr<Renderer> renderer =
      timed(report.build_seconds, [&] { return make_renderer(device, scene, settings); });

  Interrupt interrupt;
  if (!options.quiet) announce(scene, settings, goal, renderer->device_name(), device);
  ProgressPrinter printer(progress_style(options.quiet));
  report.render_seconds = render_passes(*renderer, goal, interrupt, printer);
  report.stats = renderer->stats();
  uint64_t wanted = goal.pixel_count * goal.spp;
  report.interrupted = interrupt.requested() && report.stats.paths < wanted;
  if (report.stats.paths == 0) {
    print_message("winnow: interrupted before the first sample; nothing is written");
    return kExitInterrupted;
  }
  if (report.interrupted && !options.quiet)
    print_message(fmt::format("interrupted after {} samples per pixel; writing what there is",
                              spp_text(report.stats.paths, goal.pixel_count)));

  Image film = renderer->film();
  timed(report.write_seconds, [&] { write_images(outputs, film); });
  if (!options.stats.empty()) {
    report.device = renderer->device_name();
    report.scene = options.scene.string();
    if (!device.cuda)
      report.threads = settings.threads ? settings.threads : std::thread::hardware_concurrency();
    report.film_hash = image_hash(film);
    replace_file(options.stats, [&](std::ostream& stream) { stream << stats_json(report); });
  }
  if (!options.quiet) print_result(outputs, report, goal.pixel_count);
  return 0;
}

}  // namespace winnow
