// SPDX-License-Identifier: MIT
#pragma once

#include "tests/compaction/support/selects_on.h"

namespace fast_on {

template <class T, class Calls, class Predicate>
SelectResult select_items(SelectDevice<Calls>& device, const SelectProblem& problem,
                          Predicate predicate) {
  using Types = SelectItems<T, Predicate>;
  using Buffer = typename SelectDevice<Calls>::template Buffer<T>;
  Bytes items = make_items(sizeof(T), problem.keep);
  Buffer in(device.device(), items, problem.offsets.in, End::kOpen);
  Buffer separate(device.device(), places(problem), problem.offsets.out);
  Buffer& out = problem.in_place ? in : separate;
  SelectResult result =
      device.run(problem, Types::source(in.data(), predicate), Types::sink(out.data()));
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

template <class Calls>
SelectResult select_items(SelectDevice<Calls>& device, const SelectProblem& problem) {
  switch (problem.select) {
    case Select::kCountedItems:
      return device.count_calls(problem, [&](Span<uint32_t> calls) {
        return select_items<Item<4, 4>>(device, problem, IsKeptAndCounted{calls});
      });
    case Select::kCountedLarge:
      return device.count_calls(problem, [&](Span<uint32_t> calls) {
        return select_items<Item<20, 4>>(device, problem, IsKeptAndCounted{calls});
      });
    default:
      return with_item(problem.item_bytes, [&](auto item) {
        return select_items<decltype(item)>(device, problem, IsKept());
      });
  }
}

}  // namespace fast_on
