// SPDX-License-Identifier: MIT
#include "compaction/simt/async_copy.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

namespace {

/// kVectorBytes, the size that AsyncCopies moves.
struct alignas(simt::kVectorBytes) Vector {
  uint32_t words[4];
};

constexpr uint32_t kPoison = 0xCDCDCDCD;  // from the start of a copy to its end

TEST(AsyncCopies, ArriveInGroupsWhenWaitedFor) {
  const Vector from[3] = {{{1}}, {{2}}, {{3}}};
  Vector to[3] = {};
  auto copies = std::make_unique<simt::AsyncCopies<2, 2>>();
  copies->copy(&to[0], &from[0]);
  copies->copy(&to[1], &from[1]);
  copies->commit();
  copies->copy(&to[2], &from[2]);
  copies->commit();
  EXPECT_EQ(to[0].words[0], kPoison);

  copies->wait<1>();  // all groups but the last
  EXPECT_EQ(to[0].words[0], 1u);
  EXPECT_EQ(to[1].words[0], 2u);
  EXPECT_EQ(to[2].words[0], kPoison);

  copies->wait<0>();
  EXPECT_EQ(to[2].words[0], 3u);
}

TEST(AsyncCopies, GroupsMayBeEmpty) {
  const Vector from{{7}};
  Vector to{};
  auto copies = std::make_unique<simt::AsyncCopies<2, 1>>();
  for (int turn = 0; turn < 10; ++turn) {
    copies->commit();
    copies->wait<1>();
  }
  copies->copy(&to, &from);
  copies->commit();
  copies->wait<1>();
  EXPECT_EQ(to.words[0], kPoison);
  copies->commit();
  copies->wait<1>();
  EXPECT_EQ(to.words[0], 7u);
}

TEST(AsyncCopies, ReportMoreThanWasDeclared) {
  const Vector from{};
  Vector to{};
  auto copies = std::make_unique<simt::AsyncCopies<1, 1>>();
  copies->copy(&to, &from);
  EXPECT_THROW(copies->copy(&to, &from), std::logic_error);
  copies->commit();
  EXPECT_THROW(copies->commit(), std::logic_error);
}

}  // namespace
