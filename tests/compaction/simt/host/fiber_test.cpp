// SPDX-License-Identifier: MIT
#include "compaction/simt/host/fiber.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using simt::host::Fiber;

TEST(Fiber, ResumesWhereItStopped) {
  std::string log;
  Fiber os_thread;
  Fiber* self = nullptr;
  Fiber fiber([&]() -> Fiber& {
    log += "b";
    os_thread.resume(*self);
    log += "d";
    return os_thread;
  });
  self = &fiber;
  log += "a";
  fiber.resume(os_thread);
  log += "c";
  fiber.resume(os_thread);
  log += "e";
  EXPECT_EQ(log, "abcde");
}

TEST(Fiber, FibersSwitchToEachOther) {
  std::string log;
  Fiber os_thread;
  Fiber *first = nullptr, *second = nullptr;
  Fiber fiber([&]() -> Fiber& {
    log += "1";
    second->resume(*first);
    log += "3";
    return *second;
  });
  Fiber other([&]() -> Fiber& {
    log += "2";
    first->resume(*second);
    log += "4";
    return os_thread;
  });
  first = &fiber;
  second = &other;
  fiber.resume(os_thread);
  EXPECT_EQ(log, "1234");
}

TEST(Fiber, UsesTheStackOfAFiberThatEndedOnAnyThread) {
  constexpr intptr_t kStackSize = 64 * 1024;
  const auto address_on_a_fiber = [] {
    intptr_t address = 0;
    Fiber os_thread;
    Fiber fiber([&]() -> Fiber& {
      char local = 0;
      address = reinterpret_cast<intptr_t>(&local);
      return os_thread;
    });
    fiber.resume(os_thread);
    return address;
  };
  intptr_t first = 0;
  std::thread([&] { first = address_on_a_fiber(); }).join();
  EXPECT_LT(std::abs(address_on_a_fiber() - first), kStackSize);
}

TEST(Fiber, ExceptionsStayOnTheirStack) {
  Fiber os_thread;
  std::string caught;
  Fiber fiber([&]() -> Fiber& {
    try {
      throw std::runtime_error("inside");
    } catch (const std::exception& error) {
      caught = error.what();
    }
    return os_thread;
  });
  fiber.resume(os_thread);
  EXPECT_EQ(caught, "inside");
}

}  // namespace
