// SPDX-License-Identifier: MIT
// The kernels of the gallery and of the labs as functions to judge. This file is compiled with the
// compiler's hooks. The included files declare functions with the same names, so each is in a
// namespace of its own.

#include "tests/compaction/learn/judge/cases.h"

#include <utility>

#include "compaction/learn/judge/launcher.h"
#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"

namespace gallery_warp_totals_in_five_bits {
#include "compaction/learn/gallery/warp_totals_in_five_bits.h"
}
namespace gallery_barrier_in_the_tail {
#include "compaction/learn/gallery/barrier_in_the_tail.h"
}
namespace gallery_barrier_in_a_thread_loop {
#include "compaction/learn/gallery/barrier_in_a_thread_loop.h"
}
namespace gallery_half_of_the_items_stored {
#include "compaction/learn/gallery/half_of_the_items_stored.h"
}
namespace gallery_block_offset_without_size {
#include "compaction/learn/gallery/block_offset_without_size.h"
}
namespace gallery_flag_without_acquire {
#include "compaction/learn/gallery/flag_without_acquire.h"
}
namespace gallery_scatter_to_the_place_before {
#include "compaction/learn/gallery/scatter_to_the_place_before.h"
}
namespace gallery_first_offset_skipped {
#include "compaction/learn/gallery/first_offset_skipped.h"
}
namespace lab_naive_reduce {
#include "compaction/learn/labs/naive_reduce.h"
}
namespace lab_tree_reduce {
#include "compaction/learn/labs/tree_reduce.h"
}
namespace lab_shuffle_reduce {
#include "compaction/learn/labs/shuffle_reduce.h"
}
namespace lab_naive_scan {
#include "compaction/learn/labs/naive_scan.h"
}
namespace lab_hillis_steele_scan {
#include "compaction/learn/labs/hillis_steele_scan.h"
}
namespace lab_kogge_stone_scan {
#include "compaction/learn/labs/kogge_stone_scan.h"
}
namespace lab_brent_kung_scan {
#include "compaction/learn/labs/brent_kung_scan.h"
}
namespace lab_coarsened_scan {
#include "compaction/learn/labs/coarsened_scan.h"
}
namespace lab_look_back_scan {
#include "compaction/learn/labs/look_back_scan.h"
}
namespace lab_ballot_select {
#include "compaction/learn/labs/ballot_select.h"
}

#include "tests/compaction/learn/judge/planted_limits.h"
#include "tests/compaction/learn/judge/planted_races.h"

using compaction::judge::Arguments;
using compaction::judge::Mistake;
using compaction::judge::Task;

// Cases whose function is in namespace `space`.
#define REDUCE(space, name, max, kind)                                     \
  {                                                                        \
    name, Task::kReduce, max, Mistake::kind,                               \
        [](const Arguments& a) { space::reduce(a.launcher, a.in, a.out); } \
  }
#define SCAN(space, name, max, kind)                                     \
  {                                                                      \
    name, Task::kScan, max, Mistake::kind,                               \
        [](const Arguments& a) { space::scan(a.launcher, a.in, a.out); } \
  }
#define SELECT(space, name, max, kind)                                              \
  {                                                                                 \
    name, Task::kSelect, max, Mistake::kind,                                        \
        [](const Arguments& a) { space::select(a.launcher, a.in, a.out, a.count); } \
  }

std::vector<Case> gallery_cases() {
  return {
      SELECT(gallery_warp_totals_in_five_bits, "warp_totals_in_five_bits", 9000, kWrongResult),
      SELECT(gallery_barrier_in_the_tail, "barrier_in_the_tail", 128, kBarrier),
      SCAN(gallery_barrier_in_a_thread_loop, "barrier_in_a_thread_loop", 256, kBarrier),
      SCAN(gallery_half_of_the_items_stored, "half_of_the_items_stored", 256, kWrongResult),
      REDUCE(gallery_block_offset_without_size, "block_offset_without_size", 9000, kWrongResult),
      SCAN(gallery_flag_without_acquire, "flag_without_acquire", 9000, kRace),
      SELECT(gallery_scatter_to_the_place_before, "scatter_to_the_place_before", 1100, kRace),
      SCAN(gallery_first_offset_skipped, "first_offset_skipped", 9000, kWrongResult),
  };
}

std::vector<Case> planted_cases() {
  return {
      REDUCE(planted::no_barrier_between_steps, "no_barrier_between_steps", 9000, kRace),
      REDUCE(planted::warp_in_step, "warp_in_step", 9000, kRace),
      SCAN(planted::one_buffer, "one_buffer", 128, kRace),
      REDUCE(planted::plain_addition, "plain_addition", 9000, kRace),
      REDUCE(planted::last_block_without_fence, "last_block_without_fence", 9000, kRace),
      REDUCE(planted::tail_not_padded, "tail_not_padded", 64, kPoison),
      SCAN(planted::one_item_too_many, "one_item_too_many", 1100, kOutOfRange),
      SCAN(planted::early_return, "early_return", 64, kBarrier),
      SELECT(planted::order_of_blocks, "order_of_blocks", 9000, kWrongResult),
      SCAN(planted::waits_by_index, "waits_by_index", 9000, kDeadlock),
  };
}

std::vector<Case> lab_cases() {
  return {
      REDUCE(lab_naive_reduce, "naive_reduce", 9000, kPoison),
      REDUCE(lab_tree_reduce, "tree_reduce", 9000, kRace),
      REDUCE(lab_shuffle_reduce, "shuffle_reduce", 9000, kWrongResult),
      SCAN(lab_naive_scan, "naive_scan", 1100, kWrongResult),
      SCAN(lab_hillis_steele_scan, "hillis_steele_scan", 9000, kRace),
      SCAN(lab_kogge_stone_scan, "kogge_stone_scan", 256, kRace),
      SCAN(lab_brent_kung_scan, "brent_kung_scan", 512, kWrongResult),
      SCAN(lab_coarsened_scan, "coarsened_scan", 9000, kWrongResult),
      SCAN(lab_look_back_scan, "look_back_scan", 9000, kDeadlock),
      SELECT(lab_ballot_select, "ballot_select", 9000, kRace),
  };
}
