// SPDX-License-Identifier: MIT
#include "base/worker_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace winnow {
namespace {

TEST(WorkerThread, RunsOnePieceOfWorkAfterAnother) {
  std::vector<int> done;
  std::vector<std::thread::id> threads;
  WorkerThread worker;
  for (int i = 0; i < 100; ++i) {
    worker.start([&, i] {
      done.push_back(i);
      threads.push_back(std::this_thread::get_id());
    });
    worker.wait();
    ASSERT_EQ(done.size(), size_t(i) + 1);
    EXPECT_EQ(done.back(), i);
    EXPECT_EQ(threads.back(), threads.front());
  }
  EXPECT_NE(threads.front(), std::this_thread::get_id());
}

TEST(WorkerThread, RunsBesideOthersAndEndsWithoutWork) {
  int sums[4] = {};
  {
    WorkerThread workers[4], idle;
    for (int i = 0; i < 4; ++i) workers[i].start([&sums, i] { sums[i] = i + 1; });
    for (WorkerThread& worker : workers) worker.wait();
    idle.wait();
  }
  EXPECT_EQ(sums[0] + sums[1] + sums[2] + sums[3], 10);
}

TEST(WorkerThread, IsWaitedForNoLongerThanWanted) {
  std::atomic<bool> end = false;
  WorkerThread worker;
  EXPECT_TRUE(worker.wait_for(std::chrono::microseconds(1)));
  worker.start([&] {
    while (!end) std::this_thread::yield();
  });
  EXPECT_FALSE(worker.wait_for(std::chrono::milliseconds(2)));
  end = true;
  EXPECT_TRUE(worker.wait_for(std::chrono::minutes(1)));
}

}  // namespace
}  // namespace winnow
