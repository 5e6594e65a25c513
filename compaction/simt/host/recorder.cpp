// SPDX-License-Identifier: MIT
#include "compaction/simt/host/recorder.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "compaction/simt/host/source_lines.h"

namespace simt::host {

namespace {

constexpr unsigned kPieceBytes = 8;              // largest access of one event
constexpr uint16_t kSharedRegion = 0;            // index in Trace::regions
constexpr size_t kFirstSlots = 1u << 10;         // of the table of operations, a power of two
constexpr uint64_t kUnseenPlace = ~uint64_t(0);  // key of stores that no hook reported

EventKind kind_of(Collective call) {
  return EventKind(int(EventKind::kSync) + int(call));
}

std::string demangled(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

uint64_t place_key_of(const void* at) {
  return reinterpret_cast<uintptr_t>(at);
}
/// Distinct from addresses of code, which have no bit above 47.
uint64_t place_key_of(const std::source_location& where) {
  const uint64_t file = reinterpret_cast<uintptr_t>(where.file_name());
  return file ^ uint64_t(1) << 63 ^ uint64_t(where.line()) << 44 ^ uint64_t(where.column()) << 32;
}

size_t hash_of(uint64_t place, uint32_t rest) {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15u;
  return size_t(((place ^ uint64_t(rest) << 40) * kOdd) >> 32);
}

/// Bytes from `first` to `address`; very many where it is before it.
size_t distance_between(const void* first, const void* address) {
  return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(first);
}

unsigned bytes_of(Cells cells) {
  constexpr unsigned kBytes[] = {1, 4, 8, 8};
  return kBytes[int(cells)];
}

}  // namespace

thread_local Recorder* Recorder::active = nullptr;

Recorder::Recorder(Options options) : options_(options), slots_(kFirstSlots) {
  trace_.regions.push_back({.name = "shared", .cells = Cells::kU32, .before = {}, .after = {}});
  watched_.emplace_back();
}

void Recorder::watch(const std::string& name, void* data, size_t bytes, Cells cells) {
  const auto* first = static_cast<const std::byte*>(data);
  std::vector<std::byte> contents(first, first + bytes);
  trace_.regions.push_back({.name = name, .cells = cells, .before = contents, .after = {}});
  watched_.push_back({first, bytes, options_.check_accesses ? AccessShadow(bytes) : AccessShadow(),
                      std::move(contents)});
}

Trace Recorder::finish() {
  flush();
  for (size_t region = 1; region < watched_.size(); ++region)
    trace_.regions[region].after.assign(watched_[region].data,
                                        watched_[region].data + watched_[region].bytes);
  std::vector<SourceLine> lines;
  if (options_.keep_events || !failure().empty()) lines = source_lines(instructions_);
  for (size_t i = 0; i < lines.size(); ++i)
    trace_.places[instruction_places_[i]] = std::move(lines[i]);
  for (size_t i = 0; i < failed_operations_.size(); ++i)
    trace_.failure.sides[i].line = trace_.places[trace_.operations[failed_operations_[i]].place];
  std::stable_sort(trace_.failure.sides.begin(), trace_.failure.sides.end(),
                   [](const auto& a, const auto& b) { return a.clock < b.clock; });
  trace_.event_count = std::min(clock_, options_.max_events);
  trace_.is_truncated = clock_ > options_.max_events;
  return std::move(trace_);
}

// ---- events

uint32_t Recorder::operation(EventKind kind, unsigned size, unsigned region, uint64_t place_key,
                             const std::source_location* where) {
  const uint32_t rest = uint32_t(kind) | size << 8 | region << 16;
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash_of(place_key, rest) & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot].place == place_key && slots_[slot].rest == rest) return slots_[slot].operation;
    if (slots_[slot].place == 0) {
      slots_[slot] = {place_key, rest, add_operation(kind, size, region, place_key, where)};
      const uint32_t added = slots_[slot].operation;
      if (trace_.operations.size() * 2 < slots_.size()) return added;
      std::vector<OperationSlot> larger(slots_.size() * 2);
      for (const OperationSlot& old : slots_) {
        if (old.place == 0) continue;
        size_t to = hash_of(old.place, old.rest) & (larger.size() - 1);
        while (larger[to].place != 0) to = (to + 1) & (larger.size() - 1);
        larger[to] = old;
      }
      slots_ = std::move(larger);
      return added;
    }
  }
}

