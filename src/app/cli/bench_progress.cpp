#include "app/cli/bench_progress.h"

#include <unistd.h>

#include <cstdio>

#include "app/cli/message.h"

namespace winnow {

BenchProgress::BenchProgress(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO)) {}

BenchProgress::~BenchProgress() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void BenchProgress::print(const std::string& text) {
  if (quiet_) return;
  if (!terminal_) return print_message(text);
  std::fputs(("\r" + text + "\x1b[K").c_str(), stderr);
  shown_ = true;
}

}  // namespace winnow
