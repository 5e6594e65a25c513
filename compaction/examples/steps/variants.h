// SPDX-License-Identifier: MIT
#pragma once

#include <compaction/record/record_steps.h>
#include <compaction/single_pass/select.h>
#include <compaction/single_pass/split.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Runs a program of programs.h with and without culling, by any launcher: on a GPU or on the host.

namespace steps {

enum class Cull { kNone, kEvery, kClass, kRegenerate };

struct Variant {
  Cull cull = Cull::kNone;
  uint32_t every = 1;  ///< steps from one culling to the next
  uint32_t slots = 0;  ///< number of slots with regeneration
};

constexpr unsigned kBlockSize = 256;

template <class Program>
struct Start {
  static constexpr unsigned kBlockSize = steps::kBlockSize;
  using Shared = simt::NoShared;
  Program program;
  uint32_t n;
  uint32_t* list;  // [n], receives all items

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t stride = block.num_groups() * kBlockSize;
    for (uint32_t i = block.group_index() * kBlockSize + block.thread_rank(); i < n; i += stride)
      program.start(i), list[i] = i;
  }
};

SIMT_KERNEL inline uint64_t clock_cycles() {
#ifdef __CUDA_ARCH__
  return uint64_t(clock64());
#else
  return 0;
#endif
}

template <class Program>
SIMT_KERNEL void step_item(const Program& program, uint32_t item,
                           const compaction::StepItems& record) {
  const unsigned item_class = record.classes ? program.class_of(item) : 0;
  const uint64_t begin = record.costs ? clock_cycles() : 0;
  const uint64_t work = program.step(item);
  const uint64_t cycles = record.costs ? clock_cycles() - begin : 0;
  record.record(item, true, item_class,
                Program::kCost == compaction::StepCost::kWork ? work : cycles);
}

/// Runs a step of the items of a list, or of all items.
template <class Program>
struct RunStep {
  static constexpr unsigned kBlockSize = steps::kBlockSize;
  using Shared = simt::NoShared;
  Program program;
  const uint32_t* list;  // [count], or null
  compaction::ItemCount count;
  compaction::StepItems record;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint64_t n = count(), stride = uint64_t(block.num_groups()) * kBlockSize;
    for (uint64_t entry = uint64_t(block.group_index()) * kBlockSize + block.thread_rank();
         entry < n; entry += stride) {
      const uint32_t item = list ? list[entry] : uint32_t(entry);
      if (program.is_active(item)) step_item(program, item, record);
    }
  }
};

/// Runs a step of the item of each slot. Where it ends, the next item takes the slot.
template <class Program>
struct RunSlots {
  static constexpr unsigned kBlockSize = steps::kBlockSize;
  using Shared = simt::NoShared;
  Program program;
  uint32_t n, slot_count;
  uint32_t* slots;  // [slot_count], items; n and more: none
  uint32_t* next;   // [1], first item that has not begun

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    for_each_slot(block, [&](uint32_t item) {
      if (item < n) step_item(program, item, {});
      return item < n && !program.is_active(item);
    });
  }

  /// Calls needs_item(item of the slot) for each slot: whether the next item takes the slot.
  template <class Needs>
  SIMT_KERNEL void for_each_slot(simt::Block auto& block, Needs needs_item) const {
    const auto warp = block.warp();
    const unsigned lane = warp.thread_rank();
    const uint32_t stride = block.num_groups() * kBlockSize;
    for (uint32_t first = block.group_index() * kBlockSize + block.thread_rank() - lane;
         first < slot_count; first += stride) {
      const uint32_t slot = first + lane;
      const bool exists = slot < slot_count;
      const bool needs = exists && needs_item(slots[slot]);
      const uint32_t item = take(warp, needs);
      if (needs) slots[slot] = item;
    }
  }
  /// Returns the next item that has anything to do to each lane that needs one. An atomic per warp,
  /// and one more if an item has nothing to do.
  SIMT_KERNEL uint32_t take(simt::Warp auto warp, bool needs) const {
    uint32_t item = n;
    while (const uint32_t lanes = warp.ballot(needs)) {
      const unsigned lane = warp.thread_rank();
      uint32_t first = lane == 0 ? simt::fetch_add_relaxed(*next, simt::popcount(lanes)) : 0;
      first = warp.shfl(first, 0);
      if (needs) item = first + simt::popcount(lanes & simt::lanes_below(lane));
      needs = needs && item < n && !program.is_active(item);
    }
    return item;
  }
};