uint32_t Recorder::add_operation(EventKind kind, unsigned size, unsigned region, uint64_t place_key,
                                 const std::source_location* where) {
  auto [found, is_new] = places_.try_emplace(place_key, uint32_t(trace_.places.size()));
  if (is_new) {
    trace_.places.emplace_back();
    if (where) {
      trace_.places.back() = {where->file_name(), where->line()};
    } else if (place_key != kUnseenPlace) {
      instructions_.push_back(uintptr_t(place_key));
      instruction_places_.push_back(found->second);
    }
  }
  trace_.operations.push_back({kind, uint8_t(size), uint16_t(region), found->second});
  predictions_.emplace_back();
  return uint32_t(trace_.operations.size() - 1);
}

/// Adds an event of the current thread.
void Recorder::append(uint32_t operation, uint32_t offset, uint64_t value) {
  const uint64_t clock = clock_++;
  if (block_) {
    block_->last_event[thread_] = clock;
    block_->last_operation[thread_] = operation;
  }
  if (!options_.keep_events || clock >= options_.max_events) return;
  std::vector<uint8_t>& bytes = trace_.events;
  const uint32_t block = block_ ? block_->index : written_block_;
  if (block != written_block_ || thread_ != written_thread_) {
    put_varint(bytes, 0);
    put_varint(bytes, fold(int32_t(block - written_block_)));
    put_varint(bytes, fold(int32_t(thread_ - written_thread_ - 1)));
    written_block_ = block;
    written_thread_ = thread_;
  }
  put_varint(bytes, operation + 1);
  const Operation& what = trace_.operations[operation];
  Prediction& prediction = predictions_[operation];
  if (has_offset(what.kind)) put_varint(bytes, fold(prediction.difference_to(offset)));
  if (has_value(what.kind)) {
    put_varint(bytes, fold(int32_t(uint32_t(value) - prediction.low)));
    prediction.low = uint32_t(value);
    if (what.size > sizeof(uint32_t)) {
      const uint32_t high = uint32_t(value >> 32);
      put_varint(bytes, fold(int32_t(high - prediction.high)));
      prediction.high = high;
    }
  }
}

/// Adds the stores that had been announced. They have happened: nothing ran in between.
void Recorder::flush() {
  for (const PendingStore& store : pending_) {
    const Operation what = trace_.operations[store.operation];
    uint64_t value = 0;
    std::memcpy(&value, store.address, what.size);
    append(store.operation, store.offset, value);
    if (what.region != kSharedRegion && options_.keep_events)
      std::memcpy(watched_[what.region].mirror.data() + store.offset, store.address, what.size);
  }
  pending_.clear();
}

/// Stores that no hook has seen, such as those of library functions, become events at the end of
/// their launch, so that the memory of a replay is right.
void Recorder::find_unseen_stores() {
  if (!options_.keep_events) return;
  for (size_t region = 1; region < watched_.size(); ++region) {
    WatchedMemory& memory = watched_[region];
    if (memory.bytes == 0 || std::memcmp(memory.data, memory.mirror.data(), memory.bytes) == 0)
      continue;
    for (size_t i = 0; i < memory.bytes; ++i) {
      if (memory.data[i] == memory.mirror[i]) continue;
      memory.mirror[i] = memory.data[i];
      append(operation(EventKind::kStore, 1, unsigned(region), kUnseenPlace, nullptr), uint32_t(i),
             uint64_t(memory.data[i]));
    }
  }
}

// ---- the executor

void Recorder::begin_launch(const char* kernel, uint32_t blocks, unsigned threads,
                            size_t shared_bytes) {
  trace_.launches.push_back({demangled(kernel), blocks, threads, uint32_t(shared_bytes)});
  block_size_ = threads;
  shared_bytes_ = shared_bytes;
  blocks_.clear();
  block_ = nullptr;
  if (options_.check_accesses) checker_.begin_launch();
  append(operation(EventKind::kLaunch, 4, 0, kUnseenPlace, nullptr), 0, trace_.launches.size() - 1);
}

