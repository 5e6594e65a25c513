// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <functional>

#include "compaction/cub_iterators.cuh"

// CUB's device-wide functions, by CUB's names and with CUB's arguments, on this library's kernels:
// `namespace cub = compaction::cub_compat;`, or replace the prefix. MIGRATION.md says what differs.
//
// Pointers to items of one type take the library's fast path. Other random-access iterators are
// read and written item by item, for items of up to 16 bytes. Any integer is a number of items.

namespace compaction::cub_compat {

/// cub::DeviceSelect.
struct DeviceSelect {
  template <class In, class Out, class Count, class Predicate>
  static cudaError_t If(void* temp, size_t& temp_bytes, In in, Out out, Count count, ItemCount n,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreArrays<In, Out>)
      return compaction::select_if(temp, temp_bytes, in, out, detail::count_at(count), n, predicate,
                                   stream);
    else
      return select_loaded(temp, temp_bytes, detail::load_of(in), predicate, in, out, {}, count, n,
                           stream);
  }
  /// In place.
  template <class T, class Count, class Predicate>
  static cudaError_t If(void* temp, size_t& temp_bytes, T* data, Count count, ItemCount n,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    if constexpr (simt::kHasVectors<T>)
      return compaction::select_if(temp, temp_bytes, data, data, detail::count_at(count), n,
                                   predicate, stream);
    else
      return select_loaded(temp, temp_bytes, Items<T>{data}, predicate, data, data,
                           {.count = {}, .in_place = true}, count, n, stream);
  }

  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void* temp, size_t& temp_bytes, In in, Flags flags, Out out,
                             Count count, ItemCount n, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreArrays<In, Out> && kAreBytes<Flags>)
      return compaction::select_flagged(temp, temp_bytes, in,
                                        reinterpret_cast<const uint8_t*>(flags), out,
                                        detail::count_at(count), n, stream);
    else
      return FlaggedIf(temp, temp_bytes, in, flags, out, count, n, detail::IsSet(), stream);
  }
  /// In place.
  template <class T, class Flags, class Count>
  static cudaError_t Flagged(void* temp, size_t& temp_bytes, T* data, Flags flags, Count count,
                             ItemCount n, cudaStream_t stream = nullptr) {
    return FlaggedIf(temp, temp_bytes, data, flags, count, n, detail::IsSet(), stream);
  }

  template <class In, class Flags, class Out, class Count, class Predicate>
  static cudaError_t FlaggedIf(void* temp, size_t& temp_bytes, In in, Flags flags, Out out,
                               Count count, ItemCount n, Predicate predicate,
                               cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreArrays<In, Out> && std::is_pointer_v<Flags>)
      return compaction::select_flagged_if(temp, temp_bytes, in, flags, out,
                                           detail::count_at(count), n, predicate, stream);
    else
      return select_pairs(temp, temp_bytes, in, flags, out, {}, count, n, predicate, stream);
  }
  /// In place.
  template <class T, class Flags, class Count, class Predicate>
  static cudaError_t FlaggedIf(void* temp, size_t& temp_bytes, T* data, Flags flags, Count count,
                               ItemCount n, Predicate predicate, cudaStream_t stream = nullptr) {
    return select_pairs(temp, temp_bytes, data, flags, data, {.count = {}, .in_place = true}, count,
                        n, predicate, stream);
  }

  template <class In, class Out, class Count>
  static cudaError_t Unique(void* temp, size_t& temp_bytes, In in, Out out, Count count,
                            ItemCount n, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreArrays<In, Out>) {
      return compaction::unique(temp, temp_bytes, in, out, detail::count_at(count), n, stream);
    } else {
      using Source = detail::FirstsOfLoad<detail::LoadOf<In>, Equals>;
      return compaction::select(temp, temp_bytes, Source{detail::load_of(in), {}},
                                detail::WriteTo<detail::ValueOf<In>, Out>{out}, n,
                                detail::count_at(count), stream);
    }
  }

 private:
  template <class Flags>
  static constexpr bool kAreBytes = std::is_pointer_v<Flags> && sizeof(detail::ValueOf<Flags>) == 1;

  template <class Load, class Predicate, class In, class Out, class Count>
  static cudaError_t select_loaded(void* temp, size_t& temp_bytes, Load load, Predicate predicate,
                                   In, Out out, SelectedCount to, Count count, ItemCount n,
                                   cudaStream_t stream) {
    to.count = detail::count_at(count);
    return compaction::select(temp, temp_bytes, LoadedIf<Load, Predicate>{load, predicate},
                              detail::WriteTo<detail::ValueOf<In>, Out>{out}, n, to, stream);
  }
  template <class In, class Flags, class Out, class Count, class Predicate>
  static cudaError_t select_pairs(void* temp, size_t& temp_bytes, In in, Flags flags, Out out,
                                  SelectedCount to, Count count, ItemCount n, Predicate predicate,
                                  cudaStream_t stream) {
    const Zipped<detail::LoadOf<Flags>, detail::LoadOf<In>> pairs{detail::load_of(flags),
                                                                  detail::load_of(in)};
    return select_loaded(temp, temp_bytes, pairs, detail::FirstIs<Predicate>{predicate}, in, out,
                         to, count, n, stream);
  }
};

