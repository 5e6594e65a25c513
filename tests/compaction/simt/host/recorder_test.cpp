// SPDX-License-Identifier: MIT
#include "compaction/simt/host/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "tests/compaction/simt/host/support/trace_reader.h"

namespace recorder_test {

using namespace simt::host;
using testing::HasSubstr;

/// Memory that the threads of a test share. Tests report accesses as the compiler's hooks would.
struct Words {
  uint32_t words[4] = {};

  void load(unsigned i) { report(i, MemoryAccess::Kind::kLoad, MemoryAccess::Order::kPlain); }
  void store(unsigned i, uint32_t value) {
    report(i, MemoryAccess::Kind::kStore, MemoryAccess::Order::kPlain);
    words[i] = value;
  }
  void report(unsigned i, MemoryAccess::Kind kind, MemoryAccess::Order order) {
    AccessListener::active->access({&words[i], sizeof(uint32_t), kind, order, this, words[i]});
  }
};

using Body = std::function<void(Block&, Words&)>;

/// A kernel of two warps.
struct TwoWarps {
  static constexpr unsigned kBlockSize = 2 * simt::kWarpSize;
  using Shared = simt::NoShared;

  const Body* body;
  Words* words;

  void operator()(Block& block, Shared&) const { (*body)(block, *words); }
};

Trace record(const Body& body, uint32_t blocks = 1, Recorder::Options options = {}) {
  Words words;
  Recorder recorder(options);
  recorder.watch("words", &words, sizeof(words), Cells::kU32);
  Executor executor({.resident_blocks = blocks});
  executor.record_to(&recorder);
  try {
    executor.launch(blocks, TwoWarps{&body, &words});
  } catch (const KernelError&) {
  }
  return recorder.finish();
}

std::vector<Event> events_of(const Trace& trace, EventKind kind) {
  std::vector<Event> events;
  for_each_event(trace, [&](const Event& event) {
    if (event.kind == kind) events.push_back(event);
  });
  return events;
}

TEST(Recorder, KeepsEachCallWithItsThreadValueAndLine) {
  Trace trace =
      record([](Block& block, Words&) { block.warp().ballot(block.thread_rank() == 33); });
  std::vector<Event> ballots = events_of(trace, EventKind::kBallot);
  ASSERT_EQ(ballots.size(), 64u);
  for (unsigned i = 0; i < ballots.size(); ++i) {
    EXPECT_EQ(ballots[i].thread, i);
    EXPECT_EQ(ballots[i].value, i == 33);
    EXPECT_THAT(trace.places[ballots[i].place].file, HasSubstr("recorder_test.cpp"));
  }
  EXPECT_EQ(events_of(trace, EventKind::kThreadEnd).size(), 64u);
  EXPECT_EQ(trace.launches[0].block_size, 64u);
  EXPECT_THAT(trace.launches[0].kernel, HasSubstr("TwoWarps"));
}

TEST(Recorder, KeepsAddressAndValueOfStores) {
  Trace trace = record([](Block& block, Words& words) {
    if (block.thread_rank() == 5) words.store(2, 0xFFFFFFFFu);
    if (block.thread_rank() == 5) words.store(3, 7);
  });
  std::vector<Event> stores = events_of(trace, EventKind::kStore);
  ASSERT_EQ(stores.size(), 2u);
  EXPECT_EQ(stores[0].offset, 8u);
  EXPECT_EQ(stores[0].value, 0xFFFFFFFFu);
  EXPECT_EQ(stores[1].offset, 12u);
  EXPECT_EQ(stores[1].value, 7u);
  EXPECT_EQ(stores[1].thread, 5u);
  EXPECT_EQ(trace.regions[1].name, "words");
}

TEST(Recorder, MakesEventsOfStoresThatNoHookReported) {
  Trace trace = record([](Block& block, Words& words) {
    if (block.thread_rank() == 0) words.words[1] = 9;
  });
  std::vector<Event> stores = events_of(trace, EventKind::kStore);
  ASSERT_EQ(stores.size(), 1u);
  EXPECT_EQ(stores[0].offset, 4u);
  EXPECT_EQ(stores[0].value, 9u);
}

TEST(Recorder, ShowsWhatTheHostWroteBeforeEachLaunch) {
  Words words;
  Recorder recorder;
  recorder.watch("words", &words, sizeof(words), Cells::kU32);
  Executor executor;
  executor.record_to(&recorder);
  const Body reads = [](Block& block, Words& words) {
    if (block.thread_rank() == 0) words.load(0);
  };
  words.words[0] = 3;
  executor.launch(1, TwoWarps{&reads, &words});
  words.words[0] = 4;
  executor.launch(1, TwoWarps{&reads, &words});
  const Trace trace = recorder.finish();
  EXPECT_EQ(uint8_t(trace.regions[1].before[0]), 3);
  const std::vector<Event> stores = events_of(trace, EventKind::kStore);
  ASSERT_EQ(stores.size(), 1u);
  EXPECT_EQ(stores[0].value, 4u);
  EXPECT_LT(stores[0].clock, events_of(trace, EventKind::kLaunch)[1].clock);
}

TEST(Recorder, KeepsTheFirstEventsAndSaysThatThereWereMore) {
  const Body body = [](Block& block, Words&) { block.sync(); };
  Trace trace = record(body, 1, {.max_events = 10});
  EXPECT_TRUE(trace.is_truncated);
  EXPECT_EQ(trace.event_count, 10u);
  EXPECT_FALSE(record(body).is_truncated);
}

TEST(Recorder, ReportsARaceWithBothSides) {
  Trace trace = record([](Block& block, Words& words) {
    if (block.thread_rank() == 1) words.store(0, 1);
    if (block.thread_rank() == 40) words.load(0);
  });
  EXPECT_THAT(trace.failure.message, HasSubstr("race"));
  ASSERT_EQ(trace.failure.sides.size(), 2u);
  EXPECT_EQ(trace.failure.sides[0].thread, 1u);
  EXPECT_EQ(trace.failure.sides[0].does, "stores words[0]");
  EXPECT_EQ(trace.failure.sides[1].thread, 40u);
  EXPECT_EQ(trace.failure.sides[1].does, "loads words[0]");
}

TEST(Recorder, FindsNoRaceOfAThreadWithItself) {
  Trace trace = record([](Block& block, Words& words) {
    if (block.thread_rank() != 1) return;
    words.store(0, 1);
    words.load(0);
    words.store(0, 2);
  });
  EXPECT_EQ(trace.failure.message, "");
}

TEST(Recorder, TakesABarrierForOrder) {
  Trace trace = record([](Block& block, Words& words) {
    if (block.thread_rank() == 1) words.store(0, 1);
    block.sync();
    words.load(0);
  });
  EXPECT_EQ(trace.failure.message, "");
}

TEST(Recorder, TakesABarrierOfAWarpForOrderInThatWarpAlone) {
  const auto reader_is = [](unsigned reader) {
    return record([reader](Block& block, Words& words) {
             if (block.thread_rank() == 1) words.store(0, 1);
             block.warp().sync();
             if (block.thread_rank() == reader) words.load(0);
           })
        .failure.message;
  };
  EXPECT_EQ(reader_is(2), "");
  EXPECT_THAT(reader_is(34), HasSubstr("race"));
}

TEST(Recorder, TakesNoBallotForOrder) {
  Trace trace = record([](Block& block, Words& words) {
    if (block.thread_rank() == 1) words.store(0, 1);
    block.warp().ballot(true);
    if (block.thread_rank() == 2) words.load(0);
  });
  EXPECT_THAT(trace.failure.message, HasSubstr("race"));
}

/// Block 0 writes a word and then a flag; block 1 reads the flag and then the word.
std::string failure_of_message(MemoryAccess::Order store, MemoryAccess::Order load,
                               bool fences = false) {
  return record(
             [=](Block& block, Words& words) {
               if (block.thread_rank() == 3 && block.group_index() == 0) words.store(0, 1);
               block.sync();
               if (block.thread_rank() == 0 && block.group_index() == 0) {
                 if (fences) AccessListener::active->fence(nullptr);
                 words.report(1, MemoryAccess::Kind::kStore, store);
               }
               block.sync();
               if (block.thread_rank() == 0 && block.group_index() == 1) {
                 words.report(1, MemoryAccess::Kind::kLoad, load);
                 if (fences) AccessListener::active->fence(nullptr);
               }
               block.sync();
               if (block.thread_rank() == 50 && block.group_index() == 1) words.load(0);
             },
             2)
      .failure.message;
}

TEST(Recorder, TakesReleaseAndAcquireForOrderBetweenBlocks) {
  using Order = MemoryAccess::Order;
  EXPECT_EQ(failure_of_message(Order::kRelease, Order::kAcquire), "");
  EXPECT_THAT(failure_of_message(Order::kRelaxed, Order::kAcquire), HasSubstr("race"));
  EXPECT_THAT(failure_of_message(Order::kRelease, Order::kRelaxed), HasSubstr("race"));
  EXPECT_EQ(failure_of_message(Order::kRelaxed, Order::kRelaxed, true), "");
}

TEST(Recorder, FindsNoRaceBetweenAtomicAccesses) {
  Trace trace = record([](Block&, Words& words) {
    words.report(0, MemoryAccess::Kind::kModify, MemoryAccess::Order::kRelaxed);
  });
  EXPECT_EQ(trace.failure.message, "");
}

TEST(Recorder, ShowsBothSidesOfADivergentBarrier) {
  Trace trace = record([](Block& block, Words&) {
    if (block.thread_rank() < 32)
      block.sync();
    else
      block.sync();
  });
  ASSERT_EQ(trace.failure.sides.size(), 2u);
  EXPECT_EQ(trace.failure.sides[0].thread, 0u);
  EXPECT_EQ(trace.failure.sides[1].thread, 32u);
  EXPECT_EQ(trace.failure.sides[0].line.line + 2, trace.failure.sides[1].line.line);
}

TEST(Recorder, ShowsBothSidesOfADeadlock) {
  Trace trace = record([](Block& block, Words&) {
    if (block.thread_rank() == 0) return;
    block.sync();
  });
  EXPECT_EQ(trace.failure.sides.size(), 2u) << trace.failure.message;
}

TEST(Trace, IsTheSameAfterWritingAndReading) {
  Trace trace = record([](Block& block, Words& words) {
    if (block.thread_rank() == 1) words.store(0, 1);
    if (block.thread_rank() == 40) words.load(0);
  });
  const std::vector<uint8_t> bytes = serialize(trace);
  EXPECT_EQ(serialize(parse(bytes)), bytes);
  EXPECT_EQ(parse(bytes).failure.message, trace.failure.message);
}

TEST(Trace, ThatIsCutAnywhereIsRefused) {
  Trace trace = record([](Block& block, Words&) { block.sync(); });
  std::vector<uint8_t> bytes = serialize(trace);
  while (!bytes.empty()) {
    bytes.pop_back();
    EXPECT_THROW(parse(bytes), std::runtime_error);
  }
}

}  // namespace recorder_test
