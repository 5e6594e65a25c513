// SPDX-License-Identifier: MIT
#include "app/render/render_passes.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "app/render/live_view.h"
#include "wavefront/state/wave.h"

namespace winnow {
namespace {

constexpr std::chrono::milliseconds kTick(50);
/// Maximum share of the time spent on checkpoints.
constexpr double kMaxCheckpointShare = 0.01;
/// Maximum share of the time spent on checkpoints if the user set the interval.
constexpr double kMaxShareOfShortIntervals = 0.5;
/// Duration of a pass while a display shows the film between passes, s.
constexpr double kShownPassSeconds = 0.8;
/// Passes with fewer samples per pixel may take up to kMaxShownPassSeconds. On a CPU, which
/// processes few pixels at a time, passes of 1 sample cost 3.5 % and those of 2 samples 1 % more
/// than those of 4 to 18.
constexpr uint32_t kShownPassSamples = 4;
constexpr double kMaxShownPassSeconds = 2.0;
/// Longest time until a move of the camera is noticed.
constexpr std::chrono::milliseconds kViewerTick(5);
/// Share of the checkpoint interval by which a pass may delay a checkpoint. A longer pass is ended.
constexpr double kMaxDelay = 0.1;

class Passes {
 public:
  Passes(Renderer& renderer, const RenderGoal& goal, const StopRequest& interrupt,
         ProgressPrinter& printer, PassPlan& plan, const SecondsClock& clock)
      : renderer_(renderer),
        goal_(goal),
        interrupt_(interrupt),
        printer_(printer),
        plan_(plan),
        processes_(plan.processes ? *plan.processes : *alone_),
        clock_(clock),
        start_(clock()) {
    if (plan_.checkpoint && processes_.is_first())
      checkpoint_due_ = start_ + plan_.checkpoint_interval;
  }

  double run() {
    {
      std::jthread ticker([this](std::stop_token finished) { watch(finished); });
      do render();
      while (plan_.view && begin_again());
    }
    printer_.finish();
    return plan_.view ? seconds_of_film_ : seconds();
  }

 private:
  double seconds() const { return clock_() - start_; }
  bool stopped() const { return late_ || interrupt_.requested(); }
  bool any_stopped() { return any(processes_, stopped()) || camera_waits(); }
  bool camera_waits() const { return plan_.view && plan_.view->camera_waits(); }

  /// Runs on the second thread: ends passes and prints progress.
  void watch(const std::stop_token& finished) {
    std::mutex mutex;
    std::condition_variable_any tick;
    std::unique_lock lock(mutex);
    const auto pause = plan_.view ? kViewerTick : kTick;
    while (!tick.wait_for(lock, finished, pause, [&] { return finished.stop_requested(); })) {
      if (is_resting_) continue;
      std::unique_lock flags(pause_mutex_);
      const double now = seconds();
      if (goal_.time_limit && now >= *goal_.time_limit && every_pixel_has_a_sample_) late_ = true;
      if (now + start_ >= checkpoint_due_ + kMaxDelay * plan_.checkpoint_interval)
        paused_ = control_.stop = true;
      if (stopped() || camera_waits()) control_.stop = true;
      flags.unlock();
      printer_.update(progress_at(now));
    }
  }

  RenderProgress progress_at(double now) const {
    RenderProgress progress;
    const double goal_paths = double(goal_.pixel_count) * goal_.spp;
    const uint64_t rendered = control_.paths_done;
    progress.seconds = now;
    progress.spp_done = double(plan_.paths + rendered) / double(goal_.pixel_count);
    progress.fraction = progress.spp_done / goal_.spp;
    progress.fraction_at_start = std::min(double(plan_.paths) / goal_paths, 1.0);
    if (goal_.time_limit && now / *goal_.time_limit > progress.fraction) {
      progress.fraction = now / *goal_.time_limit;
      progress.fraction_at_start = 0.0;
    }
    progress.fraction = std::min(progress.fraction, 1.0);
    progress.spp_goal = goal_.spp == kUnlimitedSpp ? 0 : goal_.spp;
    progress.samples_per_second = now > 0.0 ? double(rendered) / now : 0.0;
    return progress;
  }

