// SPDX-License-Identifier: MIT
#include "app/render/live_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <thread>
#include <utility>

#include "app/render/aov.h"
#include "film/film_source.h"
#include "load/load_scene.h"
#include "scene/scene_bounds.h"

namespace winnow {

namespace {

/// Maximum share of the time spent on frames. Uncounted costs, such as cache misses, may add a
/// quarter.
constexpr double kMaxShownShare = 0.008;
constexpr double kFirstSeconds = 7.2;  // first seconds of a film, in which frames come sooner
constexpr double kMinFrameSeconds = 0.04;
/// A frame waits for its memory if passes are shorter than the preparation may take.
constexpr double kShortPassSeconds = 0.1;

/// Returns the seconds of a film after which its next frame may be shown.
///
/// @param cost       s spent on its frames so far
/// @param next_cost  s expected for the next one
double seconds_until_next(double cost, double next_cost) {
  const double paid = (cost + next_cost) / kMaxShownShare;
  return paid < kFirstSeconds ? std::pow(cost / kMaxShownShare, 2.0) / kFirstSeconds : paid;
}

/// Returns the reason why viewers cannot move the camera: a film file contains a single view. Empty
/// if they can.
std::string why_camera_is_fixed(const RenderOptions& options) {
  auto fixed_by = [](const char* option) { return fmt::format("{} is of one view", option); };
  if (!options.checkpoint.empty()) return fixed_by("--checkpoint");
  if (!options.resume.empty()) return fixed_by("--resume");
  if (options.share) return fixed_by("--share");
  if (!films_of(options.outputs).empty()) return fixed_by("-o FILE.film");
  return "";
}

/// Memory of at most this size is allocated directly: starting a thread would take longer.
constexpr size_t kSmallFilmBytes = size_t(1) << 18;

/// Frames in use: the last one, the one before, and one that a slow viewer receives.
constexpr size_t kMaxSpareFrames = 2;

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

ShownRender shown_render(const RenderOptions& options, const HostScene& scene,
                         const Renderer& renderer) {
  const RenderSettings& settings = renderer.settings();
  const Exposure exposure =
      options.exposure.value_or(Exposure{.is_automatic = is_model(options.scene)});
  return {.scene = options.scene.string(),
          .device = renderer.device_name(),
          .width = settings.width,
          .height = settings.height,
          .pictures = pictures_of(settings.film_features()),
          .mapping = {.curve = options.tone_curve, .exposure = exposure.stops},
          .exposure_is_automatic = exposure.is_automatic,
          .camera = scene.camera,
          .bounds = scene_bounds(scene),
          .why_camera_is_fixed = why_camera_is_fixed(options)};
}

void LiveView::after_pass(const RenderProgress& progress) {
  if (display_.take_save()) save(progress.seconds);
  const double now = clock_(), pass_seconds = now - std::exchange(last_pass_, now);
  if (is_due(now) && !waits_for_memory(pass_seconds)) show(progress, false);
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

/// Returns whether enough time has passed, or a viewer waits for arrays that it has not received.
bool LiveView::is_due(double now) const {
  return now >= due_ || (frame_ && lacks(display_.wanted_arrays()));
}

/// Returns whether another thread prepares the memory of the next frame during the next pass.
bool LiveView::waits_for_memory(double pass_seconds) {
  const std::vector<FilmArray> arrays = display_.wanted_arrays();
  if (arrays.empty()) return false;
  memory_.prepare(RendererFilm(renderer_).shape(), arrays);
  return memory_.is_being_made() && pass_seconds < kShortPassSeconds;
}

bool LiveView::lacks(const std::vector<FilmArray>& arrays) const {
  return !arrays.empty() && (!frame_ || std::ranges::any_of(arrays, [&](FilmArray array) {
    return std::ranges::find(frame_->arrays, array) == frame_->arrays.end();
  }));
}

void LiveView::show(const RenderProgress& progress, bool is_final) {
  const double start = clock_();
  const std::vector<FilmArray> arrays = display_.wanted_arrays();
  if (arrays.empty()) return;
  std::shared_ptr<DisplayFrame> frame = memory_.take();
  frame->film = read_arrays(RendererFilm(renderer_), arrays, std::move(frame->film));
  frame->arrays = arrays;
  frame->progress = progress;
  frame->stats = renderer_.stats();
  frame->camera = camera_;
  frame->cost = cost_;
  frame->view = view_;
  frame->is_final = is_final;
  frame_ = frame;
  display_.show(std::move(frame));
  memory_.prepare(RendererFilm(renderer_).shape(), arrays);

  // The render loses a part of one thread to the work of other threads since the last frame.
  const double threads = std::max(1u, std::thread::hardware_concurrency());
  const double busy = display_.busy_seconds() + memory_.busy_seconds(), end = clock_();
  cost_ += end - start + (busy - busy_before_) / threads;
  busy_before_ = busy;
  if (++frame_count_ == 1) begin_ = start;
  const double next_cost = cost_ / frame_count_;
  due_ = std::max(start + kMinFrameSeconds, begin_ + seconds_until_next(cost_, next_cost));
  // Does not catch up on frames skipped while nobody was watching.
  if (start - begin_ > kFirstSeconds) due_ = std::max(due_, start + next_cost / kMaxShownShare);
}

/// Saves the images. The render continues even if that fails.
void LiveView::save(double seconds) try {
  display_.say(save_(seconds));
} catch (const std::exception& failure) {
  display_.say(failure.what());
}

void FrameMemory::Spare::put(std::unique_ptr<DisplayFrame> frame) {
  const std::scoped_lock lock(mutex);
  if (frames.size() < kMaxSpareFrames) frames.push_back(std::move(frame));
}

std::unique_ptr<DisplayFrame> FrameMemory::Spare::take() {
  const std::scoped_lock lock(mutex);
  if (frames.empty()) return nullptr;
  std::unique_ptr<DisplayFrame> frame = std::move(frames.back());
  frames.pop_back();
  return frame;
}

bool FrameMemory::is_being_made() const {
  return made_.valid() && made_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

void FrameMemory::prepare(const FilmShape& shape, const std::vector<FilmArray>& arrays) {
  if (is_being_made()) return;
  std::unique_ptr<DisplayFrame> frame = spare_->take();
  if (frame) return spare_->put(std::move(frame));
  auto make = [shape, arrays, spare = spare_] {
    auto made = std::make_unique<DisplayFrame>();
    resize_arrays(shape, arrays, made->film);  // writes zeros
    spare->put(std::move(made));
  };
  const size_t bytes = size_t(shape.width) * shape.height * film_bytes_per_pixel(shape.features);
  if (bytes < kSmallFilmBytes) return make();
  made_ = std::async(std::launch::async, [make, spare = spare_] { spare->busy.count(make); });
}

std::shared_ptr<DisplayFrame> FrameMemory::take() {
  if (made_.valid()) made_.get();
  std::unique_ptr<DisplayFrame> frame = spare_->take();
  if (!frame) frame = std::make_unique<DisplayFrame>();
  return {frame.release(), [spare = spare_](DisplayFrame* last) {
            spare->put(std::unique_ptr<DisplayFrame>(last));
          }};
}

}  // namespace winnow
