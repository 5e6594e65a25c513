#pragma once

#include <cstdint>
#include <string>

namespace winnow {

/// How far a render has come.
struct RenderProgress {
  double fraction = 0.0;  ///< [0, 1], of the samples or of the time limit
  double seconds = 0.0;   ///< since the first sample began
  double spp_done = 0.0;  ///< samples per pixel, on average
  uint32_t spp_goal = 0;  ///< samples per pixel; 0 if only time ends the render
  double samples_per_second = 0.0;
};

/// "42 %  27 of 64 spp  3.21 Msamples/s  ETA 12 s".
std::string progress_text(const RenderProgress& progress);

/// The text behind a bar, in at most `columns` columns.
std::string progress_bar(const RenderProgress& progress, size_t columns);

/// "850 ms", "12.34 s", "3 min 05 s", "2 h 05 min".
std::string duration_text(double seconds);

/// "3.21 Msamples/s".
std::string speed_text(double samples_per_second);

/// Where progress goes: a line that rewrites itself on a terminal, lines every 10 % or 10 s
/// elsewhere.
class ProgressPrinter {
 public:
  enum class Style { kSilent, kTerminal, kLines };

  explicit ProgressPrinter(Style style) : style_(style) {}

  /// Prints if it is time to.
  void update(const RenderProgress& progress);

  /// Clears the line that rewrites itself.
  void finish();

 private:
  Style style_;
  bool line_is_shown_ = false;
  double last_seconds_ = 0.0;
  double last_fraction_ = 0.0;
};

/// The style for stderr: silent if asked to be.
ProgressPrinter::Style progress_style(bool quiet);

}  // namespace winnow