  void render() {
    if (!choose_first_pixels()) return;
    if (!plan_.samples.empty()) level(std::exchange(plan_.samples, {}));
    const uint32_t first = done_;
    every_pixel_has_a_sample_ = done_ > 0;
    if (any_stopped()) return;
    while (done_ < goal_.spp) {
      if (goal_.noise && done_ > plan_.noise.judged && done_ == next_judgement(done_ - 1) &&
          !judge())
        return;
      uint32_t size =
          std::min(pass_size(done_ - first, goal_, renderer_.pass_paths()), goal_.spp - done_);
      const bool knows_speed = done_ > first;
      if (!knows_speed && (goal_.time_limit || plan_.view)) size = 1;
      if (goal_.time_limit && knows_speed)
        size = fitting_size(size, done_ - first, seconds(), *goal_.time_limit);
      if (plan_.view && knows_speed) size = shown_size(size, done_ - first, seconds());
      if (goal_.noise) size = std::min(size, next_judgement(done_) - done_);
      size = value_of_first(processes_, size);
      if (size == 0) return;
      renderer_.render_samples(done_, size, control_);
      if (any_stopped()) return;
      done_ += size;
      if (save_if_due()) {
        level(renderer_.sample_counts());
        if (any_stopped()) return;  // the film may be incomplete: no error estimate
      }
      every_pixel_has_a_sample_ = done_ > 0;
      if (plan_.view) plan_.view->after_pass(progress_at(seconds()));
    }
  }

  /// Shows the finished film as long as it is watched. Returns true if the camera moves, or moved
  /// before the film was finished; the film is then empty again.
  bool begin_again() {
    seconds_of_film_ = seconds();
    is_resting_ = true;
    while (!camera_waits() || interrupt_.requested()) {
      plan_.view->finish(progress_at(seconds_of_film_));
      if (interrupt_.requested() || !plan_.view->is_watched()) return false;
      plan_.view->rest(progress_at(seconds_of_film_));
      std::this_thread::sleep_for(kViewerTick);
    }
    const std::scoped_lock flags(pause_mutex_);
    plan_.view->move_camera();
    plan_.noise = {};
    pixels_.clear();
    done_ = 0;
    start_ = clock_();
    control_.paths_done = 0;
    control_.stop = late_ = every_pixel_has_a_sample_ = is_resting_ = false;
    return true;
  }

  /// Restricts the render to the tiles of the plan. Returns false if there are none.
  bool choose_first_pixels() {
    FilmTiles tiles = plan_.tiles;
    if (goal_.noise && !plan_.noise.active.empty()) tiles.present = plan_.noise.active;
    if (tiles.is_whole()) return true;  // also if no tiles are given
    pixels_ = pixels_in_blocks(tiles);
    if (!pixels_.empty()) renderer_.choose_pixels(pixels_);
    return !pixels_.empty();
  }

  /// Chooses the pixels that still need samples with --noise. Returns false if there are none.
  bool judge() {
    const RenderSettings& settings = renderer_.settings();
    FilmTiles active = make_film_tiles(settings.width, settings.height, false);
    renderer_.at_film([&] {
      const HostFilm film = read_arrays(RendererFilm(renderer_), noise_arrays());
      for (const uint32_t pixel : noisy_pixels(film, done_, *goal_.noise))
        active.present[active.tile_of(pixel)] = 1;
    });
    active.present = values_of_first(processes_, std::move(active.present));
    pixels_ = pixels_in_blocks(active);
    plan_.noise = {done_, std::move(active.present)};
    if (!pixels_.empty()) renderer_.choose_pixels(pixels_);
    return !pixels_.empty();
  }

  struct Save {
    bool is_due = false;
    bool paused = false;  ///< the last pass was ended to save
  };
  Save next_save() {
    const std::scoped_lock both(pause_mutex_);
    const bool paused = std::exchange(paused_, false);
    if (paused) control_.stop = false;
    if (!paused && clock_() < checkpoint_due_) return {};
    checkpoint_due_ = std::numeric_limits<double>::infinity();
    return {true, paused};
  }

  /// Saves the film if a checkpoint is due. Returns true if the last pass was ended for it.
  bool save_if_due() {
    if (!plan_.checkpoint) return false;
    const auto [is_due, paused] = value_of_first(processes_, next_save());
    if (!is_due) return false;
    const double before = clock_();
    plan_.checkpoint(plan_.noise, seconds());
    const double after = clock_();
    const double share = plan_.keeps_interval ? kMaxShareOfShortIntervals : kMaxCheckpointShare;
    const double least = (after - before) * (1.0 / share - 1.0);
    if (processes_.is_first()) checkpoint_due_ = after + std::max(plan_.checkpoint_interval, least);
    return paused;
  }

