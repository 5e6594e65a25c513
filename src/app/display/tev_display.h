// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/display/display.h"
#include "app/display/socket.h"
#include "image/image.h"

namespace winnow {

// Messages to tev, the image viewer by Thomas Mueller (github.com/Tom94/tev, "Over the network"). A
// message contains its length in bytes, including these four, its operation, and the operands:
// little-endian numbers and texts that end with a zero.

enum class TevOperation : uint8_t { kCreateImage = 4, kUpdateImageV3 = 6 };

/// Opens and shows a black image with channels R, G and B; later messages identify it by `name`.
std::string tev_create_image(const std::string& name, uint32_t width, uint32_t height);

/// Replaces some rows of that image; `image` is the whole image.
std::string tev_update_image(const std::string& name, const Image& image, uint32_t first_row,
                             uint32_t row_count);

/// Sends each new image to tev once the last one has arrived. If no viewer listens, prints that
/// once and tries again.
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
  std::string name_;
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
