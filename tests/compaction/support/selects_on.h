// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "compaction/single_pass/partition.h"
#include "compaction/single_pass/select.h"
#include "tests/compaction/support/backends.h"
#include "tests/compaction/support/guarded_buffer.h"

// Included by one .cpp for the host executor and by one .cu for CUDA. `Calls` defines how a select
// is called there, and on which `Device`.

namespace {

namespace fast_on {

using namespace fast;
using compaction::DeviceCount;
using compaction::DeviceCountOut;
using compaction::ItemCount;
using compaction::SelectedCount;
using simt::Span;

/// A count in 32 or 64 bits.
template <class Device>
class CountBuffer {
 public:
  CountBuffer(Device& device, bool wide, uint64_t count)
      : wide_(wide),
        count64_(device, to_bytes<uint64_t>({count})),
        count32_(device, to_bytes<uint32_t>({uint32_t(count)})) {}

  DeviceCount in() const {
    return wide_ ? DeviceCount(count64_.data()) : DeviceCount(count32_.data());
  }
  DeviceCountOut out() const {
    return wide_ ? DeviceCountOut(count64_.data()) : DeviceCountOut(count32_.data());
  }
  uint64_t read() const { return wide_ ? count64_.read_one() : count32_.read_one(); }

 private:
  bool wide_;
  PlacedBuffer<uint64_t, Device> count64_;
  PlacedBuffer<uint32_t, Device> count32_;
};

/// Size of the outputs: as many items as are written.
inline size_t places(const SelectProblem& problem) {
  size_t kept =
      problem.keep.size() - size_t(std::count(problem.keep.begin(), problem.keep.end(), 0));
  return std::min(kept, size_t(problem.out_capacity));
}

/// The device, and a workspace that all calls share.
template <class Calls>
class SelectsOn : public Selects {
 public:
  using Device = typename Calls::Device;

  template <class... Args>
  explicit SelectsOn(Args... args)
      : device_(args...), kept_workspace_(device_, kKeptBytes, 0, End::kGuarded, 0) {}

  SelectResult select(const SelectProblem& problem) override {
    switch (problem.select) {
      case Select::kItems:
        return with_item(problem.item_bytes, [&](auto item) {
          return select_items<decltype(item)>(problem, IsKept());
        });
      case Select::kCountedItems:
        return count_calls(problem, [&](Span<uint32_t> calls) {
          return select_items<Item<4, 4>>(problem, IsKeptAndCounted{calls});
        });
      case Select::kCountedLarge:
        return count_calls(problem, [&](Span<uint32_t> calls) {
          return select_items<Item<20, 4>>(problem, IsKeptAndCounted{calls});
        });
      case Select::kItemIndices:
      case Select::kItemsAndIndices:
      case Select::kItemsAndColumns:
        return select_from_items(problem);
      case Select::kFlagged:
      case Select::kFlaggedIndices:
      case Select::kFlaggedColumns:
        return select_flagged(problem);
      case Select::kMasked:
      case Select::kMaskedIndices:
        return select_masked(problem);
      case Select::kIndices:
      case Select::kIndexColumns:
        return count_calls(problem,
                           [&](Span<uint32_t> calls) { return select_indices(problem, calls); });
    }
    throw std::logic_error("no such select");
  }

  PartitionResult partition(Partition partition, const SelectProblem& problem) override {
    if (partition == Partition::kIntoTwo)
      return with_item(problem.item_bytes,
                       [&](auto item) { return partition_into_two<decltype(item)>(problem); });
    if (partition == Partition::kIntoOneReversed)
      return with_item(problem.item_bytes, [&](auto item) {
        return partition_into_one_reversed<decltype(item)>(problem);
      });
    switch (problem.item_bytes) {
      case 1:
        return partition_into_one<Item<1, 1>>(problem);
      case 16:
        return partition_into_one<Item<16, 16>>(problem);
    }
    return partition_into_one<Item<4, 4>>(problem);
  }

