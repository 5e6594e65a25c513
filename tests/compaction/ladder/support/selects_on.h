// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "compaction/append.h"
#include "compaction/ladder/ballot_select.h"
#include "compaction/ladder/look_back_select.h"
#include "compaction/ladder/scan_select.h"
#include "tests/compaction/ladder/support/ladder.h"
#include "tests/compaction/support/guarded_buffer.h"

// Included by one .cpp for the host executor and by one .cu for CUDA. `Device` has launcher(),
// allocate(), free(), write(), read() and finish(), which throws where a launch failed.

namespace {

/// Values that are not a function of the index.
struct PickSource {
  simt::Span<const uint8_t> flags;
  simt::Span<const uint32_t> values;

  SIMT_HOST_DEVICE bool selected(uint32_t item) const { return flags[item] != 0; }
  SIMT_HOST_DEVICE uint32_t value(uint32_t item) const { return values[item]; }
};

/// Each block processes kBatches batches of items, one item per thread and batch.
struct AppendFlagged {
  static constexpr unsigned kBlockSize = 128, kValues = 1, kBatches = 3;
  using Shared = compaction::AppendShared<kBlockSize>;

  PickSource source;
  simt::Span<uint32_t> out;
  uint32_t* count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    for (unsigned batch = 0; batch < kBatches; ++batch) {
      uint32_t item = (block.group_index() * kBatches + batch) * kBlockSize + block.thread_rank();
      bool push = item < source.flags.size && source.selected(item);
      compaction::block_append(block, push, push ? source.value(item) : 0, out, count, shared);
    }
  }
};

/// Appends the values of set flags by the block_append() that stages, with several values per
/// thread, in a few batches.
struct AppendManyFlagged {
  static constexpr unsigned kBlockSize = 96, kValues = 3, kBatches = 2;
  using Shared = compaction::StagedAppendShared<uint32_t, kBlockSize, kValues>;

  PickSource source;
  simt::Span<uint32_t> out;
  uint32_t* count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    for (unsigned batch = 0; batch < kBatches; ++batch) {
      uint32_t first = (block.group_index() * kBatches + batch) * kBlockSize * kValues +
                       block.warp_rank() * simt::kWarpSize * kValues + block.warp().thread_rank();
      bool push[kValues];
      uint32_t values[kValues] = {};
      for (unsigned i = 0; i < kValues; ++i) {
        uint32_t item = first + i * simt::kWarpSize;
        push[i] = item < source.flags.size && source.selected(item);
        if (push[i]) values[i] = source.value(item);
      }
      compaction::block_append(block, push, values, out, count, shared);
    }
  }
};

template <class Device>
class LadderSelectsOn : public LadderSelects {
 public:
  template <class... Args>
  explicit LadderSelectsOn(Args... args) : device_(args...) {}

  LadderSelector selector(SelectRung rung, uint32_t max_capacity) override {
    switch (rung) {
      case SelectRung::kScan:
        return selector_of(
            compaction::scan_select_bytes(max_capacity),
            [](auto& launcher, auto... a) { compaction::scan_select(launcher, a...); });
      case SelectRung::kBallot:
        return selector_of(
            compaction::ballot_select_bytes(max_capacity),
            [](auto& launcher, auto... a) { compaction::ballot_select(launcher, a...); });
      case SelectRung::kLookBack:
        return selector_of(
            compaction::look_back_select_bytes(max_capacity),
            [](auto& launcher, auto... a) { compaction::look_back_select(launcher, a...); });
    }
    throw std::logic_error("no such select");
  }

  std::vector<uint32_t> append(const std::vector<uint8_t>& flags,
                               const std::vector<uint32_t>& values) override {
    return append_by<AppendFlagged>(flags, values);
  }
  std::vector<uint32_t> append_many(const std::vector<uint8_t>& flags,
                                    const std::vector<uint32_t>& values) override {
    return append_by<AppendManyFlagged>(flags, values);
  }

 private:
  using Numbers = GuardedBuffer<uint32_t, Device>;

  /// Calls `algorithm` in a workspace of `bytes`.
  template <class Algorithm>
  LadderSelector selector_of(size_t bytes, Algorithm algorithm) {
    auto workspace = std::make_shared<GuardedBuffer<std::byte, Device>>(device_, bytes, 0);
    return [=, this](const LadderSelectProblem& problem) {
      uint32_t n = uint32_t(problem.flags.size());
      size_t expected = n - std::count(problem.flags.begin(), problem.flags.end(), 0);
      GuardedBuffer<uint8_t, Device> flags(device_, problem.flags);
      Numbers values(device_, problem.values), selected(device_, expected), count(device_, 1),
          item_count(device_, std::vector<uint32_t>{n});
      compaction::ItemCount items{problem.capacity,
                                  problem.count_on_device ? item_count.data() : nullptr};
      algorithm(device_.launcher(), PickSource{flags.span(), values.span()}, items, selected.span(),
                count.span(), workspace->span());
      device_.finish();
      workspace->read();
      flags.read();
      values.read();
      item_count.read();
      return expect_count(count, selected);
    };
  }

  /// The items of `out`, which are as many as `count` says.
  static std::vector<uint32_t> expect_count(const Numbers& count, const Numbers& out) {
    std::vector<uint32_t> result = out.read();
    if (uint32_t counted = count.read()[0]; counted != result.size())
      throw std::runtime_error("the count is " + std::to_string(counted) + ", not " +
                               std::to_string(result.size()));
    return result;
  }

  template <class Kernel>
  std::vector<uint32_t> append_by(const std::vector<uint8_t>& flags,
                                  const std::vector<uint32_t>& values) {
    size_t expected = flags.size() - std::count(flags.begin(), flags.end(), 0);
    GuardedBuffer<uint8_t, Device> flag_buffer(device_, flags);
    Numbers value_buffer(device_, values), out(device_, expected),
        count(device_, std::vector<uint32_t>{0});
    uint32_t blocks = simt::ceil_div(uint32_t(flags.size()),
                                     Kernel::kBlockSize * Kernel::kValues * Kernel::kBatches);
    device_.launcher().launch(blocks, Kernel{.source = {flag_buffer.span(), value_buffer.span()},
                                             .out = out.span(),
                                             .count = count.data()});
    device_.finish();
    return expect_count(count, out);
  }

  Device device_;
};

}  // namespace
