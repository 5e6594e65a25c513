#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/op/operators.h"
#include "compaction/simt/span.h"

namespace compaction {

/// Inclusive scan, one item after the other: the reference. Returns all items combined.
///
/// @param in   [n]
/// @param out  [n], out[i] receives in[0] op ... op in[i]; may be `in`
/// On the host. n operations.
template <class T = uint32_t, Operator<T> Op = Sum<T>>
T sequential_inclusive_scan(simt::Span<const std::type_identity_t<T>> in, simt::Span<T> out,
                            Op op = {}) {
  T sum = op.identity();
  for (size_t i = 0; i < in.size; ++i) out[i] = sum = op(sum, in[i]);
  return sum;
}

/// Exclusive scan, one item after the other: the reference. Returns all items combined.
///
/// @param in   [n]
/// @param out  [n], out[i] receives in[0] op ... op in[i - 1], the identity for i = 0; may be `in`
/// On the host. n operations.
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

}  // namespace compaction
