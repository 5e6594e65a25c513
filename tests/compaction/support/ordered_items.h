// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "compaction/op/operators.h"
#include "compaction/simt/qualifiers.h"

// Items and operators that detect whether a reduction or scan keeps the order of its items.

/// The map x -> scale * x + shift, modulo 2^32.
struct Affine {
  uint32_t scale = 1, shift = 0;
  bool operator==(const Affine&) const = default;
};

/// The map that applies `a`, then `b`. Not commutative.
struct Compose {
  SIMT_HOST_DEVICE static Affine identity() { return {}; }
  SIMT_HOST_DEVICE Affine operator()(const Affine& a, const Affine& b) const {
    return {a.scale * b.scale, a.shift * b.scale + b.shift};
  }
};

/// `length` consecutive numbers from `first` on; 12 bytes.
struct Interval {
  uint32_t first = 0, length = 0, gaps = 0;
  bool operator==(const Interval&) const = default;
};

/// Joins two intervals and counts where they do not follow each other. Not commutative.
struct Join {
  SIMT_HOST_DEVICE static Interval identity() { return {}; }
  SIMT_HOST_DEVICE Interval operator()(const Interval& a, const Interval& b) const {
    if (a.length == 0) return b;
    if (b.length == 0) return a;
    uint32_t gap = a.first + a.length == b.first ? 0 : 1;
    return {a.first, a.length + b.length, a.gaps + b.gaps + gap};
  }
};

/// 128 bytes, the maximum of the algorithms.
struct Wide {
  uint32_t words[32] = {};
  bool operator==(const Wide&) const = default;
};

/// The later of two, unless that is empty. Not commutative.
struct KeepLast {
  SIMT_HOST_DEVICE static Wide identity() { return {}; }
  SIMT_HOST_DEVICE Wide operator()(const Wide& a, const Wide& b) const {
    return b.words[0] != 0 ? b : a;
  }
};

/// A number with a mark that uninitialized memory does not have.
struct Marked {
  static constexpr uint32_t kMark = 0x5CA11AB1;
  uint32_t value = 0, mark = kMark;
  bool operator==(const Marked&) const = default;
};

/// A sum that throws where an operand is no item, identity or result of itself. On the host.
struct MarkedSum {
  static Marked identity() { return {}; }
  Marked operator()(const Marked& a, const Marked& b) const {
    if (a.mark != Marked::kMark || b.mark != Marked::kMark)
      throw std::invalid_argument("the operator is called with what is no item");
    return {a.value + b.value};
  }
};

/// The item at `index`.
inline void fill(int32_t& item, uint32_t, std::mt19937& random) {
  item = int32_t(random() % 2001) - 1000;
}
inline void fill(uint8_t& item, uint32_t, std::mt19937& random) {
  item = uint8_t(random());
}
inline void fill(uint64_t& item, uint32_t, std::mt19937& random) {
  item = uint64_t(random()) << 32 | random() | 1;  // odd, so that no product becomes 0
}
inline void fill(float& item, uint32_t, std::mt19937& random) {
  item = float(int(random() % 17) - 8);  // sums stay exact
}
inline void fill(Affine& item, uint32_t, std::mt19937& random) {
  item = {uint32_t(random()) | 1, uint32_t(random())};
}
inline void fill(Interval& item, uint32_t index, std::mt19937&) {
  item = {index, 1, 0};
}
inline void fill(Wide& item, uint32_t index, std::mt19937& random) {
  if (random() % 4 == 0) return;  // empty
  for (uint32_t word = 0; word < 32; ++word) item.words[word] = (index + 1) * 32 + word;
}

inline void fill(Marked& item, uint32_t, std::mt19937& random) {
  item.value = uint32_t(random());
}

template <class T>
std::vector<T> ordered_items(size_t n) {
  std::mt19937 random(11);
  std::vector<T> items(n);
  for (size_t i = 0; i < n; ++i) fill(items[i], uint32_t(i), random);
  return items;
}

constexpr compaction::ScanKind kScanKinds[] = {compaction::ScanKind::kInclusive,
                                               compaction::ScanKind::kExclusive};

constexpr const char* name_of(compaction::ScanKind kind) {
  return kind == compaction::ScanKind::kInclusive ? "inclusive" : "exclusive";
}

template <class T>
struct Scanned {
  std::vector<T> out;  ///< [n]
  T total;
};

/// `init` and the items, scanned one after the other.
template <class T, class Op>
Scanned<T> reference_scan(compaction::ScanKind kind, const std::vector<T>& in, Op op = {},
                          const T& init = Op().identity()) {
  Scanned<T> scanned{{}, init};
  for (const T& item : in) {
    const T before = scanned.total;
    scanned.total = op(before, item);
    scanned.out.push_back(kind == compaction::ScanKind::kInclusive ? scanned.total : before);
  }
  return scanned;
}
