// SPDX-License-Identifier: MIT
#include "tests/compaction/soak/case.cuh"
#include "tests/compaction/soak/items.h"

namespace soak {
namespace {

template <class T>
void partition_if(Case& one) {
  const Size size = one.size(2 * sizeof(T));
  const Array<T> in = one.input<T>("in", size.capacity);
  const uint64_t selected_count = one.mark(in, size);
  CountOut count = one.count_out(size.capacity);
  count.to.capacity = ~uint64_t(0);
  const Array<T> selected = one.output<T>("selected", selected_count);
  const Array<T> rejected = one.output<T>("rejected", size.count - selected_count);
  uint64_t odd = 0, even = 0;
  for (uint64_t i = 0; i < size.count; ++i)
    if (IsOdd()(in.uploaded[i]))
      selected.expected[odd++] = in.uploaded[i];
    else
      rejected.expected[even++] = in.uploaded[i];
  count.expect(selected_count);
  one.run(compaction::partition_if_bytes<T, IsOdd>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::partition_if(in.device, selected.device, rejected.device, count.to,
                                            size.n, IsOdd(), storage, stream);
          });
}

/// Common parts of partitions into one output.
template <class T>
struct InOne {
  Size size;
  Array<T> in, out;
  uint64_t selected;

  explicit InOne(Case& one) : size(one.size(2 * sizeof(T))) {
    in = one.input<T>("in", size.capacity);
    selected = one.mark(in, size);
    out = one.output<T>("out", size.count);
  }
  /// Expects the selected items, then the others in order or in reverse.
  void expect(bool is_reversed) const {
    uint64_t odd = 0, even = 0;
    for (uint64_t i = 0; i < size.count; ++i) {
      if (IsOdd()(in.uploaded[i]))
        out.expected[odd++] = in.uploaded[i];
      else
        out.expected[is_reversed ? size.count - 1 - even : selected + even] = in.uploaded[i],
                                                                      ++even;
    }
  }
};

template <class T>
void partition_in_one(Case& one) {
  const InOne<T> arrays(one);
  arrays.expect(false);
  const Array<unsigned> count = one.output<unsigned>("the count", 1);
  *count.expected = unsigned(arrays.selected);
  const size_t bytes = compaction::partition_in_one_bytes<T, IsOdd>(arrays.size.capacity);
  one.run(bytes, [=](const compaction::Storage& storage, cudaStream_t stream) {
    return compaction::partition_in_one_if(arrays.in.device, arrays.out.device, count.device,
                                           arrays.size.n, IsOdd(), storage, stream);
  });
}

template <class T>
void partition_in_one_reversed(Case& one) {
  const InOne<T> arrays(one);
  arrays.expect(true);
  CountOut count = one.count_out(arrays.size.capacity);
  count.to.capacity = ~uint64_t(0);
  count.expect(arrays.selected);
  one.run(compaction::partition_in_one_reversed_if_bytes<T, IsOdd>(arrays.size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::partition_in_one_reversed_if(arrays.in.device, arrays.out.device,
                                                            count.to, arrays.size.n, IsOdd(),
                                                            storage, stream);
          });
}

}  // namespace

std::vector<Function> partition_functions() {
  return {{"partition_if of 4 bytes", partition_if<uint32_t>},
          {"partition_if of 12 bytes", partition_if<Item12>},
          {"partition_in_one_if of 4 bytes", partition_in_one<uint32_t>},
          {"partition_in_one_reversed_if of 8 bytes", partition_in_one_reversed<uint64_t>}};
}

}  // namespace soak
