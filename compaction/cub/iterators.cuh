// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <iterator>
#include <type_traits>

#include "compaction/cuda.cuh"

namespace compaction::cub_compat::detail {

using compaction::detail::kNever;

/// Recognizes thrust::device_vector's iterator and (below) thrust::device_ptr by name, as including
/// Thrust takes longer than compiling a kernel.
template <class It>
constexpr bool is_vector_iterator() {
  return compaction::detail::is_named<It>("normal_iterator");
}
template <class It>
constexpr bool is_tagged_pointer() {
  return compaction::detail::is_named<It>("device_ptr") ||
         compaction::detail::is_named<It>("pointer");
}
template <class... It>
inline constexpr bool kAreWrapped = ((is_vector_iterator<It>() || is_tagged_pointer<It>()) || ...);

/// Returns the address in a wrapping iterator, or the iterator itself if it wraps none.
template <class It>
auto unwrap(It it) {
  if constexpr (is_vector_iterator<It>())
    return unwrap(it.base());
  else if constexpr (is_tagged_pointer<It>())
    return it.get();
  else
    return it;
}

/// The type that an iterator reads.
template <class It>
using ValueOf = std::iter_value_t<It>;

/// The type that an iterator writes, or T if the iterator does not define one.
template <class It, class T>
struct WrittenBy {
  using Type = T;
};
template <class It, class T>
requires(!std::is_void_v<std::iter_value_t<It>>) struct WrittenBy<It, T> {
  using Type = std::iter_value_t<It>;
};
template <class It, class T>
using Written = typename WrittenBy<It, T>::Type;

/// Whether the input and the output are arrays of the same type.
template <class In, class Out>
inline constexpr bool kAreArrays = false;
template <class T, class U>
inline constexpr bool kAreArrays<T*, U*> = std::is_same_v<std::remove_const_t<T>, U>;

template <class It>
struct ItemsOf {
  It items;
#pragma nv_exec_check_disable
  SIMT_HOST_DEVICE ValueOf<It> operator()(uint64_t i) const {
    return items[int64_t(i)];
  }
};
template <class It>
auto load_of(It items) {
  if constexpr (std::is_pointer_v<It>)
    return Items<ValueOf<It>>{items};
  else
    return ItemsOf<It>{items};
}
template <class It>
using LoadOf = decltype(load_of(std::declval<It>()));

/// A predicate whose call operator need not be const, as in CUB.
template <class Predicate>
struct ConstCallable {
  Predicate predicate;
#pragma nv_exec_check_disable
  template <class Item>
  SIMT_HOST_DEVICE bool operator()(const Item& item) const {
    return bool(const_cast<Predicate&>(predicate)(item));
  }
};

/// Tests the flag of a pair of a flag and an item.
template <class Predicate>
struct FirstIs {
  Predicate predicate;
  template <class Item>
  SIMT_HOST_DEVICE bool operator()(const Item& item) const {
    return bool(predicate(item.first));
  }
};
struct IsSet {
  template <class Flag>
  SIMT_HOST_DEVICE bool operator()(const Flag& flag) const {
    return bool(flag);
  }
};

/// Whether items are small enough to be staged in the shared memory of a block.
template <class T>
inline constexpr bool kFits = sizeof(T) <= 128;

/// A predicate on the index of an item, which it loads.
template <class Load, class Predicate>
struct PredicateAt {
  Load items;
  Predicate predicate;
  SIMT_HOST_DEVICE bool operator()(uint64_t i) const { return predicate(items(i)); }
};

/// Writes the item, or the second member of a pair of a flag and an item.
template <class T, class It>
struct WriteTo {
  using Fetched = T;
  static constexpr unsigned kStagedBytes = sizeof(T), kFetchedBytes = 0;
  static_assert(kFits<T>,
                "compaction: items of more than 128 bytes are selected by If alone, not in place, "
                "and not partitioned");

  It out;  ///< [place]

  template <class Chunk>
  SIMT_HOST_DEVICE void stage(Staging staged, unsigned place, const Chunk& chunk, unsigned i,
                              unsigned) const {
    if constexpr (requires { chunk.items[i].second; } &&
                  !std::is_same_v<std::remove_cvref_t<decltype(chunk.items[i])>, T>)
      staged.array<T>()[place] = chunk.items[i].second;
    else
      staged.array<T>()[place] = chunk.items[i];
  }
  SIMT_HOST_DEVICE T fetch(Staging staged, unsigned place, uint64_t) const {
    return staged.array<T>()[place];
  }
#pragma nv_exec_check_disable
  SIMT_HOST_DEVICE void put(uint64_t place, const T& item) const {
    out[int64_t(place)] = item;
  }
  SIMT_HOST_DEVICE unsigned skip(uint64_t) const {
    return 0;
  }
};

/// Loads and writes the selected items, of any size.
template <class Load, class It>
struct WriteLoaded : StageSlots {
  using Fetched = Loaded<Load>;
  static constexpr unsigned kFetchedBytes = sizeof(Fetched);

  Load load;
  It out;  ///< [place]

  SIMT_HOST_DEVICE WriteLoaded(Load load, It out) : load(load), out(out) {}

  SIMT_HOST_DEVICE Fetched fetch(Staging staged, unsigned place, uint64_t first) const {
    return load(index(staged, place, first));
  }
#pragma nv_exec_check_disable
  SIMT_HOST_DEVICE void put(uint64_t place, const Fetched& item) const {
    out[int64_t(place)] = item;
  }
  SIMT_HOST_DEVICE unsigned skip(uint64_t) const {
    return 0;
  }
};

/// The items of a segmented scan: values, and whether a segment begins.
template <class Load, class Begins>
struct SegmentItems {
  Load values;
  Begins begins;
  SIMT_HOST_DEVICE RunsTotal<Loaded<Load>> operator()(uint64_t i) const {
    return {values(i), begins(i)};
  }
  SIMT_HOST_DEVICE void prefetch(uint64_t i) const {
    prefetch_item(values, i);
    prefetch_item(begins, i);
  }
};

/// Where CUB writes a count.
template <class It>
inline constexpr bool kIsCount = requires(It count) {
  DeviceCountOut(count);
};
template <class It>
It count_at(It count) {
  static_assert(kIsCount<It>,
                "compaction: a count is written through a pointer to an integer of 32 or 64 bits");
  return count;
}

}  // namespace compaction::cub_compat::detail
