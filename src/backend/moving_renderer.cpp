// SPDX-License-Identifier: MIT
#include "backend/moving_renderer.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "backend/collect_results.h"
#include "scene/camera_motion.h"

namespace winnow {
namespace {

/// The film of a renderer that could not be replaced, to be read.
class FilmAlone : public Renderer {
 public:
  explicit FilmAlone(const Renderer& renderer)
      : settings_(renderer.settings()),
        bvh_(renderer.bvh()),
        device_name_(renderer.device_name()) {}

  void render_samples(uint32_t, uint32_t, RenderControl&) override {}
  void choose_pixels(const std::vector<uint32_t>&) override {}
  const RenderSettings& settings() const override { return settings_; }
  void read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) override {
    const FilmField from = fields_of(settings_.film_features(), view_of(film_))[field];
    pack_pixels(from.data, tiles, from.bytes_per_pixel, packed);
  }
  void write_pixels(size_t, const FilmTiles&, const std::byte*) override {}
  void continue_from(HostFilm film) override { film_ = std::move(film); }
  RenderStats stats() override { return {}; }
  void restart(const RenderSettings& settings) override { settings_ = settings; }
  std::vector<AliveMask> alive_masks() override { return {}; }
  BvhReport bvh() const override { return bvh_; }
  std::string device_name() const override { return device_name_; }
  void set_camera(const CameraDescription&) override {}

 private:
  RenderSettings settings_;
  BvhReport bvh_;
  std::string device_name_;
  HostFilm film_;
};

}  // namespace

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

CameraDescription camera_during(const CameraDescription& camera, const TimeSlices& slices,
                                uint32_t slice) {
  if (camera.motion.empty() || slices.count == 1) return camera;
  constexpr uint32_t kSteps = 8;
  CameraDescription during = camera;
  during.motion.clear();
  for (uint32_t step = 0; step <= kSteps; ++step)
    during.motion.push_back(pose_at({camera.motion.data(), camera.motion.size()},
                                    float(slice * kSteps + step) / float(slices.count * kSteps)));
  return during;
}

MovingRenderer::MovingRenderer(SceneAt scene_at, CameraDescription camera, Make make,
                               const TimeSlices& slices, const RenderSettings& settings)
    : slices_(slices),
      scene_at_(std::move(scene_at)),
      camera_(std::move(camera)),
      make_(std::move(make)),
      slice_(slices_.of(0)),
      scene_(read_scene(slice_)),
      renderer_(make_(*scene_, of_slice(settings))) {}

/// Waves need no more memory than the samples of a slice take.
RenderSettings MovingRenderer::of_slice(RenderSettings settings) const {
  settings.expected_spp = std::min(settings.expected_spp, slices_.samples);
  return settings;
}

std::unique_ptr<const HostScene> MovingRenderer::read_scene(uint32_t slice) const {
  auto scene = std::make_unique<HostScene>(scene_at_(slices_.middle(slice)));
  scene->camera = camera_during(camera_, slices_, slice);
  return scene;
}

/// Reads the scene of a slice and prepares it for the renderer.
MovingRenderer::SliceScene MovingRenderer::prepare(uint32_t slice) const {
  SliceScene next{read_scene(slice), nullptr};
  try {
    next.prepared = renderer_->prepare_scene(*next.scene);
  } catch (const Error&) {  // two scenes do not fit into memory, but one may
  } catch (const std::bad_alloc&) {
  }
  return next;
}

void MovingRenderer::render_samples(uint32_t first, uint32_t count, RenderControl& control) {
  const uint32_t end = first + count;
  while (first < end && !control.stop) {
    const uint32_t in_slice = std::min(end - first, slices_.samples - first % slices_.samples);
    go_to(slices_.of(first));
    // While this slice is rendered, the scene of the next one is read and prepared.
    if (in_slice < end - first && !next_.valid()) {
      next_slice_ = slices_.of(first + slices_.samples);
      next_ = std::async(std::launch::async, [this] { return prepare(next_slice_); });
    }
    renderer_->render_samples(first, in_slice, control);
    first += in_slice;
  }
}

/// Returns the scene of a slice, which may be there already.
MovingRenderer::SliceScene MovingRenderer::next_scene(uint32_t slice) {
  if (next_.valid())
    if (SliceScene next = next_.get(); next_slice_ == slice) return next;
  return prepare(slice);
}

void MovingRenderer::go_to(uint32_t slice) {
  if (slice == slice_ && !is_outdated_) return;
  try {
    replace_scene(slice);
  } catch (const std::bad_alloc&) {
    throw SliceError("the scene of a time slice does not fit into memory");
  } catch (const Error& error) {
    throw SliceError(error.what());
  }
}

/// Replaces the scene and keeps the film so far.
void MovingRenderer::replace_scene(uint32_t slice) {
  auto [scene, prepared] = next_scene(slice);
  stats_ = stats();
  device_stats_ = device_stats();
  masks_ = alive_masks();
  auto alone = std::make_unique<FilmAlone>(*renderer_);
  slice_ = slice;
  is_outdated_ = false;
  HostFilm film;
  try {
    if (prepared) {
      renderer_->set_scene(std::move(prepared));
      scene_ = std::move(scene);
      return;
    }
    film = renderer_->host_film();
    const RenderSettings settings = renderer_->settings();
    renderer_.reset();
    scene_ = std::move(scene);
    renderer_ = make_(*scene_, settings);
  } catch (...) {
    is_outdated_ = true;
    if (renderer_) film = renderer_->host_film();
    alone->continue_from(std::move(film));
    renderer_ = std::move(alone);
    throw;
  }
  renderer_->continue_from(std::move(film));
  if (!pixels_.empty()) renderer_->choose_pixels(pixels_);
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

/// Discards what was rendered, and the scene that is being prepared.
void MovingRenderer::begin() {
  if (next_.valid()) next_.wait();
  next_ = {};
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
  renderer_->set_camera(camera_during(camera, slices_, slice_));
}

void MovingRenderer::set_scenes(SceneAt scene_at) {
  begin();
  scene_at_ = std::move(scene_at);
  is_outdated_ = true;
}

}  // namespace winnow
