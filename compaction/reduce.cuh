// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/cuda/call.cuh"
#include "compaction/op/known_operators.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/version.h"

// Reduction of device memory. cuda.cuh says what all functions have in common.
//
// `op` combines values of the result's type, to which the items are converted. It is an Operator
// (op/operators.h), or a function object such as std::plus<> or cuda::maximum<>; any other one is
// given its identity by WithIdentity{op, identity} (op/known_operators.h).

namespace compaction {

namespace detail {

/// Runs reduce_to() for the function that `site` names.
template <class T, class Load, class Result, class Op>
cudaError_t reduce_to(const CallSite& site, Load load, Result result, ItemCount n, Op op,
                      const Storage& storage, cudaStream_t stream) {
  return launch(
      site, n, reduce_bytes<T>(), storage, stream, [&](auto& launcher, Span<std::byte> workspace) {
        compaction::reduce_to<T>(launcher, load, n, result, as_operator<T>(op), workspace);
      });
}

}  // namespace detail

/// Combines n items in order: `*result = in[0] op in[1] op ...`, the identity where n is 0.
///
/// @param in      [n], of any type that is converted to T
/// @param result  [1]; must not overlap `in`
/// Workspace of reduce_bytes<T>(). See reduce() in single_pass/reduce.h.
template <class In, class T, class Op>
[[nodiscard]] cudaError_t reduce(const In* in, T* result, ItemCount n, Op op,
                                 const Storage& storage, cudaStream_t stream = nullptr) {
  return detail::reduce_to<T>(
      {"reduce", {detail::reads("in", in, n), detail::writes("the result", result, 1)}},
      Items<In>{in}, result, n, op, storage, stream);
}
template <class In, class T, class Op>
[[nodiscard]] cudaError_t reduce(void* temp, size_t& temp_bytes, const In* in, T* result,
                                 ItemCount n, Op op, cudaStream_t stream = nullptr) {
  return compaction::reduce(in, result, n, op, Storage(temp, temp_bytes), stream);
}

}  // namespace compaction
