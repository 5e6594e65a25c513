// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/cli/progress.h"
#include "app/display/display.h"
#include "app/render/render.h"
#include "app/render/render_passes.h"
#include "backend/renderer.h"
#include "film/film_source.h"

namespace winnow {

/// Memory for the frames of a display. The first write to fresh memory takes several times as long
/// as the copy of a film, so another thread does it, and memory that no viewer uses any more is
/// reused. One thread calls all functions; frames may be destroyed on any thread.
class FrameMemory {
 public:
  /// Allocates memory for one more frame, on another thread unless the film is small.
  void prepare(const FilmShape& shape, const std::vector<FilmArray>& arrays);

  /// Returns whether a thread still prepares memory.
  bool is_being_made() const;

  /// Returns a frame, with prepared memory if there is any. Waits while it is being prepared.
  std::shared_ptr<DisplayFrame> take();

  /// Returns the processor time on other threads so far, s.
  double busy_seconds() const { return spare_->busy.seconds(); }

 private:
  struct Spare {
    std::mutex mutex;
    std::vector<std::unique_ptr<DisplayFrame>> frames;
    BusyTime busy;

    void put(std::unique_ptr<DisplayFrame> frame);
    std::unique_ptr<DisplayFrame> take();  ///< returns null if there is none
  };

  std::shared_ptr<Spare> spare_ = std::make_shared<Spare>();  ///< frames may outlive this
  std::future<void> made_;  ///< invalid: no memory is being prepared
};

/// Returns the pictures of a film with these features: the radiance, and recorded AOVs in colours.
std::vector<Picture> pictures_of(const FilmFeatures& features);

/// Returns the description of a render that --display sends to viewers.
ShownRender shown_render(const RenderOptions& options, const HostScene& scene,
                         const Renderer& renderer);

/// Shows the film of a render on a display, between its passes, and executes requests of viewers.
/// The thread that renders calls all functions but camera_waits().
///
/// The first frame of a film is shown as soon as it exists. Later ones are so rare that all frames
/// together, including the first ones, take less than 1 % of the time of a film that renders for 8
/// s or longer, unless the first frame alone takes more. Earlier frames come sooner, at times that
/// grow with the square of their cost so far.
class LiveView {
 public:
  /// @param save    writes the images of the film; receives its render time in seconds. Returns a
  ///                line that names the images. May throw
  LiveView(Display& display, Renderer& renderer, const CameraDescription& camera,
           std::function<std::string(double seconds)> save, SecondsClock clock = steady_seconds)
      : display_(display),
        renderer_(renderer),
        camera_(camera),
        save_(std::move(save)),
        clock_(std::move(clock)) {}

  /// Returns whether viewers have moved the camera. Any thread may call it.
  bool camera_waits() const { return display_.has_camera(); }

  /// Shows the film if the next frame is due.
  void after_pass(const RenderProgress& progress);

  /// Shows the final film, unless viewers have it already.
  void finish(const RenderProgress& progress);

  /// Serves viewers after the last pass; called repeatedly. Shows the final film, and saves it at
  /// first and whenever a viewer requests it.
  void rest(const RenderProgress& progress);

  /// Returns whether to wait for viewers when the goal is reached.
  bool is_watched() const { return display_.is_watched(); }

  /// Moves the camera as viewers asked, and empties the film.
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
  std::shared_ptr<const DisplayFrame> frame_;  ///< last frame of this film
  uint64_t view_ = 0;
  uint32_t frame_count_ = 0;  ///< frames of this film
  double begin_ = 0.0;        ///< time of the first frame of this film, by `clock_`
  double cost_ = 0.0;         ///< cost of the frames of this film, s
  double busy_before_ = 0.0;  ///< processor time of other threads at the last frame, s
  double last_pass_ = 0.0;    ///< end of the last pass, by `clock_`
  double due_ = 0.0;          ///< time of the next frame, by `clock_`
  bool is_saved_ = false;     ///< whether the final film is saved
};

}  // namespace winnow
