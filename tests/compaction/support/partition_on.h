// SPDX-License-Identifier: MIT
#pragma once

#include "tests/compaction/support/selects_on.h"

namespace fast_on {

/// Calls `use` with an item of `bytes` bytes: with vectors of 16, 4 and 1 items, with words, and
/// with several vectors an item. Selects of all sizes are tested, and a partition loads and writes
/// items by the same functions.
template <class Use>
auto with_item_to_part(unsigned bytes, Use use) {
  switch (bytes) {
    case 1:
      return use(Item<1, 1>());
    case 12:
      return use(Item<12, 4>());
    case 16:
      return use(Item<16, 16>());
    case 64:
      return use(Item<64, 8>());
    case 128:
      return use(Item<128, 16>());
  }
  return use(Item<4, 4>());
}

template <class Calls>
class Partitions {
 public:
  explicit Partitions(SelectDevice<Calls>& device) : on_(device) {}

  PartitionResult partition(Partition into, const SelectProblem& problem) {
    switch (into) {
      case Partition::kIntoTwo:
        return with_item_to_part(problem.item_bytes, [&](auto item) {
          return partition_into_two<decltype(item)>(problem);
        });
      case Partition::kIntoOneReversed:
        return with_item_to_part(problem.item_bytes, [&](auto item) {
          return partition_into_one_reversed<decltype(item)>(problem);
        });
      case Partition::kIntoOne:
        break;
    }
    return with_item_to_part(problem.item_bytes, [&](auto item) {
      constexpr size_t kMaxBytes = 64;  // maximum in a split
      if constexpr (sizeof(item) <= kMaxBytes)
        return partition_into_one<decltype(item)>(problem);
      else
        return PartitionResult{};
    });
  }

 private:
  using Device = typename Calls::Device;
  using Count = typename SelectDevice<Calls>::Count;
  template <class T>
  using Buffer = typename SelectDevice<Calls>::template Buffer<T>;

  template <class T>
  PartitionResult partition_into_two(const SelectProblem& problem) {
    using Types = SelectItems<T, IsKept>;
    using Source = typename Types::Source;
    const size_t n = problem.keep.size(), kept = places(problem);
    Buffer<T> in(on_.device(), make_items(sizeof(T), problem.keep), problem.offsets.in, End::kOpen);
    Buffer<T> selected(on_.device(), kept, problem.offsets.out);
    Buffer<T> rejected(on_.device(), n - kept, problem.offsets.rejected);
    Count count(on_.device(), problem);
    CountBuffer<Device> selected_count(on_.device(), problem.wide_count,
                                       SelectDevice<Calls>::kGarbage);
    on_.in_workspace(
        problem, Calls::template partition_bytes<T, Source, typename Types::Sink>(count.n.capacity),
        [&](Span<std::byte> workspace) {
          Calls::template partition<T>(on_.device(), Source{in.data(), {}},
                                       Types::sink(selected.data()), Types::sink(rejected.data()),
                                       count.n, SelectedCount{.count = selected_count.out()},
                                       workspace);
        });
    return {selected.read(), rejected.read(), selected_count.read()};
  }

  template <class T>
  PartitionResult partition_into_one_reversed(const SelectProblem& problem) {
    using Types = SelectItems<T, IsKept>;
    const size_t n = problem.keep.size();
    Buffer<T> in(on_.device(), make_items(sizeof(T), problem.keep), problem.offsets.in, End::kOpen);
    Buffer<T> out(on_.device(), n, problem.offsets.out);
    Count count(on_.device(), problem);
    CountBuffer<Device> selected_count(on_.device(), problem.wide_count,
                                       SelectDevice<Calls>::kGarbage);
    on_.in_workspace(
        problem,
        Calls::template partition_in_one_reversed_bytes<typename Types::Source,
                                                        typename Types::Sink>(count.n.capacity),
        [&](Span<std::byte> workspace) {
          Calls::partition_in_one_reversed(on_.device(), Types::source(in.data(), {}),
                                           Types::sink(out.data()), count.n,
                                           SelectedCount{.count = selected_count.out()}, workspace);
        });
    const uint64_t kept = selected_count.read();
    const Bytes all = out.read();
    if (kept > n) throw std::runtime_error("more items are selected than there are");
    PartitionResult result{{all.begin(), all.begin() + ptrdiff_t(kept * sizeof(T))}, {}, kept};
    for (size_t i = n; i-- > kept;)
      result.rejected.insert(result.rejected.end(), all.begin() + ptrdiff_t(i * sizeof(T)),
                             all.begin() + ptrdiff_t((i + 1) * sizeof(T)));
    return result;
  }

  template <class T>
  PartitionResult partition_into_one(const SelectProblem& problem) {
    const size_t n = problem.keep.size();
    Buffer<T> in(on_.device(), make_items(sizeof(T), problem.keep), problem.offsets.in, End::kOpen);
    Buffer<T> out(on_.device(), n, problem.offsets.out);
    Count count(on_.device(), problem);
    Buffer<uint64_t> selected_count(on_.device(), 1);
    on_.in_workspace(problem, Calls::template partition_in_one_bytes<T, IsKept>(count.n.capacity),
                     [&](Span<std::byte> workspace) {
                       Calls::partition_in_one(on_.device(), in.data(), IsKept(), out.data(),
                                               count.n, selected_count.data(), workspace);
                     });
    uint64_t kept = selected_count.read_one();
    Bytes all = out.read();
    if (kept > n) throw std::runtime_error("more items are selected than there are");
    auto boundary = all.begin() + ptrdiff_t(kept * sizeof(T));
    return {{all.begin(), boundary}, {boundary, all.end()}, kept};
  }

  SelectDevice<Calls>& on_;
};

template <class Calls>
PartitionResult partition(SelectDevice<Calls>& device, Partition into,
                          const SelectProblem& problem) {
  return Partitions<Calls>(device).partition(into, problem);
}

}  // namespace fast_on
