// SPDX-License-Identifier: MIT
#include "app/cli/interrupt.h"

#include <atomic>
#include <ctime>

namespace winnow {
namespace {

/// Time of the first signal, ms; 0: there was none. Lock-free, since the signal handler writes it.
std::atomic<int64_t> first_signal_ms{0};
std::atomic<int64_t (*)()> interrupt_clock{monotonic_milliseconds};
static_assert(std::atomic<int64_t>::is_always_lock_free &&
              std::atomic<int64_t (*)()>::is_always_lock_free);

constexpr int64_t kSameRequestMs = 200;

extern "C" void note_interrupt(int signal) {
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
  sigaction(SIGINT, &action, &previous_int_);
  sigaction(SIGTERM, &action, &previous_term_);
  sigaction(SIGUSR1, &action, &previous_usr1_);
  sigaction(SIGHUP, nullptr, &previous_hup_);
  if (previous_hup_.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &previous_int_, nullptr);
  sigaction(SIGTERM, &previous_term_, nullptr);
  sigaction(SIGUSR1, &previous_usr1_, nullptr);
  sigaction(SIGHUP, &previous_hup_, nullptr);
}

bool Interrupt::requested() const {
  return first_signal_ms != 0;
}

}  // namespace winnow