/// cub::DevicePartition, apart from partitions into three.
struct DevicePartition {
  template <class In, class Out, class Count, class Predicate>
  static cudaError_t If(void* temp, size_t& temp_bytes, In in, Out out, Count count, ItemCount n,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreArrays<In, Out>)
      return compaction::partition_in_one_reversed_if(
          temp, temp_bytes, in, out, detail::count_at(count), n, predicate, stream);
    else
      return partition_loaded(temp, temp_bytes, detail::load_of(in), predicate, in, out, count, n,
                              stream);
  }
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void* temp, size_t& temp_bytes, In in, Flags flags, Out out,
                             Count count, ItemCount n, cudaStream_t stream = nullptr) {
    const Zipped<detail::LoadOf<Flags>, detail::LoadOf<In>> pairs{detail::load_of(flags),
                                                                  detail::load_of(in)};
    return partition_loaded(temp, temp_bytes, pairs, detail::FirstIs<detail::IsSet>(), in, out,
                            count, n, stream);
  }

 private:
  template <class Load, class Predicate, class In, class Out, class Count>
  static cudaError_t partition_loaded(void* temp, size_t& temp_bytes, Load load,
                                      Predicate predicate, In, Out out, Count count, ItemCount n,
                                      cudaStream_t stream) {
    using Source = LoadedIf<Load, Predicate>;
    using Sink = detail::WriteTo<detail::ValueOf<In>, Out>;
    const size_t bytes = partition_in_one_reversed_bytes<Source, Sink>(n.capacity);
    const SelectedCount to{.count = detail::count_at(count)};
    return compaction::detail::in_temp_storage(
        temp, temp_bytes, bytes, stream, [&](const Storage& storage) {
          return compaction::detail::launch({"cub_compat::DevicePartition"}, n, bytes, storage,
                                            stream, [&](auto& launcher, Span<std::byte> workspace) {
                                              partition_in_one_reversed(
                                                  launcher, Source{load, predicate}, Sink{out}, n,
                                                  to, workspace);
                                            });
        });
  }
};

