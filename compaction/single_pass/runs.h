// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/single_pass/loads.h"
#include "compaction/single_pass/run_lengths_job.h"
#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/runs_job.h"
#include "compaction/single_pass/select.h"

// Runs are consecutive items with equal keys. These functions find their first items and lengths,
// and combine their values.

namespace compaction {

/// The default equality of items of a run.
struct Equals {
  template <class T>
  SIMT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return a == b;
  }
};

/// Returns the bytes of workspace of unique() for up to `capacity` items; grows with it.
template <class T, class Equal = Equals>
size_t unique_bytes(uint64_t capacity) {
  return select_bytes<FirstsOfRuns<T, Equal>, WriteItems<T>>(capacity);
}

/// Writes the first item of each run of equal items, in order.
///
/// @param in         [n], n <= 2^40
/// @param out        [>= runs, or result.capacity]; must not overlap `in`
/// @param result     receives the number of runs
/// @param equal      called exactly once for each pair of neighbours
/// @param workspace  [>= unique_bytes<T, Equal>(capacity)], see run_pipeline()
/// Reads each item once. 1 kernel. Does not synchronize.
template <class Launcher, class T, class Equal = Equals>
void unique(Launcher& launcher, const T* in, T* out, ItemCount n, const SelectedCount& result,
            Span<std::byte> workspace, Equal equal = {}) {
  select(launcher, FirstsOfRuns<T, Equal>{in, equal}, WriteItems<T>{out}, n, result, workspace);
}

/// Returns the bytes of workspace of reduce_by_key() for up to `capacity` items; grows with it.
template <class Key, class Load, class Op, class Equal = Equals>
size_t reduce_by_key_bytes(uint64_t capacity) {
  return run_tiles_bytes<ReduceRunsJob<Key, Load, Op, Equal>>(capacity);
}

/// Combines the values of each run of equal keys, in order, in a single pass.
///
/// @param keys        [n], n <= 2^40
/// @param values      the value of item i is `values(i)` (single_pass/loads.h), called once
/// @param run_keys    [>= runs, or result.capacity] or null, receives the first key of each run
/// @param run_values  [>= runs, or result.capacity], receives the combination of its values
/// @param result      receives the number of runs
/// @param op          associative; called with values, the identity and results of itself
/// @param equal       called exactly once for each pair of neighbours
/// @param workspace   [>= reduce_by_key_bytes<...>(capacity)], see run_pipeline()
/// The outputs must not overlap anything else. Reads keys and values once. 1 kernel. Does not
/// synchronize. Tiles are combined in groups that depend on timing, so with an operator that is
/// associative only approximately the last bits of the results may differ from call to call.
template <class Launcher, class Key, class Load, class Op, class Equal = Equals>
void reduce_by_key(Launcher& launcher, const Key* keys, Load values, Key* run_keys,
                   Loaded<Load>* run_values, ItemCount n, const SelectedCount& result, Op op,
                   Span<std::byte> workspace, Equal equal = {}) {
  run_tiles(
      launcher,
      ReduceRunsJob<Key, Load, Op, Equal>{keys, values, op, equal, run_keys, run_values, result}, n,
      workspace);
}

/// The equality of flags that mark the first item of each segment: a set flag begins a run.
struct ContinuesSegment {
  SIMT_HOST_DEVICE bool operator()(uint8_t, uint8_t flag) const { return flag == 0; }
};

/// Returns the bytes of workspace of segmented_reduce() for up to `capacity` items; grows with it.
template <class Load, class Op>
size_t segmented_reduce_bytes(uint64_t capacity) {
  return reduce_by_key_bytes<uint8_t, Load, Op, ContinuesSegment>(capacity);
}

/// Combines the values of each segment, in order. Segments are not empty.
///
/// @param begins  [n], not 0 for the first item of each segment; begins[0] is not read
/// @param out     [>= segments, or result.capacity]
/// @param result  receives the number of segments
/// Otherwise like reduce_by_key().
template <class Launcher, class Load, class Op>
void segmented_reduce(Launcher& launcher, const uint8_t* begins, Load values, Loaded<Load>* out,
                      ItemCount n, const SelectedCount& result, Op op, Span<std::byte> workspace) {
  reduce_by_key(launcher, begins, values, static_cast<uint8_t*>(nullptr), out, n, result, op,
                workspace, ContinuesSegment());
}

/// Returns the bytes of workspace of run_length_encode() for up to `capacity` items; grows with it.
template <class T, class Length, class Equal = Equals>
size_t run_length_encode_bytes(uint64_t capacity) {
  return run_tiles_bytes<RunLengthsJob<T, Length, Equal>>(capacity);
}

/// Writes the first item and the length of each run of equal items. Otherwise like reduce_by_key().
template <class Launcher, class T, class Length, class Equal = Equals>
void run_length_encode(Launcher& launcher, const T* in, T* run_items, Length* run_lengths,
                       ItemCount n, const SelectedCount& result, Span<std::byte> workspace,
                       Equal equal = {}) {
  const RunLengthsJob<T, Length, Equal> job{
      {in, {1}, Sum<Length>(), equal, run_items, run_lengths, result}};
  run_tiles(launcher, job, n, workspace);
}

}  // namespace compaction
