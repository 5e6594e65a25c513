#include "app/cli/interrupt.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace winnow {
namespace {

/// When the first signal came, in ms; 0: none came. A signal handler may write it.
std::atomic<int64_t> requested_at{0};
static_assert(std::atomic<int64_t>::is_always_lock_free);

/// Some programs send each signal twice, to the process and to its group: that is one request.
constexpr int64_t kSameRequest = 200;  // ms

int64_t milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

extern "C" void note_interrupt(int signal) {
  int64_t now = milliseconds(), first = 0;
  if (requested_at.compare_exchange_strong(first, now) || now - first < kSameRequest) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

Interrupt::Interrupt() {
  requested_at = 0;
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_int_);
  sigaction(SIGTERM, &action, &previous_term_);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &previous_int_, nullptr);
  sigaction(SIGTERM, &previous_term_, nullptr);
}

bool Interrupt::requested() const {
  return requested_at != 0;
}

}  // namespace winnow
