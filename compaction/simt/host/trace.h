// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compaction/simt/host/source_lines.h"

namespace simt::host {

/// The action of a thread. The kinds from kSync on are the calls of `Collective`, in its order.
enum class EventKind : uint8_t {
  kLoad,
  kStore,
  kAtomic,      ///< an atomic load, store or read-modify-write; the value is the one after it
  kFence,       ///< a fence at device scope
  kBackoff,     ///< the thread waits for another thread
  kThreadEnd,   ///< the thread has returned from the kernel
  kBlockStart,  ///< the block becomes resident; its shared memory is poison
  kLaunch,      ///< a kernel starts; the value is its index in Trace::launches
  kSync,
  kSyncCount,
  kSyncWarp,
  kBallot,
  kAny,
  kAll,
  kShfl,
  kShflUp,
  kShflDown,
};

/// The offset is a byte offset in a region, or the lane that a shuffle reads.
constexpr bool has_offset(EventKind kind) {
  return kind <= EventKind::kAtomic || kind >= EventKind::kShfl;
}
/// The value of a load is what memory holds.
constexpr bool has_value(EventKind kind) {
  return kind != EventKind::kLoad && kind != EventKind::kFence && kind != EventKind::kBackoff &&
         kind != EventKind::kThreadEnd && kind != EventKind::kSync && kind != EventKind::kSyncWarp;
}

/// The common data of the events of one line of a kernel.
struct Operation {
  EventKind kind{};
  uint8_t size = 0;     ///< bytes of an access or of a value, up to 8
  uint16_t region = 0;  ///< for accesses, index in Trace::regions
  uint32_t place = 0;   ///< index in Trace::places
};

/// How memory is shown and counted: the type of its items.
enum class Cells : uint8_t { kU8, kU32, kU64, kTileStates };

/// Memory whose accesses are recorded. Region 0 of a trace is the shared memory of each block.
struct Region {
  std::string name;
  Cells cells = Cells::kU32;
  std::vector<std::byte> before;  ///< contents when the recorder began to watch; empty for shared
  std::vector<std::byte> after;   ///< contents at the end; not written to files
};

struct RecordedLaunch {
  std::string kernel;
  uint32_t blocks = 0;
  uint32_t block_size = 0;    ///< threads
  uint32_t shared_bytes = 0;  ///< shared memory of a block
};

struct FailureSide {
  uint32_t block = 0;
  uint32_t thread = 0;
  uint64_t clock = 0;  ///< clock of the event
  std::string does;    ///< "stores shared[3]"
  SourceLine line;
};

/// The error that ended a run; `message` is empty if there was none.
struct Failure {
  std::string message;
  std::vector<FailureSide> sides;  ///< ordered by their clocks
};

/// A recorded run. `events` has the encoding described in trace.cpp, about three bytes per event.
struct Trace {
  std::vector<SourceLine> places;
  std::vector<Operation> operations;
  std::vector<Region> regions;
  std::vector<RecordedLaunch> launches;
  Failure failure;
  uint64_t event_count = 0;
  bool is_truncated = false;  ///< whether there were more events than the recorder keeps
  std::vector<uint8_t> events;
};

/// An event as for_each_event() decodes it.
struct Event : Operation {
  uint32_t operation = 0;  ///< index in Trace::operations
  uint32_t block = 0;
  uint32_t thread = 0;  ///< rank in the block
  uint32_t offset = 0;  ///< bytes from the start of the region, or the lane that a shuffle reads
  uint64_t value = 0;   ///< valid if has_value()
  uint64_t clock = 0;   ///< index of the event in the trace
};

/// Calls `use` for each event, in the order in which they happened.
void for_each_event(const Trace& trace, const std::function<void(const Event&)>& use);

/// Returns the trace as an array of bytes, in the format described in trace.cpp.
std::vector<uint8_t> serialize(const Trace& trace);

}  // namespace simt::host
