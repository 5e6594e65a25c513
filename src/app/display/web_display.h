// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/display/display.h"
#include "app/display/http_server.h"

namespace winnow {

/// The page with its styles and its script, which CMake combines from page/page.html, .css and .js.
extern const char* const kWebPage;

/// Serves one page, on which browsers watch the render, stop it, save its images and move its
/// camera. Viewers receive an event for each frame and fetch the newest one when they have shown
/// the last. Slow viewers miss frames; the render does not wait for them.
///
///   GET /          the page
///   GET /events    progress of the render as JSON, for each frame and each second
///   GET /frame     ?picture=NAME: the newest frame, [height][width][3] half floats, the top row
///                  first, little-endian; with exposure=auto also the stops that suit it
///   GET /agx       agx_table() as half floats, [red][green][blue][3], little-endian
///   POST /camera   {"position": [...], "look_at": [...]}
///   POST /save     writes the images
///   POST /stop     ends the render as Ctrl-C does
class WebDisplay : public Display {
 public:
  WebDisplay(Socket listener, Address address)
      : listener_(std::move(listener)), address_(std::move(address)) {}

  /// Waits until viewers have fetched the last frame, for a second at most.
  ~WebDisplay() override;

  void begin(ShownRender render) override;
  std::vector<FilmArray> wanted_arrays() override;
  void show(std::shared_ptr<const DisplayFrame> frame) override;
  void say(const std::string& text) override;
  double busy_seconds() const override { return busy_.seconds(); }
  bool has_camera() const override { return has_camera_; }
  std::optional<CameraDescription> take_camera() override;
  bool take_save() override { return wants_save_.exchange(false); }

  /// Returns true while a page is open, and for 15 s after the start and after the last one closed.
  bool is_watched() const override;

 private:
  void answer(const HttpRequest& request, HttpAnswer& answer);
  void answer_get(const HttpRequest& request, HttpAnswer& answer);
  void answer_post(const HttpRequest& request, HttpAnswer& answer);
  void send_events(HttpAnswer& answer);
  void send_frame(const HttpRequest& request, HttpAnswer& answer);
  void move_camera(const HttpRequest& request, HttpAnswer& answer);
  std::optional<size_t> picture_index(const HttpRequest& request) const;
  void estimate_error(std::unique_lock<std::mutex>& lock);
  std::string status() const;
  void change();

  Socket listener_;
  Address address_;
  ShownRender render_;

  mutable std::mutex mutex_;  ///< protects the members below
  std::condition_variable changed_;
  uint64_t revision_ = 0;     ///< grows with each change that viewers see
  uint64_t frame_count_ = 0;  ///< id of the newest frame
  uint64_t fetched_ = 0;      ///< id of the newest frame that a viewer has fetched
  std::shared_ptr<const DisplayFrame> frame_,
      last_frame_;                ///< the newest frame and its predecessor
  std::optional<double> error_;   ///< error of the newest frame, or of an earlier one of this film
  uint64_t estimated_frame_ = 0;  ///< id of the newest frame whose error was estimated
  std::set<size_t> wanted_pictures_{0};  ///< indices
  std::string message_;
  CameraDescription camera_;  ///< camera as viewers moved it
  uint32_t viewers_ = 0;
  std::chrono::steady_clock::time_point last_viewer_;
  bool has_ended_ = false;

  std::atomic<bool> has_camera_{false}, wants_save_{false}, was_stopped_{false};
  BusyTime busy_;
  std::optional<HttpServer> server_;
};

}  // namespace winnow
