// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/progress.h"
#include "app/display/display_request.h"
#include "film/film.h"
#include "image/tone_mapping.h"
#include "math/bounds.h"
#include "scene/host_scene.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

/// An image that is made of the film: the radiance, or an AOV in colours.
struct Picture {
  std::string name;
  std::vector<FilmArray> arrays;  ///< of which it is made
  std::function<Image(const HostFilm&)> image_of;
};

/// What viewers are told of a render and what stays the same while it runs.
struct ShownRender {
  std::string scene;   ///< its file
  std::string device;  ///< its name
  uint32_t width = 0, height = 0;
  std::vector<Picture> pictures;  ///< the first one is the radiance, in W sr^-1 m^-2
  ToneMapping mapping;            ///< that viewers begin with
  bool exposure_is_automatic = false;
  CameraDescription camera;         ///< of the first frame
  Bounds bounds;                    ///< of the scene, m
  std::string why_camera_is_fixed;  ///< empty: viewers may move it
};

/// The film at one moment, and where the render stands.
struct DisplayFrame {
  HostFilm film;  ///< of the arrays that were wanted
  std::vector<FilmArray> arrays;
  RenderProgress progress;
  RenderStats stats;
  CameraDescription camera;
  double cost = 0.0;      ///< s that the render lost by the frames before, since the camera moved
  uint64_t view = 0;      ///< grows when the camera moves, and the film begins again
  bool is_final = false;  ///< the goal is reached, or the render was stopped
};

/// Shows a render while it runs, on threads of its own, and says what its viewers want. Viewers
/// that are slow or go away never hold up the render. One thread renders and calls all functions.
class Display {
 public:
  virtual ~Display() = default;

  /// Says what is rendered. Called once, before the first frame.
  virtual void begin(ShownRender render) = 0;

  /// The arrays of the next frame; none while nobody would see it.
  virtual std::vector<FilmArray> wanted_arrays() = 0;

  /// Shows a frame in place of the last one. Returns at once.
  virtual void show(std::shared_ptr<const DisplayFrame> frame) = 0;

  /// Shows a line of text, such as which files were written.
  virtual void say(const std::string& /*text*/) {}

  /// Seconds of processor time that viewers have taken so far, on threads of the display.
  virtual double busy_seconds() const { return 0.0; }

  /// Whether a viewer has moved the camera since the last take_camera(). Any thread may ask.
  virtual bool has_camera() const { return false; }
  virtual std::optional<CameraDescription> take_camera() { return std::nullopt; }

  /// Whether a viewer wants the images to be written, since the last call.
  virtual bool take_save() { return false; }

  /// Whether the program should stay when the goal is reached: somebody looks, or may be about to.
  virtual bool is_watched() const { return false; }
};

/// Opens the display: connects, or begins to listen. Throws UsageError that names the option.
std::unique_ptr<Display> open_display(const DisplayRequest& request);

}  // namespace winnow
