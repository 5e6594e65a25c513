// SPDX-License-Identifier: MIT
#include <cub/device/device_radix_sort.cuh>
#include <memory>
#include <string>
#include <vector>

#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/suites.cuh"
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

/// Indices of items of RandomClass.
template <unsigned kClasses>
struct ClassOfIndex {
  SIMT_HOST_DEVICE uint32_t operator()(uint32_t index) const {
    return RandomClass<kClasses>()(index);
  }
};

/// Counts the places whose item is not in order with the item before it: it has an earlier class,
/// or the same class and does not follow within kMaxGap items. Random classes have no gaps that
/// long.
template <class ClassOf>
__global__ void count_disorder(const uint32_t* out, uint64_t n, uint32_t step, ClassOf class_of,
                               const uint32_t* offsets, unsigned long long* wrong) {
  constexpr uint32_t kMaxGap = 1 << 16;
  for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < n;
       i += uint64_t(gridDim.x) * blockDim.x) {
    const uint32_t item = out[i], own = class_of(item);
    bool right = !offsets || (offsets[own] <= i && i < offsets[own + 1]);
    if (i > 0) {
      const uint32_t before = out[i - 1], other = class_of(before);
      const uint32_t gap = (item - before) / step;
      right = right && (other < own || (other == own && gap > 0 && gap < kMaxGap));
    }
    if (!right) atomicAdd(wrong, 1ull);
  }
}

/// The output of a split of n items into classes, with or without their offsets.
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
    constexpr unsigned kBlocks = 2048, kBlockSize = 256;
    DeviceArray<unsigned long long> wrong(std::vector<unsigned long long>{0});
    count_disorder<<<kBlocks, kBlockSize>>>(out.data(), out.size(), step_, ClassOf(),
                                            with_offsets_ ? offsets.data() : nullptr, wrong.data());
    check(cudaGetLastError());
    const unsigned long long count = wrong.read()[0];
    return count == 0 ? "" : std::to_string(count) + " items are out of order";
  }

  DeviceArray<uint32_t> out, offsets;

 private:
  uint32_t step_;
  bool with_offsets_;
};

template <unsigned kClasses>
constexpr int kSortedBits = ClassRanks<kClasses>::kBits;

/// Returns the splits of 4-byte items by their lower bits.
template <unsigned kClasses>
std::vector<Contender> item_contenders(const Session& session, Task& task) {
  using Classify = LowerBits<kClasses>;
  using Result = SplitResult<kClasses, Classify>;
  cudaStream_t stream = session.stream();
  auto items = std::make_shared<DeviceArray<uint32_t>>(task.n);
  fill(*items, CountedItem<kClasses>());
  task.bytes = split_items_traffic(task.n, sizeof(uint32_t));
  auto ours = std::make_shared<Result>(task.n, kClasses, true);
  auto cubs = std::make_shared<Result>(task.n, kClasses, false);
  return {
      fast_path(split_by_bytes<kClasses, uint32_t, Classify>(task.n), ours,
                [=, n = task.n](Span<std::byte> workspace) {
                  return split_by<kClasses>(items->data(), ours->out.data(),
                                            SplitOffsets(ours->offsets.data()), {n}, Classify(),
                                            workspace, stream);
                }),
      // n has the type with which CUB is faster: 2^28 keys by 8 bits take 1514 us with 64 bits,
      // 1739 us with 32; pairs take 2005 us and 1823 us (H200).
      {kCub, cub_call([=, n = task.n](void* storage, size_t& bytes) {
         return cub::DeviceRadixSort::SortKeys(storage, bytes, items->data(), cubs->out.data(), n,
                                               0, kSortedBits<kClasses>, stream);
       }),
       cubs},
      memcpy_contender(session, task),
  };
}

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
  return fast_path(
      select_bytes<Source, Sink>(keys->size()), nullptr,
      [=, stream = session.stream()](Span<std::byte> workspace) {
        for (unsigned c = 0; c < kClasses; ++c)
          if (cudaError_t status = select(Source{{keys->data(), uint8_t(c)}}, Sink(out->data()),
                                          {keys->size()}, {counts->data() + c}, workspace, stream);
              status != cudaSuccess)
            return status;
        return cudaSuccess;
      },
      "K selects");
}

/// Returns the splits of indices by keys of one byte.
template <unsigned kClasses>
std::vector<Contender> index_contenders(const Session& session, Task& task) {
  using Result = SplitResult<kClasses, ClassOfIndex<kClasses>>;
  cudaStream_t stream = session.stream();
  auto keys = std::make_shared<DeviceArray<uint8_t>>(task.n);
  auto iota = std::make_shared<DeviceArray<uint32_t>>(task.n);
  auto sorted_keys = std::make_shared<DeviceArray<uint8_t>>(task.n);
  fill(*keys, RandomClass<kClasses>());
  fill(*iota, CountedItem<1>());
  task.bytes = split_indices_traffic(task.n, sizeof(uint32_t));
  auto ours = std::make_shared<Result>(task.n, 1, true);
  auto scans = std::make_shared<Result>(task.n, 1, true);
  auto cubs = std::make_shared<Result>(task.n, 1, false);
  std::vector<Contender> all = {
      fast_path(split_bytes<kClasses, IndicesByKey<uint8_t>, WriteIndices<uint32_t>>(task.n), ours,
                [=, n = task.n](Span<std::byte> workspace) {
                  return split_indices<kClasses>(keys->data(), ours->out.data(),
                                                 SplitOffsets(ours->offsets.data()), {n}, workspace,
                                                 stream);
                }),
      {kCub, cub_call([=, n = int(task.n)](void* storage, size_t& bytes) {
         return cub::DeviceRadixSort::SortPairs(storage, bytes, keys->data(), sorted_keys->data(),
                                                iota->data(), cubs->out.data(), n, 0,
                                                kSortedBits<kClasses>, stream);
       }),
       cubs},
      rung(session, "count, scan, scatter", scan_split_bytes<kClasses>(uint32_t(task.n)), scans,
           [=, n = task.n](auto& launcher, Span<std::byte> workspace) {
             scan_split<kClasses>(launcher, span_of(*keys), ItemCount{n}, span_of(scans->out),
                                  span_of(scans->offsets), workspace);
           }),
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
