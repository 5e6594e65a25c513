// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "compaction/cub/environment.cuh"
#include "compaction/cub/iterators.cuh"

// Combines items in CUB's accumulator types, by operators that get an identity if they have none.

namespace compaction::cub_compat::detail {

/// Replaces std::plus<>, which device code may call only with nvcc's --expt-relaxed-constexpr.
struct plus {
  template <class A, class B>
  SIMT_HOST_DEVICE auto operator()(const A& a, const B& b) const {
    return a + b;
  }
};

/// The type in which CUB combines items of type In with an initial value.
template <class Op, class Init, class In>
using AccumulatorOf = std::decay_t<std::invoke_result_t<Op&, Init, In>>;

/// CUB's type, or that of the output if only the lower bits of an integer sum are kept.
template <class T, class Written, class Op>
inline constexpr bool kKeepsLowBits =
    std::is_integral_v<T>&& std::is_integral_v<Written> && !std::is_same_v<Written, bool> &&
    sizeof(Written) <= sizeof(T) && compaction::detail::is_named<Op>("plus");
template <class Op, class Init, class In, class Out, class T = AccumulatorOf<Op, Init, ValueOf<In>>,
          class W = Written<Out, T>>
using OutputAccumulator = std::conditional_t<kKeepsLowBits<T, W, Op>, W, T>;

/// Returns the type in which CUB's Sum adds items of `In` for an output of type Out, as
/// std::type_identity. Types other than numbers are added in the type of the output.
template <class In, class Out>
constexpr auto sum_accumulator() {
  using W = Written<Out, ValueOf<In>>;
  if constexpr (std::is_arithmetic_v<W> && std::is_arithmetic_v<ValueOf<In>>)
    return std::type_identity<OutputAccumulator<plus, W, In, Out>>();
  else
    return std::type_identity<W>();
}

/// A value or none. None serves as the identity of an operator that has no identity. A vector
/// access moves pairs of numbers.
template <class T>
struct alignas(alignof(T) == sizeof(T) && sizeof(T) <= sizeof(uint64_t)
                   ? 2 * std::max(sizeof(T), sizeof(uint32_t))
                   : std::max(alignof(T), alignof(uint32_t))) Maybe {
  T value;
  uint32_t is_set;

  /// Returns the value of which `shuffle` returns the words.
  template <class Shuffle>
  SIMT_KERNEL Maybe shuffled(const Shuffle& shuffle) const {
    return {shuffle_words(value, shuffle), shuffle(is_set)};
  }
};
template <class T, class Op>
struct CombineMaybe {
  Op op;
  SIMT_HOST_DEVICE static Maybe<T> identity() { return {T(), 0}; }
  SIMT_HOST_DEVICE Maybe<T> operator()(const Maybe<T>& a, const Maybe<T>& b) const {
    Maybe<T> combined = a.is_set ? a : b;
    if (a.is_set && b.is_set) combined.value = T(op(a.value, b.value));
    return combined;
  }
};

/// Whether T is a floating-point type of C++ or CUDA.
template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T> ||
                                 compaction::detail::template_name<T>() == "__half" ||
                                 compaction::detail::template_name<T>() == "__nv_bfloat16";

/// True for the library's operators, for known names (op/known_operators.h) on arithmetic T, and
/// for std::plus and the like on any floating-point type.
template <class T, class Op>
constexpr bool is_known() {
  if constexpr (Operator<Op, T>)
    return true;
  else if constexpr (std::is_arithmetic_v<T>)
    return compaction::detail::has_known_name<Op>() && compaction::detail::kIsFor<Op, T>;
  else
    return kIsFloat<T> && compaction::detail::is_named<Op>("plus") &&
           compaction::detail::kIsFor<Op, T>;
}

/// How `Op` combines values of T: as values of type Value, by `op`.
template <class T, class Op, bool kIsKnown = is_known<T, Op>()>
struct Combining {
  static_assert(std::is_trivially_copyable_v<T>,
                "compaction: scans and reductions combine values of trivially copyable types");
  using Value = T;
  static auto op(const Op& op) { return as_operator<T>(op); }
  SIMT_HOST_DEVICE static Value lift(const T& value) { return value; }
  SIMT_HOST_DEVICE static T lower(const Value& value) { return value; }
};
template <class T, class Op>
struct Combining<T, Op, false> {
  static_assert(std::is_trivially_copyable_v<T>,
                "compaction: scans and reductions combine values of trivially copyable types");
  using Value = Maybe<T>;
  static auto op(const Op& op) { return CombineMaybe<T, Op>{op}; }
  SIMT_HOST_DEVICE static Value lift(const T& value) { return {value, 1}; }
  SIMT_HOST_DEVICE static T lower(const Value& value) { return value.value; }
};

/// Loads items as the values that are combined.
template <class Combining, class T>
struct Lift {
  template <class Item>
  SIMT_HOST_DEVICE auto operator()(const Item& item) const {
    return Combining::lift(T(item));
  }
};
template <class Combining, class T, class Load>
using Lifted = Transformed<Load, Lift<Combining, T>>;

template <class Combining, class It>
struct StoreLowered {
  It out;  ///< [n]
#pragma nv_exec_check_disable
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t i, const Result& result) const {
    out[int64_t(i)] = Combining::lower(result);
  }

