// SPDX-License-Identifier: MIT
#include "app/render/render_passes.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "app/render/noise.h"

namespace winnow {
namespace {

constexpr uint64_t kMaxPassPaths = uint64_t(1) << 24;
constexpr std::chrono::milliseconds kTick(50);

RenderProgress progress_at(double seconds, uint64_t paths_done, const RenderGoal& goal) {
  RenderProgress progress;
  progress.seconds = seconds;
  progress.spp_done = double(paths_done) / double(goal.pixel_count);
  progress.fraction = progress.spp_done / goal.spp;
  if (goal.time_limit) progress.fraction = std::max(progress.fraction, seconds / *goal.time_limit);
  progress.fraction = std::min(progress.fraction, 1.0);
  progress.spp_goal = goal.spp == kUnlimitedSpp ? 0 : goal.spp;
  progress.samples_per_second = seconds > 0.0 ? double(paths_done) / seconds : 0.0;
  return progress;
}

}  // namespace

uint32_t pass_size(uint32_t first, const RenderGoal& goal) {
  uint64_t cap = std::max<uint64_t>(kMaxPassPaths / goal.pixel_count, 1);
  return uint32_t(std::min({std::max<uint64_t>(first, 1), cap, uint64_t(goal.spp - first)}));
}

uint32_t fitting_size(uint32_t size, uint32_t samples_done, double seconds, double time_limit) {
  double fitting = (time_limit - seconds) / (seconds / samples_done);
  return fitting < size ? uint32_t(std::max(fitting, 0.0)) : size;
}

double render_passes(Renderer& renderer, const RenderGoal& goal, const Interrupt& interrupt,
                     ProgressPrinter& printer, const SecondsClock& clock) {
  RenderControl control;
  std::atomic<bool> every_pixel_has_a_sample{false};
  const double start = clock();

  {
    std::jthread ticker([&](std::stop_token finished) {
      std::mutex mutex;
      std::condition_variable_any tick;
      std::unique_lock lock(mutex);
      while (!tick.wait_for(lock, finished, kTick, [&] { return finished.stop_requested(); })) {
        double seconds = clock() - start;
        bool late = goal.time_limit && seconds >= *goal.time_limit && every_pixel_has_a_sample;
        if (late || interrupt.requested()) control.stop = true;
        printer.update(progress_at(seconds, control.paths_done, goal));
      }
    });

    for (uint32_t done = 0; done < goal.spp && !control.stop && !interrupt.requested();) {
      uint32_t size = pass_size(done, goal);
      if (goal.time_limit && done > 0)
        size = fitting_size(size, done, clock() - start, *goal.time_limit);
      if (goal.noise) size = std::min(size, next_judgement(done) - done);
      if (size == 0) break;
      renderer.render_samples(done, size, control);
      every_pixel_has_a_sample = true;
      done += size;
      if (goal.noise && done < goal.spp && done == next_judgement(done - 1) && !control.stop) {
        const std::vector<uint32_t> noisy = noisy_pixels(renderer.host_film(), done, *goal.noise);
        if (noisy.empty()) break;
        renderer.choose_pixels(noisy);
      }
    }
  }
  printer.finish();
  return clock() - start;
}

}  // namespace winnow
