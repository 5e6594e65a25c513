// SPDX-License-Identifier: MIT
#include "app/display/tev_display.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/cli/console.h"
#include "app/display/tev_packets.h"
#include "base/error.h"

namespace winnow {
namespace {

using namespace std::chrono_literals;

constexpr auto kTevPatience = 3000ms;  ///< timeout to connect, and while tev receives nothing
constexpr uint32_t kRowsPerMessage = 64;

}  // namespace

TevDisplay::~TevDisplay() {
  if (!thread_.joinable()) return;
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kTevPatience, [&] { return !next_ && !is_sending_; });
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

/// Connects to tev and opens the image.
bool TevDisplay::connect() try {
  socket_ = connect_to(address_, kTevPatience);
  has_complained_ = false;
  return socket_.send_all(tev_create_image(name_, render_.width, render_.height), kTevPatience);
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
            kTevPatience))
      return false;
  return true;
}

}  // namespace winnow