  template <unsigned count, class Result>
  SIMT_HOST_DEVICE void store_chunk(
      uint64_t i, const Result (&results)[count]) const requires std::is_pointer_v<It> {
    ValueOf<It> items[count];
    for (unsigned j = 0; j < count; ++j) items[j] = Combining::lower(results[j]);
    StoreItems<ValueOf<It>>{out}.store_chunk(i, items);
  }
  template <unsigned count>
  SIMT_HOST_DEVICE bool is_aligned() const requires std::is_pointer_v<It> {
    return is_vector_aligned<count>(out);
  }
};

/// Receives the result of a reduction, and stores `init` and that combined.
template <class Combining, class T, class It, class Op>
struct StoreAfterInit {
  It out;  ///< [1]
  Op op;
  T init;
  SIMT_HOST_DEVICE const StoreAfterInit& operator*() const { return *this; }
#pragma nv_exec_check_disable
  SIMT_HOST_DEVICE void operator=(const typename Combining::Value& result) const {
    out[0] = T(op(init, T(Combining::lower(result))));
  }
};

/// Receives the result of a reduction, and stores it.
template <class Combining, class It>
struct StoreResult {
  It out;  ///< [1]
  SIMT_HOST_DEVICE const StoreResult& operator*() const { return *this; }
#pragma nv_exec_check_disable
  SIMT_HOST_DEVICE void operator=(const typename Combining::Value& result) const {
    out[0] = Combining::lower(result);
  }
};

/// Stores the results of an exclusive scan whose initial value is read on the device.
template <class Combining, class T, class It, class Op, class Future>
struct StoreAfter {
  It out;  ///< [n]
  Op op;
  Future init;
#pragma nv_exec_check_disable
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t i, const Result& result) const {
    Future future = init;
    const T first(static_cast<typename Future::value_type>(future));
    out[int64_t(i)] = i == 0 ? first : T(op(first, T(Combining::lower(result))));
  }
};

/// Sets a flag where a run begins, for a scan that overwrites the keys.
template <class Begins>
struct MarkRuns {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  Begins begins;
  uint8_t* flags;  ///< [n]
  ItemCount n;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint64_t count = n(), threads = uint64_t(block.num_groups()) * kBlockSize;
    for (uint64_t i = uint64_t(block.group_index()) * kBlockSize + block.thread_rank(); i < count;
         i += threads)
      flags[i] = begins(i);
  }
};

/// Stores the results of a scan by key. Each run begins with `init`.
template <class Combining, class T, class It, class Begins, class Op, ScanKind kKind>
struct StoreByKey {
  It out;  ///< [n]
  Begins begins;
  Op op;
  T init;
#pragma nv_exec_check_disable
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t i, const Result& result) const {
    if constexpr (kKind == ScanKind::kInclusive)
      out[int64_t(i)] = Combining::lower(result.value);
    else
      out[int64_t(i)] = begins(i) ? init : T(op(init, T(Combining::lower(result.value))));
  }
};

/// Stores the runs, from the results of an inclusive scan by key of n items, n > 0.
template <class Combining, class Keys, class RunKeys, class Out, class Count, class Begins>
struct StoreRuns {
  Keys keys;         ///< a load
  RunKeys run_keys;  ///< [run]
  Out out;           ///< [run]
  Count count;       ///< [1]
  Begins begins;
  ItemCount n;
#pragma nv_exec_check_disable
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t i, const Result& result) const {
    const int64_t run = int64_t(result.runs) - 1;
    const bool is_last = i + 1 == n();
    if (begins(i)) run_keys[run] = keys(i);
    if (is_last || begins(i + 1)) out[run] = Combining::lower(result.value);
    if (is_last) count[0] = run + 1;
  }
};

