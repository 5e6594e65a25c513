// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <thread>

#include "app/render/live_view.h"

namespace winnow {
namespace {

const std::vector<FilmArray> kShownArrays = {FilmArray::kSum, FilmArray::kSamples};
constexpr FilmShape kSmallShape{16, 8, {}}, kLargeShape{640, 360, {}};

TEST(FrameMemories, AreReadyAtOnceForSmallFilms) {
  FrameMemory memory;
  memory.prepare(kSmallShape, kShownArrays);
  EXPECT_FALSE(memory.is_being_made());
  const std::shared_ptr<DisplayFrame> frame = memory.take();
  EXPECT_EQ(frame->film.sum.size(), 16u * 8u);
  EXPECT_EQ(frame->film.samples.size(), 16u * 8u);
}

TEST(FrameMemories, AreMadeByAnotherThreadForLargeFilmsAndWaitedFor) {
  FrameMemory memory;
  memory.prepare(kLargeShape, kShownArrays);
  EXPECT_EQ(memory.take()->film.sum.size(), 640u * 360u);
  EXPECT_FALSE(memory.is_being_made());
}

TEST(FrameMemories, AreUsedAgain) {
  FrameMemory memory;
  memory.prepare(kLargeShape, kShownArrays);
  const void* first = memory.take()->film.sum.data();  // released at once
  memory.prepare(kLargeShape, kShownArrays);
  EXPECT_FALSE(memory.is_being_made());
  const std::shared_ptr<DisplayFrame> frame = memory.take();
  EXPECT_EQ(frame->film.sum.data(), first);
  memory.prepare(kLargeShape, kShownArrays);
  EXPECT_NE(memory.take()->film.sum.data(), first) << "while a viewer holds it";
}

TEST(FrameMemories, MayEndBeforeTheirFramesOnAnyThread) {
  std::shared_ptr<DisplayFrame> frame;
  {
    FrameMemory memory;
    memory.prepare(kSmallShape, kShownArrays);
    frame = memory.take();
  }
  std::jthread(
      [frame = std::exchange(frame, nullptr)] { EXPECT_EQ(frame->film.sum.size(), 16u * 8u); });
}

TEST(FrameMemories, AreEmptyWhereNobodyPreparedThem) {
  FrameMemory memory;
  EXPECT_FALSE(memory.is_being_made());
  EXPECT_TRUE(memory.take()->film.sum.empty());
}

}  // namespace
}  // namespace winnow
