// SPDX-License-Identifier: MIT
#include "app/display/tev_display.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "app/cli/console.h"
#include "base/error.h"

namespace winnow {
namespace {

using namespace std::chrono_literals;

constexpr auto kTevTimeout = 3000ms;  ///< timeout to connect, and while tev receives nothing
constexpr uint32_t kRowsPerMessage = 64;

static_assert(std::endian::native == std::endian::little);

constexpr const char* kTevChannels[] = {"R", "G", "B"};
constexpr int32_t kTevChannelCount = 3;

class Packet {
 public:
  explicit Packet(TevOperation operation) {
    add(uint32_t(0));  // placeholder for the length
    add(operation);
  }

  template <class Number>
  void add(Number number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  void add_text(const std::string& text) { bytes_.append(text.c_str(), text.size() + 1); }
  void add_channel_names() {
    for (const char* name : kTevChannels) add_text(name);
  }
  void add_pixels(const glm::vec3* pixels, size_t count) {
    bytes_.append(reinterpret_cast<const char*>(pixels), count * sizeof(glm::vec3));
  }

  std::string take() {
    const auto length = uint32_t(bytes_.size());
    std::memcpy(bytes_.data(), &length, sizeof(length));
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

constexpr bool kGrabFocus = true;

}  // namespace

std::string tev_create_image(const std::string& name, uint32_t width, uint32_t height) {
  Packet packet(TevOperation::kCreateImage);
  packet.add(kGrabFocus);
  packet.add_text(name);
  packet.add(int32_t(width));
  packet.add(int32_t(height));
  packet.add(kTevChannelCount);
  packet.add_channel_names();
  return packet.take();
}

std::string tev_update_image(const std::string& name, const Image& image, uint32_t first_row,
                             uint32_t row_count) {
  static_assert(sizeof(glm::vec3) == kTevChannelCount * sizeof(float));
  Packet packet(TevOperation::kUpdateImageV3);
  packet.add(!kGrabFocus);
  packet.add_text(name);
  packet.add(kTevChannelCount);
  packet.add_channel_names();
  for (const uint32_t number : {0u, first_row, image.width, row_count}) packet.add(int32_t(number));
  // Offset and stride of each channel, in floats: channels are interleaved.
  for (int64_t channel = 0; channel < kTevChannelCount; ++channel) packet.add(channel);
  for (int channel = 0; channel < kTevChannelCount; ++channel)
    packet.add(int64_t(kTevChannelCount));
  packet.add_pixels(&image.pixels[size_t(first_row) * image.width],
                    size_t(row_count) * image.width);
  return packet.take();
}

TevDisplay::~TevDisplay() {
  if (!thread_.joinable()) return;
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kTevTimeout, [&] { return !next_ && !is_sending_; });
}

void TevDisplay::begin(ShownRender render) {
  render_ = std::move(render);
  name_ = fmt::format("{} (winnow {})", std::filesystem::path(render_.scene).filename().string(),
                      ::getpid());
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

/// Returns no arrays while tev still receives the last frame.
std::vector<FilmArray> TevDisplay::wanted_arrays() {
  const std::scoped_lock lock(mutex_);
  return next_ ? std::vector<FilmArray>() : render_.pictures.front().arrays;
}

void TevDisplay::show(std::shared_ptr<const DisplayFrame> frame) {
  const std::scoped_lock lock(mutex_);
  next_ = std::move(frame);
  changed_.notify_all();
}

void TevDisplay::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return next_ != nullptr; })) {
    const std::shared_ptr<const DisplayFrame> frame = std::exchange(next_, nullptr);
    is_sending_ = true;
    lock.unlock();
    busy_.count([&] { send(*frame); });
    lock.lock();
    is_sending_ = false;
    changed_.notify_all();
  }
}

void TevDisplay::send(const DisplayFrame& frame) {
  if (!socket_.is_open() && !connect()) return;
  if (send_image(render_.pictures.front().image_of(frame.film))) return;
  socket_.close();
  print_message(fmt::format("--display: tev at {} has disconnected; the render continues",
                            address_text(address_)));
}

bool TevDisplay::connect() try {
  socket_ = connect_to(address_, kTevTimeout);
  has_complained_ = false;
  return socket_.send_all(tev_create_image(name_, render_.width, render_.height), kTevTimeout);
} catch (const Error& error) {
  if (!std::exchange(has_complained_, true))
    print_message(fmt::format(
        "--display: no tev at {} ({}); the render continues, and is shown once tev is started",
        address_text(address_), error.what()));
  return false;
}

bool TevDisplay::send_image(const Image& image) {
  for (uint32_t row = 0; row < image.height; row += kRowsPerMessage)
    if (!socket_.send_all(
            tev_update_image(name_, image, row, std::min(kRowsPerMessage, image.height - row)),
            kTevTimeout))
      return false;
  return true;
}

}  // namespace winnow
