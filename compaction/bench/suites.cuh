#pragma once

#include <cstdint>
#include <vector>

#include "compaction/bench/mask_file.h"
#include "compaction/bench/race.cuh"

// Each suite times one family of functions for all sizes and densities that the options name. The
// templates stand in *_suite.cuh and are instantiated in *_1.cu to *_16.cu, for items of as many
// bytes, so that they compile side by side.

namespace compaction::bench {

/// The library's fast path among the contenders.
inline constexpr const char* kOurs = "compaction";

template <class T>
void bench_select(Session& session);
template <class T>
void bench_partition(Session& session);
template <class T>
void bench_scan(Session& session);
template <class T>
void bench_reduce(Session& session);

/// Items of 64 bytes in four columns.
void bench_soa(Session& session);
/// A kernel that appends what it keeps beside one that copies.
void bench_append(Session& session);

/// Every rung of the ladder on 4-byte items, and the fast path and CUB for comparison.
void bench_ladder_reduce(Session& session);
void bench_ladder_scan(Session& session);
void bench_ladder_select(Session& session);

/// Ids and the columns of a path's state, selected by masks that a renderer recorded.
///
/// @param masks  [bounce]
void bench_masks(Session& session, const std::vector<Mask>& masks);

}  // namespace compaction::bench
