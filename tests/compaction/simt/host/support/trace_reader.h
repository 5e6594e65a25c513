// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compaction/simt/host/trace.h"
#include "compaction/simt/host/trace_codec.h"

// Reads the format that trace.cpp describes and serialize() writes.

namespace recorder_test {

using namespace simt::host;

class TraceReader {
 public:
  explicit TraceReader(const std::vector<uint8_t>& bytes)
      : at_(bytes.data()), end_(at_ + bytes.size()) {
    for (char expected : {'W', 'T', 'R', '1'})
      if (at_ == end_ || *at_++ != uint8_t(expected)) throw std::runtime_error("not a trace");
  }

  uint64_t number() { return get_varint(at_, end_); }
  /// Reads a count of items that have at least one byte each.
  size_t count() {
    const uint64_t count = number();
    if (count > uint64_t(end_ - at_)) throw std::runtime_error("a trace ends too early");
    return size_t(count);
  }
  template <class Bytes>
  Bytes take() {
    const size_t size = count();
    const auto* first = reinterpret_cast<const typename Bytes::value_type*>(at_);
    at_ += size;
    return Bytes(first, first + size);
  }
  std::string text() { return take<std::string>(); }
  SourceLine line() {
    std::string file = text();
    return {std::move(file), uint32_t(number())};
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

inline EventKind kind_of(uint64_t number) {
  if (number > uint64_t(EventKind::kShflDown)) throw std::runtime_error("an unknown kind of event");
  return EventKind(number);
}

/// Returns the trace that serialize() has written. Throws std::runtime_error if the bytes are not a
/// trace or end too early.
inline Trace parse(const std::vector<uint8_t>& bytes) {
  TraceReader in(bytes);
  Trace trace;
  trace.places.resize(in.count());
  for (SourceLine& place : trace.places) place = in.line();
  trace.operations.resize(in.count());
  for (Operation& operation : trace.operations) {
    operation.kind = kind_of(in.number());
    operation.size = uint8_t(in.number());
    operation.region = uint16_t(in.number());
    operation.place = uint32_t(in.number());
  }
  trace.regions.resize(in.count());
  for (Region& region : trace.regions) {
    region.name = in.text();
    region.cells = Cells(in.number());
    region.before = in.take<std::vector<std::byte>>();
  }
  trace.launches.resize(in.count());
  for (RecordedLaunch& launch : trace.launches) {
    launch.kernel = in.text();
    launch.blocks = uint32_t(in.number());
    launch.block_size = uint32_t(in.number());
    launch.shared_bytes = uint32_t(in.number());
  }
  trace.failure.message = in.text();
  trace.failure.sides.resize(in.count());
  for (FailureSide& side : trace.failure.sides) {
    side.block = uint32_t(in.number());
    side.thread = uint32_t(in.number());
    side.clock = in.number();
    side.does = in.text();
    side.line = in.line();
  }
  trace.event_count = in.number();
  trace.is_truncated = in.number() != 0;
  trace.events = in.take<std::vector<uint8_t>>();
  return trace;
}

}  // namespace recorder_test
