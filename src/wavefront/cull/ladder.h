// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/ladder/ballot_select.h"
#include "compaction/ladder/look_back_select.h"
#include "compaction/ladder/scan_select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

// --cull scan, ballot and look-back: textbook algorithms, from compaction/ladder/.

/// --cull scan: writes a flag for each entry, scans the flags (work-efficient exclusive scan) and
/// scatters the slots of the survivors. Stable.
///
/// 3 kernels for up to 512 entries, 5 for up to 512^2, 7 beyond. compaction/ladder/scan_select.h
/// Blelloch, "Prefix Sums and Their Applications", 1990.
template <class Launcher>
void cull_scan(Launcher& launcher, const CullJob& job) {
  compaction::scan_select(launcher, Survivors{job.work, job.state}, job.entries(), job.survivors(),
                          job.survivor_count(), job.workspace);
}

/// --cull ballot: counts the survivors of each tile, scans the counts and scatters the slots of the
/// survivors by warp ballots. Stable.
///
/// 3 kernels for up to 2^20 entries, 5 for up to 2^29. compaction/ladder/ballot_select.h
/// Billeter, Olsson & Assarsson, "Efficient Stream Compaction on Wide SIMD Many-Core
/// Architectures", 2009.
template <class Launcher>
void cull_ballot(Launcher& launcher, const CullJob& job) {
  compaction::ballot_select(launcher, Survivors{job.work, job.state}, job.entries(),
                            job.survivors(), job.survivor_count(), job.workspace);
}

/// --cull look-back: one pass over the entries. Each tile counts its survivors, finds the prefix of
/// the tiles before it by decoupled look-back, and writes the slots of its survivors. Stable.
///
/// 1 kernel. compaction/ladder/look_back_select.h
/// Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
template <class Launcher>
void cull_look_back(Launcher& launcher, const CullJob& job) {
  compaction::look_back_select(launcher, Survivors{job.work, job.state}, job.entries(),
                               job.survivors(), job.survivor_count(), job.workspace);
}

}  // namespace winnow
