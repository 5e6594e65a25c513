// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/ladder/source.h"
#include "compaction/op/operators.h"
#include "compaction/simt/span.h"

// Sequential loops on the host, with which tests compare every algorithm.

namespace compaction {

/// Reduction. Returns in[0] op ... op in[n - 1], or the identity if there are no items.
///
/// @param in  [n]
/// n operations.
template <class T, Operator<T> Op = Sum<T>>
T sequential_reduce(simt::Span<const T> in, Op op = {}) {
  T result = op.identity();
  for (const T& item : in) result = op(result, item);
  return result;
}

/// Inclusive scan. Returns all items combined.
///
/// @param in   [n]
/// @param out  [n], out[i] receives in[0] op ... op in[i]; may be `in`
/// n operations.
template <class T = uint32_t, Operator<T> Op = Sum<T>>
T sequential_inclusive_scan(simt::Span<const std::type_identity_t<T>> in, simt::Span<T> out,
                            Op op = {}) {
  T sum = op.identity();
  for (size_t i = 0; i < in.size; ++i) out[i] = sum = op(sum, in[i]);
  return sum;
}

/// Exclusive scan. Returns all items combined.
///
/// @param in   [n]
/// @param out  [n], out[i] receives in[0] op ... op in[i - 1], the identity for i = 0; may be `in`
/// n operations.
template <class T = uint32_t, Operator<T> Op = Sum<T>>
T sequential_exclusive_scan(simt::Span<const std::type_identity_t<T>> in, simt::Span<T> out,
                            Op op = {}) {
  T sum = op.identity();
  for (size_t i = 0; i < in.size; ++i) {
    T item = in[i];
    out[i] = sum;
    sum = op(sum, item);
  }
  return sum;
}

/// Stable select. Returns the number of selected items.
///
/// @param n         number of items of `source`
/// @param selected  [>= number of selected items], receives their values in order
inline uint32_t sequential_select(const Source auto& source, uint32_t n,
                                  simt::Span<uint32_t> selected) {
  uint32_t count = 0;
  for (uint32_t item = 0; item < n; ++item)
    if (source.selected(item)) selected[count++] = source.value(item);
  return count;
}

}  // namespace compaction