void Recorder::begin_block(uint32_t block, const void* shared) {
  flush();
  auto record = std::make_unique<BlockRecord>();
  record->index = block;
  record->shared = static_cast<const std::byte*>(shared);
  record->last_event.assign(block_size_, clock_);
  record->last_operation.assign(block_size_, 0);
  if (options_.check_accesses) {
    record->shadow = AccessShadow(shared_bytes_);
    record->written.assign(shared_bytes_, false);
    checker_.begin_block(block, block_size_);
  }
  // A new block takes the memory of one that has ended.
  std::erase_if(blocks_, [&](const auto& other) { return other.second->shared == shared; });
  block_ = nullptr;
  blocks_[block] = std::move(record);
  append(operation(EventKind::kBlockStart, 4, 0, kUnseenPlace, nullptr), 0, block);
}

void Recorder::run(uint32_t block, uint32_t thread) {
  flush();
  if (!block_ || block_->index != block) block_ = blocks_.at(block).get();
  thread_ = thread;
}

void Recorder::call(Collective call, uint64_t value, uint32_t from_lane,
                    std::source_location where) {
  flush();
  const bool is_wide = value >> 32 != 0;
  append(operation(kind_of(call), is_wide ? 8 : 4, 0, place_key_of(where), &where), from_lane,
         value);
}

void Recorder::pass_barrier(Collective call) {
  if (!options_.check_accesses) return;
  if (call == Collective::kSync || call == Collective::kSyncCount)
    checker_.pass_block_barrier(block_->index);
  else if (call == Collective::kSyncWarp)
    checker_.pass_warp_barrier(block_->index, thread_ / kWarpSize);
}

void Recorder::back_off(std::source_location where) {
  flush();
  append(operation(EventKind::kBackoff, 4, 0, place_key_of(where), &where), 0, 0);
}

void Recorder::end_thread() {
  flush();
  append(operation(EventKind::kThreadEnd, 4, 0, kUnseenPlace, nullptr), 0, 0);
}

void Recorder::end_launch() {
  flush();
  find_unseen_stores();
}

// ---- accesses

bool Recorder::find_target(const void* address, size_t size, Target& target) const {
  if (size_t offset = distance_between(block_->shared, address); offset < shared_bytes_) {
    target = {kSharedRegion, uint32_t(offset)};
    return offset + size <= shared_bytes_;
  }
  for (size_t region = 1; region < watched_.size(); ++region)
    if (size_t offset = distance_between(watched_[region].data, address);
        offset < watched_[region].bytes) {
      target = {uint16_t(region), uint32_t(offset)};
      return offset + size <= watched_[region].bytes;
    }
  return false;
}

void Recorder::load(const void* address, size_t size, const void* at) {
  Target target;
  if (!block_ || !find_target(address, size, target)) return;
  flush();
  for (size_t done = 0; done < size; done += kPieceBytes) {
    const unsigned piece = unsigned(std::min<size_t>(kPieceBytes, size - done));
    const uint32_t what =
        operation(EventKind::kLoad, piece, target.region, place_key_of(at), nullptr);
    check(target, piece, what, false, false);
    append(what, target.offset, 0);
    target.offset += piece;
  }
}

void Recorder::store(const void* address, size_t size, const void* at) {
  Target target;
  if (!block_ || !find_target(address, size, target)) return;
  flush();
  const auto* bytes = static_cast<const std::byte*>(address);
  for (size_t done = 0; done < size; done += kPieceBytes) {
    const unsigned piece = unsigned(std::min<size_t>(kPieceBytes, size - done));
    const uint32_t what =
        operation(EventKind::kStore, piece, target.region, place_key_of(at), nullptr);
    check(target, piece, what, true, false);
    pending_.push_back({what, target.offset, bytes + done});
    target.offset += piece;
  }
}

