// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "compaction/call.cuh"
#include "compaction/op/known_operators.h"
#include "compaction/reduce.h"
#include "compaction/scan.h"

// Reduce and scan of device memory. What all functions have in common stands in cuda.cuh.
//
// Items of one type may be combined as values of another, wider one: that of the result. `op` is an
// Operator on it (op/operators.h), or a function object such as std::plus<> or cuda::maximum<>; any
// other is given its identity by WithIdentity{op, identity} (op/known_operators.h).

namespace compaction {

// --- reduce --------------------------------------------------------------------------------------

/// Combines n items in order: `*result = in[0] op in[1] op ...`, the identity where n is 0.
///
/// @param in      [n], of any type that is converted to T
/// @param result  [1]; must not overlap `in`
/// Workspace of reduce_bytes<T>(). See reduce() in reduce.h.
template <class In, class T, class Op>
[[nodiscard]] cudaError_t reduce(const In* in, T* result, ItemCount n, Op op,
                                 const Storage& storage, cudaStream_t stream = nullptr) {
  return detail::launch(
      {"reduce",
       {detail::reads("in", in, n), detail::writes("the result", result, 1),
        detail::reads_count(n)}},
      n, reduce_bytes<T>(), storage, stream, [&](auto& launcher, Span<std::byte> workspace) {
        compaction::reduce(launcher, in, n, result, as_operator<T>(op), workspace);
      });
}
template <class In, class T, class Op>
[[nodiscard]] cudaError_t reduce(void* temp, size_t& temp_bytes, const In* in, T* result,
                                 ItemCount n, Op op, cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(temp, temp_bytes, reduce_bytes<T>(), stream,
                                 [&](const Storage& storage) {
                                   return compaction::reduce(in, result, n, op, storage, stream);
                                 });
}

// --- scan ----------------------------------------------------------------------------------------

namespace detail {

/// Either scan, whose operator is one of the library's.
template <ScanKind kKind, class In, class T, class Op>
cudaError_t scan(const In* in, T* out, ItemCount n, Op op, const Storage& storage,
                 cudaStream_t stream, T init, T* total) {
  constexpr bool kInclusive = kKind == ScanKind::kInclusive;
  return launch({kInclusive ? "inclusive_scan" : "exclusive_scan",
                 {reads("in", in, n), writes_in_place("out", out, n),
                  writes_one_or_none("the total", total), reads_count(n)}},
                n, scan_bytes<T, Op, In>(n.capacity), storage, stream,
                [&](auto& launcher, Span<std::byte> workspace) {
                  if constexpr (kInclusive)
                    compaction::inclusive_scan(launcher, in, n, out, op, init, total, workspace);
                  else
                    compaction::exclusive_scan(launcher, in, n, out, op, init, total, workspace);
                });
}

/// Likewise in temporary storage.
template <ScanKind kKind, class In, class T, class Op>
cudaError_t scan(void* temp, size_t& temp_bytes, const In* in, T* out, ItemCount n, Op op,
                 cudaStream_t stream, T init, T* total) {
  return in_temp_storage(temp, temp_bytes, scan_bytes<T, Op, In>(n.capacity), stream,
                         [&](const Storage& storage) {
                           return scan<kKind>(in, out, n, op, storage, stream, init, total);
                         });
}

}  // namespace detail

/// Inclusive scan: `out[i] = init op in[0] op ... op in[i]`; without `init`, of the items alone.
///
/// @param in     [n], of any type that is converted to T
/// @param out    [n], may be `in`; must not overlap it otherwise
/// @param total  [1] or null, receives `init` and all items combined
/// Workspace of scan_bytes<T>(capacity). See inclusive_scan() in scan.h.
template <class In, class T, class Op>
[[nodiscard]] cudaError_t inclusive_scan(const In* in, T* out, ItemCount n, Op op,
                                         const Storage& storage, cudaStream_t stream,
                                         std::type_identity_t<T> init, T* total = nullptr) {
  return detail::scan<ScanKind::kInclusive>(in, out, n, as_operator<T>(op), storage, stream, init,
                                            total);
}
template <class In, class T, class Op>
[[nodiscard]] cudaError_t inclusive_scan(const In* in, T* out, ItemCount n, Op op,
                                         const Storage& storage, cudaStream_t stream = nullptr) {
  return compaction::inclusive_scan(in, out, n, op, storage, stream,
                                    T(as_operator<T>(op).identity()));
}
template <class In, class T, class Op>
[[nodiscard]] cudaError_t inclusive_scan(void* temp, size_t& temp_bytes, const In* in, T* out,
                                         ItemCount n, Op op, cudaStream_t stream,
                                         std::type_identity_t<T> init, T* total = nullptr) {
  return detail::scan<ScanKind::kInclusive>(temp, temp_bytes, in, out, n, as_operator<T>(op),
                                            stream, init, total);
}
template <class In, class T, class Op>
[[nodiscard]] cudaError_t inclusive_scan(void* temp, size_t& temp_bytes, const In* in, T* out,
                                         ItemCount n, Op op, cudaStream_t stream = nullptr) {
  return compaction::inclusive_scan(temp, temp_bytes, in, out, n, op, stream,
                                    T(as_operator<T>(op).identity()));
}

/// Exclusive scan: `out[i] = init op in[0] op ... op in[i - 1]`; without `init`, out[0] is the
/// identity of `op`. As inclusive_scan() otherwise.
template <class In, class T, class Op>
[[nodiscard]] cudaError_t exclusive_scan(const In* in, T* out, ItemCount n, Op op,
                                         const Storage& storage, cudaStream_t stream,
                                         std::type_identity_t<T> init, T* total = nullptr) {
  return detail::scan<ScanKind::kExclusive>(in, out, n, as_operator<T>(op), storage, stream, init,
                                            total);
}
template <class In, class T, class Op>
[[nodiscard]] cudaError_t exclusive_scan(const In* in, T* out, ItemCount n, Op op,
                                         const Storage& storage, cudaStream_t stream = nullptr) {
  return compaction::exclusive_scan(in, out, n, op, storage, stream,
                                    T(as_operator<T>(op).identity()));
}
template <class In, class T, class Op>
[[nodiscard]] cudaError_t exclusive_scan(void* temp, size_t& temp_bytes, const In* in, T* out,
                                         ItemCount n, Op op, cudaStream_t stream,
                                         std::type_identity_t<T> init, T* total = nullptr) {
  return detail::scan<ScanKind::kExclusive>(temp, temp_bytes, in, out, n, as_operator<T>(op),
                                            stream, init, total);
}
template <class In, class T, class Op>
[[nodiscard]] cudaError_t exclusive_scan(void* temp, size_t& temp_bytes, const In* in, T* out,
                                         ItemCount n, Op op, cudaStream_t stream = nullptr) {
  return compaction::exclusive_scan(temp, temp_bytes, in, out, n, op, stream,
                                    T(as_operator<T>(op).identity()));
}

}  // namespace compaction
