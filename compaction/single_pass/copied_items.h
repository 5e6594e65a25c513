// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"
#include "compaction/single_pass/loads.h"
#include "compaction/single_pass/tile.h"

namespace compaction {

/// Whether a load is an array, which can be copied as it is.
template <class Load>
inline constexpr bool kIsArray = false;
template <class T>
inline constexpr bool kIsArray<Items<T>> = true;

/// Items in shared memory, which is aligned to vectors, or less if T is.
template <class T>
struct ItemsInShared {
  std::byte* bytes;

  SIMT_KERNEL T operator[](unsigned i) const {
    T item;
    std::memcpy(static_cast<void*>(&item),
                __builtin_assume_aligned(bytes + i * sizeof(T), kAligned), sizeof(T));
    return item;
  }
  SIMT_KERNEL void put(unsigned i, const T& item) const {
    std::memcpy(__builtin_assume_aligned(bytes + i * sizeof(T), kAligned), &item, sizeof(T));
  }

 private:
  static constexpr size_t kAligned = std::min(alignof(T), simt::kVectorBytes);
};

/// How the threads of a tile get `kItems` consecutive items of a load each.
///
/// The items of an array are copied to shared memory asynchronously, while other tiles are
/// processed: the lanes of a warp copy consecutive vectors of the items of their warp, whatever
/// the size of an item, or single items of 4 or 8 bytes if slot 0 has no aligned address. Each
/// thread then reads its own items there. Other loads are prefetched into L2 instead, and read by
/// the threads.
template <class Load, unsigned kItems>
struct CopiedItems {
  using T = Loaded<Load>;

  static constexpr unsigned kSpan = kItems * sizeof(T);  ///< bytes of one thread
  static constexpr bool kCopiesItems =
      kIsArray<Load> && alignof(T) == sizeof(T) && (sizeof(T) == 4 || sizeof(T) == 8);
  /// Copies of one thread.
  static constexpr unsigned kCopies = kCopiesItems ? kItems
                                      : kIsArray<Load>
                                          ? simt::ceil_div(kSpan, unsigned(simt::kVectorBytes))
                                          : 0;

  const Load& load;

  /// Returns the number of slots before the first item, so that slot 0 has an aligned address if T
  /// has vectors and kItems is larger than this number.
  SIMT_KERNEL uint32_t head() const {
    if constexpr (kIsArray<Load> && simt::kHasVectors<T>)
      if (const uint32_t head = head_of(load.items); head < kItems) return head;
    return 0;
  }

  /// Starts to copy the items of the warp in a tile to `to`, the memory of the whole tile.
  SIMT_KERNEL void copy(auto& copies, std::byte* to, const ThreadView& view) const {
    if constexpr (kIsArray<Load>) {
      const unsigned lane = lane_of(view);
      if (has_vectors(view.range)) {
        constexpr unsigned kVectors = simt::kWarpSize * kSpan / simt::kVectorBytes;
        const unsigned begin = (view.first_chunk - lane) * kSpan;
        const std::byte* from = tile_bytes(view);
        auto for_each_vector = [&](auto copy) {
          for (unsigned v = lane; v < kVectors; v += simt::kWarpSize) {
            const unsigned byte = begin + v * unsigned(simt::kVectorBytes);
            copy(to + place(byte), from + byte);
          }
        };
        if (view.range.is_full(view.tile))
          for_each_vector([&](std::byte* to, const std::byte* at) { copies.copy(to, at); });
        else
          for_each_vector(
              [&](std::byte* to, const std::byte* at) { copy_vector(copies, to, at, view.range); });
        return;
      }
      if constexpr (kCopiesItems) {
        const unsigned begin = (view.first_chunk - lane) * kItems + lane;
        const uint64_t slot = view.range.first_slot(view.tile) + begin;
        for (unsigned i = 0; i < kItems * simt::kWarpSize; i += simt::kWarpSize)
          if (view.range.holds_item(slot + i))
            copies.template copy<sizeof(T)>(to + place((begin + i) * unsigned(sizeof(T))),
                                            load.items + (slot + i - view.range.head));
        return;
      }
    }
    if (view.range.holds_item(first_slot(view)))
      prefetch_item(load, first_slot(view) - view.range.head);
  }

