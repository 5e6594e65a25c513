// SPDX-License-Identifier: MIT
// Runs a select and a user's kernel on the host executor, in random order.

#include <compaction/simt/host/executor.h>
#include <compaction/single_pass/select.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "own_kernel.h"

struct Odd {
  SIMT_HOST_DEVICE bool operator()(uint32_t item) const { return item % 2 == 1; }
};

using Source = compaction::ItemsIf<uint32_t, Odd>;
using Sink = compaction::WriteItems<uint32_t>;
using simt::host::Order;

int main() {
  const uint32_t n = 50'000, tiles = 4;
  std::vector<uint32_t> in(n), out(n), totals(tiles);
  std::iota(in.begin(), in.end(), 0u);
  const std::vector<uint8_t> bits(1000, 1);
  simt::Span<const uint8_t> flags(bits.data(), bits.size());
  simt::Span<uint32_t> counts(totals.data(), tiles);
  uint32_t count = 0;

  simt::host::Executor executor({.order = Order::kShuffled, .seed = 1, .resident_blocks = 4});
  std::vector<std::byte> zeros(compaction::select_bytes<Source, Sink>(n));
  compaction::select(executor, Source{in.data(), Odd{}}, Sink{out.data()}, n, {&count},
                     {zeros.data(), zeros.size()});
  executor.launch(tiles, CountSetFlags{.flags = flags, .tile_counts = counts});

  const bool right = count == n / 2 && out[0] == 1 && totals[0] == 256 && totals[3] == 1000 - 768;
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