void Recorder::atomic(const void* address, size_t size, Atomic what, MemoryOrder order,
                      uint64_t value, const void* at) {
  Target target;
  if (!block_ || !find_target(address, size, target)) return;
  flush();
  const uint32_t event =
      operation(EventKind::kAtomic, unsigned(size), target.region, place_key_of(at), nullptr);
  check(target, size, event, what != Atomic::kLoad, true);
  if (options_.check_accesses) {
    const bool acquires = order == MemoryOrder::kAcquire || order == MemoryOrder::kAcquireRelease;
    const bool releases = order == MemoryOrder::kRelease || order == MemoryOrder::kAcquireRelease;
    if (what != Atomic::kStore) checker_.acquire(block_->index, thread_, address, !acquires);
    if (what != Atomic::kLoad)
      checker_.release(block_->index, thread_, address, clock_, !releases, what == Atomic::kModify);
  }
  append(event, target.offset, value);
  if (target.region != kSharedRegion && options_.keep_events)
    std::memcpy(watched_[target.region].mirror.data() + target.offset, &value, size);
}

void Recorder::fence(const void* at) {
  if (!block_) return;
  flush();
  if (options_.check_accesses) checker_.fence(block_->index, thread_, clock_);
  append(operation(EventKind::kFence, 4, 0, place_key_of(at), nullptr), 0, 0);
}

AccessShadow& Recorder::shadow_of(unsigned region) {
  return region == kSharedRegion ? block_->shadow : watched_[region].shadow;
}

/// Notes the first race or read of poison. The access itself happens, and the launch ends at the
/// next call of the executor: no exception can pass through code that the compiler takes to throw
/// none.
void Recorder::check(const Target& target, size_t size, uint32_t operation, bool is_write,
                     bool is_atomic) {
  if (!options_.check_accesses) return;
  const uint64_t clock = clock_ + pending_.size();
  const Access race = checker_.check(shadow_of(target.region), target.offset, size,
                                     {.block = block_->index,
                                      .thread = thread_,
                                      .is_write = is_write,
                                      .is_atomic = is_atomic,
                                      .clock = clock,
                                      .operation = operation});
  bool is_poison = false;
  if (target.region == kSharedRegion)
    for (size_t i = target.offset; i < target.offset + size; ++i) {
      if (is_write)
        block_->written[i] = true;
      else
        is_poison |= !block_->written[i];
    }
  if (!failure().empty() || (race.launch == 0 && !is_poison)) return;
  const auto says = [](bool writes, bool atomic) {
    return std::string(atomic ? "accesses atomically " : writes ? "stores " : "loads ");
  };
  if (race.launch != 0) {
    add_side(race.block, race.thread, race.clock, race.operation,
             says(race.is_write, race.is_atomic) + name_of(target));
    add_side(block_->index, thread_, clock, operation, says(is_write, is_atomic) + name_of(target));
    trace_.failure.message = "a race: two threads access " + name_of(target) +
                             ", one of them writes, and no barrier is between them";
  } else {
    add_side(block_->index, thread_, clock, operation, "loads " + name_of(target));
    trace_.failure.message =
        "a read of poison: " + name_of(target) + " is loaded, and no thread has written it";
  }
}

// ---- failures

std::string Recorder::name_of(const Target& target) const {
  const Region& region = trace_.regions[target.region];
  const unsigned cell = bytes_of(region.cells);
  return region.name + "[" + std::to_string(target.offset / cell) + "]";
}

void Recorder::add_side(uint32_t block, uint32_t thread, uint64_t clock, uint32_t operation,
                        const std::string& what) {
  trace_.failure.sides.push_back(
      {.block = block, .thread = thread, .clock = clock, .does = what, .line = {}});
  failed_operations_.push_back(operation);
}

void Recorder::blame(uint32_t block, uint32_t thread) {
  if (!failure().empty()) return;
  flush();
  auto found = blocks_.find(block);
  if (found == blocks_.end() || trace_.operations.empty()) return;
  const uint32_t operation = found->second->last_operation[thread];
  add_side(block, thread, found->second->last_event[thread], operation,
           describe(trace_.operations[operation].kind));
}

void Recorder::fail(const std::string& message) {
  if (!failure().empty()) return;
  if (block_) {
    const bool is_blamed =
        std::any_of(trace_.failure.sides.begin(), trace_.failure.sides.end(),
                    [&](const auto& s) { return s.block == block_->index && s.thread == thread_; });
    if (!is_blamed) blame(block_->index, thread_);
  }
  trace_.failure.message = message;
}

}  // namespace simt::host
