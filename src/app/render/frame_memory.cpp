// SPDX-License-Identifier: MIT
#include "app/render/frame_memory.h"

#include <chrono>
#include <utility>

namespace winnow {
namespace {

/// Memory of at most this size is allocated directly: starting a thread would take longer.
constexpr size_t kSmallFilmBytes = size_t(1) << 18;

/// Frames in use: the last one, the one before, and one that a slow viewer receives.
constexpr size_t kMaxSpareFrames = 2;

}  // namespace

void FrameMemory::Spare::put(std::unique_ptr<DisplayFrame> frame) {
  const std::scoped_lock lock(mutex);
  if (frames.size() < kMaxSpareFrames) frames.push_back(std::move(frame));
}

std::unique_ptr<DisplayFrame> FrameMemory::Spare::take() {
  const std::scoped_lock lock(mutex);
  if (frames.empty()) return nullptr;
  std::unique_ptr<DisplayFrame> frame = std::move(frames.back());
  frames.pop_back();
  return frame;
}

bool FrameMemory::is_being_made() const {
  return made_.valid() && made_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

void FrameMemory::prepare(const FilmShape& shape, const std::vector<FilmArray>& arrays) {
  if (is_being_made()) return;
  std::unique_ptr<DisplayFrame> frame = spare_->take();
  if (frame) return spare_->put(std::move(frame));
  auto make = [shape, arrays, spare = spare_] {
    auto made = std::make_unique<DisplayFrame>();
    resize_arrays(shape, arrays, made->film);  // writes zeros
    spare->put(std::move(made));
  };
  const size_t bytes = size_t(shape.width) * shape.height * film_bytes_per_pixel(shape.features);
  if (bytes < kSmallFilmBytes) return make();
  made_ = std::async(std::launch::async, [make, spare = spare_] { spare->busy.count(make); });
}

std::shared_ptr<DisplayFrame> FrameMemory::take() {
  if (made_.valid()) made_.get();
  std::unique_ptr<DisplayFrame> frame = spare_->take();
  if (!frame) frame = std::make_unique<DisplayFrame>();
  return {frame.release(), [spare = spare_](DisplayFrame* last) {
            spare->put(std::unique_ptr<DisplayFrame>(last));
          }};
}

}  // namespace winnow
