// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/grid/tile_states.h"
#include "compaction/group/warp.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// An operator: `op` with its operands in reverse order.
template <class T, Operator<T> Op>
struct Reversed {
  const Op& op;

  SIMT_HOST_DEVICE T identity() const { return op.identity(); }
  SIMT_HOST_DEVICE T operator()(const T& a, const T& b) const { return op(b, a); }
};

/// Combines the values of a window of 32 tiles. Lane 0 holds the last tile and receives the result.
template <class T, Operator<T> Op>
SIMT_KERNEL T combine_window(simt::Warp auto warp, const T& value, const Op& op) {
  if constexpr (std::is_same_v<Op, Sum<uint32_t>>)
    return warp_sum(warp, value);  // one instruction if the device has it
  else
    return warp_reduce(warp, value, Reversed<T, Op>{op});
}

/// Publishes the state of `tile` and returns its exclusive prefix: the aggregates of all earlier
/// tiles, combined in order. One warp; all lanes pass the same arguments and receive the result.
///
///     tile        4    5    6    7    8      seen by tile 8; P inclusive prefix, A aggregate
///     status      A    P    A    A
///     lane        3    2    1    0           P5 includes tiles 0 to 4: prefix P5 op A6 op A7
///
/// The warp reads 32 tiles per step, from the nearest tile backwards, until one of them has
/// published its inclusive prefix. It waits only for tiles whose state is invalid, so no tile waits
/// for the prefix of a predecessor.
///
/// @param states     a TileStates<T>; each tile of the call publishes its state by this function
/// @param epoch epoch of the call
/// @param aggregate combined items of `tile`
/// @param op an operator, which need not be commutative
/// Takes one step if one of the 32 previous tiles has published its prefix, the usual case. Ends
/// the launch with an error if a predecessor publishes nothing for seconds. Merrill & Garland,
/// "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
template <class States, class T, Operator<T> Op>
SIMT_KERNEL T look_back(simt::Warp auto warp, const States& states, uint32_t epoch, uint32_t tile,
                        const T& aggregate, const Op& op) {
  unsigned lane = warp.thread_rank();
  if (lane == 0 && tile > 0) states.publish(tile, epoch, TileStatus::kAggregate, aggregate);

  T prefix = op.identity();  // in lane 0
  for (int64_t nearest = int64_t(tile) - 1;; nearest -= simt::kWarpSize) {
    int64_t predecessor = nearest - lane;
    typename TileStates<T>::State state{TileStatus::kInclusivePrefix, op.identity()};
    // The prefix of tile 0 is the identity.
    if (predecessor >= 0) state = states.wait(uint32_t(predecessor), epoch);

    uint32_t prefixes = warp.ballot(state.status == TileStatus::kInclusivePrefix);
    bool counts = lane <= simt::first_set(prefixes);  // the nearest prefix includes the rest
    T window = combine_window(warp, counts ? state.value : T(op.identity()), op);
    prefix = op(window, prefix);
    if (prefixes != 0) break;
  }

  if (lane == 0) states.publish(tile, epoch, TileStatus::kInclusivePrefix, op(prefix, aggregate));
  return shuffle_item(warp, prefix, 0);
}

}  // namespace compaction
