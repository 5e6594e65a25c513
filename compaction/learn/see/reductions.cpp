// SPDX-License-Identifier: MIT
// The reductions that compaction-see shows. This source is instrumented, see recorder.h.

#include <numeric>

#include "compaction/ladder/multi_block_reduce.h"
#include "compaction/ladder/shuffle_reduce.h"
#include "compaction/learn/see/algorithm.h"
#include "compaction/single_pass/reduce.h"

namespace compaction::see {

namespace {

using simt::host::Cells;
using simt::host::Executor;
using simt::host::Trace;

struct ReduceMemory {
  explicit ReduceMemory(const Problem& problem, size_t workspace_bytes)
      : in(digits(problem.n)), sum(1), workspace(workspace_bytes) {}

  Span<const uint32_t> items() const { return {in.data(), in.size()}; }
  Span<uint32_t> result() { return {sum.data(), sum.size()}; }
  Span<std::byte> scratch() { return {workspace.data(), workspace.size()}; }

  std::vector<uint32_t> in, sum;
  std::vector<std::byte> workspace;
};

/// Records `launch(executor, memory)` and compares the sum.
Trace record_reduction(const Problem& problem, ReduceMemory& memory, Cells workspace_cells,
                       const std::function<void(Executor&)>& launch) {
  const uint32_t expected = std::accumulate(memory.in.begin(), memory.in.end(), 0u);
  Trace trace =
      record_run(problem.schedule,
                 {{"in", memory.in},
                  {"result", memory.sum},
                  {"workspace", memory.workspace.data(), memory.workspace.size(), workspace_cells}},
                 launch);
  expect_result(trace, "result", memory.sum, {expected});
  return trace;
}

Trace see_naive_reduce(const Problem& problem) {
  ReduceMemory memory(problem, naive_reduce_bytes<uint32_t>(problem.n));
  return record_reduction(problem, memory, Cells::kU32, [&](Executor& executor) {
    naive_reduce(executor, memory.items(), problem.n, memory.result(), memory.scratch());
  });
}

Trace see_tree_reduce(const Problem& problem) {
  ReduceMemory memory(problem, tree_reduce_bytes<uint32_t>(problem.n));
  return record_reduction(problem, memory, Cells::kU32, [&](Executor& executor) {
    tree_reduce(executor, memory.items(), problem.n, memory.result(), memory.scratch());
  });
}

Trace see_shuffle_reduce(const Problem& problem) {
  ReduceMemory memory(problem, shuffle_reduce_bytes<uint32_t>(problem.n));
  return record_reduction(problem, memory, Cells::kU32, [&](Executor& executor) {
    shuffle_reduce(executor, memory.items(), problem.n, memory.result(), memory.scratch());
  });
}

}  // namespace

std::vector<Algorithm> reductions() {
  return {
      {"reduce/naive",
       "A tree of sums in shared memory. Each step doubles the stride and halves the number of "
       "active lanes. They are spread over all warps, so every warp executes every step.",
       256, see_naive_reduce},
      {"reduce/tree",
       "A tree of sums in shared memory with the active threads side by side, so whole warps "
       "become idle. The array is padded, so the growing strides cause no bank conflicts.",
       512, see_tree_reduce},
      {"reduce/shuffle",
       "Each lane adds some items; each warp combines the sums of its lanes by shuffles, from "
       "register to register. Only the sums of the warps go through shared memory. One barrier is "
       "enough.",
       2048, see_shuffle_reduce},
  };
}

}  // namespace compaction::see
