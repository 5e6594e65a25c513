// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "compaction/partition.h"
#include "compaction/reduce.h"
#include "compaction/scan.h"
#include "compaction/select.h"
#include "compaction/simt/cuda/launch.cuh"
#include "compaction/workspace.cuh"

// The public functions for the CUDA runtime: reduce, scan, select and partition of device memory.
//
// Each function launches one kernel on `stream` (partition_in_one_if: two) and returns
// cudaErrorInvalidValue for more than 2^40 items or too small a workspace, in which case nothing is
// written, or else the error of the launch. No function allocates or synchronizes; all of them may
// be captured in a graph and replayed. The number of items may be read from device memory
// (ItemCount), and counts are written there.
//
// `workspace` is a Workspace of at least xxx_bytes(capacity) bytes, or any device memory of that
// size, aligned to 16 bytes, that was zeroed before its first use. xxx_bytes() grows with the
// capacity. One call at a time uses a workspace; the next one on the same stream may follow at
// once.
//
// The second overload of each function, with `temp` and `temp_bytes` in front, is the two-phase
// interface of CUB: with `temp` null it only sets `temp_bytes`; otherwise it uses any device memory
// of that size as workspace, which costs one memset per call.

namespace compaction {

namespace detail {

inline cudaError_t check_call(ItemCount n, size_t needed_bytes, Span<std::byte> workspace) {
  constexpr uint64_t kMaxItems = uint64_t(1) << 40;
  if (n.capacity > kMaxItems || workspace.size < needed_bytes) return cudaErrorInvalidValue;
  return cudaSuccess;
}

/// Runs `call(launcher)` if the arguments are valid.
template <class Call>
cudaError_t launch(ItemCount n, size_t needed_bytes, Span<std::byte> workspace, cudaStream_t stream,
                   Call call) {
  if (cudaError_t status = check_call(n, needed_bytes, workspace); status != cudaSuccess)
    return status;
  simt::cuda::Launcher launcher(stream);
  call(launcher);
  return launcher.status();
}

/// The two-phase interface: sets `temp_bytes` where `temp` is null, else zeroes the workspace and
/// runs `call(workspace)`.
template <class Call>
cudaError_t in_temp_storage(void* temp, size_t& temp_bytes, size_t needed_bytes,
                            cudaStream_t stream, Call call) {
  // `temp` may have any alignment: `temp_bytes` includes the padding.
  const size_t padded_bytes = needed_bytes + kWorkspaceAlignment - 1;
  if (temp == nullptr) {
    temp_bytes = padded_bytes;
    return cudaSuccess;
  }
  if (temp_bytes < padded_bytes) return cudaErrorInvalidValue;
  uintptr_t address = workspace_part(reinterpret_cast<uintptr_t>(temp));
  auto* workspace = reinterpret_cast<std::byte*>(address);
  cudaError_t status = cudaMemsetAsync(workspace, 0, needed_bytes, stream);
  return status != cudaSuccess ? status : call(Span<std::byte>{workspace, needed_bytes});
}

/// The source and the sink of items that a predicate selects.
template <class T, class Predicate>
auto items_if(const T* in, Predicate predicate) {
  if constexpr (simt::kHasVectors<T>)
    return ItemsIf<T, Predicate>{in, predicate};
  else if constexpr (simt::kHasWords<T>)
    return WordItemsIf<T, Predicate>{in, predicate};
  else
    return LargeItemsIf<T, Predicate>{in, predicate};
}
template <class T>
auto write_items(const T* in, T* out) {
  if constexpr (simt::kHasVectors<T>)
    return WriteItems<T>{out};
  else if constexpr (simt::kHasWords<T>)
    return WriteWords<T>{out};
  else
    return WriteColumns<T>({in, out});
}

template <class T, class Predicate>
using ItemsIfOf = decltype(items_if(static_cast<const T*>(nullptr), std::declval<Predicate>()));
template <class T>
using WriteItemsOf =
    decltype(write_items(static_cast<const T*>(nullptr), static_cast<T*>(nullptr)));

}  // namespace detail

// --- reduce --------------------------------------------------------------------------------------

/// Combines n items in order: `*result = in[0] op in[1] op ...`, the identity where n is 0.
///
/// Workspace of reduce_bytes<T>(). See reduce() in reduce.h.
template <class T, Operator<T> Op>
[[nodiscard]] cudaError_t reduce(const T* in, T* result, ItemCount n, Op op,
                                 Span<std::byte> workspace, cudaStream_t stream = nullptr) {
  return detail::launch(n, reduce_bytes<T>(), workspace, stream,
                        [&](auto& launcher) { reduce(launcher, in, n, result, op, workspace); });
}
template <class T, Operator<T> Op>
[[nodiscard]] cudaError_t reduce(void* temp, size_t& temp_bytes, const T* in, T* result,
                                 ItemCount n, Op op, cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(
      temp, temp_bytes, reduce_bytes<T>(), stream,
      [&](Span<std::byte> workspace) { return reduce(in, result, n, op, workspace, stream); });
}

// --- scan ----------------------------------------------------------------------------------------

/// Inclusive scan: `out[i] = in[0] op ... op in[i]`. `out` may be `in`.
///
/// Workspace of scan_bytes<T, Op>(capacity). See inclusive_scan() in scan.h.
template <class T, Operator<T> Op>
[[nodiscard]] cudaError_t inclusive_scan(const T* in, T* out, ItemCount n, Op op,
                                         Span<std::byte> workspace, cudaStream_t stream = nullptr,
                                         T* total = nullptr) {
  return detail::launch(n, scan_bytes<T, Op>(n.capacity), workspace, stream, [&](auto& launcher) {
    inclusive_scan(launcher, in, n, out, op, T(op.identity()), total, workspace);
  });
}
template <class T, Operator<T> Op>
[[nodiscard]] cudaError_t inclusive_scan(void* temp, size_t& temp_bytes, const T* in, T* out,
                                         ItemCount n, Op op, cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(
      temp, temp_bytes, scan_bytes<T, Op>(n.capacity), stream,
      [&](Span<std::byte> workspace) { return inclusive_scan(in, out, n, op, workspace, stream); });
}

/// Exclusive scan: `out[i] = init op in[0] op ... op in[i - 1]`. `out` may be `in`.
///
/// Workspace of scan_bytes<T, Op>(capacity). See exclusive_scan() in scan.h.
template <class T, Operator<T> Op>
[[nodiscard]] cudaError_t exclusive_scan(const T* in, T* out, ItemCount n, Op op,
                                         Span<std::byte> workspace, cudaStream_t stream = nullptr,
                                         T init = T(Op().identity()), T* total = nullptr) {
  return detail::launch(n, scan_bytes<T, Op>(n.capacity), workspace, stream, [&](auto& launcher) {
    exclusive_scan(launcher, in, n, out, op, init, total, workspace);
  });
}
template <class T, Operator<T> Op>
[[nodiscard]] cudaError_t exclusive_scan(void* temp, size_t& temp_bytes, const T* in, T* out,
                                         ItemCount n, Op op, cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(
      temp, temp_bytes, scan_bytes<T, Op>(n.capacity), stream,
      [&](Span<std::byte> workspace) { return exclusive_scan(in, out, n, op, workspace, stream); });
}

// --- select --------------------------------------------------------------------------------------

/// Stable select of any source (single_pass/sources.h) into any sink (single_pass/sinks.h).
///
/// Workspace of select_bytes<Source, Sink>(capacity). See select() in select.h.
template <class Source, class Sink>
[[nodiscard]] cudaError_t select(const Source& source, const Sink& sink, ItemCount n,
                                 const SelectedCount& count, Span<std::byte> workspace,
                                 cudaStream_t stream = nullptr) {
  return detail::launch(
      n, select_bytes<Source, Sink>(n.capacity), workspace, stream,
      [&](auto& launcher) { select(launcher, source, sink, n, count, workspace); });
}

/// Bytes of workspace that select_if() needs.
template <class T, class Predicate>
size_t select_if_bytes(uint64_t capacity) {
  return select_bytes<detail::ItemsIfOf<T, Predicate>, detail::WriteItemsOf<T>>(capacity);
}

/// Stable select of the items that a predicate selects.
///
/// @param in         [n], trivially copyable, of 1 to 128 bytes
/// @param out        [>= selected items, or count.capacity]; may be `in` where a vector load can
///                   move T (a power of two up to 16 bytes, aligned to its size), else
///                   cudaErrorInvalidValue; must not overlap it otherwise
/// @param count      receives the number of selected items, in 32 or 64 bits
/// @param predicate  called exactly once for each item, in no particular order
/// Workspace of select_if_bytes<T, Predicate>(capacity).
template <class T, class Predicate>
[[nodiscard]] cudaError_t select_if(const T* in, T* out, SelectedCount count, ItemCount n,
                                    Predicate predicate, Span<std::byte> workspace,
                                    cudaStream_t stream = nullptr) {
  count.in_place = in == out;
  if (count.in_place && !simt::kHasVectors<T>) return cudaErrorInvalidValue;
  return select(detail::items_if(in, predicate), detail::write_items(in, out), n, count, workspace,
                stream);
}
template <class T, class Predicate>
[[nodiscard]] cudaError_t select_if(void* temp, size_t& temp_bytes, const T* in, T* out,
                                    SelectedCount count, ItemCount n, Predicate predicate,
                                    cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(temp, temp_bytes, select_if_bytes<T, Predicate>(n.capacity),
                                 stream, [&](Span<std::byte> workspace) {
                                   return select_if(in, out, count, n, predicate, workspace,
                                                    stream);
                                 });
}

/// Stable select of the items whose flag is not 0. Reads only the selected items of `in`.
///
/// @param in, flags  [n]
/// @param out        [>= selected items, or count.capacity]; must not overlap anything else
/// Workspace of select_bytes<Flagged, WriteColumns<T>>(capacity).
template <class T>
[[nodiscard]] cudaError_t select_flagged(const T* in, const uint8_t* flags, T* out,
                                         const SelectedCount& count, ItemCount n,
                                         Span<std::byte> workspace, cudaStream_t stream = nullptr) {
  return select(Flagged{flags}, WriteColumns<T>({in, out}), n, count, workspace, stream);
}

/// Stable select of the items whose bit is set: bit i % 32 of word i / 32 of `mask`. As
/// select_flagged() otherwise. Workspace of select_bytes<Masked, WriteColumns<T>>(capacity).
template <class T>
[[nodiscard]] cudaError_t select_masked(const T* in, const uint32_t* mask, T* out,
                                        const SelectedCount& count, ItemCount n,
                                        Span<std::byte> workspace, cudaStream_t stream = nullptr) {
  return select(Masked{mask}, WriteColumns<T>({in, out}), n, count, workspace, stream);
}

// --- partition -----------------------------------------------------------------------------------

/// Bytes of workspace that partition_if() needs.
template <class T, class Predicate>
size_t partition_if_bytes(uint64_t capacity) {
  return partition_bytes<detail::ItemsIfOf<T, Predicate>, detail::WriteItemsOf<T>>(capacity);
}

/// Stable partition by a predicate into two outputs, both in the order of the items.
///
/// @param in        [n], trivially copyable, of 1 to 128 bytes
/// @param selected  [>= selected items]; the outputs must not overlap anything else
/// @param rejected  [>= other items]
/// @param count     receives the number of selected items
/// Workspace of partition_if_bytes<T, Predicate>(capacity).
template <class T, class Predicate>
[[nodiscard]] cudaError_t partition_if(const T* in, T* selected, T* rejected,
                                       const SelectedCount& count, ItemCount n, Predicate predicate,
                                       Span<std::byte> workspace, cudaStream_t stream = nullptr) {
  return detail::launch(
      n, partition_if_bytes<T, Predicate>(n.capacity), workspace, stream, [&](auto& launcher) {
        partition(launcher, detail::items_if(in, predicate), detail::write_items(in, selected),
                  detail::write_items(in, rejected), n, count, workspace);
      });
}
template <class T, class Predicate>
[[nodiscard]] cudaError_t partition_if(void* temp, size_t& temp_bytes, const T* in, T* selected,
                                       T* rejected, const SelectedCount& count, ItemCount n,
                                       Predicate predicate, cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(temp, temp_bytes, partition_if_bytes<T, Predicate>(n.capacity),
                                 stream, [&](Span<std::byte> workspace) {
                                   return partition_if(in, selected, rejected, count, n, predicate,
                                                       workspace, stream);
                                 });
}

/// Bytes of workspace that partition_in_one_reversed_if() needs.
template <class T, class Predicate>
size_t partition_in_one_reversed_if_bytes(uint64_t capacity) {
  return partition_in_one_reversed_bytes<detail::ItemsIfOf<T, Predicate>, detail::WriteItemsOf<T>>(
      capacity);
}

/// Partition by a predicate into one output: the selected items in order, then the others in
/// reverse order, as cub::DevicePartition::If. See partition_in_one_reversed() in partition.h.
///
/// @param in     [n], trivially copyable, of 1 to 128 bytes
/// @param out    [n]; must not overlap `in`
/// @param count  receives the number of selected items
/// Workspace of partition_in_one_reversed_if_bytes<T, Predicate>(capacity).
template <class T, class Predicate>
[[nodiscard]] cudaError_t partition_in_one_reversed_if(const T* in, T* out,
                                                       const SelectedCount& count, ItemCount n,
                                                       Predicate predicate,
                                                       Span<std::byte> workspace,
                                                       cudaStream_t stream = nullptr) {
  return detail::launch(n, partition_in_one_reversed_if_bytes<T, Predicate>(n.capacity), workspace,
                        stream, [&](auto& launcher) {
                          partition_in_one_reversed(launcher, detail::items_if(in, predicate),
                                                    detail::write_items(in, out), n, count,
                                                    workspace);
                        });
}
template <class T, class Predicate>
[[nodiscard]] cudaError_t partition_in_one_reversed_if(void* temp, size_t& temp_bytes, const T* in,
                                                       T* out, const SelectedCount& count,
                                                       ItemCount n, Predicate predicate,
                                                       cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(
      temp, temp_bytes, partition_in_one_reversed_if_bytes<T, Predicate>(n.capacity), stream,
      [&](Span<std::byte> workspace) {
        return partition_in_one_reversed_if(in, out, count, n, predicate, workspace, stream);
      });
}

/// Stable partition by a predicate into one output: the selected items, then the others. For T that
/// a vector load can move. See partition_in_one() in partition.h.
///
/// @param out    [n]; must not overlap `in`
/// @param count  [1] on the device, receives the number of selected items
/// @param marks  [partition_marks<T>(capacity)], any contents
/// Workspace of partition_in_one_bytes<T, Predicate>(capacity).
template <class T, class Predicate>
[[nodiscard]] cudaError_t partition_in_one_if(const T* in, T* out, uint64_t* count,
                                              ChunkMarks* marks, ItemCount n, Predicate predicate,
                                              Span<std::byte> workspace,
                                              cudaStream_t stream = nullptr) {
  return detail::launch(n, partition_in_one_bytes<T, Predicate>(n.capacity), workspace, stream,
                        [&](auto& launcher) {
                          partition_in_one(launcher, ItemsIf<T, Predicate>{in, predicate}, out, n,
                                           count, marks, workspace);
                        });
}

}  // namespace compaction
