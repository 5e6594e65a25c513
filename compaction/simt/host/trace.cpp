// SPDX-License-Identifier: MIT
// The format of traces. All integers are LEB128: seven bits a byte, the lowest first, the highest
// bit set if another byte follows. Signed integers are folded: 0, -1, 1, -2 become 0, 1, 2, 3. A
// text is its length and its bytes.
//
//   "WTR1"
//   places       count; for each: file (text), line
//   operations   count; for each: kind, size, region, place
//   regions      count; for each: name (text), cells, count of bytes, initial bytes
//   launches     count; for each: kernel (text), blocks, threads of a block, shared bytes
//   failure      message (text); count of sides; for each: block, thread, clock, what (text),
//                file, line
//   events       count, is truncated (0 or 1), count of bytes, bytes
//
// In the bytes of the events, 0 means that another thread continues: block and thread follow, as
// signed differences to the last block and to the thread after the last one. Any other number is an
// operation (plus 1) by the current thread. It is followed by the offset, if the kind has one, as a
// signed difference to the expected offset, and by the value, if the kind has one, as one word of
// 32 bits, or two for 8 bytes, each as a signed difference to the last value of the operation
// modulo 2^32. The expected offset follows the last offset of the operation at the last distance.
// Neighbouring threads execute the same operations on neighbouring items, so most differences are
// zero.

#include "compaction/simt/host/trace.h"

#include <stdexcept>

#include "compaction/simt/host/trace_codec.h"

namespace simt::host {

namespace {

constexpr char kTraceMagic[] = {'W', 'T', 'R', '1'};

class TraceWriter {
 public:
  std::vector<uint8_t> bytes{std::begin(kTraceMagic), std::end(kTraceMagic)};

  void put(uint64_t value) { put_varint(bytes, value); }
  void put(const std::string& text) {
    put(text.size());
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  void put(const SourceLine& line) {
    put(line.file);
    put(line.line);
  }
};

class TraceReader {
 public:
  explicit TraceReader(const std::vector<uint8_t>& bytes)
      : at_(bytes.data()), end_(at_ + bytes.size()) {
    for (char expected : kTraceMagic)
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

EventKind kind_of(uint64_t number) {
  if (number > uint64_t(EventKind::kShflDown)) throw std::runtime_error("an unknown kind of event");
  return EventKind(number);
}

}  // namespace

const char* describe(EventKind kind) {
  constexpr const char* kTexts[] = {"loads",
                                    "stores",
                                    "accesses atomically",
                                    "executes a fence",
                                    "waits for another thread",
                                    "returns",
                                    "starts",
                                    "is launched",
                                    "calls sync()",
                                    "calls sync_count()",
                                    "calls sync() of its warp",
                                    "calls ballot()",
                                    "calls any()",
                                    "calls all()",
                                    "calls shfl()",
                                    "calls shfl_up()",
                                    "calls shfl_down()"};
  return kTexts[int(kind)];
}

void for_each_event(const Trace& trace, const std::function<void(const Event&)>& use) {
  std::vector<Prediction> predictions(trace.operations.size());
  const uint8_t *at = trace.events.data(), *end = at + trace.events.size();
  Event event;
  while (at < end) {
    const uint64_t number = get_varint(at, end);
    if (number == 0) {
      event.block += uint32_t(unfold(get_varint(at, end)));
      event.thread += 1 + uint32_t(unfold(get_varint(at, end)));
      continue;
    }
    event.operation = uint32_t(number - 1);
    const Operation& operation = trace.operations.at(event.operation);
    Prediction& prediction = predictions[event.operation];
    event.kind = operation.kind;
    event.size = operation.size;
    event.region = operation.region;
    event.place = operation.place;
    event.offset = 0;
    event.value = 0;
    if (has_offset(event.kind))
      event.offset = prediction.offset_after(uint32_t(unfold(get_varint(at, end))));
    if (has_value(event.kind)) {
      event.value = prediction.low += uint32_t(unfold(get_varint(at, end)));
      if (event.size > sizeof(uint32_t))
        event.value |= uint64_t(prediction.high += uint32_t(unfold(get_varint(at, end)))) << 32;
    }
    use(event);
    ++event.clock;
  }
}

std::vector<uint8_t> serialize(const Trace& trace) {
  TraceWriter out;
  out.put(trace.places.size());
  for (const SourceLine& place : trace.places) out.put(place);
  out.put(trace.operations.size());
  for (const Operation& operation : trace.operations) {
    out.put(uint64_t(operation.kind));
    out.put(operation.size);
    out.put(operation.region);
    out.put(operation.place);
  }
  out.put(trace.regions.size());
  for (const Region& region : trace.regions) {
    out.put(region.name);
    out.put(uint64_t(region.cells));
    out.put(region.before.size());
    for (std::byte byte : region.before) out.bytes.push_back(uint8_t(byte));
  }
  out.put(trace.launches.size());
  for (const RecordedLaunch& launch : trace.launches) {
    out.put(launch.kernel);
    out.put(launch.blocks);
    out.put(launch.block_size);
    out.put(launch.shared_bytes);
  }
  out.put(trace.failure.message);
  out.put(trace.failure.sides.size());
  for (const FailureSide& side : trace.failure.sides) {
    out.put(side.block);
    out.put(side.thread);
    out.put(side.clock);
    out.put(side.does);
    out.put(side.line);
  }
  out.put(trace.event_count);
  out.put(uint64_t(trace.is_truncated));
  out.put(trace.events.size());
  out.bytes.insert(out.bytes.end(), trace.events.begin(), trace.events.end());
  return out.bytes;
}

Trace parse(const std::vector<uint8_t>& bytes) {
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

}  // namespace simt::host
