// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <type_traits>

#include "compaction/cuda/call.cuh"
#include "compaction/op/known_operators.h"
#include "compaction/single_pass/scan.h"
#include "compaction/version.h"

// Scans of device memory. cuda.cuh says what all functions have in common, reduce.cuh what `op` may
// be.

namespace compaction {

namespace detail {

/// Scans with an operator of the library; without `init`, from its identity.
template <ScanKind kKind, class In, class T, class Op>
cudaError_t scan(const In* in, T* out, ItemCount n, Op op, const Storage& storage,
                 cudaStream_t stream, const std::optional<T>& init, T* total) {
  return run_job({kKind == ScanKind::kInclusive ? "inclusive_scan" : "exclusive_scan",
                  {reads("in", in, n), writes_in_place("out", out, n),
                   writes_one_or_none("the total", total)}},
                 ScanJob<T, Op, kKind, In>{in, out, op, init.value_or(op.identity()), total}, n,
                 storage, stream);
}

template <class T>
using ScanInit = std::optional<std::type_identity_t<T>>;

}  // namespace detail

/// Inclusive scan: `out[i] = init op in[0] op ... op in[i]`; without `init`, of the items alone.
///
/// @param in     [n], of any type that is converted to T
/// @param out    [n], may be `in`; must not overlap it otherwise
/// @param total  [1] or null, receives `init` and all items combined
/// Workspace of scan_bytes<T>(capacity). See inclusive_scan() in single_pass/scan.h.
template <class In, class T, class Op>
[[nodiscard]] cudaError_t inclusive_scan(const In* in, T* out, ItemCount n, Op op,
                                         const Storage& storage, cudaStream_t stream = nullptr,
                                         detail::ScanInit<T> init = {}, T* total = nullptr) {
  return detail::scan<ScanKind::kInclusive>(in, out, n, as_operator<T>(op), storage, stream, init,
                                            total);
}
template <class In, class T, class Op>
[[nodiscard]] cudaError_t inclusive_scan(void* temp, size_t& temp_bytes, const In* in, T* out,
                                         ItemCount n, Op op, cudaStream_t stream = nullptr,
                                         detail::ScanInit<T> init = {}, T* total = nullptr) {
  return compaction::inclusive_scan(in, out, n, op, Storage(temp, temp_bytes), stream, init, total);
}

/// Exclusive scan: `out[i] = init op in[0] op ... op in[i - 1]`; without `init`, out[0] is the
/// identity of `op`. Otherwise like inclusive_scan().
template <class In, class T, class Op>
[[nodiscard]] cudaError_t exclusive_scan(const In* in, T* out, ItemCount n, Op op,
                                         const Storage& storage, cudaStream_t stream = nullptr,
                                         detail::ScanInit<T> init = {}, T* total = nullptr) {
  return detail::scan<ScanKind::kExclusive>(in, out, n, as_operator<T>(op), storage, stream, init,
                                            total);
}
template <class In, class T, class Op>
[[nodiscard]] cudaError_t exclusive_scan(void* temp, size_t& temp_bytes, const In* in, T* out,
                                         ItemCount n, Op op, cudaStream_t stream = nullptr,
                                         detail::ScanInit<T> init = {}, T* total = nullptr) {
  return compaction::exclusive_scan(in, out, n, op, Storage(temp, temp_bytes), stream, init, total);
}

}  // namespace compaction
