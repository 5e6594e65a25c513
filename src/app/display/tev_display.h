// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/display/busy_time.h"
#include "app/display/display.h"
#include "app/display/socket.h"

namespace winnow {

/// Sends each new image to tev, the image viewer by Thomas Mueller, once the last one has arrived.
/// If no viewer listens, prints that once and tries again.
class TevDisplay : public Display {
 public:
  explicit TevDisplay(Address address) : address_(std::move(address)) {}

  /// Sends the last frame, which takes a few seconds at most.
  ~TevDisplay() override;

  void begin(ShownRender render) override;
  std::vector<FilmArray> wanted_arrays() override;
  void show(std::shared_ptr<const DisplayFrame> frame) override;
  double busy_seconds() const override { return busy_.seconds(); }

 private:
  void run(const std::stop_token& stop);
  void send(const DisplayFrame& frame);
  bool connect();
  bool send_image(const Image& image);

  Address address_;
  ShownRender render_;
  std::string name_;  ///< name of the image
  Socket socket_;
  bool has_complained_ = false;
  BusyTime busy_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::shared_ptr<const DisplayFrame> next_;  ///< next frame to send
  bool is_sending_ = false;
  std::jthread thread_;
};

}  // namespace winnow
