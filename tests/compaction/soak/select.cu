// SPDX-License-Identifier: MIT
#include "tests/compaction/soak/case.cuh"
#include "tests/compaction/soak/items.h"

namespace soak {
namespace {

/// Expects the first items for which `is_selected(i)`, of columns that were uploaded.
template <class T, class IsSelected>
void expect_selected(const Array<T>& in, const Array<T>& out, const Size& size, uint64_t room,
                     IsSelected is_selected) {
  uint64_t place = 0;
  for (uint64_t i = 0; i < size.count && place < room; ++i)
    if (is_selected(i)) out.expected[place++] = in.uploaded[i];
}

template <class T>
void select_if(Case& one) {
  const Size size = one.size(2 * sizeof(T));
  const Array<T> in = one.input<T>("in", size.capacity);
  const uint64_t selected = one.mark(in, size);
  const CountOut count = one.count_out(size.capacity);
  const bool in_place = simt::kHasVectors<T> && one.draw().one_in(4);
  if (in_place) one.note("in place");
  const Array<T> out = in_place ? in : one.output<T>("out", count.fitting(selected));
  expect_selected(in, out, size, count.fitting(selected),
                  [&](uint64_t i) { return IsOdd()(in.uploaded[i]); });
  count.expect(selected);
  one.run(
      compaction::select_if_bytes<T, IsOdd>(size.capacity),
      [=](const compaction::Storage& storage, cudaStream_t stream) {
        return compaction::select_if(in.device, out.device, count.to, size.n, IsOdd(), storage,
                                     stream);
      },
      !in_place);
}

template <class T>
void select_flagged(Case& one) {
  const Size size = one.size(2 * sizeof(T) + 1);
  const Array<T> in = one.input<T>("in", size.capacity);
  const Array<uint8_t> flags = one.output<uint8_t>("the flags", size.capacity);
  Pattern pattern(one.draw());
  uint64_t selected = 0;
  for (uint64_t i = 0; i < size.capacity; ++i) {
    flags.uploaded[i] = pattern.next() ? uint8_t(1 + i % 255) : 0;  // any but 0
    selected += i < size.count && flags.uploaded[i] != 0;
  }
  one.copy(flags, size.capacity);
  const CountOut count = one.count_out(size.capacity);
  const Array<T> out = one.output<T>("out", count.fitting(selected));
  expect_selected(in, out, size, count.fitting(selected),
                  [&](uint64_t i) { return flags.uploaded[i] != 0; });
  count.expect(selected);
  using Sink = compaction::WriteColumns<T>;
  one.run(compaction::select_bytes<compaction::Flagged, Sink>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::select_flagged(in.device, flags.device, out.device, count.to, size.n,
                                              storage, stream);
          });
}

/// Whether a bit is set, of items selected by a mask.
bool is_masked(const Array<uint32_t>& mask, uint64_t i) {
  return mask.uploaded[i / 32] >> i % 32 & 1;
}

template <class T>
void select_masked(Case& one) {
  const Size size = one.size(2 * sizeof(T) + 1);
  const uint64_t words = (size.capacity + 31) / 32;
  const Array<T> in = one.input<T>("in", size.capacity);
  const Array<uint32_t> mask =
      one.input<uint32_t>("the mask", words);  // bits beyond n are set, too
  Pattern pattern(one.draw());
  uint64_t selected = 0;
  for (uint64_t i = 0; i < size.capacity; ++i) {
    if (!pattern.next()) mask.uploaded[i / 32] &= ~(1u << i % 32);
    selected += i < size.count && is_masked(mask, i);
  }
  one.copy(mask, words);
  const CountOut count = one.count_out(size.capacity);
  const Array<T> out = one.output<T>("out", count.fitting(selected));
  expect_selected(in, out, size, count.fitting(selected),
                  [&](uint64_t i) { return is_masked(mask, i); });
  count.expect(selected);
  using Sink = compaction::WriteColumns<T>;
  one.run(compaction::select_bytes<compaction::Masked, Sink>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::select_masked(in.device, mask.device, out.device, count.to, size.n,
                                             storage, stream);
          });
}

}  // namespace

std::vector<Function> select_functions() {
  return {{"select_if of 1 byte", select_if<uint8_t>},
          {"select_if of 4 bytes", select_if<uint32_t>},
          {"select_if of 12 bytes", select_if<Item12>},
          {"select_if of 16 bytes", select_if<Item16>},
          {"select_if of 33 bytes", select_if<Bytes33>},
          {"select_if of 64 bytes", select_if<Item64>},
          {"select_flagged of 2 bytes", select_flagged<uint16_t>},
          {"select_masked of 8 bytes", select_masked<uint64_t>}};
}

}  // namespace soak
