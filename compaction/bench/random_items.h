// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "compaction/op/operators.h"
#include "compaction/simt/qualifiers.h"

namespace compaction::bench {

/// An item of 16 bytes. Its key decides whether it is selected.
struct alignas(16) Item16 {
  uint64_t key, payload;

  SIMT_HOST_DEVICE constexpr bool operator==(const Item16& other) const {
    return key == other.key && payload == other.payload;
  }
};

/// The item is not aligned to its size. Its first word decides whether it is selected.
template <class Word, unsigned kWords, unsigned kAlign = alignof(Word)>
struct alignas(kAlign) Record {
  Word words[kWords];

  SIMT_HOST_DEVICE constexpr bool operator==(const Record& other) const {
    for (unsigned w = 0; w < kWords; ++w)
      if (words[w] != other.words[w]) return false;
    return true;
  }
};

/// Adds keys to keys and payloads to payloads.
struct SumItem16 {
  static constexpr bool kCommutative = true;  // the baselines assume it
  SIMT_HOST_DEVICE static constexpr Item16 identity() { return {0, 0}; }
  SIMT_HOST_DEVICE constexpr Item16 operator()(Item16 a, Item16 b) const {
    return {a.key + b.key, a.payload + b.payload};
  }
};

/// Adds words to words.
template <class Item>
struct SumRecord;
template <class Word, unsigned kWords, unsigned kAlign>
struct SumRecord<Record<Word, kWords, kAlign>> {
  using Item = Record<Word, kWords, kAlign>;
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static constexpr Item identity() { return {}; }
  SIMT_HOST_DEVICE constexpr Item operator()(const Item& a, const Item& b) const {
    Item sum{};
    for (unsigned w = 0; w < kWords; ++w) sum.words[w] = Word(a.words[w] + b.words[w]);
    return sum;
  }
};

template <class T>
struct SumOfType {
  using Type = Sum<T>;
};
template <>
struct SumOfType<Item16> {
  using Type = SumItem16;
};
template <class Word, unsigned kWords, unsigned kAlign>
struct SumOfType<Record<Word, kWords, kAlign>> {
  using Type = SumRecord<Record<Word, kWords, kAlign>>;
};
template <class T>
using SumOf = typename SumOfType<T>::Type;

template <class T>
SIMT_HOST_DEVICE constexpr auto key_of(const T& item) {
  if constexpr (requires { item.key; })
    return item.key;
  else if constexpr (requires { item.words; })
    return item.words[0];
  else
    return item;
}

template <class T>
using Key = decltype(key_of(T{}));

/// The largest key. No item has it, so that a threshold can keep all items.
template <class T>
inline constexpr Key<T> kNoKey = Key<T>(~Key<T>(0));

/// Returns a hash of 64 bits. Steele, Lea & Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014 (SplitMix64).
SIMT_HOST_DEVICE inline uint64_t random_bits(uint64_t i) {
  uint64_t bits = (i + 1) * 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

/// Returns the item with index `item` of every problem, uniformly random.
template <class T>
SIMT_HOST_DEVICE T random_item(uint64_t item) {
  constexpr unsigned kSpare = 8 * (sizeof(uint64_t) - sizeof(Key<T>));
  auto key = Key<T>(random_bits(item) >> kSpare);
  if (key == kNoKey<T>) --key;
  if constexpr (requires(T t) { t.words; }) {
    constexpr unsigned kItemBits = 56;
    T record{{key}};
    for (unsigned w = 1; w < sizeof(record.words) / sizeof(key); ++w)
      record.words[w] = Key<T>(random_bits(item | uint64_t(w) << kItemBits));
    return record;
  } else if constexpr (std::is_same_v<T, Item16>) {
    return {key, item};
  } else {
    return key;
  }
}

template <class T>
struct Below {
  Key<T> threshold;

  SIMT_HOST_DEVICE bool operator()(const T& item) const { return key_of(item) < threshold; }
};

/// Returns the predicate that keeps `percent` of the random items, as closely as the size of the
/// keys allows: for bytes, a multiple of 1/256.
template <class T>
Below<T> keep_percent(double percent) {
  constexpr double kPercent = 100;
  double keys = std::ldexp(1.0, std::numeric_limits<Key<T>>::digits);
  double threshold = std::round(percent / kPercent * keys);
  return {threshold < keys ? Key<T>(threshold) : kNoKey<T>};
}

}  // namespace compaction::bench
