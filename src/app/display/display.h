// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>
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

/// An image that is computed from the film: the radiance, or an AOV in colours.
struct Picture {
  std::string name;
  std::vector<FilmArray> arrays;  ///< arrays of the film that it needs
  std::function<Image(const HostFilm&)> image_of;
};

/// Facts about a render for viewers that stay the same while it runs.
struct ShownRender {
  std::string scene;   ///< file name
  std::string device;  ///< name
  uint32_t width = 0, height = 0;
  std::vector<Picture> pictures;  ///< the first one is the radiance, in W sr^-1 m^-2
  ToneMapping mapping;            ///< initial tone mapping of viewers
  bool exposure_is_automatic = false;
  CameraDescription camera;         ///< camera of the first frame
  Bounds bounds;                    ///< bounds of the scene, m
  std::string why_camera_is_fixed;  ///< empty: viewers may move it
};

/// The film at one moment, and the progress of the render.
struct DisplayFrame {
  HostFilm film;  ///< arrays that viewers requested
  std::vector<FilmArray> arrays;
  RenderProgress progress;
  RenderStats stats;
  CameraDescription camera;
  double cost = 0.0;      ///< s, render time lost to earlier frames since the camera moved
  uint64_t view = 0;      ///< grows when the camera moves and the film restarts
  bool is_final = false;  ///< the goal is reached, or the render was stopped
};

/// Processor time of threads other than those that render. Any thread may call all functions.
class BusyTime {
 public:
  double seconds() const { return seconds_; }

  /// Runs some work and adds the processor time that this thread needs for it.
  template <class Work>
  auto count(Work work) {
    struct Timer {
      std::atomic<double>& seconds;
      double start = thread_seconds();
      ~Timer() { seconds += thread_seconds() - start; }
    } timer{seconds_};
    return work();
  }

 private:
  static double thread_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  }

  std::atomic<double> seconds_{0.0};
};

/// Shows a render while it runs, on threads of its own, and returns requests of its viewers. Slow
/// or disconnected viewers never delay the render. One thread renders and calls all functions.
class Display {
 public:
  virtual ~Display() = default;

  /// Receives facts about the render. Called once, before the first frame.
  virtual void begin(ShownRender render) = 0;

  /// Returns the arrays that the next frame needs; none while there is no viewer.
  virtual std::vector<FilmArray> wanted_arrays() = 0;

  /// Shows a frame in place of the last one. Returns at once.
  virtual void show(std::shared_ptr<const DisplayFrame> frame) = 0;

  /// Shows a line of text, such as which files were written.
  virtual void say(const std::string& /*text*/) {}

  /// Returns the processor time of the display's threads so far, s.
  virtual double busy_seconds() const { return 0.0; }

  /// Returns whether a viewer moved the camera since take_camera(). Any thread may call it.
  virtual bool has_camera() const { return false; }
  virtual std::optional<CameraDescription> take_camera() { return std::nullopt; }

  /// Returns whether a viewer asked for the images to be written since the last call.
  virtual bool take_save() { return false; }

  /// Returns whether the program stays at the goal: a viewer is connected or may connect soon.
  virtual bool is_watched() const { return false; }
};

/// Opens the display: connects or listens. Throws UsageError that names the option.
std::unique_ptr<Display> open_display(const DisplayRequest& request);

/// Estimates the relative error of the mean of a film, the square root of relMSE, which --noise
/// limits and `winnow diff` prints.
///
/// Compares the samples before and after an earlier moment, so that the film needs no sums of
/// squares: with a samples of mean A before and b of mean B after, E[(A - B)^2] = v (1/a + 1/b),
/// where v is the variance of a sample; the variance of the mean of all is v / (a + b). Reads about
/// 65,000 pixels, spread over the film.
///
/// @param before, now  films of the same render, both with FilmArray::kSum and kSamples
/// @return             none if no pixel received samples in between
std::optional<double> estimated_error(const HostFilm& before, const HostFilm& now);

}  // namespace winnow