  uint64_t tile_items(unsigned item_bytes) override {
    return with_item(item_bytes, [](auto item) {
      using Job = typename SelectItems<decltype(item), IsKept>::Job;
      return uint64_t(Calls::template kShape<Job>.tile_chunks()) * Job::kChunkItems;
    });
  }
  uint64_t window_tiles() override {
    return Calls::template kShape<typename SelectItems<Item<4, 4>, IsKept>::Job>.reads *
           simt::kWarpSize;
  }
  uint64_t blocks() override { return device_.launcher().multiprocessors(); }

 private:
  template <class T>
  using Buffer = PlacedBuffer<T, Device>;

  /// The number of items, on the device if the problem requires it.
  struct Count {
    Count(Device& device, const SelectProblem& problem)
        : on_device(device, problem.wide_count, problem.keep.size() + problem.surplus) {
      n.capacity = problem.count_on_device ? problem.capacity : problem.keep.size();
      if (problem.count_on_device) n.on_device = on_device.in();
    }
    CountBuffer<Device> on_device;
    ItemCount n;
  };

  /// Column `c` of a problem.
  template <class T>
  struct ColumnBuffers {
    ColumnBuffers(Device& device, const SelectProblem& problem, size_t c)
        : in(device, make_items(sizeof(T), problem.keep, uint32_t(c)), problem.offsets.in,
             End::kOpen),
          out(device, places(problem), problem.offsets.out) {}
    compaction::Column<T> column() const { return {in.data(), out.data()}; }

    Buffer<T> in, out;
  };

  template <class T, class Predicate>
  struct SelectItems {
    static auto source(const T* in, Predicate predicate) {
      if constexpr (simt::kHasVectors<T>)
        return compaction::ItemsIf<T, Predicate>{in, predicate};
      else if constexpr (simt::kFillsVectors<T>)
        return compaction::MultiVectorItemsIf<T, Predicate>{in, predicate};
      else
        return compaction::WordItemsIf<T, Predicate>{in, predicate};
    }
    static auto sink(T* out) {
      if constexpr (simt::kHasVectors<T>)
        return compaction::WriteItems<T>{out};
      else if constexpr (simt::kHasWords<T>)
        return compaction::WriteWords<T>(out);
      else
        return compaction::WriteBytes<T>(out);
    }
    using Source = decltype(source(nullptr, std::declval<Predicate>()));
    using Sink = decltype(sink(nullptr));
    using Job = compaction::SelectJob<Source, Sink>;
  };

  /// Runs `call(workspace)` in a workspace of `bytes`.
  template <class Call>
  void in_workspace(const SelectProblem& problem, size_t bytes, Call call) {
    if (problem.exact_workspace) {
      Buffer<std::byte> workspace(device_, bytes, 0, End::kGuarded, 0);
      call(workspace.span());
      device_.finish();
      workspace.read();
    } else {
      if (bytes > kept_workspace_.span().size) throw std::logic_error("the workspace is too small");
      call(kept_workspace_.span());
      device_.finish();
    }
  }

  template <class Source, class Sink>
  SelectResult run(const SelectProblem& problem, const Source& source, const Sink& sink) {
    Count count(device_, problem);
    CountBuffer<Device> selected(device_, problem.wide_count, kGarbage);
    Buffer<uint32_t> overflowed(device_, 1);
    SelectedCount result{.count = selected.out(),
                         .capacity = problem.out_capacity,
                         .overflowed = overflowed.data(),
                         .in_place = problem.in_place};
    in_workspace(problem, Calls::template select_bytes<Source, Sink>(count.n.capacity),
                 [&](Span<std::byte> workspace) {
                   Calls::select(device_, source, sink, count.n, result, workspace);
                 });
    if (count.on_device.read() != problem.keep.size() + problem.surplus)
      throw std::runtime_error("a kernel changed the count of items");
    return {{}, selected.read(), overflowed.read_one(), {}};
  }

  /// Runs `select(calls)` with counters for all items.
  template <class Run>
  SelectResult count_calls(const SelectProblem& problem, Run select) {
    Buffer<uint32_t> calls(device_, problem.keep.size(), 0, End::kGuarded, 0);
    SelectResult result = select(calls.span());
    result.calls = from_bytes<uint32_t>(calls.read());
    return result;
  }

