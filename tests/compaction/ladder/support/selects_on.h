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

template <class Device>
class LadderSelectorOn : public LadderSelector {
 public:
  LadderSelectorOn(Device& device, SelectRung rung, uint32_t max_capacity)
      : device_(device), rung_(rung), workspace_(device, bytes(rung, max_capacity), 0) {}

  std::vector<uint32_t> select(const LadderSelectProblem& problem) override {
    uint32_t n = uint32_t(problem.flags.size());
    size_t expected = n - std::count(problem.flags.begin(), problem.flags.end(), 0);
    GuardedBuffer<uint8_t, Device> flags(device_, problem.flags);
    GuardedBuffer<uint32_t, Device> values(device_, problem.values), selected(device_, expected),
        count(device_, 1), item_count(device_, std::vector<uint32_t>{n});

    PickSource source{flags.span(), values.span()};
    compaction::ItemCount items{problem.capacity,
                                problem.count_on_device ? item_count.data() : nullptr};
    auto call = [&](auto algorithm) {
      algorithm(device_.launcher(), source, items, selected.span(), count.span(),
                workspace_.span());
    };
    switch (rung_) {
      case SelectRung::kScan:
        call([](auto& launcher, auto... a) { compaction::scan_select(launcher, a...); });
        break;
      case SelectRung::kBallot:
        call([](auto& launcher, auto... a) { compaction::ballot_select(launcher, a...); });
        break;
      case SelectRung::kLookBack:
        call([](auto& launcher, auto... a) { compaction::look_back_select(launcher, a...); });
        break;
    }
    device_.finish();
    workspace_.read();
    flags.read();
    values.read();
    item_count.read();
    std::vector<uint32_t> result = selected.read();
    uint32_t result_count = count.read()[0];
    if (result_count != result.size())
      throw std::runtime_error("the count is " + std::to_string(result_count) + ", not " +
                               std::to_string(result.size()));
    return result;
  }

 private:
  static size_t bytes(SelectRung rung, uint32_t capacity) {
    switch (rung) {
      case SelectRung::kScan:
        return compaction::scan_select_bytes(capacity);
      case SelectRung::kBallot:
        return compaction::ballot_select_bytes(capacity);
      case SelectRung::kLookBack:
        return compaction::look_back_select_bytes(capacity);
    }
    return 0;
  }

  Device& device_;
  SelectRung rung_;
  GuardedBuffer<std::byte, Device> workspace_;
};

/// Each block processes kBatches batches of items, one item per thread and batch.
struct AppendFlagged {
  static constexpr unsigned kBlockSize = 128;
  static constexpr unsigned kBatches = 3;
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

  std::unique_ptr<LadderSelector> selector(SelectRung rung, uint32_t max_capacity) override {
    return std::make_unique<LadderSelectorOn<Device>>(device_, rung, max_capacity);
  }

  std::vector<uint32_t> append(const std::vector<uint8_t>& flags,
                               const std::vector<uint32_t>& values) override {
    return append_by<AppendFlagged>(AppendFlagged::kBlockSize * AppendFlagged::kBatches, flags,
                                    values);
  }
  std::vector<uint32_t> append_many(const std::vector<uint8_t>& flags,
                                    const std::vector<uint32_t>& values) override {
    using Kernel = AppendManyFlagged;
    return append_by<Kernel>(Kernel::kBlockSize * Kernel::kValues * Kernel::kBatches, flags,
                             values);
  }

 private:
  template <class Kernel>
  std::vector<uint32_t> append_by(uint32_t block_items, const std::vector<uint8_t>& flags,
                                  const std::vector<uint32_t>& values) {
    size_t expected = flags.size() - std::count(flags.begin(), flags.end(), 0);
    GuardedBuffer<uint8_t, Device> flag_buffer(device_, flags);
    GuardedBuffer<uint32_t, Device> value_buffer(device_, values), out(device_, expected),
        count(device_, std::vector<uint32_t>{0});
    uint32_t blocks = simt::ceil_div(uint32_t(flags.size()), block_items);
    device_.launcher().launch(blocks, Kernel{.source = {flag_buffer.span(), value_buffer.span()},
                                             .out = out.span(),
                                             .count = count.data()});
    device_.finish();
    if (count.read()[0] != expected) throw std::runtime_error("the count is wrong");
    return out.read();
  }

  Device device_;
};

}  // namespace
