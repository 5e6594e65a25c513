// SPDX-License-Identifier: MIT
#include <cub/device/device_radix_sort.cuh>
#include <memory>
#include <string>
#include <vector>

#include "compaction/bench/cuda/chunk_walk.cuh"
#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/ladder/scan_split.h"
#include "compaction/split.cuh"

namespace compaction::bench {
namespace {

/// How the classes of the items follow one another.
struct Pattern {
  const char* suffix;   ///< end of the name of the operation
  uint32_t stretch;     ///< consecutive items with the same class
  uint32_t in_class_0;  ///< % of the stretches that are in class 0, beside those at random
};
constexpr Pattern kPatterns[] = {{"", 1, 0}, {"_stretches", 4096, 0}, {"_95%", 1, 95}};

/// Keys of one byte in [0, kClasses).
template <unsigned kClasses>
struct KeyOfIndex {
  Pattern pattern;

  SIMT_HOST_DEVICE uint8_t operator()(uint64_t i) const {
    const uint64_t bits = random_bits(i / pattern.stretch);
    if (uint32_t(bits) % 100 < pattern.in_class_0) return 0;
    return uint8_t(bits >> 32) % kClasses;
  }
};

/// Items with their class in the lower bits and their index in the upper bits.
template <class T, unsigned kClasses>
struct CountedItem {
  KeyOfIndex<kClasses> key;

  SIMT_HOST_DEVICE T operator()(uint64_t i) const { return T(i) * kClasses + key(i); }
};

struct Iota {
  SIMT_HOST_DEVICE uint32_t operator()(uint64_t i) const { return uint32_t(i); }
};

template <unsigned kClasses>
struct LowerBits {
  SIMT_HOST_DEVICE uint32_t operator()(uint64_t item) const { return uint32_t(item % kClasses); }
};

/// Whether an item does not have an earlier class than the item before it and, in the same class,
/// is the next item, or begins a stretch where that one ends a stretch. Single items follow within
/// kMaxGap items. The indices may have wrapped: their range is a multiple of all of these.
template <class T, class ClassOf>
struct IsInOrder {
  static constexpr T kMaxGap = 1 << 20;

  const T* out;  ///< [place]
  T step, stretch;
  const uint32_t* offsets;  ///< [class + 1] or null
  ClassOf class_of;

  SIMT_HOST_DEVICE bool operator()(uint64_t i) const {
    const T item = out[i];
    const uint32_t own = class_of(item);
    if (offsets && (i < offsets[own] || i >= offsets[own + 1])) return false;
    if (i == 0) return true;
    const T before = out[i - 1];
    const uint32_t other = class_of(before);
    const T gap = T(item - before) / step;
    const bool begins = item / step % stretch == 0 && (before / step + 1) % stretch == 0;
    const bool follows = gap == 1 || (begins && gap > 0 && (stretch > 1 || gap < kMaxGap));
    return other < own || (other == own && follows);
  }
};

template <class T, unsigned kClasses, class ClassOf>
class SplitResult : public Result {
 public:
  /// @param step difference between consecutive items of the same class
  SplitResult(uint64_t n, T step, const Pattern& pattern, ClassOf class_of, bool with_offsets)
      : out(n),
        offsets(kClasses + 1),
        step_(step),
        stretch_(pattern.stretch),
        class_of_(class_of),
        with_offsets_(with_offsets) {}

  void poison() override {
    out.fill(0xFF);
    offsets.fill(0xFF);
  }
  std::string error() const override {
    const IsInOrder<T, ClassOf> is_in_order{out.data(), step_, stretch_,
                                            with_offsets_ ? offsets.data() : nullptr, class_of_};
    return wrong_count_error(out.size(), is_in_order, "items are out of order");
  }

  DeviceArray<T> out;
  DeviceArray<uint32_t> offsets;

 private:
  T step_, stretch_;
  ClassOf class_of_;
  bool with_offsets_;
};

template <unsigned kClasses>
constexpr int kSortedBits = ClassRanks<kClasses>::kBits;

template <class T, unsigned kClasses>
std::vector<Contender> item_contenders(const Session& session, Task& task, Pattern pattern) {
  using Classify = LowerBits<kClasses>;
  using Result = SplitResult<T, kClasses, Classify>;
  cudaStream_t stream = session.stream();
  auto items = new_array<T>(task.n, CountedItem<T, kClasses>{{pattern}});
  task.bytes = split_items_traffic(task.n, sizeof(T));
  auto result = [&](bool with_offsets) {
    return std::make_shared<Result>(task.n, kClasses, pattern, Classify(), with_offsets);
  };
  auto call = [=](Result& to, const Storage& storage) {
    return split_by<kClasses>(items->data(), to.out.data(), SplitOffsets(to.offsets.data()), task.n,
                              Classify(), storage, stream);
  };
  // n has the type with which CUB is faster: 2^28 keys by 8 bits take 1514 us with 64 bits, 1739 us
  // with 32; pairs take 2005 us and 1823 us (H200).
  auto call_cub = [=](Result& to, void* temp, size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(temp, bytes, items->data(), to.out.data(), task.n, 0,
                                          kSortedBits<kClasses>, stream);
  };
  return {fast_path(result(true), call), cub_contender(result(false), call_cub),
          memcpy_contender(session, task)};
}

struct UncheckedResult : Result {
  void poison() override {}
  std::string error() const override { return ""; }
};

struct IsClass {
  const uint8_t* keys;
  uint8_t item_class;

