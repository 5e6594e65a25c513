// SPDX-License-Identifier: MIT
#include "compaction/grid/tile_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/compaction/support/host_test.h"

namespace {

using compaction::kEpochs;
using compaction::Ticket;

/// One call of `blocks` blocks that draw once each, executed step by step.
struct Call {
  static constexpr uint64_t kOldWord = 0xA5A5A5A5A5A5A5A5;

  Call(unsigned blocks, uint32_t epoch)
      : tickets(blocks), steps_done(blocks, 0), words(5, kOldWord) {
    state.next = uint64_t(epoch) << TileQueue::kEpochShift;
  }

  TileQueue queue() { return {{&state, 1}}; }

  void step(unsigned block) {
    uint32_t draws = uint32_t(tickets.size());
    switch (steps_done[block]++) {
      case 0:
        tickets[block] = queue().draw();
        drawn.push_back(tickets[block]);
        break;
      case 1:
        queue().after_draw(tickets[block], draws);
        break;
      case 2:
        queue().end_block(tickets[block].epoch, draws, {words.data(), words.size()});
        break;
    }
  }

  TileQueue::State state{};
  std::vector<Ticket> tickets;       ///< [block]
  std::vector<unsigned> steps_done;  ///< [block]
  std::vector<Ticket> drawn;         ///< in order
  std::vector<uint64_t> words;
};

constexpr unsigned kSteps = 3;

/// Checks every interleaving of the steps of the blocks; returns their number.
uint64_t check_orders(const Call& call, uint32_t epoch) {
  uint64_t orders = 0;
  bool done = true;
  for (unsigned block = 0; block < call.tickets.size(); ++block) {
    if (call.steps_done[block] == kSteps) continue;
    done = false;
    Call next = call;
    next.step(block);
    orders += check_orders(next, epoch);
  }
  if (!done) return orders;

  bool last_epoch = epoch == TileQueue::kLastEpoch;
  for (uint32_t i = 0; i < call.drawn.size(); ++i) {
    EXPECT_EQ(call.drawn[i].tile, i);
    EXPECT_EQ(call.drawn[i].epoch, epoch);
  }
  EXPECT_EQ(call.state.next, uint64_t(last_epoch ? 0 : epoch + 1) << TileQueue::kEpochShift);
  EXPECT_EQ(call.state.ended_blocks, 0u);
  EXPECT_THAT(call.words, testing::Each(last_epoch ? 0 : Call::kOldWord));
  return 1;
}

TEST(TileQueue, IsReadyForTheNextCallWhateverTheOrderOfTheBlocks) {
  constexpr uint64_t kOrders[] = {0, 1, 20, 1680};  // (3 blocks)! / (3!)^blocks
  for (uint32_t epoch : {0u, 1u, kEpochs - 2, kEpochs - 1})
    for (unsigned blocks : {1u, 2u, 3u})
      EXPECT_EQ(check_orders(Call(blocks, epoch), epoch), kOrders[blocks]);
  // Four blocks where the order matters most.
  EXPECT_EQ(check_orders(Call(4, kEpochs - 1), kEpochs - 1), 369'600u);
}

TEST(TileQueue, ServesCallsOfAnyNumberOfBlocks) {
  TileQueue::State state{};
  TileQueue queue{{&state, 1}};
  for (uint32_t call = 0; call < 100; ++call) {
    uint32_t draws = 1 + call * 7 % 13;
    for (uint32_t i = 0; i < draws; ++i) {
      Ticket ticket = queue.draw();
      queue.after_draw(ticket, draws);
      EXPECT_EQ(ticket.tile, i);
      EXPECT_EQ(ticket.epoch, call);
    }
  }
}

/// Returns the error of a call whose blocks draw once each.
std::string error_of(uint32_t blocks, uint64_t next) {
  TileQueue::State state{next, 0};
  TileQueue queue{{&state, 1}};
  return kernel_error_of([&] {
    Executor().launch(blocks, kernel_of<32>([&](auto& block) {
                        if (block.thread_rank() == 0)
                          queue.after_draw(queue.draw(), block.num_groups());
                      }));
  });
}

TEST(TileQueue, ReportsAWorkspaceThatWasNotZeroed) {
  EXPECT_EQ(error_of(3, 0), "no error");
  EXPECT_THAT(error_of(3, 0xA5A5A5A5A5A5A5A5), testing::HasSubstr("not zeroed"));
  EXPECT_THAT(error_of(3, 0xA5A5A5A5), testing::HasSubstr("not zeroed"));
}

TEST(TileQueue, ReportsTicketsThatAnotherCallTook) {
  EXPECT_THAT(error_of(3, 3), testing::HasSubstr("two calls use it at once"));
}

}  // namespace
