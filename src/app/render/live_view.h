// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/progress.h"
#include "app/display/display.h"
#include "app/render/frame_memory.h"
#include "app/render/render_passes.h"
#include "backend/renderer.h"

namespace winnow {

/// The pictures that a display can make of a film with these features: the radiance, and each AOV
/// that the film has recorded, in colours.
std::vector<Picture> pictures_of(const FilmFeatures& features);

/// Shows the film of a render on a display, between its passes, and does what viewers want. The
/// thread that renders calls all but camera_waits().
///
/// The first frame of a film is shown as soon as it exists. Later ones are so rare that all that
/// frames take of the render, the first ones included, is less than 1 % of the time of a film that
/// renders for 8 s or longer, unless the first frame alone takes more. Until then frames come
/// sooner, and after a while that grows with the square of what they have taken.
class LiveView {
 public:
  /// @param camera  of the renderer
  /// @param save    writes the images of the film, which took so many seconds; returns a line that
  ///                says so. May throw
  LiveView(Display& display, Renderer& renderer, const CameraDescription& camera,
           std::function<std::string(double seconds)> save, SecondsClock clock = steady_seconds)
      : display_(display),
        renderer_(renderer),
        camera_(camera),
        save_(std::move(save)),
        clock_(std::move(clock)) {}

  /// Whether viewers have moved the camera. Any thread may ask.
  bool camera_waits() const { return display_.has_camera(); }

  /// Shows the film if it is time to.
  void after_pass(const RenderProgress& progress);

  /// Shows the film as the final one, unless viewers have it already.
  void finish(const RenderProgress& progress);

  /// The same while nothing is rendered and viewers may go on, again and again. Saves the film
  /// first, and again if a viewer asks for it.
  void rest(const RenderProgress& progress);

  /// Whether to wait for viewers when the goal is reached.
  bool is_watched() const { return display_.is_watched(); }

  /// Moves the camera to where it waits, and empties the film.
  void move_camera();

 private:
  bool is_due(double now) const;
  bool waits_for_memory(double pass_seconds);
  bool lacks(const std::vector<FilmArray>& arrays) const;
  void show(const RenderProgress& progress, bool is_final);
  void save(double seconds);

  Display& display_;
  Renderer& renderer_;
  CameraDescription camera_;
  std::function<std::string(double)> save_;
  SecondsClock clock_;

  FrameMemory memory_;
  std::shared_ptr<const DisplayFrame> frame_;  ///< the last one of this film
  uint64_t view_ = 0;
  uint32_t frame_count_ = 0;  ///< of this film
  double begin_ = 0.0;        ///< of the first frame of this film, by `clock_`
  double cost_ = 0.0;         ///< of the frames of this film, s
  double busy_before_ = 0.0;  ///< s that other threads had taken at the last frame
  double last_pass_ = 0.0;    ///< its end, by `clock_`
  double due_ = 0.0;          ///< when the next frame is, by `clock_`
  bool is_saved_ = false;     ///< the final film
};

}  // namespace winnow
