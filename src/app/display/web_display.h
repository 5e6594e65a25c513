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

#include "app/display/busy_time.h"
#include "app/display/display.h"
#include "app/display/http_server.h"

namespace winnow {

/// The page with its styles and its script: page/page.html, .css and .js, which CMake puts
/// together.
extern const char* const kWebPage;

/// Serves one page, on which browsers watch the render, stop it, save its images and move its
/// camera. Viewers are told of each frame and fetch the newest one when they have shown the last: a
/// slow one misses frames, and nothing waits for it.
///
///   GET /          the page
///   GET /events    where the render stands, as JSON, for each frame and each second
///   GET /frame     ?picture=NAME: the newest frame, [height][width][3] half floats, the top row
///                  first, little-endian; with exposure=auto also the stops that suit it
///   POST /camera   {"position": [...], "look_at": [...]}
///   POST /save     writes the images now
///   POST /stop     ends the render as Ctrl-C does
class WebDisplay : public Display {
 public:
  /// @param listener  see listen_at()
  WebDisplay(Socket listener, Address address)
      : listener_(std::move(listener)), address_(std::move(address)) {}

  /// Lets viewers fetch the last frame, for a second at most.
  ~WebDisplay() override;

  void begin(ShownRender render) override;
  std::vector<FilmArray> wanted_arrays() override;
  void show(std::shared_ptr<const DisplayFrame> frame) override;
  void say(const std::string& text) override;
  double busy_seconds() const override { return busy_.seconds(); }
  bool has_camera() const override { return has_camera_; }
  std::optional<CameraDescription> take_camera() override;
  bool take_save() override { return wants_save_.exchange(false); }

  /// While a page is open, and for 15 s after the begin and after the last one was closed.
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

  mutable std::mutex mutex_;  ///< of what follows
  std::condition_variable changed_;
  uint64_t revision_ = 0;     ///< of what viewers are told
  uint64_t frame_count_ = 0;  ///< the number of the newest frame
  uint64_t fetched_ = 0;      ///< number of the newest frame that a viewer has got
  std::shared_ptr<const DisplayFrame> frame_, last_frame_;  ///< the newest one, and the one before
  std::optional<double> error_;   ///< of the newest frame, or of an earlier one of the same film
  uint64_t estimated_frame_ = 0;  ///< number of the newest frame whose error was estimated
  std::set<size_t> wanted_pictures_{0};  ///< indices
  std::string message_;
  CameraDescription camera_;  ///< where viewers have moved it
  uint32_t viewers_ = 0;
  std::chrono::steady_clock::time_point last_viewer_;
  bool has_ended_ = false;

  std::atomic<bool> has_camera_{false}, wants_save_{false}, was_stopped_{false};
  BusyTime busy_;
  std::optional<HttpServer> server_;
};

}  // namespace winnow
