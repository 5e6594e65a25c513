#include "app/cli/interrupt.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace winnow {
namespace {

TEST(Interrupt, IsRequestedByASignal) {
  Interrupt interrupt;
  EXPECT_FALSE(interrupt.requested());
  std::raise(SIGTERM);
  EXPECT_TRUE(interrupt.requested());
  EXPECT_FALSE(Interrupt().requested());  // a new one begins anew
}

TEST(Interrupt, TakesASignalThatIsSentTwiceForOne) {
  Interrupt interrupt;
  std::raise(SIGTERM);
  std::raise(SIGTERM);
  EXPECT_TRUE(interrupt.requested());
}

TEST(InterruptDeathTest, EndsTheProgramWhenAskedAgain) {
  auto ask_twice = [] {
    Interrupt interrupt;
    std::raise(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::raise(SIGINT);
  };
  EXPECT_EXIT(ask_twice(), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace winnow
