// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "backend/renderer.h"
#include "base/error.h"

namespace winnow {

/// Division of the time in which a shutter is open into equal slices. All samples of a slice see
/// the scene of the middle of its time, so each scene is built once, and no ray needs a time.
/// Haeberli & Akeley, "The Accumulation Buffer", 1990.
struct TimeSlices {
  static constexpr uint32_t kMost = 128;

  uint32_t count = 1;    ///< at most kMost
  uint32_t samples = 1;  ///< consecutive samples in a slice

  /// Returns the slices for `spp` samples per pixel, each of as many samples if `spp` permits. For
  /// 0, an unknown number, each slice gets a few samples in turn.
  static TimeSlices for_samples(uint32_t spp);

  /// Returns the one slice of a picture of a moment.
  static TimeSlices of_moment() { return {.count = 1, .samples = ~0u}; }

  /// Returns the slice of a sample. The first slices are spread over the whole time.
  uint32_t of(uint32_t sample) const;

  /// Returns the middle of the time of a slice, from the opening (0) to the closing of the shutter
  /// (1).
  double middle(uint32_t slice) const { return (slice + 0.5) / count; }

  bool operator==(const TimeSlices&) const = default;
};

/// Returns a camera with the part of its motion during a slice.
CameraDescription camera_during(const CameraDescription& camera, const TimeSlices& slices,
                                uint32_t slice);

/// Thrown if a MovingRenderer cannot go on with another scene: it cannot be read, or there is not
/// enough memory for it. The film so far can still be read.
struct SliceError : Error {
  using Error::Error;
};

/// A scene that moves while the shutter is open, as one renderer: renders the scene of each time
/// slice in turn, and reads and prepares the next one meanwhile. Its bits are those of a renderer
/// for each slice, in any order of the samples.
class MovingRenderer : public Renderer {
 public:
  /// Returns the scene at a moment, from the opening (0) to the closing of the shutter (1). Called
  /// in another thread, one call at a time. The camera of the scene is not used.
  using SceneAt = std::function<HostScene(double moment)>;
  using Make =
      std::function<std::unique_ptr<Renderer>(const HostScene& scene, const RenderSettings&)>;

  /// @param camera  with its motion during the whole time of the shutter
  MovingRenderer(SceneAt scene_at, CameraDescription camera, Make make, const TimeSlices& slices,
                 const RenderSettings& settings);

  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override;
  PassPaths pass_paths() const override { return renderer_->pass_paths(); }
  void choose_pixels(const std::vector<uint32_t>& pixels) override;
  const RenderSettings& settings() const override { return renderer_->settings(); }
  void read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) override {
    renderer_->read_pixels(field, tiles, packed);
  }
  void write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) override {
    renderer_->write_pixels(field, tiles, packed);
  }
  std::optional<FilmOnDevice> film_on_device() override { return renderer_->film_on_device(); }
  RenderStats stats() override;
  std::vector<DeviceStats> device_stats() override;
  void restart(const RenderSettings& settings) override;
  std::vector<AliveMask> alive_masks() override;  ///< masks of the first slice
  BvhReport bvh() const override { return renderer_->bvh(); }
  std::string device_name() const override { return renderer_->device_name(); }
  void set_camera(const CameraDescription& camera) override;

  /// Replaces the scenes, for a film that begins again: before set_camera() or restart().
  void set_scenes(SceneAt scene_at);

 private:
  RenderSettings of_slice(RenderSettings settings) const;
  /// The scene of a slice.
  struct SliceScene {
    std::unique_ptr<const HostScene> scene;
    std::unique_ptr<PreparedScene> prepared;  ///< null: the scene needs a renderer of its own
  };

  std::unique_ptr<const HostScene> read_scene(uint32_t slice) const;
  SliceScene prepare(uint32_t slice) const;
  SliceScene next_scene(uint32_t slice);
  void go_to(uint32_t slice);
  void replace_scene(uint32_t slice);
  void begin();

  TimeSlices slices_;
  SceneAt scene_at_;
  CameraDescription camera_;
  Make make_;
  uint32_t slice_ = 0;
  bool is_outdated_ = false;  ///< `scene_` is of earlier scenes
  std::unique_ptr<const HostScene> scene_;
  std::unique_ptr<Renderer> renderer_;
  uint32_t next_slice_ = 0;
  std::future<SliceScene> next_;  ///< scene of `next_slice_`, if one is being prepared
  std::vector<uint32_t> pixels_;  ///< chosen pixels; empty: all
  // Results of earlier slices:
  RenderStats stats_;
  std::vector<DeviceStats> device_stats_;
  std::optional<std::vector<AliveMask>> masks_;
};

}  // namespace winnow
