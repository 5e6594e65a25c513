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

/// Random keys of one byte in [0, kClasses).
template <unsigned kClasses>
struct RandomClass {
  SIMT_HOST_DEVICE uint8_t operator()(uint64_t i) const {
    return uint8_t(random_bits(i) >> 32) % kClasses;
  }
};

/// Items with their class in the lower bits and their index in the upper bits.
template <unsigned kClasses>
struct CountedItem {
  SIMT_HOST_DEVICE uint32_t operator()(uint64_t i) const {
    return uint32_t(i) * kClasses + RandomClass<kClasses>()(i);
  }
};

template <unsigned kClasses>
struct LowerBits {
  SIMT_HOST_DEVICE uint32_t operator()(uint32_t item) const { return item % kClasses; }
};

template <unsigned kClasses>
struct ClassOfIndex {
  SIMT_HOST_DEVICE uint32_t operator()(uint32_t index) const {
    return RandomClass<kClasses>()(index);
  }
};

/// An item does not have an earlier class than the item before it and, in the same class, it
/// follows within kMaxGap items. Random classes have no gaps that long.
template <class ClassOf>
struct IsInOrder {
  static constexpr uint32_t kMaxGap = 1 << 16;

  const uint32_t* out;  ///< [place]
  uint32_t step;
  const uint32_t* offsets;  ///< [class + 1] or null
  ClassOf class_of = {};

  SIMT_HOST_DEVICE bool operator()(uint64_t i) const {
    const uint32_t item = out[i], own = class_of(item);
    if (offsets && (i < offsets[own] || i >= offsets[own + 1])) return false;
    if (i == 0) return true;
    const uint32_t before = out[i - 1], other = class_of(before);
    const uint32_t gap = (item - before) / step;
    return other < own || (other == own && gap > 0 && gap < kMaxGap);
  }
};

template <unsigned kClasses, class ClassOf>
class SplitResult : public Result {
 public:
  /// @param step difference between consecutive items of the same class
  SplitResult(uint64_t n, uint32_t step, bool with_offsets)
      : out(n), offsets(kClasses + 1), step_(step), with_offsets_(with_offsets) {}

  void poison() override {
    out.fill(0xFF);
    offsets.fill(0xFF);
  }
  std::string error() const override {
    const IsInOrder<ClassOf> is_in_order{out.data(), step_,
                                         with_offsets_ ? offsets.data() : nullptr};
    return wrong_count_error(out.size(), is_in_order, "items are out of order");
  }

  DeviceArray<uint32_t> out, offsets;

 private:
  uint32_t step_;
  bool with_offsets_;
};

template <unsigned kClasses>
constexpr int kSortedBits = ClassRanks<kClasses>::kBits;

template <unsigned kClasses>
std::vector<Contender> item_contenders(const Session& session, Task& task) {
  using Classify = LowerBits<kClasses>;
  using Result = SplitResult<kClasses, Classify>;
  cudaStream_t stream = session.stream();
  auto items = new_array<uint32_t>(task.n, CountedItem<kClasses>());
  task.bytes = split_items_traffic(task.n, sizeof(uint32_t));
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
  return {fast_path(std::make_shared<Result>(task.n, kClasses, true), call),
          cub_contender(std::make_shared<Result>(task.n, kClasses, false), call_cub),
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
std::vector<Contender> index_contenders(const Session& session, Task& task) {
  using Result = SplitResult<kClasses, ClassOfIndex<kClasses>>;
  cudaStream_t stream = session.stream();
  auto keys = new_array<uint8_t>(task.n, RandomClass<kClasses>());
  auto iota = new_array<uint32_t>(task.n, CountedItem<1>());
  auto sorted_keys = std::make_shared<DeviceArray<uint8_t>>(task.n);
  task.bytes = split_indices_traffic(task.n, sizeof(uint32_t));
  auto result = [&](bool with_offsets) {
    return std::make_shared<Result>(task.n, 1, with_offsets);
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
  const std::string classes = std::to_string(kClasses);
  for (uint64_t n : session.options().sizes) {
    session.race({.suite = "split",
                  .operation = "split_items_" + classes,
                  .item_bytes = sizeof(uint32_t),
                  .n = n},
                 [&](Task& task) { return item_contenders<kClasses>(session, task); });
    session.race({.suite = "split",
                  .operation = "split_indices_" + classes,
                  .item_bytes = sizeof(uint8_t),
                  .n = n},
                 [&](Task& task) { return index_contenders<kClasses>(session, task); });
  }
}

}  // namespace

void bench_split(Session& session) {
  bench_classes<8>(session);
  bench_classes<32>(session);
  bench_classes<256>(session);
}

}  // namespace compaction::bench
