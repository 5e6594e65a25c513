// SPDX-License-Identifier: MIT
// A user's program without nvcc: calls a select and a scan on the host executor.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "compaction/op/operators.h"
#include "compaction/simt/host/executor.h"
#include "compaction/single_pass/scan.h"
#include "compaction/single_pass/select.h"

namespace {

struct Odd {
  SIMT_HOST_DEVICE bool operator()(uint32_t item) const { return item % 2 == 1; }
};

using Source = compaction::ItemsIf<uint32_t, Odd>;
using Sink = compaction::WriteItems<uint32_t>;
using Sum = compaction::Sum<uint32_t>;

constexpr uint32_t kItems = 50'000;  // several tiles

}  // namespace

int main() {
  std::vector<uint32_t> items(kItems), odd(kItems), sums(kItems);
  std::iota(items.begin(), items.end(), 0u);
  uint32_t odd_count = 0, total = 0;

  simt::host::Executor executor(
      {.order = simt::host::Order::kShuffled, .seed = 1, .resident_blocks = 4});
  std::vector<std::byte> memory(compaction::select_bytes<Source, Sink>(kItems));
  compaction::Span<std::byte> workspace(memory.data(), memory.size());
  compaction::select(executor, Source{items.data(), {}}, Sink{odd.data()}, {kItems}, {&odd_count},
                     workspace);

  memory.assign(compaction::scan_bytes<uint32_t>(kItems), std::byte(0));
  workspace = {memory.data(), memory.size()};
  compaction::exclusive_scan(executor, items.data(), {kItems}, sums.data(), Sum{}, 0u, &total,
                             workspace);

  uint32_t wrong = (odd_count != kItems / 2) + (total != sums.back() + items.back());
  for (uint32_t i = 0; i < odd_count; ++i) wrong += odd[i] != 2 * i + 1;
  for (uint32_t i = 1; i < kItems; ++i) wrong += sums[i] != sums[i - 1] + items[i - 1];
  std::printf("%u odd items of %u, %u mistakes\n", odd_count, kItems, wrong);
  return wrong == 0 ? 0 : 1;
}
