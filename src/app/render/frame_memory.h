// SPDX-License-Identifier: MIT
#pragma once

#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include "app/display/display.h"
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

}  // namespace winnow
