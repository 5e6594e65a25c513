// SPDX-License-Identifier: MIT
#pragma once

#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include "app/display/busy_time.h"
#include "app/display/display.h"
#include "film/film_source.h"

namespace winnow {

/// Memory for the frames of a display. The first write to fresh memory takes a system several times
/// as long as the copy of a film, so another thread does it, and what no viewer holds any more is
/// used again. One thread calls all functions; frames end on any.
class FrameMemory {
 public:
  /// Sees to memory for one frame more: small films have it then, and large ones soon.
  void prepare(const FilmShape& shape, const std::vector<FilmArray>& arrays);

  /// Whether a thread still makes what prepare() asked for.
  bool is_being_made() const;

  /// A frame with that memory, if any; waits while it is being made.
  std::shared_ptr<DisplayFrame> take();

  /// Seconds of processor time that this has taken so far, on other threads.
  double busy_seconds() const { return spare_->busy.seconds(); }

 private:
  struct Spare {
    std::mutex mutex;
    std::vector<std::unique_ptr<DisplayFrame>> frames;
    BusyTime busy;

    void put(std::unique_ptr<DisplayFrame> frame);
    std::unique_ptr<DisplayFrame> take();  ///< null if there is none
  };

  std::shared_ptr<Spare> spare_ = std::make_shared<Spare>();  ///< frames may outlive this
  std::future<void> made_;                                    ///< invalid: nothing is being made
};

}  // namespace winnow
