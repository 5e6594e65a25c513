// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <numeric>
#include <ostream>
#include <vector>

#include "bvh/ploc/merge_clusters.h"
#include "compaction/simt/host/executor.h"
#include "compaction/simt/span.h"

namespace winnow {

/// The schedules of the host executor for the kernels of the fast build.
struct NamedSchedule {
  const char* name;
  simt::host::Schedule schedule;

  friend void PrintTo(const NamedSchedule& self, std::ostream* out) { *out << self.name; }
};
inline const NamedSchedule kBvhSchedules[] = {
    {"Forward", {}},
    {"Reverse", {.order = simt::host::Order::kReverse, .resident_blocks = 3}},
    {"Shuffled", {.order = simt::host::Order::kShuffled, .seed = 5, .resident_blocks = 4}}};

/// A backend of FastBvhBuilder for tests: kernels run on the host executor, and memory is
/// initialized to 0xCD bytes.
class HostBvhBackend {
 public:
  explicit HostBvhBackend(simt::host::Schedule schedule = {}) : executor_(schedule) {}

  simt::host::Executor& launcher() { return executor_; }

  template <class T>
  simt::Span<T> allocate(size_t count) {
    const size_t words = (count * sizeof(T) + sizeof(Word) - 1) / sizeof(Word) + 1;
    constexpr int kUnwritten = 0xcd;
    memory_.push_back(std::make_unique<Word[]>(words));
    std::memset(memory_.back().get(), kUnwritten, words * sizeof(Word));
    return {reinterpret_cast<T*>(memory_.back().get()), count};
  }

  template <class T>
  void clear(simt::Span<T> span) {
    std::memset(static_cast<void*>(span.data), 0, span.size * sizeof(T));
  }

  simt::Span<const uint32_t> sort(simt::Span<const uint64_t> keys,
                                  simt::Span<const uint32_t> values) {
    std::vector<uint32_t> order(keys.size);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    auto sorted = allocate<uint32_t>(values.size);
    for (size_t i = 0; i < order.size(); ++i) sorted[i] = values[order[i]];
    return sorted;
  }

  template <class T>
  T read(simt::Span<T> span) {
    return span[0];
  }

 private:
  struct alignas(256) Word {
    std::byte bytes[256];
  };

  simt::host::Executor executor_;
  std::vector<std::unique_ptr<Word[]>> memory_;
};

/// A tree under construction with a leaf for each box.
struct Growing {
  HostBvhBackend backend;
  uint32_t count;
  GrowingTree tree;
  Span<Cluster> clusters;

  Growing(const std::vector<Bounds>& boxes, const simt::host::Schedule& schedule)
      : backend(schedule),
        count(uint32_t(boxes.size())),
        tree{count, backend.allocate<BinaryNode>(2 * count), backend.allocate<uint32_t>(2 * count)},
        clusters(backend.allocate<Cluster>(count)) {
    for (uint32_t i = 0; i < count; ++i) {
      tree.nodes[i] = leaf_node(boxes[i], i);
      clusters[i] = {boxes[i], i, i};
    }
  }

  void finish_merging() { backend.launcher().launch(1, FinishMerging{count, tree, clusters}); }
};

}  // namespace winnow
