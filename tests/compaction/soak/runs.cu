// SPDX-License-Identifier: MIT
#include "tests/compaction/soak/items.h"
#include "tests/compaction/soak/keys.cuh"

namespace soak {
namespace {

using compaction::Equals;

template <class T, class Equal>
void unique(Case& one) {
  const Keys<T> in(one, 2 * sizeof(T));
  const CountOut count = one.count_out(in.size.capacity);
  const uint64_t room = count.fitting(in.runs());
  const Array<T> out = one.output<T>("out", room);
  for (uint64_t run = 0; run < room; ++run) out.expected[run] = in.keys.uploaded[in.first[run]];
  count.expect(in.runs());
  const T* from = in.keys.device;
  const Size size = in.size;
  one.run(compaction::unique_bytes<T, Equal>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::unique(from, out.device, count.to, size.n, storage, stream, Equal());
          });
}

template <class T, class Length>
void run_length_encode(Case& one) {
  const Keys<T> in(one, 2 * sizeof(T) + sizeof(Length));
  const CountOut count = one.count_out(in.size.capacity);
  const uint64_t room = count.fitting(in.runs());
  const Array<T> items = one.output<T>("the items of the runs", room);
  const Array<Length> lengths = one.output<Length>("the lengths", room);
  for (uint64_t run = 0; run < room; ++run) {
    items.expected[run] = in.keys.uploaded[in.first[run]];
    lengths.expected[run] = Length(in.first[run + 1] - in.first[run]);
  }
  count.expect(in.runs());
  const T* from = in.keys.device;
  const Size size = in.size;
  one.run(compaction::run_length_encode_bytes<T, Length>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::run_length_encode(from, items.device, lengths.device, count.to,
                                                 size.n, storage, stream);
          });
}

template <class Key, class Value, class Op>
void reduce_by_key(Case& one) {
  const Keys<Key> in(one, 2 * (sizeof(Key) + sizeof(Value)));
  const Array<Value> values = one.input<Value>("the values", in.size.capacity);
  const CountOut count = one.count_out(in.size.capacity);
  const uint64_t room = count.fitting(in.runs());
  const Array<Key> run_keys = one.output<Key>("the keys of the runs", room);
  const Array<Value> run_values = one.output<Value>("the values of the runs", room);
  for (uint64_t run = 0; run < room; ++run) {
    Value sum = Op().identity();
    for (uint64_t i = in.first[run]; i < in.first[run + 1]; ++i)
      sum = Op()(sum, values.uploaded[i]);
    run_keys.expected[run] = in.keys.uploaded[in.first[run]];
    run_values.expected[run] = sum;
  }
  count.expect(in.runs());
  const Key* keys = in.keys.device;
  const Size size = in.size;
  one.run(compaction::reduce_by_key_bytes<Key, compaction::Items<Value>, Op>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::reduce_by_key(keys, values.device, run_keys.device,
                                             run_values.device, count.to, size.n, Op(), storage,
                                             stream);
          });
}

template <class Key, class Value, class Op>
void scan_by_key(Case& one) {
  const Keys<Key> in(one, sizeof(Key) + 2 * sizeof(Value));
  const Array<Value> values = one.input<Value>("the values", in.size.capacity);
  const Array<Value> out = one.output<Value>("out", in.size.count);
  for (uint64_t run = 0; run < in.runs(); ++run) {
    Value sum = Op().identity();
    for (uint64_t i = in.first[run]; i < in.first[run + 1]; ++i)
      out.expected[i] = sum = Op()(sum, values.uploaded[i]);
  }
  const Key* keys = in.keys.device;
  const Size size = in.size;
  using Begins = compaction::BeginsRun<Key, Equals>;
  one.run(compaction::segmented_scan_bytes<compaction::Items<Value>, Begins, Op>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::scan_by_key<compaction::ScanKind::kInclusive>(
                keys, values.device, out.device, size.n, Op(), storage, stream);
          });
}

}  // namespace

std::vector<Function> run_functions() {
  return {{"unique of 4 bytes", unique<uint32_t, Equals>},
          {"unique of 12 bytes", unique<Item12, EqualWords>},
          {"run_length_encode of 4 bytes", run_length_encode<uint32_t, uint64_t>},
          {"reduce_by_key of affine maps", reduce_by_key<uint32_t, Affine, Compose>},
          {"scan_by_key of affine maps", scan_by_key<uint32_t, Affine, Compose>}};
}

}  // namespace soak