  SIMT_HOST_DEVICE bool operator()(uint64_t item) const { return keys[item] == item_class; }
};

/// Returns K selects of indices, one class each, into consecutive outputs.
template <unsigned kClasses>
Contender selects_contender(const Session& session, std::shared_ptr<DeviceArray<uint8_t>> keys) {
  using Source = IndicesIf<IsClass>;
  using Sink = WriteIndices<uint32_t>;
  auto out = std::make_shared<DeviceArray<uint32_t>>(keys->size());
  auto counts = std::make_shared<DeviceArray<uint32_t>>(kClasses);
  auto call = [=, stream = session.stream()](UncheckedResult&, const Storage& storage) {
    for (unsigned c = 0; c < kClasses; ++c)
      if (cudaError_t status = select(Source{{keys->data(), uint8_t(c)}}, Sink(out->data()),
                                      keys->size(), counts->data() + c, storage, stream);
          status != cudaSuccess)
        return status;
    return cudaSuccess;
  };
  return fast_path(std::make_shared<UncheckedResult>(), call, "K selects");
}

template <unsigned kClasses>
std::vector<Contender> index_contenders(const Session& session, Task& task, Pattern pattern) {
  using Result = SplitResult<uint32_t, kClasses, KeyOfIndex<kClasses>>;
  cudaStream_t stream = session.stream();
  const KeyOfIndex<kClasses> key_of{pattern};
  auto keys = new_array<uint8_t>(task.n, key_of);
  auto iota = new_array<uint32_t>(task.n, Iota());
  auto sorted_keys = std::make_shared<DeviceArray<uint8_t>>(task.n);
  task.bytes = split_indices_traffic(task.n, sizeof(uint32_t));
  auto result = [&](bool with_offsets) {
    return std::make_shared<Result>(task.n, 1, pattern, key_of, with_offsets);
  };
  auto call = [=](Result& to, const Storage& storage) {
    return split_indices<kClasses>(keys->data(), to.out.data(), SplitOffsets(to.offsets.data()),
                                   task.n, storage, stream);
  };
  auto call_cub = [=](Result& to, void* temp, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(temp, bytes, keys->data(), sorted_keys->data(),
                                           iota->data(), to.out.data(), int(task.n), 0,
                                           kSortedBits<kClasses>, stream);
  };
  auto call_ladder = [=](Result& to, auto& launcher, Span<std::byte> workspace) {
    scan_split<kClasses>(launcher, span_of(*keys), ItemCount{task.n}, span_of(to.out),
                         span_of(to.offsets), workspace);
  };
  std::vector<Contender> all = {
      fast_path(result(true), call),
      cub_contender(result(false), call_cub),
      rung(session, "count, scan, scatter", scan_split_bytes<kClasses>(uint32_t(task.n)),
           result(true), call_ladder),
      memcpy_contender(session, task),
  };
  if constexpr (kClasses <= simt::kWarpSize)
    all.insert(all.begin() + 1, selects_contender<kClasses>(session, keys));
  return all;
}

template <unsigned kClasses>
void bench_classes(Session& session) {
  const auto race = [&](const char* name, unsigned item_bytes, uint64_t n, auto contenders) {
    for (const Pattern& pattern : kPatterns)
      session.race({.suite = "split",
                    .operation = name + std::to_string(kClasses) + pattern.suffix,
                    .item_bytes = item_bytes,
                    .n = n},
                   [&](Task& task) { return contenders(session, task, pattern); });
  };
  for (uint64_t n : session.options().sizes) {
    race("split_items_", sizeof(uint32_t), n, item_contenders<uint32_t, kClasses>);
    race("split_items_", sizeof(uint64_t), n, item_contenders<uint64_t, kClasses>);
    race("split_indices_", sizeof(uint8_t), n, index_contenders<kClasses>);
  }
}

}  // namespace

void bench_split(Session& session) {
  bench_classes<8>(session);
  bench_classes<32>(session);
  bench_classes<256>(session);
}

}  // namespace compaction::bench
