// SPDX-License-Identifier: MIT
#include "app/cli/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/console.h"

namespace winnow {
namespace {

constexpr double kTerminalInterval = 0.2;  // s
constexpr double kLineInterval = 10.0;     // s
constexpr double kLineStep = 0.1;          // share of the render

size_t terminal_columns() {
  constexpr size_t kDefault = 80;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefault;
  return size.ws_col;
}

/// Returns whole seconds below a minute: further digits would flicker.
std::string eta_text(double seconds) {
  return seconds <= 59.0 ? fmt::format("{:.0f} s", std::ceil(seconds)) : duration_text(seconds);
}

void rewrite_line(const std::string& text) {
  std::fputs(("\r" + text + "\x1b[K").c_str(), stderr);
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 1.0) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 60.0) return fmt::format("{:.2f} s", seconds);
  auto whole = uint64_t(std::min(seconds, 1e15));
  uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours == 0) return fmt::format("{} min {:02} s", minutes, whole % 60);
  return fmt::format("{} h {:02} min", hours, minutes);
}

std::string speed_text(double samples_per_second) {
  if (samples_per_second >= 1e9) return fmt::format("{:.3g} Gsamples/s", samples_per_second * 1e-9);
  return fmt::format("{:.3g} Msamples/s", samples_per_second * 1e-6);
}

std::string progress_text(const RenderProgress& progress) {
  std::string text = fmt::format("{:3.0f} %  ", std::floor(progress.fraction * 100.0));
  if (progress.image_count > 1)
    text += fmt::format("image {} of {}  ", progress.image + 1, progress.image_count);
  text += fmt::format("{:.0f}", std::floor(progress.spp_done));
  if (progress.spp_goal > 0) text += fmt::format(" of {}", progress.spp_goal);
  text += fmt::format(" spp  {}", speed_text(progress.samples_per_second));
  const double gained = progress.fraction - progress.fraction_at_start;
  if (gained > 0.0)
    text += "  ETA " + eta_text(progress.seconds * (1.0 - progress.fraction) / gained);
  return text;
}

std::string progress_bar(const RenderProgress& progress, size_t columns) {
  constexpr size_t kMinBarLength = 10, kMaxBarLength = 40, kFrame = 3;  // "[] "
  std::string text = progress_text(progress);
  if (columns < text.size() + kMinBarLength + kFrame) return text.substr(0, columns);
  size_t length = std::min(columns - text.size() - kFrame, kMaxBarLength);
  auto filled = size_t(std::clamp(progress.fraction, 0.0, 1.0) * double(length));
  return fmt::format("[{}{}] {}", std::string(filled, '#'), std::string(length - filled, '.'),
                     text);
}

void ProgressPrinter::begin_image(uint32_t image, uint32_t image_count) {
  earlier_seconds_ += image_seconds_;
  image_seconds_ = 0.0;
  image_ = image;
  image_count_ = image_count;
}

void ProgressPrinter::update(const RenderProgress& progress) {
  image_seconds_ = progress.seconds;
  RenderProgress whole = progress;
  whole.image = image_;
  whole.image_count = image_count_;
  whole.seconds += earlier_seconds_;
  auto of_all = [&](double fraction) { return (image_ + fraction) / image_count_; };
  whole.fraction = of_all(progress.fraction);
  whole.fraction_at_start = image_count_ > 1 ? 0.0 : progress.fraction_at_start;
  print_progress(whole);
}

void ProgressPrinter::print_progress(const RenderProgress& progress) {
  double elapsed = progress.seconds - last_seconds_;
  if (style_ == Style::kTerminal && (elapsed >= kTerminalInterval || !line_is_shown_)) {
    // Some terminals wrap after the last column, so it stays empty.
    rewrite_line(progress_bar(progress, terminal_columns() - 1));
    line_is_shown_ = true;
  } else if (style_ == Style::kLines &&
             (elapsed >= kLineInterval || progress.fraction - last_fraction_ >= kLineStep)) {
    print_message(progress_text(progress));
  } else {
    return;
  }
  last_seconds_ = progress.seconds;
  last_fraction_ = progress.fraction;
}

void ProgressPrinter::print(const std::string& phase) {
  if (style_ == Style::kLines) print_message(phase);
  if (style_ != Style::kTerminal) return;
  rewrite_line(phase);
  line_is_shown_ = true;
}

void ProgressPrinter::finish() {
  if (line_is_shown_) rewrite_line("");
  line_is_shown_ = false;
}

ProgressPrinter::Style progress_style(bool quiet) {
  if (quiet) return ProgressPrinter::Style::kSilent;
  return isatty(STDERR_FILENO) ? ProgressPrinter::Style::kTerminal : ProgressPrinter::Style::kLines;
}

}  // namespace winnow
