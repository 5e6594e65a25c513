// SPDX-License-Identifier: MIT
#include "app/cli/interrupt.h"

#include <atomic>
#include <ctime>

#include "base/files.h"

namespace winnow {
namespace {

/// Time of the first signal, ms; 0: there was none. Lock-free, since the signal handler writes it.
std::atomic<int64_t> first_signal_ms{0};
std::atomic<int64_t (*)()> interrupt_clock{monotonic_milliseconds};
static_assert(std::atomic<int64_t>::is_always_lock_free &&
              std::atomic<int64_t (*)()>::is_always_lock_free);

constexpr int64_t kSameRequestMs = 200;

extern "C" void note_interrupt(int signal) {
  end_waits_for_readers();
  int64_t now = interrupt_clock.load()(), first = 0;
  if (first_signal_ms.compare_exchange_strong(first, now) || now - first < kSameRequestMs) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

int64_t monotonic_milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

Interrupt::Interrupt(int64_t (*clock)()) {
  interrupt_clock = clock;
  first_signal_ms = 0;
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &previous_[i]);
    const bool is_ignored = kSignals[i] == SIGHUP && previous_[i].sa_handler == SIG_IGN;
    if (!is_ignored) sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &previous_[i], nullptr);
}

bool Interrupt::requested() const {
  return first_signal_ms != 0;
}

}  // namespace winnow
