// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <functional>
#include <limits>

#include "compaction/cub/combine.cuh"
#include "compaction/cub/iterators.cuh"

// Reductions and run-length encoding with CUB's names and arguments, see cub_compat.cuh.

namespace compaction::cub_compat {

/// cub::KeyValuePair: the result of ArgMin and ArgMax.
template <class K, class V>
struct KeyValuePair {
  using Key = K;
  using Value = V;
  K key;
  V value;
  bool operator==(const KeyValuePair&) const = default;
};

/// cub::DeviceReduce. A number of items that is read on the device must not be 0 if the initial
/// value is not the identity, nor for ArgMin, ArgMax and ReduceByKey.
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
      using T = typename decltype(detail::sum_accumulator<In, Out>())::type;
      return reduce<T>(temp, temp_bytes, in, out, n, compaction::Sum<T>(), stream);
    }
  }
  template <class In, class Out>
  static cudaError_t Min(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                         cudaStream_t stream = nullptr) {
    return reduce_extreme<detail::Extreme::kMin>(temp, temp_bytes, detail::unwrap(in),
                                                 detail::unwrap(out), n, stream);
  }
  template <class In, class Out>
  static cudaError_t Max(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                         cudaStream_t stream = nullptr) {
    return reduce_extreme<detail::Extreme::kMax>(temp, temp_bytes, detail::unwrap(in),
                                                 detail::unwrap(out), n, stream);
  }
  template <class In, class Out>
  static cudaError_t ArgMin(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                            cudaStream_t stream = nullptr) {
    using Pair = detail::Written<Out, KeyValuePair<int, detail::ValueOf<In>>>;
    return reduce_arg<detail::Extreme::kMin, Pair>(temp, temp_bytes, detail::unwrap(in),
                                                   detail::unwrap(out), n, stream);
  }
  template <class In, class Out>
  static cudaError_t ArgMax(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                            cudaStream_t stream = nullptr) {
    using Pair = detail::Written<Out, KeyValuePair<int, detail::ValueOf<In>>>;
    return reduce_arg<detail::Extreme::kMax, Pair>(temp, temp_bytes, detail::unwrap(in),
                                                   detail::unwrap(out), n, stream);
  }
  template <class In, class Out, class Index>
  static cudaError_t ArgMin(void* temp, size_t& temp_bytes, In in, Out out, Index index,
                            ItemCount n, cudaStream_t stream = nullptr) {
    return reduce_arg_into<detail::Extreme::kMin>(temp, temp_bytes, detail::unwrap(in),
                                                  detail::unwrap(out), detail::unwrap(index), n,
                                                  stream);
  }
  template <class In, class Out, class Index>
  static cudaError_t ArgMax(void* temp, size_t& temp_bytes, In in, Out out, Index index,
                            ItemCount n, cudaStream_t stream = nullptr) {
    return reduce_arg_into<detail::Extreme::kMax>(temp, temp_bytes, detail::unwrap(in),
                                                  detail::unwrap(out), detail::unwrap(index), n,
                                                  stream);
  }
  template <class In, class Out, class Index, class Less>
  requires(detail::kIsComparison<Less>) static cudaError_t
      ArgMin(void* temp, size_t& temp_bytes, In in, Out out, Index index, ItemCount n, Less less,
             cudaStream_t stream = nullptr) {
    return reduce_arg_by<detail::Extreme::kMin>(temp, temp_bytes, detail::unwrap(in),
                                                detail::unwrap(out), detail::unwrap(index), n, less,
                                                stream);
  }
  template <class In, class Out, class Index, class Less>
  requires(detail::kIsComparison<Less>) static cudaError_t
      ArgMax(void* temp, size_t& temp_bytes, In in, Out out, Index index, ItemCount n, Less less,
             cudaStream_t stream = nullptr) {
    return reduce_arg_by<detail::Extreme::kMax>(temp, temp_bytes, detail::unwrap(in),
                                                detail::unwrap(out), detail::unwrap(index), n, less,
                                                stream);
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
      using T = detail::OutputAccumulator<Op, detail::ValueOf<In>, In, Out>;
      if constexpr (detail::kAreArrays<Keys, RunKeys> && std::is_pointer_v<In> &&
                    std::is_same_v<Out, T*> && detail::is_known<T, Op>() && detail::kIsCount<Count>)
        return compaction::reduce_by_key(temp, temp_bytes, keys, in, run_keys, out, count, n, op,
                                         stream);
      else
        return detail::reduce_runs<T>(temp, temp_bytes, keys, run_keys, detail::load_of(in), out,
                                      count, op, n, stream);
    }
  }

  // Without temporary storage, optionally in an environment.
  COMPACTION_FORM_WITH_ENVIRONMENT(Reduce)
  COMPACTION_FORM_WITH_ENVIRONMENT(TransformReduce)
  COMPACTION_FORM_WITH_ENVIRONMENT(Sum)
  COMPACTION_FORM_WITH_ENVIRONMENT(Min)
  COMPACTION_FORM_WITH_ENVIRONMENT(Max)
  COMPACTION_FORM_WITH_ENVIRONMENT(ArgMin)
  COMPACTION_FORM_WITH_ENVIRONMENT(ArgMax)
  COMPACTION_FORM_WITH_ENVIRONMENT(ReduceByKey)

 private:
  /// Reduces with an operator whose identity is the result for no items.
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
    return reduce_into<T>(
        temp, temp_bytes, load, out, n, op, init,
        detail::StoreAfterInit<detail::Combining<T, Op>, T, Out, Op>{out, op, init}, stream);
  }
  /// The operator may have no identity. `none` is the result for no items.
  template <class T, class Load, class Out, class Op, class Store>
  static cudaError_t reduce_into(void* temp, size_t& temp_bytes, Load load, Out out, ItemCount n,
                                 Op op, T none, Store store, cudaStream_t stream) {
    using Combining = detail::Combining<T, Op>;
    if (n.capacity == 0 && temp != nullptr) return detail::write_result_of_none(out, none, stream);
    return compaction::detail::reduce_to<typename Combining::Value>(
        {"reduce", {}}, detail::Lifted<Combining, T, Load>{load}, store, n, Combining::op(op),
        Storage(temp, temp_bytes), stream);
  }

  /// Writes the smallest or largest value. Types without limits have no identity for it.
  template <detail::Extreme kExtreme, class In, class Out>
  static cudaError_t reduce_extreme(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                                    cudaStream_t stream) {
    using T = detail::ValueOf<In>;
    using Select = detail::SelectExtreme<kExtreme>;
    if constexpr (std::numeric_limits<T>::is_specialized)
      return reduce<T>(temp, temp_bytes, in, out, n, detail::ExtremeOf<kExtreme, T>(), stream);
    else
      return reduce_into<T>(temp, temp_bytes, detail::load_of(in), out, n, Select(), T(),
                            detail::StoreResult<detail::Combining<T, Select>, Out>{out}, stream);
  }
  /// Writes the smallest or largest value and its first index.
  template <detail::Extreme kExtreme, class Pair, class In, class Out>
  static cudaError_t reduce_arg(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                                cudaStream_t stream) {
    using Value = decltype(Pair::value);
    Value none{};
    if constexpr (std::numeric_limits<Value>::is_specialized)
      none = detail::ExtremeOf<kExtreme, Value>::identity();
    return reduce_arg_pairs<Pair>(temp, temp_bytes, in, out, n, detail::IsBetter<kExtreme>(), none,
                                  stream);
  }
  /// Writes the pair with the best value; `none` and index 1, as in CUB, for no items.
  template <class Pair, class In, class Out, class Better>
  static cudaError_t reduce_arg_pairs(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                                      Better is_better, decltype(Pair::value) none,
                                      cudaStream_t stream) {
    if (n.capacity == 0 && temp != nullptr)
      return detail::write_result_of_none(out, Pair{1, none}, stream);
    using Load = detail::WithIndex<Pair, detail::LoadOf<In>>;
    using Select = detail::SelectPair<Pair, Better>;
    return compaction::detail::reduce_to<Pair>(
        {"reduce", {}}, Load{detail::load_of(in)},
        detail::StoreResult<detail::Combining<Pair, Select>, Out>{out}, n, Select{is_better},
        Storage(temp, temp_bytes), stream);
  }
  template <class In>
  using ArgPair = KeyValuePair<int64_t, detail::ValueOf<In>>;
  /// Writes the smallest or largest value and its first index to two outputs.
  template <detail::Extreme kExtreme, class In, class Out, class Index>
  static cudaError_t reduce_arg_into(void* temp, size_t& temp_bytes, In in, Out out, Index index,
                                     ItemCount n, cudaStream_t stream) {
    const detail::ArgOutput<Out, Index> both{out, index};
    return reduce_arg<kExtreme, ArgPair<In>>(temp, temp_bytes, in, both, n, stream);
  }
  /// Writes the smallest or largest value by `less`, and its first index. Writes T() and index 1
  /// for no items, as CUB does.
  template <detail::Extreme kExtreme, class In, class Out, class Index, class Less>
  static cudaError_t reduce_arg_by(void* temp, size_t& temp_bytes, In in, Out out, Index index,
                                   ItemCount n, Less less, cudaStream_t stream) {
    if constexpr (compaction::detail::kIsLess<Less, detail::ValueOf<In>>)
      return reduce_arg_into<kExtreme>(temp, temp_bytes, in, out, index, n, stream);
    else {
      using Better = detail::IsBetterBy<kExtreme, Less>;
      const detail::ArgOutput<Out, Index> both{out, index};
      return reduce_arg_pairs<ArgPair<In>>(temp, temp_bytes, in, both, n, Better{less}, {}, stream);
    }
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Out, class Lengths, class Count>
  static cudaError_t Encode(void* temp, size_t& temp_bytes, In in, Out out, Lengths lengths,
                            Count count, ItemCount n, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out, Lengths, Count>)
      return Encode(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out),
                    detail::unwrap(lengths), detail::unwrap(count), n, stream);
    else if constexpr (detail::kAreArrays<In, Out> && std::is_pointer_v<Lengths> &&
                       detail::kIsCount<Count>)
      return compaction::run_length_encode(temp, temp_bytes, in, out, lengths, count, n, stream);
    else {
      using Length = detail::Written<Lengths, int>;
      return detail::reduce_runs<Length>(temp, temp_bytes, in, out, Constant<Length>{1}, lengths,
                                         count, detail::plus(), n, stream);
    }
  }
  template <class In, class Offsets, class Lengths, class Count>
  static cudaError_t NonTrivialRuns(void* temp, size_t& temp_bytes, In in, Offsets offsets,
                                    Lengths lengths, Count count, ItemCount n,
                                    cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Offsets, Lengths, Count>)
      return NonTrivialRuns(temp, temp_bytes, detail::unwrap(in), detail::unwrap(offsets),
                            detail::unwrap(lengths), detail::unwrap(count), n, stream);
    else {
      if (n.capacity == 0 && temp != nullptr) return detail::write_result_of_none(count, 0, stream);
      using Length = detail::Written<Lengths, int>;
      using Begins = BeginsRunOf<detail::LoadOf<In>, Equals>;
      const Begins begins{detail::load_of(in), {}};
      const CombineRuns<Length, compaction::Sum<Length>> combine{};
      return compaction::scan_loaded<ScanKind::kInclusive>(
          temp, temp_bytes,
          detail::SegmentItems<Constant<Length>, detail::BeginsLongRun<Begins>>{{1}, {begins, n}},
          detail::StoreLongRuns<Offsets, Lengths, Count, Begins>{offsets, lengths, count, begins,
                                                                 n},
          n, combine, combine.identity(), stream);
    }
  }

  // Without temporary storage, optionally in an environment.
  COMPACTION_FORM_WITH_ENVIRONMENT(Encode)
  COMPACTION_FORM_WITH_ENVIRONMENT(NonTrivialRuns)
};

}  // namespace compaction::cub_compat