  template <class T, class Predicate>
  SelectResult select_items(const SelectProblem& problem, Predicate predicate) {
    using Types = SelectItems<T, Predicate>;
    Bytes items = make_items(sizeof(T), problem.keep);
    Buffer<T> in(device_, items, problem.offsets.in, End::kOpen);
    Buffer<T> separate(device_, places(problem), problem.offsets.out);
    Buffer<T>& out = problem.in_place ? in : separate;
    SelectResult result =
        run(problem, Types::source(in.data(), predicate), Types::sink(out.data()));
    Bytes written = out.read();
    if (problem.in_place) {
      size_t selected = places(problem) * sizeof(T);
      if (!std::equal(written.begin() + ptrdiff_t(selected), written.end(),
                      items.begin() + ptrdiff_t(selected)))
        throw std::runtime_error("a kernel wrote behind the selected items");
      written.resize(selected);
    } else if (in.read() != items) {
      throw std::runtime_error("a kernel changed its input");
    }
    result.outputs = {written};
    return result;
  }

  /// Selects the indices of the items that `source` selects.
  template <class Index, class Source>
  SelectResult to_indices(const SelectProblem& problem, const Source& source) {
    Buffer<Index> indices(device_, places(problem), problem.offsets.out);
    SelectResult result = run(problem, source, compaction::WriteIndices<Index>(indices.data()));
    result.outputs = {indices.read()};
    return result;
  }

  /// Selects columns of T by `source`, and writes what `sink_of(columns)` adds to them.
  template <class... T, class Source, class SinkOf>
  SelectResult to_columns(const SelectProblem& problem, const Source& source, SinkOf sink_of) {
    auto run_on = [&](const auto&... columns) {
      SelectResult result =
          run(problem, source, sink_of(compaction::WriteColumns<T...>(columns.column()...)));
      result.outputs = {columns.out.read()...};
      return result;
    };
    auto run_all = [&]<size_t... c>(std::index_sequence<c...>) {
      return run_on(ColumnBuffers<T>(device_, problem, c)...);
    };
    return run_all(std::index_sequence_for<T...>());
  }
  template <class... T, class Source>
  SelectResult to_columns(const SelectProblem& problem, const Source& source) {
    return to_columns<T...>(problem, source, [](const auto& columns) { return columns; });
  }

  SelectResult select_from_items(const SelectProblem& problem) {
    using T = Item<4, 4>;
    using compaction::WriteBoth;
    Buffer<T> in(device_, make_items(sizeof(T), problem.keep), problem.offsets.in, End::kOpen);
    compaction::ItemsIf<T, IsKept> source{in.data(), {}};
    if (problem.select == Select::kItemIndices) return to_indices<uint32_t>(problem, source);

    Buffer<T> items(device_, places(problem), problem.offsets.out);
    compaction::WriteItems<T> write_items{items.data()};
    SelectResult result;
    if (problem.select == Select::kItemsAndIndices) {
      Buffer<uint64_t> indices(device_, places(problem));
      compaction::WriteIndices<uint64_t> write_indices(indices.data());
      result = run(
          problem, source,
          WriteBoth<decltype(write_items), decltype(write_indices)>{write_items, write_indices});
      result.outputs = {indices.read()};
    } else {
      result = to_columns<Item<1, 1>, Item<16, 16>, Item<8, 8>>(
          problem, source, [&]<class Columns>(const Columns& columns) {
            return WriteBoth<decltype(write_items), Columns>{write_items, columns};
          });
    }
    result.outputs.insert(result.outputs.begin(), items.read());
    return result;
  }

  SelectResult select_flagged(const SelectProblem& problem) {
    Buffer<uint8_t> flags(device_, problem.keep, problem.offsets.in, End::kOpen);
    compaction::Flagged source{flags.data()};
    if (problem.select == Select::kFlaggedIndices) return to_indices<uint32_t>(problem, source);
    if (problem.select == Select::kFlagged) return to_columns<Item<4, 4>>(problem, source);
    return to_columns<Item<4, 4>, Item<1, 1>, Item<16, 16>, Item<12, 4>>(problem, source);
  }