  /// Renders until each chosen pixel has as many samples as the one with the most.
  ///
  /// @param counts  [pixel of the film], samples so far
  void level(std::vector<uint32_t> counts) {
    for (bool paused = true; paused;) {
      paused = false;
      done_ = most_samples(counts);
      const std::map<uint32_t, std::vector<uint32_t>> lacking = lacking_pixels(counts);
      for (auto group = lacking.begin(); group != lacking.end() && !paused; ++group) {
        renderer_.choose_pixels(group->second);
        renderer_.render_samples(group->first, done_ - group->first, control_);
        if (any_stopped()) return;
        paused = save_if_due();
      }
      if (paused) counts = renderer_.sample_counts();
      if (!lacking.empty()) renderer_.choose_pixels(pixels_);
    }
  }

  /// Returns the largest number of samples of a chosen pixel.
  uint32_t most_samples(const std::vector<uint32_t>& counts) const {
    uint32_t most = 0;
    if (pixels_.empty() && !counts.empty()) most = std::ranges::max(counts);
    for (const uint32_t pixel : pixels_) most = std::max(most, counts[pixel]);
    return most;
  }

  /// Returns the chosen pixels with fewer than `done_` samples by their number of samples, in the
  /// order of waves.
  std::map<uint32_t, std::vector<uint32_t>> lacking_pixels(
      const std::vector<uint32_t>& counts) const {
    std::map<uint32_t, std::vector<uint32_t>> lacking;
    auto is_lacking = [&](uint32_t count) { return count < done_; };
    auto add = [&](uint32_t pixel) {
      if (is_lacking(counts[pixel])) lacking[counts[pixel]].push_back(pixel);
    };
    const Wave order{.width = plan_.tiles.width, .height = plan_.tiles.height};
    std::ranges::for_each(pixels_, add);
    if (pixels_.empty() && std::ranges::any_of(counts, is_lacking))
      for (uint32_t i = 0; i < counts.size(); ++i) add(order.pixel_at(i));
    return lacking;
  }

  Renderer& renderer_;
  const RenderGoal& goal_;
  const StopRequest& interrupt_;
  ProgressPrinter& printer_;
  PassPlan& plan_;
  const std::unique_ptr<Processes> alone_ = make_single_process();
  Processes& processes_;
  const SecondsClock& clock_;
  std::atomic<double> start_;
  double seconds_of_film_ = 0.0;

  std::vector<uint32_t> pixels_;  ///< chosen pixels; empty: all
  uint32_t done_ = 0;             ///< samples of each chosen pixel

  RenderControl control_;
  std::atomic<bool> every_pixel_has_a_sample_{false};
  std::atomic<bool> late_{false};        ///< past the time limit
  std::atomic<bool> is_resting_{false};  ///< the film is done; viewers may go on
  std::mutex pause_mutex_;  ///< held while `paused_` or `late_` change with `control_.stop`
  bool paused_ = false;     ///< the pass was ended to save the film
  std::atomic<double> checkpoint_due_{std::numeric_limits<double>::infinity()};  ///< by `clock_`
};

}  // namespace

uint32_t pass_size(uint32_t first, const RenderGoal& goal, PassPaths paths) {
  const uint64_t least =
      std::max({paths.least / goal.pixel_count, uint64_t(first), uint64_t(goal.least_pass)});
  const uint64_t most = std::max<uint64_t>(paths.most / goal.pixel_count, 1);
  return uint32_t(std::min({least, most, uint64_t(goal.spp - first)}));
}

uint32_t fitting_size(uint32_t size, uint32_t samples_done, double seconds, double time_limit) {
  double fitting = (time_limit - seconds) / (seconds / samples_done);
  return fitting < size ? uint32_t(std::max(fitting, 0.0)) : size;
}

uint32_t shown_size(uint32_t size, uint32_t samples_done, double seconds) {
  auto fitting = [&](uint32_t samples, double pass_seconds) {
    return fitting_size(samples, samples_done, seconds, seconds + pass_seconds);
  };
  const uint32_t full = fitting(std::min(size, kShownPassSamples), kMaxShownPassSeconds);
  return std::min(size, std::max({fitting(size, kShownPassSeconds), full, 1u}));
}

double render_passes(Renderer& renderer, const RenderGoal& goal, const StopRequest& interrupt,
                     ProgressPrinter& printer, PassPlan& plan, const SecondsClock& clock) {
  return Passes(renderer, goal, interrupt, printer, plan, clock).run();
}

}  // namespace winnow
