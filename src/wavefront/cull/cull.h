// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "compaction/grid/item_count.h"
#include "compaction/ladder/ballot_select.h"
#include "compaction/ladder/look_back_select.h"
#include "compaction/ladder/scan_select.h"
#include "compaction/single_pass/select.h"
#include "wavefront/state/cull_modes.h"
#include "wavefront/state/queue.h"

namespace winnow {

// The culling passes. Each is a struct with two functions:
//   cull(launcher, job)        removes the entries of terminated paths from the work queue
//   workspace_bytes(capacity)  returns the bytes of CullJob::workspace for queues of up to
//                              `capacity` entries

/// The work queue that a culling pass compacts, and where it writes.
struct CullJob {
  WorkQueue work;
  WaveState* state;
  Paths paths;
  uint32_t max_entries;       ///< upper bound of the queue's size, known to the host
  uint32_t ping_pong;         ///< survivors go to lists[ping_pong], or from columns[ping_pong] to
                              ///< columns[1 - ping_pong]
  Span<std::byte> workspace;  ///< cull_workspace_bytes(), zeroed before its first use

  compaction::ItemCount entries() const { return {max_entries, &state->iteration.cull_entries}; }
  Span<uint32_t> survivors() const { return work.lists[ping_pong]; }
  Span<uint32_t> survivor_count() const { return {&state->iteration.culled_to, 1}; }
};

/// The active entries of a queue and their slots, as the ladder's algorithms read them.
struct Survivors {
  WorkQueue work;
  const WaveState* state;

  SIMT_HOST_DEVICE bool selected(uint32_t i) const {
    return work.alive[i / simt::kWarpSize] >> i % simt::kWarpSize & 1;
  }
  SIMT_HOST_DEVICE uint32_t value(uint32_t i) const { return work.items(*state)[i]; }
};

/// --cull scan: writes a flag for each entry, scans the flags (work-efficient exclusive scan) and
/// scatters the slots of the survivors. Stable.
///
/// 3 kernels for up to 512 entries, 5 for up to 512^2, 7 beyond. compaction/ladder/scan_select.h
/// Blelloch, "Prefix Sums and Their Applications", 1990.
struct ScanPass {
  template <class Launcher>
  static void cull(Launcher& launcher, const CullJob& job) {
    compaction::scan_select(launcher, Survivors{job.work, job.state}, job.entries(),
                            job.survivors(), job.survivor_count(), job.workspace);
  }
  static size_t workspace_bytes(uint32_t capacity) {
    return compaction::scan_select_bytes(capacity);
  }
};

/// --cull ballot: counts the survivors of each tile, scans the counts and scatters the slots of the
/// survivors by warp ballots. Stable.
///
/// 3 kernels for up to 2^20 entries, 5 for up to 2^29. compaction/ladder/ballot_select.h
/// Billeter, Olsson & Assarsson, "Efficient Stream Compaction on Wide SIMD Many-Core
/// Architectures", 2009.
struct BallotPass {
  template <class Launcher>
  static void cull(Launcher& launcher, const CullJob& job) {
    compaction::ballot_select(launcher, Survivors{job.work, job.state}, job.entries(),
                              job.survivors(), job.survivor_count(), job.workspace);
  }
  static size_t workspace_bytes(uint32_t capacity) {
    return compaction::ballot_select_bytes(capacity);
  }
};

/// --cull look-back: one pass over the entries. Each tile counts its survivors, finds the prefix of
/// the tiles before it by decoupled look-back, and writes the slots of its survivors. Stable.
///
/// 1 kernel. compaction/ladder/look_back_select.h
/// Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
struct LookBackPass {
  template <class Launcher>
  static void cull(Launcher& launcher, const CullJob& job) {
    compaction::look_back_select(launcher, Survivors{job.work, job.state}, job.entries(),
                                 job.survivors(), job.survivor_count(), job.workspace);
  }
  static size_t workspace_bytes(uint32_t capacity) {
    return compaction::look_back_select_bytes(capacity);
  }
};

inline compaction::Masked active_entries(const WorkQueue& work) {
  return {work.alive.data};
}

/// Writes the slots of selected entries to the queue's other list.
struct WriteSlots : compaction::StageSlots {
  using Fetched = uint32_t;
  static constexpr unsigned kFetchedBytes = sizeof(uint32_t);

  WorkQueue work;
  const WaveState* state;

  SIMT_HOST_DEVICE WriteSlots(const WorkQueue& work, const WaveState* state)
      : work(work), state(state) {}