/// Whether a run of several equal items begins at an item.
template <class Begins>
struct BeginsLongRun {
  Begins begins;
  ItemCount n;
  SIMT_HOST_DEVICE bool operator()(uint64_t i) const {
    return begins(i) && i + 1 < n() && !begins(i + 1);
  }
};
/// Stores the runs of several items, from the inclusive scan of n ones by these runs, n > 0.
template <class Offsets, class Lengths, class Count, class Begins>
struct StoreLongRuns {
  Offsets offsets;  ///< [run]
  Lengths lengths;  ///< [run]
  Count count;      ///< [1]
  Begins begins;
  ItemCount n;
#pragma nv_exec_check_disable
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t i, const Result& result) const {
    const int64_t run = int64_t(result.runs) - 1;
    const bool is_first = begins(i), is_last = i + 1 == n() || begins(i + 1);
    if (is_first && !is_last) offsets[run] = i;
    if (is_last && !is_first) lengths[run] = result.value;
    if (i + 1 == n()) count[0] = result.runs;
  }
};

/// Number of items in the first and in the second of three parts.
struct alignas(16) PartCounts {
  uint64_t first, second;
};
struct AddPartCounts {
  SIMT_HOST_DEVICE static PartCounts identity() { return {0, 0}; }
  SIMT_HOST_DEVICE PartCounts operator()(const PartCounts& a, const PartCounts& b) const {
    return {a.first + b.first, a.second + b.second};
  }
};
template <class Load, class IsFirst, class IsSecond>
struct PartOf {
  Load items;
  IsFirst is_first;
  IsSecond is_second;
  SIMT_HOST_DEVICE PartCounts part(const Loaded<Load>& item) const {
    if (is_first(item)) return {1, 0};
    return {0, is_second(item)};
  }
  SIMT_HOST_DEVICE PartCounts operator()(uint64_t i) const { return part(items(i)); }
};
/// Stores the items and the sizes of the first two parts, from an inclusive scan of n parts, n > 0.
template <class Parts, class First, class Second, class Rest, class Count>
struct StoreParts {
  Parts parts;
  First first;    ///< [place]
  Second second;  ///< [place]
  Rest rest;      ///< [place]
  Count count;    ///< [2]
  ItemCount n;
#pragma nv_exec_check_disable
  SIMT_HOST_DEVICE void operator()(uint64_t i, const PartCounts& until) const {
    const auto item = parts.items(i);
    const PartCounts part = parts.part(item);
    if (part.first)
      first[int64_t(until.first - 1)] = item;
    else if (part.second)
      second[int64_t(until.second - 1)] = item;
    else
      rest[int64_t(i - until.first - until.second)] = item;
    if (i + 1 == n()) {
      count[0] = until.first;
      count[1] = until.second;
    }
  }
};

/// Writes the result for no items.
template <class It, class T>
__global__ void write_one(It out, T value) {
  out[0] = value;
}
template <class It, class T>
cudaError_t write_result_of_none(It out, T value, cudaStream_t stream) {
  write_one<<<1, 1, 0, stream>>>(out, value);
  return cudaPeekAtLastError();
}

/// Loads pairs for ArgMin and ArgMax: the value is the item, the key its index.
template <class Pair, class Load>
struct WithIndex : Load {
  using Key = decltype(Pair::key);
  using Value = decltype(Pair::value);
  static constexpr unsigned kVectorItems = simt::Chunk<Loaded<Load>>::kItems;

  SIMT_HOST_DEVICE Pair operator()(uint64_t i) const {
    return Pair{Key(i), Value(Load::operator()(i))};
  }
  template <unsigned count>
  SIMT_HOST_DEVICE auto chunk(uint64_t i) const requires kHasChunks<Load, count> {
    const auto values = Load::template chunk<count>(i);
    ItemVector<Pair, count> pairs;
    for (unsigned j = 0; j < count; ++j) pairs.items[j] = Pair{Key(i + j), Value(values.items[j])};
    return pairs;
  }
  template <unsigned count>
  void chunk_across(uint64_t) const = delete;  // Load returns values, not pairs
};

/// Writes the value and the key of a pair through two iterators.
template <class Values, class Keys>
struct ArgOutput {
  Values value;  ///< [1]
  Keys key;      ///< [1]
  struct Place {
    Values value;
    Keys key;
#pragma nv_exec_check_disable
    template <class Pair>
    SIMT_HOST_DEVICE void operator=(const Pair& pair) const {
      *value = pair.value;
      *key = pair.key;
    }
  };
  SIMT_HOST_DEVICE Place operator[](int) const {
    return {value, key};
  }
};

inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

enum class Extreme { kMin, kMax };
/// Minimum or maximum with an identity, for types with limits.
template <Extreme kExtreme, class T>
using ExtremeOf =
    std::conditional_t<kExtreme == Extreme::kMin, compaction::Min<T>, compaction::Max<T>>;

