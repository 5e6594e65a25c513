// SPDX-License-Identifier: MIT
#include "app/render/live_view.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "app/render/aov_pictures.h"
#include "film/film_source.h"

namespace winnow {
namespace {

constexpr double kMaxShownShare = 0.01;  // of the time
constexpr double kMinFrameSeconds = 0.04;
/// Frames that do not wait for their share of the time: of 1, 2, 4, ... samples.
constexpr uint32_t kFreeFrames = 5;
/// Longest wait for the time that the free frames took to be made up for.
constexpr double kMaxWaitSeconds = 2.0;

}  // namespace

std::vector<Picture> pictures_of(const FilmFeatures& features) {
  std::vector<Picture> pictures = {{"radiance",
                                    {FilmArray::kSum, FilmArray::kSamples},
                                    [](const HostFilm& film) { return mean_radiance(film); }}};
  const std::vector<FilmArray> recorded = arrays_of(features);
  for (size_t i = 0; i < enum_names<Aov>().size(); ++i) {
    const Aov aov = Aov(i);
    const std::vector<FilmArray> arrays = aov_arrays(aov);
    if (std::ranges::all_of(arrays, [&](FilmArray array) {
          return std::ranges::find(recorded, array) != recorded.end();
        }))
      pictures.push_back({enum_name(aov), arrays, [aov](const HostFilm& film) {
                            return aov_colors(aov, aov_image(aov, film), film);
                          }});
  }
  return pictures;
}

void LiveView::after_pass(const RenderProgress& progress) {
  if (display_.take_save()) save(progress.seconds);
  if (is_due()) show(progress, false);
}

void LiveView::finish(const RenderProgress& progress) {
  const bool is_shown = frame_ && frame_->is_final;
  if (!is_shown || lacks(display_.wanted_arrays())) show(progress, true);
}

void LiveView::rest(const RenderProgress& progress) {
  finish(progress);
  if (display_.take_save() || !is_saved_) save(progress.seconds);
  is_saved_ = true;
}

void LiveView::move_camera() {
  const std::optional<CameraDescription> camera = display_.take_camera();
  if (!camera) return;
  camera_ = *camera;
  renderer_.set_camera(camera_);
  frame_ = nullptr;
  frame_count_ = 0;
  cost_ = 0.0;
  due_ = 0.0;
  is_saved_ = false;
  ++view_;
}

/// Whether enough time has passed, or a viewer waits for arrays that it has not got.
bool LiveView::is_due() const {
  return clock_() >= due_ || (frame_ && lacks(display_.wanted_arrays()));
}

bool LiveView::lacks(const std::vector<FilmArray>& arrays) const {
  return !arrays.empty() && (!frame_ || std::ranges::any_of(arrays, [&](FilmArray array) {
    return std::ranges::find(frame_->arrays, array) == frame_->arrays.end();
  }));
}

void LiveView::show(const RenderProgress& progress, bool is_final) {
  const double start = clock_(), busy = display_.busy_seconds();
  auto frame = std::make_shared<DisplayFrame>();
  frame->arrays = display_.wanted_arrays();
  if (frame->arrays.empty()) return;
  frame->film = read_arrays(RendererFilm(renderer_), frame->arrays);
  frame->progress = progress;
  frame->stats = renderer_.stats();
  frame->camera = camera_;
  frame->view = view_;
  frame->is_final = is_final;
  frame_ = frame;
  display_.show(std::move(frame));
  ++frame_count_;

  // Of what the display did since the last frame, the render loses a part of one thread.
  const double threads = std::max(1u, std::thread::hardware_concurrency());
  const double cost = clock_() - start + (busy - busy_before_) / threads;
  busy_before_ = busy;
  if (frame_count_ == 1) begin_ = start;
  cost_ += cost;
  double wait = kMinFrameSeconds;
  if (frame_count_ >= kFreeFrames) {
    const double until_all_is_paid = begin_ + cost_ / kMaxShownShare - start;
    wait = std::max({wait, cost / kMaxShownShare, std::min(until_all_is_paid, kMaxWaitSeconds)});
  }
  due_ = start + wait;
}

/// The render goes on even if that fails.
void LiveView::save(double seconds) try {
  display_.say(save_(seconds));
} catch (const std::exception& failure) {
  display_.say(failure.what());
}

}  // namespace winnow
