// SPDX-License-Identifier: MIT
#include "compaction/judge/watcher.h"

#include <algorithm>
#include <utility>

#include "compaction/judge/source_line.h"

namespace compaction::judge {

using simt::host::BlockState;
using simt::host::Executor;

namespace {

// A thread that reads one address this often in a row waits for another one, which then runs.
constexpr unsigned kReadsOfASpin = 64;
constexpr unsigned kAtomicReadsOfASpin = 2;

std::string bytes_of(unsigned size) {
  return size == 1 ? "1 byte" : std::to_string(size) + " bytes";
}

}  // namespace

Watcher& Watcher::instance() {
  static Watcher watcher;
  return watcher;
}

std::optional<Violation> Watcher::take_violation() {
  return std::exchange(violation_, {});
}

void Watcher::report(Violation violation) {
  if (!violation_) violation_ = std::move(violation);
}

void Watcher::set_host_array(const void* start, size_t bytes, std::string name) {
  host_arrays_.push_back({reinterpret_cast<uintptr_t>(start), bytes, std::move(name)});
}

uint32_t Watcher::thread() const {
  const simt::host::Thread& running = Executor::Scheduler::current->running();
  return running.block->index * order.block_size() + running.rank;
}

// ---- what the executor reports

void Watcher::start_launch(const Executor::Launch& launch) {
  const Inside inside(*this);
  ++counts.launches;
  order.start_launch(launch.blocks, launch.block_size);
  spins_.assign(size_t(launch.blocks) * launch.block_size, {});
  last_block_ = nullptr;
  runs_ = true;
}

void Watcher::start_block(BlockState& block) {
  const Inside inside(*this);
  SharedMemory& shared = shared_of(block);
  const size_t bytes = block.shared.size() * Executor::kSharedAlignment;
  shared.cells.reset(bytes);
  shared.is_allowed.assign(bytes, 0);
  std::fill_n(shared.is_allowed.begin(), std::min(bytes, shared_bytes_), uint8_t(1));
}

void Watcher::open_barrier(BlockState& block, const simt::host::Barrier& barrier) {
  const Inside inside(*this);
  using simt::host::Collective;
  if (&barrier == &block.barrier) {
    ++counts.barriers;
    order.open_block_barrier(block.index);
  } else if (barrier.call == Collective::kSyncWarp) {
    order.open_warp_barrier(block.index * order.block_size() + barrier.first, barrier.size);
  }
}

void Watcher::end_launch() {
  const Inside inside(*this);
  runs_ = false;
  if (counts_banks) counts.bank_conflicts += banks_.take();
}

Watcher::SharedMemory& Watcher::shared_of(const BlockState& block) {
  if (&block != last_block_) {
    last_block_ = &block;
    last_shared_ = &shared_[&block];
  }
  return *last_shared_;
}

void Watcher::allow_shared(const void* start, size_t bytes) {
  const Inside inside(*this);
  const BlockState& block = *Executor::Scheduler::current->running().block;
  const size_t offset = size_t(static_cast<const std::byte*>(start) -
                               reinterpret_cast<const std::byte*>(block.shared.data()));
  std::vector<uint8_t>& is_allowed = shared_of(block).is_allowed;
  std::fill_n(is_allowed.begin() + std::ptrdiff_t(offset), bytes, uint8_t(1));
}

// ---- what the compiler reports

void Watcher::touch(const Touch& touch) {
  if (!runs_ || is_inside_) return;
  bool may_spin = touch.reads;
  {
    const Inside inside(*this);
    BlockState& block = *Executor::Scheduler::current->running().block;
    const uintptr_t shared = reinterpret_cast<uintptr_t>(block.shared.data());
    const size_t offset = touch.address - shared;
    if (memory.contains(touch.address)) {
      touch_device(touch);
    } else if (offset < block.shared.size() * Executor::kSharedAlignment) {
      touch_shared(touch, block, offset);
    } else {
      touch_other(touch);
      may_spin = may_spin && touch.is_atomic;
    }
  }
  if (may_spin) yield_where_spinning(touch);
}

void Watcher::touch_device(const Touch& touch) {
  if (touch.reads) counts.bytes_read += touch.size;
  if (touch.writes) counts.bytes_written += touch.size;
  Allocation* array = memory.find(touch.address);
  if (!array) return report_out_of_range(touch, "device memory before the first array");
  const size_t offset = touch.address - memory.base() - array->offset;
  const std::string& name = array->name;
  if (array->is_freed) return report_out_of_range(touch, name + ", which was freed");
  if (offset + touch.size > array->bytes)
    return report_out_of_range(
        touch, name + " at byte " + std::to_string(offset) + " of " + std::to_string(array->bytes));
  check(touch, array->cells.at(offset, touch.size), name);
}

void Watcher::touch_shared(const Touch& touch, BlockState& block, size_t offset) {
  SharedMemory& shared = shared_of(block);
  if (offset + touch.size > shared.is_allowed.size() || !shared.is_allowed[offset] ||
      !shared.is_allowed[offset + touch.size - 1])
    return report_out_of_range(touch, "shared memory, beyond the array");
  check(touch, shared.cells.at(offset, touch.size), "shared memory");
  if (!counts_banks) return;
  const Access access = order.now(thread(), code_of(touch.code));
  banks_.add({.thread = access.thread,
              .warp = order.warp_of(access.thread),
              .block_time = access.block_time,
              .warp_time = access.warp_time,
              .code = access.code},
             uint32_t(offset));
}

/// Memory that the judge did not allocate: static variables, the host's arrays, the stack.
void Watcher::touch_other(const Touch& touch) {
  for (const HostArray& array : host_arrays_)
    if (touch.address - array.start < array.bytes)
      return report_out_of_range(touch, array.name + ", which is in the host's memory");
  if (!is_static(touch.address)) return;
  constexpr unsigned kWord = 4;  // bytes
  for (unsigned i = 0; i < touch.size; i += kWord) {
    Cell& cell = variables_[(touch.address + i) / kWord];
    cell.is_written = true;
    check_cell(touch, cell, "a static variable");
  }
}

void Watcher::check(const Touch& touch, simt::Span<Cell> cells, const std::string& place) {
  for (Cell& cell : cells) check_cell(touch, cell, place);
}

void Watcher::check_cell(const Touch& touch, Cell& cell, const std::string& place) {
  if (violation_) return;
  const uint32_t thread = this->thread();
  const Access now = order.now(thread, code_of(touch.code));
  if (touch.reads && !cell.is_written) report_poison(touch, place);
  if (!(touch.is_atomic && cell.write_is_atomic) && !order.ordered(cell.write, thread))
    report_race(touch, cell.write, true, place);
  if (touch.writes) {
    for (int i = 0; i < 2; ++i)
      if (!(touch.is_atomic && cell.reads_are_atomic[i]) && !order.ordered(cell.reads[i], thread))
        report_race(touch, cell.reads[i], false, place);
    cell.write = now;
    cell.write_is_atomic = touch.is_atomic;
    cell.is_written = true;
  } else {
    if (cell.reads[0].launch != now.launch || cell.reads[0].thread != thread) {
      cell.reads[1] = cell.reads[0];
      cell.reads_are_atomic[1] = cell.reads_are_atomic[0];
    }
    cell.reads[0] = now;
    cell.reads_are_atomic[0] = touch.is_atomic;
  }
}

void Watcher::order_atomic(uintptr_t address, bool reads, bool writes, int memory_order) {
  if (!runs_ || is_inside_) return;
  const Inside inside(*this);
  if (reads && writes)
    order.atomic_update(thread(), address, memory_order);
  else if (reads)
    order.atomic_load(thread(), address, memory_order);
  else
    order.atomic_store(thread(), address, memory_order);
}

void Watcher::fence() {
  if (!runs_ || is_inside_) return;
  const Inside inside(*this);
  order.fence(thread());
}

void Watcher::release(SharedClock& to) {
  const Inside inside(*this);
  order.release(thread(), to);
}

void Watcher::acquire(const SharedClock& from) {
  const Inside inside(*this);
  order.acquire(thread(), from);
}

/// Lets other threads run while this one waits for one of them.
void Watcher::yield_where_spinning(const Touch& touch) {
  Spin& spin = spins_[thread()];
  if (spin.address != touch.address) {
    spin = {touch.address, 1};
    return;
  }
  if (++spin.count < (touch.is_atomic ? kAtomicReadsOfASpin : kReadsOfASpin)) return;
  Executor::Scheduler::current->back_off(std::source_location());
}

// ---- messages

std::string Watcher::describe(const Touch& touch, const std::string& place) const {
  const uint32_t thread = this->thread();
  const char* verb = touch.reads && touch.writes ? " updates "
                     : touch.writes              ? " writes "
                                                 : " reads ";
  return "thread " + std::to_string(order.rank_of(thread)) + " of block " +
         std::to_string(order.block_of(thread)) + verb + bytes_of(touch.size) + " of " + place +
         " at " + code_mark(code_of(touch.code));
}

void Watcher::report_race(const Touch& touch, const Access& before, bool before_writes,
                          const std::string& place) {
  report({Violation::Kind::kRace, describe(touch, place) + ", which thread " +
                                      std::to_string(order.rank_of(before.thread)) + " of block " +
                                      std::to_string(order.block_of(before.thread)) +
                                      (before_writes ? " writes" : " reads") + " at " +
                                      code_mark(before.code) + "; nothing orders the two"});
}

void Watcher::report_poison(const Touch& touch, const std::string& place) {
  report({Violation::Kind::kPoison, describe(touch, place) + ", which no thread has written yet"});
}

void Watcher::report_out_of_range(const Touch& touch, const std::string& place) {
  report({Violation::Kind::kOutOfRange, describe(touch, place)});
}

}  // namespace compaction::judge
