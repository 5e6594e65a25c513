// SPDX-License-Identifier: MIT
#include "tests/compaction/soak/case.cuh"
#include "tests/compaction/soak/items.h"

namespace soak {
namespace {

/// The offsets of the classes of `count` items, and of their end.
template <unsigned kClasses, class ClassAt>
std::vector<uint64_t> offsets_of(uint64_t count, ClassAt class_at) {
  std::vector<uint64_t> offsets(kClasses + 1, 0);
  for (uint64_t i = 0; i < count; ++i)
    if (class_at(i) < kClasses) ++offsets[class_at(i) + 1];
  for (unsigned c = 0; c < kClasses; ++c) offsets[c + 1] += offsets[c];
  return offsets;
}

/// Gives `write(place, i)` the place of each item i of a class.
template <class ClassAt, class Write>
void for_each_place(std::vector<uint64_t> next, uint64_t count, ClassAt class_at, Write write) {
  const size_t classes = next.size() - 1;
  for (uint64_t i = 0; i < count; ++i)
    if (class_at(i) < classes) write(next[class_at(i)]++, i);
}

template <unsigned kClasses, class T>
void split_by(Case& one) {
  const Size size = one.size(2 * sizeof(T));
  const Array<T> in = one.input<T>("in", size.capacity);
  const auto class_at = [&](uint64_t i) { return ClassOf<kClasses>()(in.uploaded[i]); };
  const std::vector<uint64_t> offsets = offsets_of<kClasses>(size.count, class_at);
  const Array<T> out = one.output<T>("out", offsets.back());
  const Array<long long> to = one.output<long long>("the offsets", kClasses + 1);
  std::copy(offsets.begin(), offsets.end(), to.expected);
  for_each_place(offsets, size.count, class_at,
                 [&](uint64_t place, uint64_t i) { out.expected[place] = in.uploaded[i]; });
  one.run(compaction::split_by_bytes<kClasses, T, ClassOf<kClasses>>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::split_by<kClasses>(in.device, out.device, to.device, size.n,
                                                  ClassOf<kClasses>(), storage, stream);
          });
}

template <unsigned kClasses, class Key>
void split_indices(Case& one) {
  const Size size = one.size(sizeof(Key) + sizeof(uint32_t));
  const Array<Key> keys = one.input<Key>("the keys", size.capacity);
  if constexpr (sizeof(Key) > sizeof(uint8_t)) {
    // Half of the classes are small, the others have the lower bits of small ones.
    constexpr Key kSmall = 2 * kClasses - 1;
    for (uint64_t i = 0; i < size.capacity; ++i)
      if (keys.uploaded[i] & 1)
        keys.uploaded[i] &= kSmall;
      else
        keys.uploaded[i] &= kSmall | ~Key(0) << 32;
    one.copy(keys, size.capacity);
  }
  const auto class_at = [&](uint64_t i) {
    return uint32_t(std::min<uint64_t>(uint64_t(keys.uploaded[i]), kClasses));
  };
  const std::vector<uint64_t> offsets = offsets_of<kClasses>(size.count, class_at);
  const uint64_t room =
      one.draw().one_in(4) ? one.draw().below(offsets.back() + 1) : offsets.back();
  const Array<uint32_t> indices = one.output<uint32_t>("the indices", room);
  const Array<uint32_t> to = one.output<uint32_t>("the offsets", kClasses + 1);
  const Array<uint32_t> overflowed = one.output<uint32_t>("the overflow", 1);
  std::copy(offsets.begin(), offsets.end(), to.expected);
  for_each_place(offsets, size.count, class_at, [&](uint64_t place, uint64_t i) {
    if (place < room) indices.expected[place] = uint32_t(i);
  });
  *overflowed.expected = offsets.back() > room;
  using Source = compaction::IndicesByKey<Key>;
  using Sink = compaction::WriteIndices<uint32_t>;
  one.run(compaction::split_bytes<kClasses, Source, Sink>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::split_indices<kClasses>(keys.device, indices.device,
                                                       {to.device, room, overflowed.device}, size.n,
                                                       storage, stream);
          });
}

}  // namespace

std::vector<Function> split_functions() {
  return {{"split_by of 4 bytes, 32 classes", split_by<32, uint32_t>},
          {"split_by of 12 bytes, 5 classes", split_by<5, Item12>},
          {"split_indices, 200 classes", split_indices<200, uint8_t>},
          {"split_indices by 8 bytes, 16 classes", split_indices<16, int64_t>}};
}

}  // namespace soak
