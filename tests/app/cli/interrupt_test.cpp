// SPDX-License-Identifier: MIT
#include "app/cli/interrupt.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>

namespace winnow {
namespace {

TEST(Interrupt, IsRequestedByASignal) {
  Interrupt interrupt;
  EXPECT_FALSE(interrupt.requested());
  std::raise(SIGTERM);
  EXPECT_TRUE(interrupt.requested());
  EXPECT_FALSE(Interrupt().requested());  // a new object starts without one
}

TEST(Interrupt, IsRequestedByAClosedTerminalButNotUnderNohup) {
  const auto handler = std::signal(SIGHUP, SIG_IGN);  // nohup does the same
  {
    const Interrupt interrupt;
    std::raise(SIGHUP);
    EXPECT_FALSE(interrupt.requested());
  }
  EXPECT_EQ(std::signal(SIGHUP, SIG_DFL), SIG_IGN);
  {
    const Interrupt interrupt;
    std::raise(SIGHUP);
    EXPECT_TRUE(interrupt.requested());
  }
  EXPECT_EQ(std::signal(SIGHUP, handler), SIG_DFL);
}

std::atomic<int64_t> now_ms{1};
int64_t scripted_clock() {
  return now_ms;
}

/// Sends two signals, the second so many milliseconds after the first.
void raise_twice(int64_t interval_ms) {
  now_ms = 1000;
  Interrupt interrupt(scripted_clock);
  std::raise(SIGINT);
  now_ms += interval_ms;
  std::raise(SIGINT);
  EXPECT_TRUE(interrupt.requested());
}

TEST(Interrupt, TakesTwoSignalsWithin200MsForOne) {
  raise_twice(0);
  raise_twice(199);
}

TEST(InterruptDeathTest, EndsTheProgramAtASecondSignalAfter200Ms) {
  EXPECT_EXIT(raise_twice(200), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace winnow
