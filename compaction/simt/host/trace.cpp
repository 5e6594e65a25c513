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
// Most differences are zero.

#include "compaction/simt/host/trace.h"

#include "compaction/simt/host/trace_codec.h"

namespace simt::host {

namespace {

class TraceWriter {
 public:
  std::vector<uint8_t> bytes{'W', 'T', 'R', '1'};

  template <class... Field>
  void put(const Field&... fields) {
    (put_field(fields), ...);
  }
  /// Writes the number of items first.
  template <class Item, class PutItem>
  void put_all(const std::vector<Item>& items, PutItem put_item) {
    put(items.size());
    for (const Item& item : items) put_item(item);
  }

 private:
  void put_field(uint64_t value) { put_varint(bytes, value); }
  void put_field(const std::string& text) {
    put(text.size());
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  void put_field(const SourceLine& line) { put(line.file, line.line); }
};

}  // namespace

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
    static_cast<Operation&>(event) = operation;
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
  out.put_all(trace.places, [&](const SourceLine& place) { out.put(place); });
  out.put_all(trace.operations, [&](const Operation& operation) {
    out.put(uint64_t(operation.kind), operation.size, operation.region, operation.place);
  });
  out.put_all(trace.regions, [&](const Region& region) {
    out.put(region.name, uint64_t(region.cells));
    out.put_all(region.before, [&](std::byte byte) { out.bytes.push_back(uint8_t(byte)); });
  });
  out.put_all(trace.launches, [&](const RecordedLaunch& launch) {
    out.put(launch.kernel, launch.blocks, launch.block_size, launch.shared_bytes);
  });
  out.put(trace.failure.message);
  out.put_all(trace.failure.sides, [&](const FailureSide& side) {
    out.put(side.block, side.thread, side.clock, side.does, side.line);
  });
  out.put(trace.event_count, uint64_t(trace.is_truncated));
  out.put_all(trace.events, [&](uint8_t byte) { out.bytes.push_back(byte); });
  return out.bytes;
}

}  // namespace simt::host
