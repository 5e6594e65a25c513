// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "compaction/bench/cuda/race.cuh"
#include "compaction/tools/mask_file.h"

// Each suite times one family of functions for all types, sizes and densities of the options.

namespace compaction::bench {

void bench_select(Session& session);
void bench_partition(Session& session);
/// Select and partition of items that are not aligned to their size, of 2 to 64 bytes.
void bench_records(Session& session);
void bench_scan(Session& session);
void bench_reduce(Session& session);

/// Splits of items by their lower bits, and of indices by keys of one byte.
void bench_split(Session& session);

/// First items, lengths and sums of runs of equal keys.
void bench_runs(Session& session);

/// Items of 64 bytes in four columns.
void bench_columns(Session& session);
/// A kernel that appends the selected items, and one that copies.
void bench_append(Session& session);

/// Every rung of the ladder on 4-byte items, with the fast path and CUB for comparison.
void bench_ladder_reduce(Session& session);
void bench_ladder_scan(Session& session);
void bench_ladder_select(Session& session);

/// Ids and columns of path state, selected by masks that a renderer recorded.
///
/// @param masks  [bounce]
void bench_masks(Session& session, const std::vector<Mask>& masks);

}  // namespace compaction::bench