  SIMT_HOST_DEVICE Fetched fetch(compaction::Staging staged, unsigned place, uint64_t first) const {
    return work.items(*state)[uint32_t(index(staged, place, first))];
  }
  SIMT_HOST_DEVICE void put(uint64_t place, uint32_t slot) const { survivors()[place] = slot; }
  SIMT_HOST_DEVICE unsigned skip(uint64_t place) const {
    return compaction::places_since_line(survivors().data + place);
  }

 private:
  SIMT_HOST_DEVICE Span<uint32_t> survivors() const {
    return work.list(other_list(state->iteration.list));
  }
};

/// --cull look-ahead: one pass over the alive mask; reads and writes the slots of survivors only.
/// Blocks find the prefix of a tile by look-ahead: each keeps a running sum and adds to it the
/// aggregates of all tiles between two tiles of its own. Unlike with --cull look-back, no tile
/// waits for the inclusive prefix of another one. Stable.
///
/// 1 kernel. compaction/single_pass/select.h
struct LookAheadPass {
  template <class Launcher>
  static void cull(Launcher& launcher, const CullJob& job) {
    compaction::select(launcher, active_entries(job.work), WriteSlots(job.work, job.state),
                       job.entries(), {.count = job.survivor_count().data}, job.workspace);
  }
  static size_t workspace_bytes(uint32_t capacity) {
    return compaction::select_bytes<compaction::Masked, WriteSlots>(capacity);
  }
};

/// --cull move: one pass as of LookAheadPass, which moves the path state itself. The survivors'
/// state is then densely packed in the other columns, and the accesses of later stages coalesce.
/// Stable.
///
/// 1 kernel. compaction/single_pass/select.h
struct MovePass {
  /// Writers of the columns of path state: the three that every scene has; with the bounce counts
  /// and the media of paths.
  using WriteState = compaction::WriteColumns<Packed, Packed, Packed>;
  using WriteStateAndTwo = compaction::WriteColumns<uint32_t, uint32_t, Packed, Packed, Packed>;

  template <class Launcher>
  static void cull(Launcher& launcher, const CullJob& job) {
    const PathColumns& from = job.paths.columns[job.ping_pong];
    const PathColumns& to = job.paths.columns[1 - job.ping_pong];
    const compaction::Column<Packed> origin{from.origin_pdf.data, to.origin_pdf.data},
        direction{from.direction_id.data, to.direction_id.data},
        throughput{from.throughput_eta.data, to.throughput_eta.data};
    auto move = [&](const auto& columns) {
      compaction::select(launcher, active_entries(job.work), columns, job.entries(),
                         {.count = job.survivor_count().data}, job.workspace);
    };
    const compaction::Column<uint32_t> bounces{from.bounces.data, to.bounces.data},
        media{from.media.data, to.media.data};
    if (from.bounces.data || from.media.data)  // moves the only one of the two twice
      move(WriteStateAndTwo(from.bounces.data ? bounces : media, from.media.data ? media : bounces,
                            origin, direction, throughput));
    else
      move(WriteState(origin, direction, throughput));
  }
  static size_t workspace_bytes(uint32_t capacity) {
    return std::max(compaction::select_bytes<compaction::Masked, WriteState>(capacity),
                    compaction::select_bytes<compaction::Masked, WriteStateAndTwo>(capacity));
  }
};

/// Calls use(pass) with the pass of a mode, if the mode has one here: the shading stage culls for
/// --cull append and auto, and the passes of CUB and Thrust are in backend/cuda/kernels/cull.cu.
template <class Use>
void with_pass(Cull mode, Use use) {
  switch (mode) {
    case Cull::kScan:
      return use(ScanPass{});
    case Cull::kBallot:
      return use(BallotPass{});
    case Cull::kLookBack:
      return use(LookBackPass{});
    case Cull::kLookAhead:
      return use(LookAheadPass{});
    case Cull::kMove:
      return use(MovePass{});
    default:
      return;
  }
}

/// Returns the bytes of workspace that `mode` needs for queues of `capacity` entries; 0 for the
/// baselines, see Backend::baseline_workspace_bytes().
inline size_t cull_workspace_bytes(Cull mode, uint32_t capacity) {
  size_t bytes = 0;
  with_pass(mode, [&](auto pass) { bytes = pass.workspace_bytes(capacity); });
  return bytes;
}

}  // namespace winnow
