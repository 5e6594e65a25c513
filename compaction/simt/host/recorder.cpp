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
constexpr uint64_t kUnseenPlace = ~uint64_t(0);  // key of stores that no hook reported

EventKind kind_of(Collective call) {
  return EventKind(int(EventKind::kSync) + int(call));
}

std::string describe(EventKind kind) {
  constexpr const char* kTexts[] = {
      "loads",   "stores", "accesses atomically", "executes a fence", "waits for another thread",
      "returns", "starts", "is launched"};
  if (kind < EventKind::kSync) return kTexts[int(kind)];
  return std::string("calls ") + name_of(Collective(int(kind) - int(EventKind::kSync)));
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
/// Returns a key that differs from addresses of code, which have no bit above 47.
uint64_t place_key_of(const std::source_location& where) {
  const uint64_t file = reinterpret_cast<uintptr_t>(where.file_name());
  return file ^ uint64_t(1) << 63 ^ uint64_t(where.line()) << 44 ^ uint64_t(where.column()) << 32;
}

/// Returns the bytes from `first` to `address`; a very large number if `address` is before `first`.
size_t distance_between(const void* first, const void* address) {
  return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(first);
}

unsigned bytes_of(Cells cells) {
  constexpr unsigned kBytes[] = {1, 4, 8, 8};
  return kBytes[int(cells)];
}

}  // namespace

Recorder::Recorder(Options options) : options_(options) {
  trace_.regions.push_back({.name = "shared", .cells = Cells::kU32, .before = {}, .after = {}});
  watched_.emplace_back();
}

void Recorder::watch(const std::string& name, void* data, size_t bytes, Cells cells) {
  const auto* first = static_cast<const std::byte*>(data);
  std::vector<std::byte> contents(first, first + bytes);
  trace_.regions.push_back({.name = name, .cells = cells, .before = contents, .after = {}});
  watched_.push_back({first, bytes, {}, std::move(contents)});
  if (!options_.check_accesses) return;
  watched_.back().history.reset(bytes);
  watched_.back().history.set_written(0, bytes);
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
  for (size_t i = 0; i < failed_places_.size(); ++i)
    trace_.failure.sides[i].line = trace_.places[failed_places_[i]];
  std::stable_sort(trace_.failure.sides.begin(), trace_.failure.sides.end(),
                   [](const auto& a, const auto& b) { return a.clock < b.clock; });
  trace_.event_count = std::min(clock_, options_.max_events);
  trace_.is_truncated = clock_ > options_.max_events;
  return std::move(trace_);
}

// ---- events

uint32_t Recorder::operation(EventKind kind, unsigned size, unsigned region, uint64_t place_key,
                             const std::source_location* where) {
  const OperationKey key{place_key, uint32_t(kind) | size << 8 | region << 16};
  auto [found, is_new] = operations_.try_emplace(key, uint32_t(trace_.operations.size()));
  if (is_new) {
    trace_.operations.push_back({kind, uint8_t(size), uint16_t(region), place(place_key, where)});
    predictions_.emplace_back();
  }
  return found->second;
}

uint32_t Recorder::place(uint64_t key, const std::source_location* where) {
  auto [found, is_new] = places_.try_emplace(key, uint32_t(trace_.places.size()));
  if (is_new) {
    trace_.places.emplace_back();
    if (where) {
      trace_.places.back() = {where->file_name(), where->line()};
    } else if (key != kUnseenPlace) {
      instructions_.push_back(uintptr_t(key));
      instruction_places_.push_back(found->second);
    }
  }
  return found->second;
}

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

/// Adds the announced stores. They have happened, since no other thread ran in between.
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

/// Adds stores that no hook has seen, such as those of library functions, at the end of their
/// launch, so that the memory of a replay is correct.
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

/// Adds what the host wrote between launches as stores at the end of the last launch. Before the
/// first launch, it is the initial contents of the recording.
void Recorder::find_stores_of_the_host() {
  if (!trace_.launches.empty()) return find_unseen_stores();
  for (size_t region = 1; region < watched_.size(); ++region) {
    WatchedMemory& memory = watched_[region];
    memory.mirror.assign(memory.data, memory.data + memory.bytes);
    trace_.regions[region].before = memory.mirror;
  }
}

// ---- the executor

void Recorder::begin_launch(const char* kernel, uint32_t blocks, unsigned threads,
                            size_t shared_bytes) {
  find_stores_of_the_host();
  trace_.launches.push_back({demangled(kernel), blocks, threads, uint32_t(shared_bytes)});
  block_size_ = threads;
  shared_bytes_ = shared_bytes;
  blocks_.clear();
  block_ = nullptr;
  if (options_.check_accesses) order_.start_launch(blocks, threads);
  append(operation(EventKind::kLaunch, 4, 0, kUnseenPlace, nullptr), 0, trace_.launches.size() - 1);
}

