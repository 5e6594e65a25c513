// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "compaction/cub_iterators.cuh"
#include "compaction/cub_scan.cuh"
#include "compaction/cub_select.cuh"

// CUB's device-wide functions, by CUB's names and with CUB's arguments, on this library's kernels:
// `namespace cub = compaction::cub_compat;`, or replace the prefix. MIGRATION.md says what differs.
//
// Pointers to items of one type, and the iterators of thrust::device_vector, take the library's
// fast path. Other random-access iterators are read and written item by item; what is selected or
// partitioned that way has up to 128 bytes. Any integer is a number of items.

namespace compaction::cub_compat {

/// cub::DeviceReduce, apart from ArgMin and ArgMax. A number of items that is read on the device
/// must not be 0 where there is an initial value other than the identity.
struct DeviceReduce {
  template <class In, class Out, class Op, class Init>
  static cudaError_t Reduce(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n, Op op,
                            Init init, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out>)
      return Reduce(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), n, op, init, stream);
    else {
      using T = detail::AccumulatorOf<Op, Init, detail::ValueOf<In>>;
      const T first(init);
      if constexpr (std::is_pointer_v<In> && std::is_same_v<Out, T*> && detail::is_known<T, Op>()) {
        const T identity = as_operator<T>(op).identity();
        if (std::memcmp(&first, &identity, sizeof(T)) == 0)
          return compaction::reduce(temp, temp_bytes, in, out, n, op, stream);
      }
      return reduce_loaded<T>(temp, temp_bytes, detail::load_of(in), out, n, op, first, stream);
    }
  }
  template <class In, class Out, class Op, class Transform, class Init>
  static cudaError_t TransformReduce(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                                     Op op, Transform transform, Init init,
                                     cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out>)
      return TransformReduce(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), n, op,
                             transform, init, stream);
    else {
      using Load = Transformed<detail::LoadOf<In>, Transform>;
      using T = detail::AccumulatorOf<Op, Init, Loaded<Load>>;
      return reduce_loaded<T>(temp, temp_bytes, Load{detail::load_of(in), transform}, out, n, op,
                              T(init), stream);
    }
  }
  template <class In, class Out>
  static cudaError_t Sum(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                         cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out>)
      return Sum(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), n, stream);
    else {
      using T = detail::Written<Out, detail::ValueOf<In>>;
      return reduce<T>(temp, temp_bytes, in, out, n, compaction::Sum<T>(), stream);
    }
  }
  template <class In, class Out>
  static cudaError_t Min(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                         cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out>)
      return Min(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), n, stream);
    else {
      using T = detail::ValueOf<In>;
      return reduce<T>(temp, temp_bytes, in, out, n, compaction::Min<T>(), stream);
    }
  }
  template <class In, class Out>
  static cudaError_t Max(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                         cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out>)
      return Max(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), n, stream);
    else {
      using T = detail::ValueOf<In>;
      return reduce<T>(temp, temp_bytes, in, out, n, compaction::Max<T>(), stream);
    }
  }
  template <class Keys, class RunKeys, class In, class Out, class Count, class Op>
  static cudaError_t ReduceByKey(void* temp, size_t& temp_bytes, Keys keys, RunKeys run_keys, In in,
                                 Out out, Count count, Op op, ItemCount n,
                                 cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<Keys, RunKeys, In, Out, Count>)
      return ReduceByKey(temp, temp_bytes, detail::unwrap(keys), detail::unwrap(run_keys),
                         detail::unwrap(in), detail::unwrap(out), detail::unwrap(count), op, n,
                         stream);
    else {
      static_assert(
          detail::kAreArrays<Keys, RunKeys> && std::is_pointer_v<In> && std::is_pointer_v<Out>,
          "compaction: ReduceByKey takes pointers; for values of another kind see "
          "reduce_by_key() in compaction/runs.h");
      return compaction::reduce_by_key(temp, temp_bytes, keys, in, run_keys, out,
                                       detail::count_at(count), n, op, stream);
    }
  }

 private:
  /// Of an operator whose identity is the result for no items.
  template <class T, class In, class Out, class Op>
  static cudaError_t reduce(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n, Op op,
                            cudaStream_t stream) {
    if constexpr (std::is_pointer_v<In> && std::is_same_v<Out, T*>)
      return compaction::reduce(temp, temp_bytes, in, out, n, op, stream);
    else
      return reduce_loaded<T>(temp, temp_bytes, detail::load_of(in), out, n, op, op.identity(),
                              stream);
  }
  template <class T, class Load, class Out, class Op>
  static cudaError_t reduce_loaded(void* temp, size_t& temp_bytes, Load load, Out out, ItemCount n,
                                   Op op, T init, cudaStream_t stream) {
    using Combining = detail::Combining<T, Op>;
    if (n.capacity == 0 && temp != nullptr) {
      detail::write_one<<<1, 1, 0, stream>>>(out, init);
      return cudaPeekAtLastError();
    }
    return compaction::scan_loaded<ScanKind::kInclusive>(
        temp, temp_bytes, detail::Lifted<Combining, T, Load>{load},
        detail::StoreLast<Combining, T, Out, Op>{out, n, op, init}, n, Combining::op(op),
        Combining::op(op).identity(), stream);
  }
};

/// cub::DeviceRunLengthEncode, apart from NonTrivialRuns.
struct DeviceRunLengthEncode {
  template <class In, class Out, class Lengths, class Count>
  static cudaError_t Encode(void* temp, size_t& temp_bytes, In in, Out out, Lengths lengths,
                            Count count, ItemCount n, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out, Lengths, Count>)
      return Encode(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out),
                    detail::unwrap(lengths), detail::unwrap(count), n, stream);
    else {
      static_assert(detail::kAreArrays<In, Out> && std::is_pointer_v<Lengths>,
                    "compaction: Encode takes pointers");
      return compaction::run_length_encode(temp, temp_bytes, in, out, lengths,
                                           detail::count_at(count), n, stream);
    }
  }
};

}  // namespace compaction::cub_compat
