// SPDX-License-Identifier: MIT
#include "tests/soak/soak.h"

#include <fmt/core.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "backend/moving_renderer.h"
#include "base/error.h"
#include "base/nanoseconds.h"
#include "load/load_scene.h"
#include "tests/soak/draw_scene.h"
#include "tests/soak/film_checks.h"
#include "tests/soak/light_checks.h"
#include "tests/soak/memory_growth.h"
#include "tests/support/draw.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Returns the resident bytes of this process from /proc/self/statm; 0 if that file is missing.
uint64_t resident_bytes() {
  uint64_t total = 0, resident = 0;
  malloc_trim(0);
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * uint64_t(sysconf(_SC_PAGESIZE));
}

/// Returns the render with what moves blurred; the other shows the middle of the time.
SoakRender with_motion(const SoakRender& render) {
  if (!render.scene.is_animated) return render;
  SoakRender moving = render;
  moving.make = [file = render.file, make = render.make](const HostScene& scene,
                                                         const RenderSettings& settings) {
    return std::make_unique<MovingRenderer>(
        [file](double moment) { return load_scene(file, {}, moment); }, scene.camera, make,
        TimeSlices::for_samples(settings.sobol_spp), settings);
  };
  return moving;
}

/// Draws a scene and its settings from a seed and makes all checks. Throws Error for the first
/// check that fails.
///
/// @param folder  for the files of the case; must exist
void run_soak_case(uint64_t seed, const fs::path& folder, const SoakDevices& devices) {
  constexpr uint32_t kMaxSpp = 6, kEstimatorsOneIn = 4;
  Draw draw(seed);
  const DrawnScene drawn = draw_scene(folder, draw);
  SoakRender render{.file = drawn.file,
                    .folder = folder,
                    .scene = load_scene(drawn.file),
                    .settings = {},
                    .spp = draw.from(1, kMaxSpp),
                    .is_on_gpu = devices.is_on_gpu,
                    .make = devices.make};
  render.settings = draw_settings(render.scene, render.spp, draw);
  if (devices.has_optix && draw.one_in(3)) render.settings.tracer = Tracer::kRt;
  const HostFilm expected = render.film(render.settings);
  if (drawn.kind == DrawnSceneKind::kFurnace) check_furnace(render);
  if (render.settings.tracer == Tracer::kRt) check_tracer(render, expected);
  const SoakRender moving = with_motion(render);
  const HostFilm blurred = render.scene.is_animated ? moving.film(render.settings) : expected;
  check_values(moving, blurred);
  check_ways(moving, blurred, draw);
  check_resume(moving, blurred, draw);
  check_shares(moving, blurred, draw);
  check_devices(moving, blurred, draw);
  check_convert(render, expected);
  if (draw.one_in(kEstimatorsOneIn)) check_estimators(render, draw);
  if (devices.cpu) check_device_agrees(render, devices.cpu, "the CPU");
}

/// Thrown by a render that would begin after the end of the soak. Not an error of the case. Passes
/// through groups of devices, whose threads catch exceptions of the standard library.
struct SoakEnded : std::exception {
  const char* what() const noexcept override { return "the soak has ended"; }
};

/// Runs cases one after the other and reports those that fail.
class SoakRun {
 public:
  SoakRun(const SoakOptions& options, const SoakDevices& devices)
      : options_(options), devices_(devices), folder_(make_folder(options)) {}

  /// Runs one case and keeps its files if it fails.
  void run(uint64_t seed) {
    const fs::path folder = folder_ / fmt::format("case-{}", seed);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    fs::create_directories(folder);
    ++cases_;
    try {
      run_soak_case(seed, folder, devices_);
    } catch (const SoakEnded&) {
      --cases_;
    } catch (const std::exception& error) {
      return report(seed, folder, error.what());
    }
    fs::remove_all(folder, ignored);
    if (memory_.has_grown(resident_bytes())) report(seed, folder, memory_.text());
  }

  bool has_failed_often() const {
    constexpr uint64_t kEnough = 10;
    return wrong_ >= kEnough;
  }
  uint64_t cases() const { return cases_; }

  /// Prints the outcome and removes the folder if nothing is kept. Returns the exit code.
  int finish(double seconds) const {
    std::error_code ignored;
    if (options_.folder.empty() && wrong_ == 0) fs::remove_all(folder_, ignored);
    if (!options_.quiet || wrong_ > 0)
      fmt::print("{} cases in {}, seed {}: {}; {}\n", cases_, duration_text(seconds),
                 options_.only.value_or(options_.seed),
                 wrong_ == 0 ? "all right" : fmt::format("{} WRONG", wrong_), memory_.text());
    return wrong_ == 0 ? 0 : kExitFailure;
  }

 private:
  /// Creates the folder for the files of the case in progress. A crash leaves them there.
  static fs::path make_folder(const SoakOptions& options) {
    fs::path folder = options.folder;
    if (folder.empty())
      folder = fs::temp_directory_path() / fmt::format("winnow-soak-{}", ::getpid());
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure)
      throw Error(fmt::format("{}: cannot be created: {}", folder.string(), failure.message()));
    return folder;
  }

  void report(uint64_t seed, const fs::path& folder, const std::string& what) {
    ++wrong_;
    print_message(fmt::format("wrong: case {}: {}", seed, what));
    print_message(fmt::format("  its files are in {}; repeat it: winnow_soak --case {}",
                              folder.string(), seed));
  }

  const SoakOptions& options_;
  const SoakDevices& devices_;
  fs::path folder_;
  MemoryGrowth memory_;
  uint64_t cases_ = 0, wrong_ = 0;
};

/// Prints every ten seconds which case runs, which leads to a case that crashes or hangs.
class SoakProgress {
 public:
  explicit SoakProgress(bool quiet) : printer_(progress_style(quiet)) {}

  void update(double seconds, uint64_t cases, uint64_t seed) {
    constexpr double kInterval = 10.0;  // s
    if (seconds < next_) return;
    next_ = seconds + kInterval;
    printer_.print(fmt::format("{} cases in {}, now {}", cases, duration_text(seconds), seed));
  }

 private:
  ProgressPrinter printer_;
  double next_ = 10.0;
};

}  // namespace

int soak(const SoakOptions& options, const SoakDevices& devices) {
  const double start = steady_seconds();
  auto elapsed = [&] { return steady_seconds() - start; };
  if (options.only) {
    SoakRun run(options, devices);
    run.run(*options.only);
    return run.finish(elapsed());
  }
  const Interrupt interrupt;
  // A case makes many renders. Only the first case goes on after the end.
  bool may_end = false;
  auto ending = [&](const MakeRenderer& make) -> MakeRenderer {
    if (!make) return make;
    return [&, make](const HostScene& scene, const RenderSettings& settings) {
      if (may_end && (elapsed() >= options.seconds || interrupt.requested())) throw SoakEnded{};
      return make(scene, settings);
    };
  };
  const SoakDevices ending_devices{ending(devices.make), devices.is_on_gpu, devices.has_optix,
                                   ending(devices.cpu)};
  SoakRun run(options, ending_devices);
  SoakProgress progress(options.quiet);
  Draw seeds(options.seed);
  while (run.cases() < options.cases && elapsed() < options.seconds && !run.has_failed_often() &&
         !interrupt.requested()) {
    const uint64_t seed = seeds.next();
    progress.update(elapsed(), run.cases(), seed);
    run.run(seed);
    may_end = true;
  }
  return run.finish(elapsed());
}

}  // namespace winnow
