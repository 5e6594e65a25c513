// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "tests/compaction/support/backend_test.h"
#include "tests/compaction/support/guarded_buffer.h"

// Common parts of the tests of select and partition.

namespace {

/// The expected outputs of a problem, regardless of their capacity.
inline std::vector<Bytes> expected_outputs(const SelectProblem& problem) {
  const Bytes& keep = problem.keep;
  auto items = [&](unsigned bytes) {
    return fast::reference_select(fast::make_items(bytes, keep), bytes, keep);
  };
  auto column = [&](unsigned bytes, unsigned number) {
    return fast::reference_select(fast::make_items(bytes, keep, number), bytes, keep);
  };
  auto indices = [&]<class Index>(Index) {
    std::vector<Index> selected;
    for (size_t i = 0; i < keep.size(); ++i)
      if (keep[i]) selected.push_back(Index(i));
    return fast::to_bytes(selected);
  };
  switch (problem.select) {
    case Select::kItems:
      return {items(problem.item_bytes)};
    case Select::kCountedItems:
      return {items(4)};
    case Select::kCountedLarge:
      return {items(20)};
    case Select::kItemIndices:
    case Select::kFlaggedIndices:
      return {indices(uint32_t())};
    case Select::kMaskedIndices:
    case Select::kIndices:
      return {indices(uint64_t())};
    case Select::kItemsAndIndices:
      return {items(4), indices(uint64_t())};
    case Select::kItemsAndColumns:
      return {items(4), column(1, 0), column(16, 1), column(8, 2)};
    case Select::kFlagged:
    case Select::kMasked:
      return {column(4, 0)};
    case Select::kFlaggedColumns:
      return {column(4, 0), column(1, 1), column(16, 2), column(12, 3)};
    case Select::kIndexColumns:
      return {column(100, 0), column(2, 1)};
  }
  return {};
}

constexpr const char* outputs_of(Partition partition) {
  switch (partition) {
    case Partition::kIntoTwo:
      return "into two";
    case Partition::kIntoOne:
      return "into one";
    case Partition::kIntoOneReversed:
      return "into one, reversed";
  }
  return "";
}

class OnSelects : public OnBackend {
 protected:
  void SetUp() override {
    OnBackend::SetUp();
    if (!IsSkipped()) selects_ = GetParam().make_selects();
  }

  void expect_right(const SelectProblem& problem) {
    SCOPED_TRACE(testing::Message()
                 << problem.keep.size() << " items, select " << int(problem.select) << " of "
                 << problem.item_bytes << " bytes, offsets " << problem.offsets.in << " and "
                 << problem.offsets.out << (problem.in_place ? ", in place" : "")
                 << (problem.count_on_device ? ", counted on the device" : ""));
    fast::SelectResult result = selects_->select(problem);
    std::vector<Bytes> expected = expected_outputs(problem);
    uint64_t kept = uint64_t(std::count_if(problem.keep.begin(), problem.keep.end(),
                                           [](uint8_t keep) { return keep != 0; }));
    ASSERT_EQ(result.count, kept);
    EXPECT_EQ(result.overflowed, kept > problem.out_capacity ? 1u : 0u);
    ASSERT_EQ(result.outputs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      if (problem.out_capacity < kept)
        expected[i].resize(expected[i].size() / kept * problem.out_capacity);
      ASSERT_EQ(result.outputs[i].size(), expected[i].size()) << "output " << i;
      auto difference =
          std::mismatch(expected[i].begin(), expected[i].end(), result.outputs[i].begin()).first;
      ASSERT_TRUE(difference == expected[i].end())
          << "output " << i << ", byte " << difference - expected[i].begin();
    }
    EXPECT_TRUE(std::all_of(result.calls.begin(), result.calls.end(),
                            [](uint32_t calls) { return calls == 1; }));
  }

  void expect_right(Partition partition, const SelectProblem& problem) {
    SCOPED_TRACE(testing::Message()
                 << problem.keep.size() << " items of " << problem.item_bytes << " bytes, "
                 << outputs_of(partition) << ", offsets " << problem.offsets.in << ", "
                 << problem.offsets.out << " and " << problem.offsets.rejected);
    fast::PartitionResult result = selects_->partition(partition, problem);
    Bytes items = fast::make_items(problem.item_bytes, problem.keep);
    Bytes selected = fast::reference_select(items, problem.item_bytes, problem.keep);
    Bytes rejected = fast::reference_select(items, problem.item_bytes, problem.keep, false);
    ASSERT_EQ(result.count, selected.size() / problem.item_bytes);
    ASSERT_TRUE(result.selected == selected);
    ASSERT_TRUE(result.rejected == rejected);
  }

  std::unique_ptr<fast::Selects> selects_;
};

/// Flags in patterns that are aligned to warps and tiles in different ways.
inline std::vector<Bytes> keep_patterns(uint64_t tile, uint64_t n) {
  std::vector<Bytes> patterns;
  for (double density : {0.0, 0.01, 0.5, 0.99, 1.0})
    patterns.push_back(fast::random_keep(n, density));
  for (uint64_t run : {uint64_t(1), uint64_t(31), uint64_t(32), uint64_t(33), tile, 2 * tile + 1}) {
    Bytes keep(n);
    for (uint64_t i = 0; i < n; ++i) keep[i] = i / run % 2;
    patterns.push_back(keep);
  }
  return patterns;
}

constexpr Select kAllSelects[] = {
    Select::kItems,           Select::kItemIndices,  Select::kItemsAndIndices,
    Select::kItemsAndColumns, Select::kFlagged,      Select::kFlaggedIndices,
    Select::kFlaggedColumns,  Select::kMasked,       Select::kMaskedIndices,
    Select::kIndices,         Select::kIndexColumns, Select::kCountedItems,
    Select::kCountedLarge};

}  // namespace
