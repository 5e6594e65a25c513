// SPDX-License-Identifier: MIT
#include "app/render/render_sequence.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>
#include <system_error>
#include <utility>

#include "app/cli/console.h"
#include "base/files.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Returns the images that are written for a frame.
std::vector<fs::path> files_of(const RenderOptions& of_frame) {
  std::vector<fs::path> files = of_frame.outputs;
  if (of_frame.aovs.guides)
    for (const fs::path& output : of_frame.outputs) files.push_back(clean_name(output));
  for (const AovOutput& aov : of_frame.aovs.pictures) files.push_back(aov.file);
  return files;
}

/// Prints which frames are complete after an interrupt.
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
      replace_file(options.stats, [&](std::ostream& stream) { stream << stats_json(reports); });
    return exit_code;
  };
  for (size_t i = 0; i < frames.size(); ++i) {
    setup.printer.begin_image(uint32_t(i), uint32_t(frames.size()));
    RenderReport report = first;
    if (i > 0) report.load_seconds = report.build_seconds = 0.0;
    timed(report.build_seconds, [&] { setup.renderer.set_camera(frames[i].camera); });
    PassPlan of_image = plan;
    const double seconds = render_image(setup, goal, of_image, {}, report);
    if (report.interrupted) {
      print_interrupted_sequence(options, frames, i);
      return finish(kExitInterrupted);
    }
    const RenderOptions of_frame = options_of_frame(options, frames[i].number);
    report.frame = {frames[i], files_of(of_frame)};
    finish_image(setup, of_frame, goal, of_image, seconds, report);
    // All images have the same exposure.
    if (i == 0) options.exposure = Exposure{.is_automatic = false, .stops = report.exposure.stops};
    reports.push_back(std::move(report));
  }
  return finish(0);
}

}  // namespace winnow