  /// Starts to copy the item before the warp's first one to the end of kBeforeBytes bytes at `to`.
  static constexpr unsigned kBeforeBytes =
      unsigned(simt::ceil_div(sizeof(T), simt::kVectorBytes) * simt::kVectorBytes);
  SIMT_KERNEL void copy_before(auto& copies, std::byte* to, const ThreadView& view) const {
    const unsigned lane = lane_of(view);
    if (has_vectors(view.range)) {
      const unsigned byte = lane * unsigned(simt::kVectorBytes);
      if (byte >= kBeforeBytes) return;
      const std::byte* from = tile_bytes(view) + (view.first_chunk - lane) * kSpan - kBeforeBytes;
      copy_vector(copies, to + byte, from + byte, view.range);
    } else if constexpr (kCopiesItems) {
      if (lane == 0 && has_before(view))
        copies.template copy<sizeof(T)>(to + kBeforeBytes - sizeof(T),
                                        load.items + (first_slot(view) - view.range.head - 1));
    }
  }
  /// Returns the item before the thread's first one, if both exist: in lane 0 from what
  /// copy_before() has copied.
  SIMT_KERNEL T before(const std::byte* from, const ThreadView& view) const {
    if (has_before(view) && is_copied(view.range)) return at(from + kBeforeBytes - sizeof(T));
    return load_before(view);
  }
  /// Returns the item before the thread's first one, if both exist, without what was copied.
  SIMT_KERNEL T load_before(const ThreadView& view) const {
    return has_before(view) ? load(first_slot(view) - view.range.head - 1) : T{};
  }

  /// Returns the item in a slot of the tile.
  SIMT_KERNEL T item(const std::byte* from, const ThreadView& view, unsigned slot) const {
    if (is_copied(view.range)) return at(from + place(slot * unsigned(sizeof(T))));
    return load(view.range.first_slot(view.tile) + slot - view.range.head);
  }

  /// Reads the thread's items. Slots that hold no item receive any value.
  SIMT_KERNEL void take(const std::byte* from, const ThreadView& view, T (&items)[kItems]) const {
    if (is_copied(view.range)) {
      const unsigned begin = view.first_chunk * kSpan;
      alignas(simt::kVectorBytes) std::byte bytes[kSpan];
      for (unsigned byte = 0; byte < kSpan; byte += kUnit)
        std::memcpy(bytes + byte, __builtin_assume_aligned(from + place(begin + byte), kUnit),
                    kUnit);
      std::memcpy(static_cast<void*>(items), bytes, kSpan);
      return;
    }
    const uint64_t slot = first_slot(view);
    for (unsigned i = 0; i < kItems; ++i)
      if (view.range.holds_item(slot + i)) items[i] = load(slot + i - view.range.head);
  }

 private:
  /// Bytes that a thread reads at once.
  static constexpr unsigned kUnit =
      unsigned(std::min(simt::power_of_two_in(kSpan), simt::kVectorBytes));

  SIMT_KERNEL static T at(const std::byte* address) {
    return ItemsInShared<T>{const_cast<std::byte*>(address)}[0];
  }
  SIMT_KERNEL static unsigned lane_of(const ThreadView& view) {
    return view.first_chunk % simt::kWarpSize;
  }
  SIMT_KERNEL static uint64_t first_slot(const ThreadView& view) {
    return view.range.first_slot(view.tile) + view.first_chunk * kItems;
  }
  SIMT_KERNEL static bool has_before(const ThreadView& view) {
    return first_slot(view) > view.range.head && first_slot(view) < view.range.end;
  }
  SIMT_KERNEL bool has_vectors(const TileRange& range) const {
    if constexpr (kIsArray<Load>)
      return reinterpret_cast<uintptr_t>(load.items - range.head) % simt::kVectorBytes == 0;
    else
      return false;
  }
  SIMT_KERNEL bool is_copied(const TileRange& range) const {
    return kCopiesItems || has_vectors(range);
  }

  /// Returns where byte `byte` of the items of a tile is copied to: the vectors of each line are
  /// permuted, so that threads which read vectors some vectors apart use all banks.
  SIMT_KERNEL static unsigned place(unsigned byte) {
    constexpr bool kPermutes = simt::kHasVectors<T> && kSpan % (2 * simt::kVectorBytes) == 0;
    constexpr unsigned kLineVectors = unsigned(simt::kLineBytes / simt::kVectorBytes);
    return kPermutes ? byte ^ byte / simt::kLineBytes % kLineVectors * unsigned(simt::kVectorBytes)
                     : byte;
  }

  SIMT_KERNEL const std::byte* tile_bytes(const ThreadView& view) const {
    const int64_t item = int64_t(view.range.first_slot(view.tile)) - view.range.head;
    return reinterpret_cast<const std::byte*>(load.items) + item * int64_t(sizeof(T));
  }

  /// Copies a vector of which some bytes may be outside of the array.
  SIMT_KERNEL void copy_vector(auto& copies, std::byte* to, const std::byte* from,
                               const TileRange& range) const {
    const auto* begin = reinterpret_cast<const std::byte*>(load.items);
    const std::byte* end = begin + (range.end - range.head) * sizeof(T);
    if (from >= begin && from + simt::kVectorBytes <= end)
      copies.copy(to, from);
    else if (from + simt::kVectorBytes > begin && from < end)
      simt::load_bytes(from, begin, end, reinterpret_cast<uint32_t*>(to), int(simt::kVectorBytes));
  }
};

}  // namespace compaction
