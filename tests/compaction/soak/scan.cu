// SPDX-License-Identifier: MIT
#include "tests/compaction/soak/case.cuh"
#include "tests/compaction/soak/items.h"

namespace soak {
namespace {

using compaction::ScanKind;

template <class In, class T, class Op>
void reduce(Case& one) {
  const Size size = one.size(sizeof(In));
  const Array<In> in = one.input<In>("in", size.capacity);
  const Array<T> result = one.output<T>("the result", 1);
  T sum = Op().identity();
  for (uint64_t i = 0; i < size.count; ++i) sum = Op()(sum, T(in.uploaded[i]));
  *result.expected = sum;
  one.run(compaction::reduce_bytes<T>(),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::reduce(in.device, result.device, size.n, Op(), storage, stream);
          });
}

template <ScanKind kKind, class In, class T, class Op>
void scan(Case& one) {
  const Size size = one.size(sizeof(In) + sizeof(T));
  const Array<In> in = one.input<In>("in", size.capacity);
  bool in_place = false;
  Array<T> out;
  if constexpr (std::is_same_v<In, T>) {
    in_place = one.draw().one_in(4);
    if (in_place) out = in;
  }
  if (in_place)
    one.note("in place");
  else
    out = one.output<T>("out", size.count);
  const Array<T> init = one.input<T>("init", 1), total = one.output<T>("the total", 1);
  T sum = *init.uploaded;
  for (uint64_t i = 0; i < size.count; ++i) {
    const T before = sum;
    sum = Op()(sum, T(in.uploaded[i]));
    out.expected[i] = kKind == ScanKind::kInclusive ? sum : before;
  }
  *total.expected = sum;
  const T first = *init.uploaded;
  one.run(
      compaction::scan_bytes<T, Op, In>(size.capacity),
      [=](const compaction::Storage& storage, cudaStream_t stream) {
        if constexpr (kKind == ScanKind::kInclusive)
          return compaction::inclusive_scan(in.device, out.device, size.n, Op(), storage, stream,
                                            first, total.device);
        else
          return compaction::exclusive_scan(in.device, out.device, size.n, Op(), storage, stream,
                                            first, total.device);
      },
      !in_place);
}

}  // namespace

std::vector<Function> scan_functions() {
  using Wide = compaction::Sum<uint64_t>;
  return {
      {"reduce of affine maps", reduce<Affine, Affine, Compose>},
      {"reduce of bytes in 64 bits", reduce<uint8_t, uint64_t, Wide>},
      {"reduce of matrices", reduce<Item16, Item16, Multiply>},
      {"inclusive_scan of affine maps", scan<ScanKind::kInclusive, Affine, Affine, Compose>},
      {"exclusive_scan of affine maps", scan<ScanKind::kExclusive, Affine, Affine, Compose>},
      {"exclusive_scan of bytes in 64 bits", scan<ScanKind::kExclusive, uint8_t, uint64_t, Wide>},
      {"inclusive_scan of matrices", scan<ScanKind::kInclusive, Item16, Item16, Multiply>}};
}

}  // namespace soak
