// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace winnow {

struct RenderProgress {
  double fraction = 0.0;           ///< [0, 1], share of the samples or of the time limit
  double fraction_at_start = 0.0;  ///< [0, 1), above 0 if the render continues an earlier one
  double seconds = 0.0;            ///< time since the first sample was started
  double spp_done = 0.0;           ///< mean samples per pixel
  uint32_t spp_goal = 0;           ///< samples per pixel; 0 if only time ends the render
  double samples_per_second = 0.0;
  uint32_t image = 0,
           image_count = 1;  ///< in a sequence, where `fraction` and `seconds` cover all images
};

/// Returns "42 %  27 of 64 spp  3.21 Msamples/s  ETA 12 s".
std::string progress_text(const RenderProgress& progress);

/// Returns a progress bar followed by progress_text(), in at most `columns` columns.
std::string progress_bar(const RenderProgress& progress, size_t columns);

/// Returns "850 ms", "12.34 s", "3 min 05 s" or "2 h 05 min".
std::string duration_text(double seconds);

/// Returns "3.21 Msamples/s".
std::string speed_text(double samples_per_second);

/// Prints progress on stderr: one line that is rewritten on a terminal, otherwise a line every 10 %
/// or 10 s.
class ProgressPrinter {
 public:
  enum class Style { kSilent, kTerminal, kLines };

  explicit ProgressPrinter(Style style) : style_(style) {}
  ProgressPrinter(const ProgressPrinter&) = delete;
  ~ProgressPrinter() { finish(); }

  /// Counts later updates, each about one image, as progress of a sequence. `image` is from 0.
  void begin_image(uint32_t image, uint32_t image_count);

  /// Prints `progress` if enough time has passed since the last print.
  void update(const RenderProgress& progress);

  /// Prints the current phase of a benchmark: on that line of a terminal, otherwise as a new line.
  void print(const std::string& phase);

  /// Clears the line that is rewritten.
  void finish();

 private:
  void print_progress(const RenderProgress& progress);

  Style style_;
  bool line_is_shown_ = false;
  double last_seconds_ = 0.0;
  double last_fraction_ = 0.0;
  uint32_t image_ = 0, image_count_ = 1;
  double earlier_seconds_ = 0.0;  ///< time of the images before
  double image_seconds_ = 0.0;    ///< time of this image so far
};

/// Returns the style that suits stderr; silent if `quiet`.
ProgressPrinter::Style progress_style(bool quiet);

}  // namespace winnow