template <class Program>
struct FillSlots {
  static constexpr unsigned kBlockSize = steps::kBlockSize;
  using Shared = simt::NoShared;
  RunSlots<Program> run;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    run.for_each_slot(block, [](uint32_t) { return true; });
  }
};

template <class Program>
struct IsActive {
  Program program;
  SIMT_HOST_DEVICE bool operator()(uint32_t item) const { return program.is_active(item); }
};

/// The class of an active item; none of an inactive one, which a split drops.
template <class Program>
struct ClassOf {
  Program program;
  SIMT_HOST_DEVICE uint32_t operator()(uint32_t item) const {
    return program.is_active(item) ? program.class_of(item) : ~0u;
  }
};

constexpr unsigned kSplitClasses = compaction::StepItems::kMaxClasses;
template <class Program>
using ActiveItems = compaction::ItemsIf<uint32_t, IsActive<Program>>;
template <class Program>
using ItemsOfClasses = compaction::ItemsByClass<uint32_t, ClassOf<Program>>;
using ToList = compaction::WriteItems<uint32_t>;

template <class Program>
size_t workspace_bytes(uint32_t n) {
  return std::max(compaction::select_bytes<ActiveItems<Program>, ToList>(n),
                  compaction::split_bytes<kSplitClasses, ItemsOfClasses<Program>, ToList>(n));
}

constexpr unsigned kCountWords = 2 + 2 * (kSplitClasses + 1);

/// Memory of a run, in the launcher's memory.
struct Buffers {
  uint32_t* all;      ///< [n], all items
  uint32_t* list[2];  ///< [n]
  uint32_t* counts;   ///< [kCountWords]
  simt::Span<std::byte> workspace;
};

template <class Program, class Launcher>
void start(Launcher& launcher, const Program& program, uint32_t n, const Buffers& buffers,
           const Variant& variant, uint32_t blocks) {
  launcher.launch(blocks, Start<Program>{program, n, buffers.all});
  if (variant.cull == Cull::kRegenerate)  // the host has set counts[0] to 0
    launcher.launch(
        blocks, FillSlots<Program>{{program, n, variant.slots, buffers.list[0], buffers.counts}});
}

/// Runs `step_count` steps. Calls before(step) before each one, and record(step) for what its
/// threads report.
template <class Program, class Launcher, class Before, class Record>
void run_steps(Launcher& launcher, const Program& program, uint32_t n, const Buffers& buffers,
               const Variant& variant, uint32_t step_count, uint32_t blocks, Before before,
               Record record) {
  const uint32_t* list = nullptr;
  compaction::ItemCount count = n;
  unsigned to = 0;
  uint32_t* const class_offsets = buffers.counts + 2;
  for (uint32_t step = 0; step < step_count; ++step) {
    const Program now = program.at(step);
    before(step);
    const bool all_are_active = step == 0 && Program::kOnlyEnds;
    const uint32_t* from = list && Program::kOnlyEnds ? list : buffers.all;
    const compaction::ItemCount from_count = from == list ? count : compaction::ItemCount(n);
    if (variant.cull == Cull::kClass) {
      // One of two arrays: a split must not overwrite the count that it reads.
      uint32_t* offsets = class_offsets + to * (kSplitClasses + 1);
      compaction::split<kSplitClasses>(launcher, ItemsOfClasses<Program>{from, {now}},
                                       ToList{buffers.list[to]}, from_count, {offsets},
                                       buffers.workspace);
      list = buffers.list[to], count = {n, offsets + kSplitClasses}, to = 1 - to;
    } else if (variant.cull == Cull::kEvery && step % variant.every == 0 && !all_are_active) {
      compaction::select(launcher, ActiveItems<Program>{from, {now}}, ToList{buffers.list[to]},
                         from_count, {buffers.counts + to}, buffers.workspace);
      list = buffers.list[to], count = {n, buffers.counts + to}, to = 1 - to;
    }
    if (variant.cull == Cull::kRegenerate)
      launcher.launch(blocks,
                      RunSlots<Program>{now, n, variant.slots, buffers.list[0], buffers.counts});
    else
      launcher.launch(blocks, RunStep<Program>{now, list, count, record(step)});
  }
}

}  // namespace steps
