// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "compaction/op/operators.h"
#include "tests/compaction/support/ordered_items.h"
#include "tests/compaction/support/select_items.h"

// Interfaces of the library's functions that hide memory and launches, so that one test runs on the
// host executor, in tiles of any shape, and on a GPU.

namespace fast {

/// Combinations of source and sink.
enum class Select {
  kItems,            ///< items by a predicate
  kItemIndices,      ///< 32-bit indices of kItems
  kItemsAndIndices,  ///< items and 64-bit indices
  kItemsAndColumns,  ///< items and columns of 1, 16 and 8 bytes
  kFlagged,          ///< items by flags
  kFlaggedIndices,   ///< 32-bit indices by flags
  kFlaggedColumns,   ///< columns of 4, 1, 16 and 12 bytes by flags
  kMasked,           ///< items by a mask
  kMaskedIndices,    ///< 64-bit indices by a mask
  kIndices,          ///< 64-bit indices by a predicate on indices
  kIndexColumns,     ///< columns of 100 and 2 bytes by a predicate on indices
  kCountedItems,     ///< kItems with a predicate that counts its calls
  kCountedLarge,     ///< kCountedItems for items of 20 bytes, which no vector holds
};

/// Offset of each buffer from an aligned address, in items.
struct Offsets {
  unsigned in = 0, out = 0, rejected = 0;
};

struct SelectProblem {
  Select select = Select::kItems;
  unsigned item_bytes = 4;  ///< only kItems: other selects have 4, kCountedLarge 20
  Bytes keep;               ///< [n], not 0 where an item is selected
  uint64_t capacity = 0;    ///< maximum of a count on the device; else the count is n
  bool count_on_device = false;
  uint64_t surplus = 0;    ///< added to the count on the device: more than n and the capacity
  bool wide_count = true;  ///< counts in 64 bits, not 32
  Offsets offsets = {};
  uint64_t out_capacity = ~uint64_t(0);
  bool in_place = false;         ///< only for kItems with vectors and kCountedItems
  bool exact_workspace = false;  ///< a new workspace of the required size; else a kept one
};

struct SelectResult {
  std::vector<Bytes> outputs;  ///< up to the output's capacity
  uint64_t count;
  uint32_t overflowed;
  std::vector<uint32_t> calls;  ///< [item], calls of a predicate that counts them
};

enum class Partition { kIntoTwo, kIntoOne, kIntoOneReversed };

struct PartitionResult {
  Bytes selected, rejected;  ///< both in the order of the items
  uint64_t count;
};

/// Select and partition.
class Selects {
 public:
  virtual ~Selects() = default;

  /// Throws where a kernel fails or writes outside its buffers.
  virtual SelectResult select(const SelectProblem& problem) = 0;
  virtual PartitionResult partition(Partition partition, const SelectProblem& problem) = 0;

  /// Maximum number of items of a tile.
  virtual uint64_t tile_items(unsigned item_bytes) = 0;
  /// Tiles that one look-ahead reads at once.
  virtual uint64_t window_tiles() = 0;
  /// Number of resident blocks.
  virtual uint64_t blocks() = 0;
};

template <class T>
struct ScanProblem {
  std::vector<T> in;  ///< [n]
  uint64_t capacity = 0;
  bool count_on_device = false;
  Offsets offsets = {};
  bool in_place = false;
  T init = {};
};

/// Scan and reduce for one type of item and one operator.
template <class T, class Op>
class Scans {
 public:
  virtual ~Scans() = default;

  virtual Scanned<T> scan(compaction::ScanKind kind, const ScanProblem<T>& problem) = 0;
  virtual T reduce(const ScanProblem<T>& problem) = 0;

  virtual uint64_t tile_items() = 0;
  virtual uint64_t window_tiles() = 0;
  virtual uint64_t blocks() = 0;
};

template <class T, class Op>
using ScansPointer = std::unique_ptr<Scans<T, Op>>;

using AllScans =
    std::tuple<ScansPointer<uint32_t, compaction::Sum<uint32_t>>, ScansPointer<Affine, Compose>,
               ScansPointer<uint8_t, compaction::Max<uint8_t>>,
               ScansPointer<uint16_t, compaction::Min<uint16_t>>,
               ScansPointer<float, compaction::Sum<float>>, ScansPointer<Interval, Join>,
               ScansPointer<Wide, KeepLast>>;

/// A backend of tests: the host executor with one schedule and shape of tile, or a GPU.
struct Backend {
  std::string name;
  std::function<std::string()> why_unavailable;  ///< empty where it can run
  std::function<std::unique_ptr<Selects>()> make_selects;
  std::function<AllScans()> make_scans;
};

inline void PrintTo(const Backend& backend, std::ostream* out) {
  *out << backend.name;
}

enum class Tiles {
  kTiny,     ///< a few thousand items make many tiles
  kSmall,    ///< the library's choice for little shared memory
  kLibrary,  ///< the library's choice
};

std::vector<Backend> host_backends();
std::vector<Backend> host_backends(Tiles tiles);  ///< only those with these tiles
std::vector<Backend> cuda_backends();             ///< only in a CUDA build

/// Tiles on a GPU, for any number of items.
enum class CudaTiles { kLibrary, kLarge, kSmall };

}  // namespace fast
