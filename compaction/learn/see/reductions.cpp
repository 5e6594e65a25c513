// SPDX-License-Identifier: MIT
// The reductions that compaction-see shows. This source is instrumented, see recorder.h.

#include <numeric>

#include "compaction/ladder/multi_block_reduce.h"
#include "compaction/ladder/shuffle_reduce.h"
#include "compaction/learn/see/algorithm.h"
#include "compaction/single_pass/reduce.h"

namespace compaction::see {

namespace {

using simt::host::Trace;

/// Records `reduce(executor, in, n, result, workspace)` and compares the sum.
template <class Reduce>
Trace record_reduction(const Problem& problem, size_t workspace_bytes, Reduce reduce) {
  std::vector<uint32_t> in = digits(problem.n), result(1);
  Workspace workspace = workspace_of_words(workspace_bytes);
  std::vector<Watched> watched = {{"in", in}, {"result", result}, workspace.watched.front()};
  Trace trace = record_run(problem.schedule, watched, [&](simt::host::Executor& executor) {
    reduce(executor, span_of(in), problem.n, span_of(result), span_of(workspace.memory));
  });
  expect_result(trace, "result", result, {std::accumulate(in.begin(), in.end(), 0u)});
  return trace;
}

Trace see_naive_reduce(const Problem& problem) {
  return record_reduction(problem, naive_reduce_bytes<uint32_t>(problem.n),
                          [](auto&&... arguments) { naive_reduce(arguments...); });
}

Trace see_tree_reduce(const Problem& problem) {
  return record_reduction(problem, tree_reduce_bytes<uint32_t>(problem.n),
                          [](auto&&... arguments) { tree_reduce(arguments...); });
}

Trace see_shuffle_reduce(const Problem& problem) {
  return record_reduction(problem, shuffle_reduce_bytes<uint32_t>(problem.n),
                          [](auto&&... arguments) { shuffle_reduce(arguments...); });
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
