// SPDX-License-Identifier: MIT
#pragma once

#include "tests/compaction/support/selects_on.h"

namespace fast_on {

/// Selects from sources that are not items with a predicate, and into sinks that are not items.
template <class Calls>
class SourceSelects {
 public:
  explicit SourceSelects(SelectDevice<Calls>& device) : on_(device) {}

  SelectResult select(const SelectProblem& problem) {
    switch (problem.select) {
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
        return on_.count_calls(
            problem, [&](Span<uint32_t> calls) { return select_indices(problem, calls); });
      default:
        throw std::logic_error("no such select");
    }
  }

 private:
  template <class T>
  using Buffer = typename SelectDevice<Calls>::template Buffer<T>;
  template <class T>
  using ColumnBuffers = typename SelectDevice<Calls>::template ColumnBuffers<T>;

  /// Selects the indices of the items that `source` selects.
  template <class Index, class Source>
  SelectResult to_indices(const SelectProblem& problem, const Source& source) {
    Buffer<Index> indices(on_.device(), places(problem), problem.offsets.out);
    SelectResult result = on_.run(problem, source, compaction::WriteIndices<Index>(indices.data()));
    result.outputs = {indices.read()};
    return result;
  }

  /// Selects columns of T by `source`, and writes what `sink_of(columns)` adds to them.
  template <class... T, class Source, class SinkOf>
  SelectResult to_columns(const SelectProblem& problem, const Source& source, SinkOf sink_of) {
    auto run_on = [&](const auto&... columns) {
      SelectResult result =
          on_.run(problem, source, sink_of(compaction::WriteColumns<T...>(columns.column()...)));
      result.outputs = {columns.out.read()...};
      return result;
    };
    auto run_all = [&]<size_t... c>(std::index_sequence<c...>) {
      return run_on(ColumnBuffers<T>(on_.device(), problem, c)...);
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
    Buffer<T> in(on_.device(), make_items(sizeof(T), problem.keep), problem.offsets.in, End::kOpen);
    compaction::ItemsIf<T, IsKept> source{in.data(), {}};
    if (problem.select == Select::kItemIndices) return to_indices<uint32_t>(problem, source);

    Buffer<T> items(on_.device(), places(problem), problem.offsets.out);
    compaction::WriteItems<T> write_items{items.data()};
    SelectResult result;
    if (problem.select == Select::kItemsAndIndices) {
      Buffer<uint64_t> indices(on_.device(), places(problem));
      compaction::WriteIndices<uint64_t> write_indices(indices.data());
      result = on_.run(
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
    Buffer<uint8_t> flags(on_.device(), problem.keep, problem.offsets.in, End::kOpen);
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
    Buffer<uint32_t> mask(on_.device(), to_bytes(words), problem.offsets.in, End::kOpen);
    compaction::Masked source{mask.data()};
    if (problem.select == Select::kMaskedIndices) return to_indices<uint64_t>(problem, source);
    return to_columns<Item<4, 4>>(problem, source);
  }

  SelectResult select_indices(const SelectProblem& problem, Span<uint32_t> calls) {
    Buffer<uint8_t> keep(on_.device(), problem.keep);
    compaction::IndicesIf<IndexIsKept> source{{keep.span(), calls}};
    if (problem.select == Select::kIndices) return to_indices<uint64_t>(problem, source);
    return to_columns<Item<100, 4>, Item<2, 2>>(problem, source);
  }

  SelectDevice<Calls>& on_;
};

template <class Calls>
SelectResult select_from_sources(SelectDevice<Calls>& device, const SelectProblem& problem) {
  return SourceSelects<Calls>(device).select(problem);
}

}  // namespace fast_on