void Recorder::begin_block(uint32_t block, const void* shared) {
  flush();
  auto record = std::make_unique<BlockRecord>();
  record->index = block;
  record->shared = static_cast<const std::byte*>(shared);
  record->last_event.assign(block_size_, clock_);
  record->last_operation.assign(block_size_, 0);
  // A new block takes the memory of a block that has ended.
  block_ = nullptr;
  const auto ended = std::find_if(blocks_.begin(), blocks_.end(), [&](const auto& other) {
    return other.second->shared == record->shared;
  });
  if (ended != blocks_.end()) {
    record->history = std::move(ended->second->history);
    blocks_.erase(ended);
  }
  if (options_.check_accesses) record->history.reset(shared_bytes_);
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
    order_.open_block_barrier(block_->index);
  else if (call == Collective::kSyncWarp)
    order_.open_warp_barrier(block_->index * block_size_ + thread_ / kWarpSize * kWarpSize,
                             std::min(kWarpSize, block_size_ - thread_ / kWarpSize * kWarpSize));
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

void Recorder::access(const MemoryAccess& access) noexcept {
  Target target;
  if (!block_ || !find_target(access.address, access.size, target)) return;
  flush();
  MemoryAccess piece = access;
  for (size_t done = 0; done < access.size; done += kPieceBytes) {
    piece.address = static_cast<const std::byte*>(access.address) + done;
    piece.size = std::min<size_t>(kPieceBytes, access.size - done);
    add_piece(target, piece);
    target.offset += uint32_t(piece.size);
  }
  if (options_.check_accesses && access.is_atomic()) order_.atomic(thread_of_grid(), access);
}

/// Volatile accesses become plain events, as their values are not known.
void Recorder::add_piece(const Target& target, const MemoryAccess& access) {
  if (options_.check_accesses) check(target, access);
  const EventKind kind = access.has_value() ? EventKind::kAtomic
                         : access.writes()  ? EventKind::kStore
                                            : EventKind::kLoad;
  const uint32_t what =
      operation(kind, unsigned(access.size), target.region, place_key_of(access.code), nullptr);
  if (kind == EventKind::kStore) {
    pending_.push_back({what, target.offset, static_cast<const std::byte*>(access.address)});
    return;
  }
  append(what, target.offset, access.value);
  if (kind == EventKind::kAtomic && target.region != kSharedRegion && options_.keep_events)
    std::memcpy(watched_[target.region].mirror.data() + target.offset, &access.value, access.size);
}

void Recorder::fence(const void* code) noexcept {
  if (!block_) return;
  flush();
  if (options_.check_accesses) order_.fence(thread_of_grid());
  append(operation(EventKind::kFence, 4, 0, place_key_of(code), nullptr), 0, 0);
}

void Recorder::check(const Target& target, const MemoryAccess& access) {
  Access now = order_.now(thread_of_grid());
  now.event = uint32_t(next_event());
  now.code = access.code;
  AccessHistory& history =
      target.region == kSharedRegion ? block_->history : watched_[target.region].history;
  report(history.add(target.offset, order_, access, now), access);
}

// ---- failures

std::string Recorder::name_of(const Target& target) const {
  const Region& region = trace_.regions[target.region];
  const unsigned cell = bytes_of(region.cells);
  return region.name + "[" + std::to_string(target.offset / cell) + "]";
}

/// The access still happens, and the launch ends at the next call of the executor: no exception can
/// pass through code that the compiler assumes not to throw.
void Recorder::report(const Finding& finding, const MemoryAccess& access) {
  Target target;
  if (finding.kind == Finding::Kind::kNone || !failure().empty() || !block_ ||
      !find_target(access.address, access.size, target))
    return;
  const std::string name = name_of(target);
  if (finding.kind == Finding::Kind::kPoison)
    return fail_at(access, "loads " + name,
                   "a read of poison: " + name + " is loaded, and no thread has written it");
  const auto says = [&](bool is_atomic, bool writes) {
    return (is_atomic ? "accesses atomically " : writes ? "stores " : "loads ") + name;
  };
  const Access& before = finding.before;
  add_side(before.thread / block_size_, before.thread % block_size_, before.event,
           place(place_key_of(before.code), nullptr),
           says(finding.before_is_atomic, finding.before_writes));
  fail_at(access, says(access.is_atomic(), access.writes()),
          "a race: two threads access " + name +
              ", one of them writes, and no barrier is between them");
}

void Recorder::fail_at(const MemoryAccess& access, const std::string& does,
                       const std::string& message) {
  if (!failure().empty() || !block_) return;
  add_side(block_->index, thread_, next_event(), place(place_key_of(access.code), nullptr), does);
  trace_.failure.message = message;
}

void Recorder::add_side(uint32_t block, uint32_t thread, uint64_t clock, uint32_t place,
                        const std::string& what) {
  trace_.failure.sides.push_back(
      {.block = block, .thread = thread, .clock = clock, .does = what, .line = {}});
  failed_places_.push_back(place);
}

void Recorder::blame(uint32_t block, uint32_t thread) {
  if (!failure().empty()) return;
  flush();
  auto found = blocks_.find(block);
  if (found == blocks_.end() || trace_.operations.empty()) return;
  const uint32_t operation = found->second->last_operation[thread];
  const Operation& last = trace_.operations[operation];
  add_side(block, thread, found->second->last_event[thread], last.place, describe(last.kind));
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
