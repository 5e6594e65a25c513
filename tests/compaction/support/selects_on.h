// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <stdexcept>
#include <vector>

#include "compaction/partition.h"
#include "compaction/select.h"
#include "tests/compaction/support/backends.h"
#include "tests/compaction/support/select_call.h"

// Included by one .cpp for the host executor and by one .cu for CUDA. `Calls` defines how a select
// is called there, and on which `Device`.

namespace {

namespace fast_on {

template <class Calls>
class SelectsOn : public CallOn<Calls> {
  using Base = CallOn<Calls>;
  using typename Base::Count;
  using typename Base::Device;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;
  template <class T>
  using ColumnBuffers = typename Base::template ColumnBuffers<T>;
  template <class T, class Predicate>
  using SelectItems = typename Base::template SelectItems<T, Predicate>;
  using Base::count_calls;
  using Base::device_;
  using Base::in_workspace;
  using Base::kGarbage;
  using Base::run;

 public:
  using Base::Base;

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
          return select_items<Item<12, 4>>(problem, IsKeptAndCounted{calls});
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
  template <class T, class Predicate>
  SelectResult select_items(const SelectProblem& problem, Predicate predicate) {
    using Types = SelectItems<T, Predicate>;
    Bytes items = make_items(sizeof(T), problem.keep);
    Buffer<T> in(device_, items, problem.offsets.in, End::kOpen);
    Buffer<T> separate(device_, Base::places(problem), problem.offsets.out);
    Buffer<T>& out = problem.in_place ? in : separate;
    SelectResult result = run(problem, typename Types::Source{in.data(), predicate},
                              Types::sink(in.data(), out.data()));
    Bytes written = out.read();
    if (problem.in_place) {
      size_t selected = Base::places(problem) * sizeof(T);
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

  SelectResult select_from_items(const SelectProblem& problem) {
    using T = Item<4, 4>;
    const size_t places = Base::places(problem);
    Buffer<T> in(device_, make_items(sizeof(T), problem.keep), problem.offsets.in, End::kOpen);
    Buffer<T> items(device_, places, problem.offsets.out);
    compaction::ItemsIf<T, IsKept> source{in.data(), {}};
    compaction::WriteItems<T> write_items{items.data()};
    SelectResult result;
    if (problem.select == Select::kItemIndices) {
      Buffer<uint32_t> indices(device_, places, problem.offsets.out);
      result = run(problem, source, compaction::WriteIndices<uint32_t>(indices.data()));
      result.outputs = {indices.read()};
    } else if (problem.select == Select::kItemsAndIndices) {
      Buffer<uint64_t> indices(device_, places);
      compaction::WriteIndices<uint64_t> write_indices(indices.data());
      result = run(problem, source,
                   compaction::WriteBoth<decltype(write_items), decltype(write_indices)>{
                       write_items, write_indices});
      result.outputs = {items.read(), indices.read()};
    } else {
      ColumnBuffers<Item<1, 1>> a(device_, problem, places, 0);
      ColumnBuffers<Item<16, 16>> b(device_, problem, places, 1);
      ColumnBuffers<Item<8, 8>> c(device_, problem, places, 2);
      using Columns = compaction::WriteColumns<Item<1, 1>, Item<16, 16>, Item<8, 8>>;
      result = run(problem, source,
                   compaction::WriteBoth<decltype(write_items), Columns>{
                       write_items, Columns(a.column(), b.column(), c.column())});
      result.outputs = {items.read(), a.out.read(), b.out.read(), c.out.read()};
    }
    return result;
  }

  SelectResult select_flagged(const SelectProblem& problem) {
    const size_t places = Base::places(problem);
    Buffer<uint8_t> flags(device_, problem.keep, problem.offsets.in, End::kOpen);
    compaction::Flagged source{flags.data()};
    SelectResult result;
    if (problem.select == Select::kFlaggedIndices) {
      Buffer<uint32_t> indices(device_, places, problem.offsets.out);
      result = run(problem, source, compaction::WriteIndices<uint32_t>(indices.data()));
      result.outputs = {indices.read()};
      return result;
    }
    ColumnBuffers<Item<4, 4>> a(device_, problem, places, 0);
    if (problem.select == Select::kFlagged) {
      result = run(problem, source, compaction::WriteColumns<Item<4, 4>>(a.column()));
      result.outputs = {a.out.read()};
      return result;
    }
    ColumnBuffers<Item<1, 1>> b(device_, problem, places, 1);
    ColumnBuffers<Item<16, 16>> c(device_, problem, places, 2);
    ColumnBuffers<Item<12, 4>> d(device_, problem, places, 3);
    using Columns = compaction::WriteColumns<Item<4, 4>, Item<1, 1>, Item<16, 16>, Item<12, 4>>;
    result = run(problem, source, Columns(a.column(), b.column(), c.column(), d.column()));
    result.outputs = {a.out.read(), b.out.read(), c.out.read(), d.out.read()};
    return result;
  }

  SelectResult select_masked(const SelectProblem& problem) {
    const size_t n = problem.keep.size(), places = Base::places(problem);
    constexpr size_t kBits = 32;
    std::vector<uint32_t> words((n + kBits - 1) / kBits, ~0u);  // bits beyond n are set
    for (size_t i = 0; i < n; ++i)
      if (problem.keep[i] == 0) words[i / kBits] &= ~(1u << i % kBits);
    Bytes bytes(words.size() * sizeof(uint32_t));
    if (n > 0) std::memcpy(bytes.data(), words.data(), bytes.size());
    Buffer<uint32_t> mask(device_, bytes, problem.offsets.in, End::kOpen);
    compaction::Masked source{mask.data()};
    SelectResult result;
    if (problem.select == Select::kMaskedIndices) {
      Buffer<uint64_t> indices(device_, places, problem.offsets.out);
      result = run(problem, source, compaction::WriteIndices<uint64_t>(indices.data()));
      result.outputs = {indices.read()};
    } else {
      ColumnBuffers<Item<4, 4>> a(device_, problem, places, 0);
      result = run(problem, source, compaction::WriteColumns<Item<4, 4>>(a.column()));
      result.outputs = {a.out.read()};
    }
    return result;
  }

  SelectResult select_indices(const SelectProblem& problem, Span<uint32_t> calls) {
    const size_t places = Base::places(problem);
    Buffer<uint8_t> keep(device_, problem.keep);
    compaction::IndicesIf<IndexIsKept> source{{keep.span(), calls}};
    SelectResult result;
    if (problem.select == Select::kIndices) {
      Buffer<uint64_t> indices(device_, places, problem.offsets.out);
      result = run(problem, source, compaction::WriteIndices<uint64_t>(indices.data()));
      result.outputs = {indices.read()};
    } else {
      ColumnBuffers<Item<100, 4>> a(device_, problem, places, 0);
      ColumnBuffers<Item<2, 2>> b(device_, problem, places, 1);
      result = run(problem, source,
                   compaction::WriteColumns<Item<100, 4>, Item<2, 2>>(a.column(), b.column()));
      result.outputs = {a.out.read(), b.out.read()};
    }
    return result;
  }

  template <class T>
  PartitionResult partition_into_two(const SelectProblem& problem) {
    using Types = SelectItems<T, IsKept>;
    using Source = typename Types::Source;
    using Sink = typename Types::Sink;
    const size_t n = problem.keep.size(), kept = Base::places(problem);
    Buffer<T> in(device_, make_items(sizeof(T), problem.keep), problem.offsets.in, End::kOpen);
    Buffer<T> selected(device_, kept, problem.offsets.out);
    Buffer<T> rejected(device_, n - kept, problem.offsets.rejected);
    Count count(device_, problem);
    CountBuffer<Device> selected_count(device_, problem.wide_count, kGarbage);
    in_workspace(problem, Calls::template partition_bytes<T, Source, Sink>(count.n.capacity),
                 [&](Span<std::byte> workspace) {
                   Calls::template partition<T>(
                       device_, Source{in.data(), {}}, Types::sink(in.data(), selected.data()),
                       Types::sink(in.data(), rejected.data()), count.n,
                       SelectedCount{.count = selected_count.out()}, workspace);
                 });
    return {selected.read(), rejected.read(), selected_count.read()};
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
};

}  // namespace fast_on

}  // namespace