/// cub::DeviceScan. Items are combined in the type that CUB combines them in, an operator without
/// an identity in a type that also says whether there is a value.
struct DeviceScan {
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveScan(temp, temp_bytes, in, out, std::plus<>(), detail::ValueOf<In>(), n,
                         stream);
  }
  template <class In, class Out>
  static cudaError_t InclusiveSum(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                                  cudaStream_t stream = nullptr) {
    return InclusiveScan(temp, temp_bytes, in, out, std::plus<>(), n, stream);
  }
  template <class In, class Out, class Op, class Init>
  static cudaError_t ExclusiveScan(void* temp, size_t& temp_bytes, In in, Out out, Op op, Init init,
                                   ItemCount n, cudaStream_t stream = nullptr) {
    using T = Accumulator<Op, Init, In, Out>;
    const auto first = detail::Combining<T, Op>::lift(T(init));
    return scan<ScanKind::kExclusive, T>(temp, temp_bytes, in, out, op, first, n, stream);
  }
  template <class In, class Out, class Op>
  static cudaError_t InclusiveScan(void* temp, size_t& temp_bytes, In in, Out out, Op op,
                                   ItemCount n, cudaStream_t stream = nullptr) {
    using T = Accumulator<Op, detail::ValueOf<In>, In, Out>;
    const auto none = detail::Combining<T, Op>::op(op).identity();
    return scan<ScanKind::kInclusive, T>(temp, temp_bytes, in, out, op, none, n, stream);
  }
  template <class In, class Out, class Op, class Init>
  static cudaError_t InclusiveScanInit(void* temp, size_t& temp_bytes, In in, Out out, Op op,
                                       Init init, ItemCount n, cudaStream_t stream = nullptr) {
    using T = Accumulator<Op, Init, In, Out>;
    const auto first = detail::Combining<T, Op>::lift(T(init));
    return scan<ScanKind::kInclusive, T>(temp, temp_bytes, in, out, op, first, n, stream);
  }

  // --- in place ---
  template <class T>
  static cudaError_t ExclusiveSum(void* temp, size_t& temp_bytes, T* data, ItemCount n,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveSum(temp, temp_bytes, data, data, n, stream);
  }
  template <class T>
  static cudaError_t InclusiveSum(void* temp, size_t& temp_bytes, T* data, ItemCount n,
                                  cudaStream_t stream = nullptr) {
    return InclusiveSum(temp, temp_bytes, data, data, n, stream);
  }
  template <class T, class Op, class Init>
  requires std::is_invocable_v<Op&, T, T>
  static cudaError_t ExclusiveScan(void* temp, size_t& temp_bytes, T* data, Op op, Init init,
                                   ItemCount n, cudaStream_t stream = nullptr) {
    return ExclusiveScan(temp, temp_bytes, data, data, op, init, n, stream);
  }
  template <class T, class Op>
  requires std::is_invocable_v<Op&, T, T>
  static cudaError_t InclusiveScan(void* temp, size_t& temp_bytes, T* data, Op op, ItemCount n,
                                   cudaStream_t stream = nullptr) {
    return InclusiveScan(temp, temp_bytes, data, data, op, n, stream);
  }

  // --- by key ---
  template <class Keys, class In, class Out, class Equal = Equals>
  static cudaError_t ExclusiveSumByKey(void* temp, size_t& temp_bytes, Keys keys, In in, Out out,
                                       ItemCount n, Equal equal = {},
                                       cudaStream_t stream = nullptr) {
    return ExclusiveScanByKey(temp, temp_bytes, keys, in, out, std::plus<>(), detail::ValueOf<In>(),
                              n, equal, stream);
  }
  template <class Keys, class In, class Out, class Equal = Equals>
  static cudaError_t InclusiveSumByKey(void* temp, size_t& temp_bytes, Keys keys, In in, Out out,
                                       ItemCount n, Equal equal = {},
                                       cudaStream_t stream = nullptr) {
    return InclusiveScanByKey(temp, temp_bytes, keys, in, out, std::plus<>(), n, equal, stream);
  }
  template <class Keys, class In, class Out, class Op, class Init, class Equal = Equals>
  static cudaError_t ExclusiveScanByKey(void* temp, size_t& temp_bytes, Keys keys, In in, Out out,
                                        Op op, Init init, ItemCount n, Equal equal = {},
                                        cudaStream_t stream = nullptr) {
    using T = Accumulator<Op, Init, In, Out>;
    return scan_by_key<ScanKind::kExclusive>(temp, temp_bytes, keys, in, out, op, T(init), n, equal,
                                             stream);
  }
  template <class Keys, class In, class Out, class Op, class Equal = Equals>
  static cudaError_t InclusiveScanByKey(void* temp, size_t& temp_bytes, Keys keys, In in, Out out,
                                        Op op, ItemCount n, Equal equal = {},
                                        cudaStream_t stream = nullptr) {
    using T = Accumulator<Op, detail::ValueOf<In>, In, Out>;
    return scan_by_key<ScanKind::kInclusive>(temp, temp_bytes, keys, in, out, op, T(), n, equal,
                                             stream);
  }

 private:
  /// As CUB's, or that of the output where the lower bits of an integer sum are all that is kept.
  template <class Op, class Init, class In>
  using CubAccumulator = detail::AccumulatorOf<Op, Init, detail::ValueOf<In>>;
  template <class T, class Written, class Op>
  static constexpr bool kKeepsLowBits =
      std::is_integral_v<T>&& std::is_integral_v<Written> && !std::is_same_v<Written, bool> &&
      sizeof(Written) <= sizeof(T) && compaction::detail::is_named<Op>("plus");
  template <class Op, class Init, class In, class Out, class T = CubAccumulator<Op, Init, In>,
            class Written = detail::Written<Out, T>>
  using Accumulator = std::conditional_t<kKeepsLowBits<T, Written, Op>, Written, T>;

  template <ScanKind kKind, class T, class In, class Out, class Op, class First>
  static cudaError_t scan(void* temp, size_t& temp_bytes, In in, Out out, Op op, First first,
                          ItemCount n, cudaStream_t stream) {
    using Combining = detail::Combining<T, Op>;
    constexpr bool kFast = detail::kAreArrays<In, Out> && std::is_same_v<detail::ValueOf<In>, T> &&
                           std::is_same_v<First, T>;
    if constexpr (kFast && kKind == ScanKind::kInclusive) {
      return compaction::inclusive_scan(temp, temp_bytes, in, out, n, Combining::op(op), stream,
                                        first);
    } else if constexpr (kFast) {
      return compaction::exclusive_scan(temp, temp_bytes, in, out, n, Combining::op(op), stream,
                                        first);
    } else {
      using Load = detail::Lifted<Combining, T, detail::LoadOf<In>>;
      return compaction::scan_loaded<kKind>(temp, temp_bytes, Load{detail::load_of(in)},
                                            detail::StoreLowered<Combining, Out>{out}, n,
                                            Combining::op(op), first, stream);
    }
  }

  template <ScanKind kKind, class Keys, class In, class Out, class Op, class T, class Equal>
  static cudaError_t scan_by_key(void* temp, size_t& temp_bytes, Keys keys, In in, Out out, Op op,
                                 T init, ItemCount n, Equal equal, cudaStream_t stream) {
    using Combining = detail::Combining<T, Op>;
    using Begins = detail::BeginsRunOf<detail::LoadOf<Keys>, Equal>;
    using Load = SegmentItems<detail::Lifted<Combining, T, detail::LoadOf<In>>, Begins>;
    using Combine = CombineRuns<typename Combining::Value, decltype(Combining::op(op))>;
    const Begins begins{detail::load_of(keys), equal};
    const Combine combine{Combining::op(op)};
    return compaction::scan_loaded<kKind>(
        temp, temp_bytes, Load{{detail::load_of(in)}, begins},
        detail::StoreByKey<Combining, T, Out, Begins, Op, kKind>{out, begins, op, init}, n, combine,
        combine.identity(), stream);
  }
};

