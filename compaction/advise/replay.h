// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compaction/advise/recording.h"

// What the warps of a recorded program would do if it removed its inactive items in another way.

namespace compaction::advise {

struct Strategy {
  enum Kind {
    kNone,        ///< every item has its thread in every step; inactive ones return at once
    kCull,        ///< before every `every`-th step, a select lists the active items
    kMove,        ///< before every step, a select moves the state of the active items
    kClass,       ///< before every step, a split lists the active items by class
    kRegenerate,  ///< items pass through `slots` slots; a new one begins where another has ended
  };
  Kind kind = kNone;
  uint32_t every = 1;
  uint32_t slots = 0;
  bool state_in_slots = false;  ///< kRegenerate: the state of an item is in its slot, not its own

  /// "none", "every step", "every 4 steps", "every step, moving", "by class", "regeneration".
  std::string name() const;
};

inline constexpr unsigned kWarpSize = 32;
/// 4-byte members of the states of so many neighbours are one sector of 32 bytes.
inline constexpr unsigned kItemsPerSector = 8;

/// What runs warps. Unless it is known, all run at once.
struct Machine {
  uint32_t resident_warps = ~0u;  ///< that run at once: each takes every `resident_warps`-th one
  double lane_cost = 0;           ///< what an active lane adds to the cost of its warp
  double lane_share = 0;          ///< share of the cost of a lane that it adds to that of its warp
  bool in_turn = true;  ///< whether the warps of a resident warp wait for each other, or overlap
};

/// The load of one step. Warps are 32 consecutive entries of the queue.
struct StepLoad {
  uint64_t warps = 0;         ///< warps of the queue
  uint64_t active_warps = 0;  ///< those with an active item
  uint64_t lanes = 0;         ///< active items
  double work = 0;            ///< costs of all active items
  /// Largest sum of the costs of the warps that one resident warp executes, over all classes; of a
  /// single warp if they overlap.
  double longest = 0;
  /// Sum over the warps of the groups of kItemsPerSector items whose state they read: what is read
  /// from memory, as a sector holds the state of neighbours.
  uint64_t sectors = 0;
  bool is_list = false;  ///< whether the queue is a list of items
  /// Warps with a slot that takes a new item after the step. With Strategy::state_in_slots, slots
  /// are given their items, and do not take them.
  uint64_t refilled = 0;
  /// Sum over the warps of the largest cost of each class: what a warp does one class at a time.
  std::array<double, StepItems::kMaxClasses> class_work{};
  std::array<uint64_t, StepItems::kMaxClasses> class_warps{};  ///< warps with an item of the class
  uint64_t pass_in = 0, pass_out = 0;   ///< items of the pass before the step; 0: no pass
  uint64_t pass_capacity = 0;           ///< items that it was launched for: all
  std::vector<uint64_t> lanes_of_step;  ///< [recorded step]; empty: all are of this step
  double scan_ns = 0, state_ns = 0;     ///< what the device needs for them, added by advise()

  double occupancy() const {
    return active_warps ? double(lanes) / double(kWarpSize * active_warps) : 1;
  }
};

/// Receives the queue that the pass before a step reads, [entry], items.
using ObservePass = std::function<void(size_t step, const std::vector<uint32_t>& queue)>;

/// Returns the load of each step, [step]. Throws std::runtime_error if the strategy cannot run this
/// program: regeneration and culling at intervals need items that are all active at first.
std::vector<StepLoad> replay(const Recording& recording, const Strategy& strategy,
                             const Machine& machine = {}, const ObservePass& observe = {});

/// The cycles of one warp of the recorded program.
struct WarpSample {
  uint32_t step = 0, classes = 0;  ///< classes: bit c is set if an item has class c
  unsigned lanes = 0;
  double cycles = 0;
};

/// Returns up to `per_step` warps of each step, evenly spaced, of a recording with
/// StepCost::kCycles.
std::vector<WarpSample> sample_warps(const Recording& recording, uint32_t per_step);

}  // namespace compaction::advise