  SelectResult select_masked(const SelectProblem& problem) {
    constexpr size_t kBits = 32;
    const size_t n = problem.keep.size();
    std::vector<uint32_t> words((n + kBits - 1) / kBits, ~0u);  // bits beyond n are set
    for (size_t i = 0; i < n; ++i)
      if (problem.keep[i] == 0) words[i / kBits] &= ~(1u << i % kBits);
    Buffer<uint32_t> mask(device_, to_bytes(words), problem.offsets.in, End::kOpen);
    compaction::Masked source{mask.data()};
    if (problem.select == Select::kMaskedIndices) return to_indices<uint64_t>(problem, source);
    return to_columns<Item<4, 4>>(problem, source);
  }

  SelectResult select_indices(const SelectProblem& problem, Span<uint32_t> calls) {
    Buffer<uint8_t> keep(device_, problem.keep);
    compaction::IndicesIf<IndexIsKept> source{{keep.span(), calls}};
    if (problem.select == Select::kIndices) return to_indices<uint64_t>(problem, source);
    return to_columns<Item<100, 4>, Item<2, 2>>(problem, source);
  }

  template <class T>
  PartitionResult partition_into_two(const SelectProblem& problem) {
    using Types = SelectItems<T, IsKept>;
    using Source = typename Types::Source;
    const size_t n = problem.keep.size(), kept = places(problem);
    Buffer<T> in(device_, make_items(sizeof(T), problem.keep), problem.offsets.in, End::kOpen);
    Buffer<T> selected(device_, kept, problem.offsets.out);
    Buffer<T> rejected(device_, n - kept, problem.offsets.rejected);
    Count count(device_, problem);
    CountBuffer<Device> selected_count(device_, problem.wide_count, kGarbage);
    in_workspace(
        problem, Calls::template partition_bytes<T, Source, typename Types::Sink>(count.n.capacity),
        [&](Span<std::byte> workspace) {
          Calls::template partition<T>(device_, Source{in.data(), {}}, Types::sink(selected.data()),
                                       Types::sink(rejected.data()), count.n,
                                       SelectedCount{.count = selected_count.out()}, workspace);
        });
    return {selected.read(), rejected.read(), selected_count.read()};
  }

  template <class T>
  PartitionResult partition_into_one_reversed(const SelectProblem& problem) {
    using Types = SelectItems<T, IsKept>;
    const size_t n = problem.keep.size();
    Buffer<T> in(device_, make_items(sizeof(T), problem.keep), problem.offsets.in, End::kOpen);
    Buffer<T> out(device_, n, problem.offsets.out);
    Count count(device_, problem);
    CountBuffer<Device> selected_count(device_, problem.wide_count, kGarbage);
    in_workspace(
        problem,
        Calls::template partition_in_one_reversed_bytes<typename Types::Source,
                                                        typename Types::Sink>(count.n.capacity),
        [&](Span<std::byte> workspace) {
          Calls::partition_in_one_reversed(device_, Types::source(in.data(), {}),
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
    Buffer<T> in(device_, make_items(sizeof(T), problem.keep), problem.offsets.in, End::kOpen);
    Buffer<T> out(device_, n, problem.offsets.out);
    Count count(device_, problem);
    Buffer<uint64_t> selected_count(device_, 1);
    Buffer<compaction::ChunkMarks> marks(device_, compaction::partition_marks<T>(count.n.capacity));
    in_workspace(problem, Calls::template partition_in_one_bytes<T, IsKept>(count.n.capacity),
                 [&](Span<std::byte> workspace) {
                   Calls::partition_in_one(device_, compaction::ItemsIf<T, IsKept>{in.data(), {}},
                                           out.data(), count.n, selected_count.data(), marks.data(),
                                           workspace);
                 });
    marks.read();
    uint64_t kept = selected_count.read_one();
    Bytes all = out.read();
    if (kept > n) throw std::runtime_error("more items are selected than there are");
    auto boundary = all.begin() + ptrdiff_t(kept * sizeof(T));
    return {{all.begin(), boundary}, {boundary, all.end()}, kept};
  }

  static constexpr uint64_t kGarbage = 0xA5A5A5A5A5A5A5A5;  // initial value of counts
  static constexpr size_t kKeptBytes = 1 << 18;             // more than any call needs

  Device device_;
  Buffer<std::byte> kept_workspace_;
};

}  // namespace fast_on

}  // namespace