/// Whether the second of two values is less or greater. NaN never wins over a number.
template <Extreme kExtreme>
struct IsBetter {
  template <class T>
  SIMT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    if constexpr (kIsFloat<T>)
      return b == b && !(kExtreme == Extreme::kMin ? a <= b : b <= a);
    else
      return kExtreme == Extreme::kMin ? b < a : a < b;
  }
  /// Returns a value than which none is worse, if T has one.
  template <class T>
  requires(kIsFloat<T> || std::numeric_limits<T>::is_specialized) SIMT_HOST_DEVICE static T
      worst() {
    if constexpr (kIsFloat<T>)
      return T(kNaN);
    else
      return ExtremeOf<kExtreme, T>::identity();
  }
};

/// IsBetter by a comparison of the caller, a strict weak order.
template <Extreme kExtreme, class Less>
struct IsBetterBy {
  Less less;
  template <class T>
  SIMT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return kExtreme == Extreme::kMin ? less(b, a) : less(a, b);
  }
};

/// Operator without an identity: the better of two values, the first one if both are equal.
template <Extreme kExtreme>
struct SelectExtreme {
  template <class T>
  SIMT_HOST_DEVICE T operator()(const T& a, const T& b) const {
    return IsBetter<kExtreme>()(a, b) ? b : a;
  }
};

/// The pair with the better value, that with the smaller key if both are equal. The identity has
/// the largest key, which no item has.
template <class Pair, class Better>
struct SelectPair {
  using Key = decltype(Pair::key);
  using Value = decltype(Pair::value);
  static constexpr bool kCommutative = true;
  static constexpr Key kNone = std::numeric_limits<Key>::max();
  static constexpr bool kHasWorst = requires { Better::template worst<Value>(); };

  Better is_better;
  SIMT_HOST_DEVICE static Pair identity() {
    if constexpr (kHasWorst)
      return Pair{kNone, Better::template worst<Value>()};
    else
      return Pair{kNone, Value()};
  }
  SIMT_HOST_DEVICE Pair operator()(const Pair& a, const Pair& b) const {
    // Without branches where that is possible: most instructions are executed once or twice.
    if constexpr (kHasWorst)
      return selected(
          a, b, is_better(a.value, b.value) | ((b.key < a.key) & !is_better(b.value, a.value)));
    else if (a.key < b.key)
      return selected(a, b, b.key != kNone && is_better(a.value, b.value));
    else
      return selected(a, b, a.key == kNone || !is_better(b.value, a.value));
  }
  /// Selects one of two items, of which `a` precedes `b`.
  SIMT_HOST_DEVICE Pair in_order(const Pair& a, const Pair& b) const {
    return selected(a, b, is_better(a.value, b.value));
  }

 private:
  SIMT_HOST_DEVICE static Pair selected(const Pair& a, const Pair& b, bool is_second) {
    return Pair{is_second ? b.key : a.key, is_second ? b.value : a.value};
  }
};

/// Writes the runs of equal keys, and their values combined as T, for any iterators.
template <class T, class Keys, class RunKeys, class Load, class Out, class Count, class Op>
cudaError_t reduce_runs(void* temp, size_t& temp_bytes, Keys keys, RunKeys run_keys, Load values,
                        Out out, Count count, Op op, ItemCount n, cudaStream_t stream) {
  if (n.capacity == 0 && temp != nullptr) return write_result_of_none(count, 0, stream);
  using Combining = detail::Combining<T, Op>;
  using Begins = BeginsRunOf<LoadOf<Keys>, Equals>;
  using Combine = CombineRuns<typename Combining::Value, decltype(Combining::op(op))>;
  const Begins begins{load_of(keys), {}};
  const Combine combine{Combining::op(op)};
  return compaction::scan_loaded<ScanKind::kInclusive>(
      temp, temp_bytes, SegmentItems<Lifted<Combining, T, Load>, Begins>{{values}, begins},
      StoreRuns<Combining, LoadOf<Keys>, RunKeys, Out, Count, Begins>{load_of(keys), run_keys, out,
                                                                      count, begins, n},
      n, combine, combine.identity(), stream);
}

}  // namespace compaction::cub_compat::detail

namespace compaction {

/// Keys differ, so every order of combination selects the same pair. Comparisons of the caller may
/// be no strict weak order, such as < of floats with NaN.
template <class Pair, class Better>
inline constexpr bool kAnyOrder<cub_compat::detail::SelectPair<Pair, Better>, Pair> =
    cub_compat::detail::SelectPair<Pair, Better>::kHasWorst;

}  // namespace compaction
