// SPDX-License-Identifier: MIT
#include "app/bench/bench.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <ostream>
#include <thread>

#include "app/bench/report.h"
#include "app/cli/choose_device.h"
#include "app/cli/console.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/render/outputs.h"
#include "base/nanoseconds.h"
#include "wavefront/cull/plan.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Passes after which `auto` has measured all of its plans: those of the choice and the waves in
/// flight.
constexpr uint32_t kWavesInFlight = 2;
constexpr uint32_t kLeadInOnGpu =
    uint32_t(PlanChoice::waves_to_choose(kMaxPlansOfTracer)) + kWavesInFlight;
/// Maximum paths of such a pass, about those of the largest wave. Its waves have about as many
/// paths as those of a frame, since small waves favour other plans.
constexpr uint32_t kMaxLeadInPaths = 1u << 25;

uint32_t lead_in_spp(const RenderSettings& settings, uint32_t spp) {
  const uint64_t pixels = uint64_t(settings.width) * settings.height;
  return std::clamp(uint32_t(kMaxLeadInPaths / pixels), 1u, spp);
}

RenderSettings settings_for(HostScene& scene, const BenchOptions& options) {
  RenderSettings settings = options.settings;
  apply_options(options, scene, settings);
  // A wave gets the paths of a frame: modes that launch for the largest queue would take longer.
  settings.expected_spp = options.spp;
  settings.expected_frames = PlanChoice::kManyWaves;
  if (settings.bvh == BvhBuild::kAuto) settings.bvh = BvhBuild::kQuality;
  return settings;
}

uint32_t worker_threads(const BenchOptions& options) {
  return options.settings.threads ? options.settings.threads : std::thread::hardware_concurrency();
}

SceneBench bench_scene(const fs::path& file, const BenchOptions& options, const BenchMatrix& matrix,
                       const ChosenDevice& device, const StopRequest& interrupt,
                       std::string& device_name) {
  SceneBench bench;
  bench.file = file.string();
  double start = steady_seconds();
  HostScene scene = load_with_options(file, options);
  report_loading(scene, file, options.quiet, options.strict);
  bench.load_seconds = steady_seconds() - start;
  bench.name = scene.name;
  bench.description = scene.description;
  bench.settings = settings_for(scene, options);
  bench.spp = options.spp;
  bench.cuda = device.cuda;

  std::vector<BenchConfig> configs = bench_configs(matrix);
  start = steady_seconds();
  auto renderer = make_renderer(scene, with_config(bench.settings, configs.front()), device.indices,
                                print_warning);
  bench.build_seconds = steady_seconds() - start;
  device_name = renderer->device_name();

  ProgressPrinter progress(progress_style(options.quiet));
  bench.runs =
      run_matrix(*renderer, configs,
                 {.settings = bench.settings,
                  .spp = options.spp,
                  .rounds = options.repeat,
                  .lead_in = device.cuda ? kLeadInOnGpu : 1,
                  .lead_in_spp = device.cuda ? lead_in_spp(bench.settings, options.spp) : 1,
                  .worker_threads = device.cuda ? 1 : worker_threads(options),
                  .seconds = steady_seconds,
                  .stop = [&] { return interrupt.requested(); },
                  .report_phase =
                      [&](const std::string& phase) {
                        progress.print(fmt::format("{} on {}, {} configurations: {}", scene.name,
                                                   device_name, configs.size(), phase));
                      }});
  bench.interrupted = !bench.runs.back().measured;
  return bench;
}

}  // namespace

BenchReport measure_scenes(const BenchOptions& options, const StopRequest& interrupt,
                           const std::function<void(const std::string&)>& failed) {
  const ChosenDevice device = choose_device(options.device);
  const BenchMatrix matrix = matrix_for(options, device.cuda);
  BenchReport report;
  report.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  report.cuda = device.cuda;
  report.rounds = options.repeat;
  report.threads = worker_threads(options);
  auto fail = [&](const fs::path& file, const std::string& reason) {
    bool named = reason.rfind(file.string(), 0) == 0;
    std::string line = named ? reason : file.string() + ": " + reason;
    failed(line);
    report.failed.push_back({file.string(), line});
  };

  for (const fs::path& file : options.scenes) {
    if (interrupt.requested()) break;
    try {
      SceneBench scene = bench_scene(file, options, matrix, device, interrupt, report.device);
      if (scene.round_count() == 0) break;  // interrupted
      if (!options.quiet) {
        fmt::print("{}\n", scene_text(scene, report.device));
        std::fflush(stdout);
      }
      report.scenes.push_back(std::move(scene));
    } catch (const std::bad_alloc&) {
      fail(file, "not enough memory; a smaller scene or --size needs less");
    } catch (const std::exception& error) {
      fail(file, error.what());
    }
  }
  report.interrupted = interrupt.requested();
  return report;
}

namespace {

/// Writes both files, the second one even if the first fails.
void write_files(const BenchOptions& options, const BenchReport& report) {
  Attempts attempt;
  const auto write = [&](const fs::path& file, std::string (*text_of)(const BenchReport&)) {
    if (!file.empty()) attempt([&] { write_text(file, text_of(report)); });
  };
  write(options.json, bench_json);
  write(options.csv, bench_csv);
  attempt.throw_first_failure();
}

}  // namespace

int bench(const BenchOptions& options) {
  check_outputs({}, {options.json, options.csv}, options.scenes);
  BenchReport report;
  {
    const Interrupt interrupt;
    report = measure_scenes(options, interrupt,
                            [](const std::string& line) { print_message("winnow: " + line); });
  }
  if (!report.scenes.empty()) write_files(options, report);
  if (report.interrupted)
    print_message(report.scenes.empty()
                      ? "winnow: interrupted before the first round; nothing is written"
                      : "winnow: interrupted; the complete rounds were kept");
  if (!report.failed.empty()) return kExitFailure;
  return report.scenes.empty() ? kExitInterrupted : 0;
}

}  // namespace winnow
