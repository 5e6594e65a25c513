#pragma once

#include "compaction/op/operators.h"
#include "compaction/simt/span.h"

namespace compaction {

/// Reduction, one item after the other: the reference. Returns in[0] op ... op in[n - 1]; the
/// identity where there is no item.
///
/// @param in  [n]
/// On the host. n operations.
template <class T, Operator<T> Op = Sum<T>>
T sequential_reduce(simt::Span<const T> in, Op op = {}) {
  T result = op.identity();
  for (const T& item : in) result = op(result, item);
  return result;
}

}  // namespace compaction