/// cub::DeviceReduce, apart from ArgMin and ArgMax. A number of items that is read on the device
/// must not be 0 where there is an initial value other than the identity.
struct DeviceReduce {
  template <class In, class Out, class Op, class Init>
  static cudaError_t Reduce(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n, Op op,
                            Init init, cudaStream_t stream = nullptr) {
    using T = detail::AccumulatorOf<Op, Init, detail::ValueOf<In>>;
    const T first(init);
    if constexpr (std::is_pointer_v<In> && std::is_same_v<Out, T*> && detail::is_known<T, Op>()) {
      const T identity = as_operator<T>(op).identity();
      if (std::memcmp(&first, &identity, sizeof(T)) == 0)
        return compaction::reduce(temp, temp_bytes, in, out, n, op, stream);
    }
    return reduce_loaded<T>(temp, temp_bytes, detail::load_of(in), out, n, op, first, stream);
  }
  template <class In, class Out, class Op, class Transform, class Init>
  static cudaError_t TransformReduce(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                                     Op op, Transform transform, Init init,
                                     cudaStream_t stream = nullptr) {
    using Load = Transformed<detail::LoadOf<In>, Transform>;
    using T = detail::AccumulatorOf<Op, Init, Loaded<Load>>;
    return reduce_loaded<T>(temp, temp_bytes, Load{detail::load_of(in), transform}, out, n, op,
                            T(init), stream);
  }
  template <class In, class Out>
  static cudaError_t Sum(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                         cudaStream_t stream = nullptr) {
    using T = detail::Written<Out, detail::ValueOf<In>>;
    return reduce<T>(temp, temp_bytes, in, out, n, compaction::Sum<T>(), stream);
  }
  template <class In, class Out>
  static cudaError_t Min(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                         cudaStream_t stream = nullptr) {
    using T = detail::ValueOf<In>;
    return reduce<T>(temp, temp_bytes, in, out, n, compaction::Min<T>(), stream);
  }
  template <class In, class Out>
  static cudaError_t Max(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                         cudaStream_t stream = nullptr) {
    using T = detail::ValueOf<In>;
    return reduce<T>(temp, temp_bytes, in, out, n, compaction::Max<T>(), stream);
  }
  template <class Keys, class RunKeys, class In, class Out, class Count, class Op>
  static cudaError_t ReduceByKey(void* temp, size_t& temp_bytes, Keys keys, RunKeys run_keys, In in,
                                 Out out, Count count, Op op, ItemCount n,
                                 cudaStream_t stream = nullptr) {
    static_assert(
        detail::kAreArrays<Keys, RunKeys> && std::is_pointer_v<In> && std::is_pointer_v<Out>,
        "compaction: ReduceByKey takes pointers; for values of another kind see "
        "reduce_by_key() in compaction/runs.h");
    return compaction::reduce_by_key(temp, temp_bytes, keys, in, run_keys, out,
                                     detail::count_at(count), n, op, stream);
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
    static_assert(detail::kAreArrays<In, Out> && std::is_pointer_v<Lengths>,
                  "compaction: Encode takes pointers");
    return compaction::run_length_encode(temp, temp_bytes, in, out, lengths,
                                         detail::count_at(count), n, stream);
  }
};

}  // namespace compaction::cub_compat
