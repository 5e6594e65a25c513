// SPDX-License-Identifier: MIT
// The last epoch of a workspace: every kernel that publishes tile states clears all of them, so
// that no word of an earlier call becomes valid again.

#include <gmock/gmock.h>

#include <functional>
#include <numeric>
#include <ostream>

#include "compaction/single_pass/partition.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/runs.h"
#include "compaction/single_pass/scan_loaded.h"
#include "compaction/single_pass/split.h"
#include "tests/compaction/single_pass/support/jobs.h"

namespace {

using Numbers = std::vector<uint32_t>;
using compaction::Sum;

/// Enough items for several tiles of each kernel on a device of few multiprocessors, in a wave of
/// tiles and in a pipeline.
constexpr uint32_t kInWave = 7000, kInPipeline = 90'000;

/// A call of a function with a workspace. Returns what it writes.
struct KernelKind {
  const char* name;
  uint32_t items;
  std::function<Numbers(Executor&, const Numbers&, Span<std::byte>)> call;
};
void PrintTo(const KernelKind& kind, std::ostream* out) {
  *out << kind.name;
}

struct ModuloClass {
  unsigned classes;
  uint32_t operator()(uint32_t item) const { return item % classes; }
};
template <unsigned kClasses>
Numbers split(Executor& on, const Numbers& in, Span<std::byte> workspace) {
  Numbers out(in.size());
  uint32_t offsets[kClasses + 1];
  compaction::split<kClasses>(
      on, compaction::ItemsByClass<uint32_t, ModuloClass>{in.data(), {kClasses}},
      compaction::WriteItems<uint32_t>{out.data()}, ItemCount{in.size()}, {offsets}, workspace);
  return out;
}
Numbers select(Executor& on, const Numbers& in, Span<std::byte> workspace) {
  Numbers out(in.size());
  uint32_t count = 0;
  compaction::select(on, compaction::ItemsIf<uint32_t, Below>{in.data(), kBelowHalf},
                     compaction::WriteItems<uint32_t>{out.data()}, ItemCount{in.size()}, {&count},
                     workspace);
  out.resize(count);
  return out;
}
Numbers partition(Executor& on, const Numbers& in, Span<std::byte> workspace) {
  Numbers out(in.size()), rejected(in.size());
  uint32_t count = 0;
  using Sink = compaction::WriteItems<uint32_t>;
  compaction::partition(on, compaction::ItemsIf<uint32_t, Below>{in.data(), kBelowHalf},
                        Sink{out.data()}, Sink{rejected.data()}, ItemCount{in.size()}, {&count},
                        workspace);
  std::copy(rejected.begin(), rejected.end() - count, out.begin() + count);
  return out;
}
Numbers scan(Executor& on, const Numbers& in, Span<std::byte> workspace) {
  Numbers out(in.size());
  compaction::inclusive_scan(on, in.data(), ItemCount{in.size()}, out.data(), Sum<uint32_t>(), 0u,
                             static_cast<uint32_t*>(nullptr), workspace);
  return out;
}
Numbers reduce(Executor& on, const Numbers& in, Span<std::byte> workspace) {
  Numbers out(1);
  compaction::reduce(on, in.data(), ItemCount{in.size()}, out.data(), Sum<uint32_t>(), workspace);
  return out;
}
Numbers scan_loaded(Executor& on, const Numbers& in, Span<std::byte> workspace) {
  Numbers out(in.size());
  compaction::scan_loaded<ScanKind::kInclusive>(
      on, compaction::Items<uint32_t>{in.data()}, compaction::StoreItems<uint32_t>{out.data()},
      ItemCount{in.size()}, Sum<uint32_t>(), 0u, static_cast<uint32_t*>(nullptr), workspace);
  return out;
}
Numbers scan_by_flag(Executor& on, const Numbers& in, Span<std::byte> workspace) {
  Numbers out(in.size());
  std::vector<uint8_t> begins(in.size());
  for (size_t i = 0; i < in.size(); ++i) begins[i] = in[i] % 50 == 0;
  compaction::segmented_scan<ScanKind::kInclusive>(
      on, compaction::Items<uint32_t>{in.data()}, compaction::BeginsAtFlag{begins.data()},
      out.data(), ItemCount{in.size()}, Sum<uint32_t>(), 0u, workspace);
  return out;
}
Numbers reduce_by_key(Executor& on, const Numbers& in, Span<std::byte> workspace) {
  Numbers out(in.size()), keys(in.size());
  for (size_t i = 0; i < in.size(); ++i) keys[i] = in[i / 16] % 4;
  uint32_t count = 0;
  compaction::reduce_by_key(on, keys.data(), compaction::Items<uint32_t>{in.data()},
                            static_cast<uint32_t*>(nullptr), out.data(), ItemCount{in.size()},
                            {&count}, Sum<uint32_t>(), workspace);
  out.resize(count);
  return out;
}
Numbers run_lengths(Executor& on, const Numbers& in, Span<std::byte> workspace) {
  Numbers out(in.size()), keys(in.size());
  for (size_t i = 0; i < in.size(); ++i) keys[i] = in[i / 16] % 4;
  uint32_t count = 0;
  compaction::run_length_encode(on, keys.data(), static_cast<uint32_t*>(nullptr), out.data(),
                                ItemCount{in.size()}, {&count}, workspace);
  out.resize(count);
  return out;
}

const KernelKind kKinds[] = {{"SelectInAWave", kInWave, select},
                             {"Select", kInPipeline, select},
                             {"PartitionInAWave", kInWave, partition},
                             {"Partition", kInPipeline, partition},
                             {"ScanInAWave", kInWave, scan},
                             {"Scan", kInPipeline, scan},
                             {"Reduce", kInPipeline, reduce},
                             {"ScanLoadedInAWave", kInWave, scan_loaded},
                             {"ScanLoaded", kInPipeline, scan_loaded},
                             {"SegmentedScanInAWave", kInWave, scan_by_flag},
                             {"SegmentedScan", kInPipeline, scan_by_flag},
                             {"ReduceByKeyInAWave", kInWave, reduce_by_key},
                             {"ReduceByKey", kInPipeline, reduce_by_key},
                             {"RunLengthsInAWave", kInWave, run_lengths},
                             {"RunLengths", kInPipeline, run_lengths},
                             {"SplitOfFew", kInWave, split<8>},
                             {"Split", kInPipeline, split<8>},
                             {"SplitIntoManyClasses", kInPipeline, split<200>}};

class Epochs : public testing::TestWithParam<KernelKind> {};

TEST_P(Epochs, TheLastOneClearsTheWorkspaceAndFurtherCallsAreRight) {
  const auto& [name, items, call] = GetParam();
  const Numbers first = random_numbers(items, 1), second = random_numbers(items, 2);
  Executor orderly({.order = Order::kForward, .seed = 0, .resident_blocks = 2});
  Memory fresh;
  const Numbers of_first = call(orderly, first, fresh.span()),
                of_second = call(orderly, second, fresh.span());
  ASSERT_NE(of_first, of_second);

  Executor executor({.order = Order::kShuffled, .seed = 1, .resident_blocks = 2});
  Memory memory;
  for (int repetition = 0; repetition < 3; ++repetition)
    ASSERT_EQ(call(executor, first, memory.span()), of_first);
  memory.state() = {};
  ASSERT_THAT(memory.bytes, testing::Not(testing::Each(std::byte{0}))) << "no states were written";
  memory.begin_epoch(TileQueue::kLastEpoch - 1);
  while (memory.epoch() >= TileQueue::kLastEpoch - 1)
    ASSERT_EQ(call(executor, second, memory.span()), of_second);
  ASSERT_EQ(memory.epoch(), 0u);
  EXPECT_THAT(memory.bytes, testing::Each(std::byte{0}));
  for (int repetition = 0; repetition < 3; ++repetition)
    EXPECT_EQ(call(executor, second, memory.span()), of_second);
}

INSTANTIATE_TEST_SUITE_P(Host, Epochs, testing::ValuesIn(kKinds),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
