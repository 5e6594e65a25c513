// SPDX-License-Identifier: MIT
#include "backend/moving_renderer.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "backend/collect_results.h"

namespace winnow {

TimeSlices TimeSlices::for_samples(uint32_t spp) {
  constexpr TimeSlices kUnknown{.count = 64, .samples = 4};
  if (spp == 0) return kUnknown;
  const uint32_t least = (spp + kMost - 1) / kMost;
  for (uint32_t samples = least; samples < 2 * least; ++samples)
    if (spp % samples == 0) return {.count = spp / samples, .samples = samples};
  return {.count = spp / least, .samples = least};
}

uint32_t TimeSlices::of(uint32_t sample) const {
  // Numbers with reversed digits, without those that are too large.
  const uint32_t size = std::bit_ceil(count);
  uint32_t left = sample / samples % count;
  for (uint32_t number = 0;; ++number) {
    uint32_t slice = 0;
    for (uint32_t bit = 1; bit < size; bit *= 2) slice = slice * 2 + ((number & bit) != 0);
    if (slice < count && left-- == 0) return slice;
  }
}

MovingRenderer::MovingRenderer(SceneOf scene_of, Make make, const RenderSettings& settings)
    : slices_(TimeSlices::for_samples(settings.sobol_spp)),
      scene_of_(std::move(scene_of)),
      make_(std::move(make)),
      slice_(slices_.of(0)),
      scene_(std::make_unique<const HostScene>(scene_of_(slices_, slice_))),
      renderer_(make_(*scene_, of_slice(settings))) {}

/// Waves need no more memory than the samples of a slice take.
RenderSettings MovingRenderer::of_slice(RenderSettings settings) const {
  if (settings.expected_spp > 0) settings.expected_spp = slices_.samples;
  return settings;
}

void MovingRenderer::render_samples(uint32_t first, uint32_t count, RenderControl& control) {
  const uint32_t end = first + count;
  while (first < end && !control.stop) {
    const uint32_t in_slice = std::min(end - first, slices_.samples - first % slices_.samples);
    go_to(slices_.of(first));
    // While this slice is rendered, the scene of the next one is read.
    const uint32_t next = slices_.of(first + slices_.samples);
    if (in_slice < end - first && !next_.valid()) {
      next_slice_ = next;
      next_ = std::async(std::launch::async, scene_of_, slices_, next);
    }
    renderer_->render_samples(first, in_slice, control);
    first += in_slice;
  }
}

/// Returns the scene of a slice, which may have been read already.
HostScene MovingRenderer::read_scene(uint32_t slice) {
  if (!next_.valid()) return scene_of_(slices_, slice);
  HostScene next = next_.get();
  return next_slice_ == slice ? std::move(next) : scene_of_(slices_, slice);
}

/// Replaces the scene and puts the film so far onto the film of its renderer.
void MovingRenderer::go_to(uint32_t slice) {
  if (slice == slice_) return;
  HostScene scene = read_scene(slice);
  const RenderSettings settings = renderer_->settings();
  HostFilm film = renderer_->host_film();
  stats_ = stats();
  device_stats_ = device_stats();
  masks_ = alive_masks();
  renderer_.reset();
  if (camera_) scene.camera = *camera_;
  scene_ = std::make_unique<const HostScene>(std::move(scene));
  renderer_ = make_(*scene_, settings);
  renderer_->continue_from(std::move(film));
  if (!pixels_.empty()) renderer_->choose_pixels(pixels_);
  slice_ = slice;
}

void MovingRenderer::choose_pixels(const std::vector<uint32_t>& pixels) {
  pixels_ = pixels;
  renderer_->choose_pixels(pixels);
}

RenderStats MovingRenderer::stats() {
  if (stats_.bounces.empty()) return renderer_->stats();
  RenderStats sum = stats_;
  add_stats(sum, renderer_->stats());
  return sum;
}

std::vector<DeviceStats> MovingRenderer::device_stats() {
  std::vector<DeviceStats> sum = renderer_->device_stats();
  for (size_t i = 0; i < std::min(sum.size(), device_stats_.size()); ++i) {
    sum[i].paths += device_stats_[i].paths;
    sum[i].seconds += device_stats_[i].seconds;
  }
  return sum;
}

std::vector<AliveMask> MovingRenderer::alive_masks() {
  return masks_ ? *masks_ : renderer_->alive_masks();
}

/// Forgets what was rendered.
void MovingRenderer::begin() {
  pixels_.clear();
  stats_ = {};
  device_stats_.clear();
  masks_.reset();
}

void MovingRenderer::restart(const RenderSettings& settings) {
  begin();
  renderer_->restart(of_slice(settings));
}

void MovingRenderer::set_camera(const CameraDescription& camera) {
  begin();
  camera_ = camera;
  renderer_->set_camera(camera);
}

}  // namespace winnow
