// SPDX-License-Identifier: MIT
#include "compaction/advise/replay.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>

namespace compaction::advise {
namespace {

/// One warp that executes its entries, after those of earlier warps of the step.
class WarpLoad {
 public:
  explicit WarpLoad(const Machine& machine) : machine_(machine) {}

  /// Adds an item whose state is at `place`.
  void add(const Step& step, uint32_t item, uint32_t place) {
    const uint32_t index = step.index_of(item), cost = step.cost_of(index);
    const uint8_t item_class = step.classes[index];
    if (!(classes_ >> item_class & 1)) largest_[item_class] = 0;
    classes_ |= uint32_t(1) << item_class;
    largest_[item_class] = std::max(largest_[item_class], cost);
    sectors_[lanes_++] = place / kItemsPerSector;
    work_ += cost;
  }
  void end(StepLoad& load) {
    ++load.warps;
    load.active_warps += lanes_ > 0;
    load.lanes += lanes_;
    load.work += work_;
    double cost = machine_.lane_cost * lanes_ + machine_.lane_share * work_;
    for (uint32_t left = classes_; left; left &= left - 1) {
      const int item_class = std::countr_zero(left);
      load.class_work[size_t(item_class)] += largest_[size_t(item_class)];
      cost += largest_[size_t(item_class)];
      ++load.class_warps[size_t(item_class)];
    }
    const size_t resident = (load.warps - 1) % machine_.resident_warps;
    if (resident >= busy_.size()) busy_.resize(resident + 1);
    busy_[resident] = machine_.in_turn ? busy_[resident] + cost : cost;
    load.longest = std::max(load.longest, busy_[resident]);
    const auto end = sectors_.begin() + lanes_;
    std::sort(sectors_.begin(), end);
    load.sectors += uint64_t(std::unique(sectors_.begin(), end) - sectors_.begin());
    classes_ = lanes_ = 0, work_ = 0;
  }
  WarpSample sample(uint32_t step) const {
    uint32_t cycles = 0;
    for (uint32_t left = classes_; left; left &= left - 1)
      cycles = std::max(cycles, largest_[size_t(std::countr_zero(left))]);
    return {step, classes_, lanes_, double(cycles)};
  }
  unsigned lanes() const { return lanes_; }

 private:
  Machine machine_;
  std::vector<double> busy_;  // [resident warp], costs of its warps
  uint32_t classes_ = 0;
  unsigned lanes_ = 0;
  double work_ = 0;
  std::array<uint32_t, StepItems::kMaxClasses> largest_{};
  std::array<uint32_t, kWarpSize> sectors_{};  // [lane]
};

/// The work queue: all items, or a list of them.
class Queue {
 public:
  explicit Queue(uint32_t item_count) : size_(item_count) {}

  uint32_t size() const { return list_ ? uint32_t(list_->size()) : size_; }
  uint32_t item(uint32_t entry) const { return list_ ? (*list_)[entry] : entry; }
  bool is_list() const { return list_.has_value(); }

  /// Lists the active items in the order of the queue, or of `from` if it is all items.
  void select(const Step& step) {
    std::vector<uint32_t> list;
    list.reserve(step.active_count());
    for (uint32_t entry = 0; entry < size(); ++entry)
      if (step.is_active(item(entry))) list.push_back(item(entry));
    list_ = std::move(list);
  }
  void split(const Step& step) {
    std::array<std::vector<uint32_t>, StepItems::kMaxClasses> lists;
    for (uint32_t entry = 0; entry < size(); ++entry)
      if (step.is_active(item(entry)))
        lists[step.classes[step.index_of(item(entry))]].push_back(item(entry));
    std::vector<uint32_t> all;
    all.reserve(step.active_count());
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    list_ = std::move(all);
  }
  void all() { list_.reset(); }
  std::vector<uint32_t> items() const {
    std::vector<uint32_t> items(size());
    for (uint32_t entry = 0; entry < size(); ++entry) items[entry] = item(entry);
    return items;
  }

 private:
  uint32_t size_;
  std::optional<std::vector<uint32_t>> list_;
};

/// @param is_moved  whether the states are in the order of the queue
template <class Visit>
void for_each_warp(const Queue& queue, const Step& step, bool is_moved, const Machine& machine,
                   Visit visit) {
  WarpLoad warp(machine);
  for (uint32_t entry = 0; entry < queue.size(); ++entry) {
    const uint32_t item = queue.item(entry);
    if (step.is_active(item)) warp.add(step, item, is_moved ? entry : item);
    if (entry % kWarpSize == kWarpSize - 1 || entry + 1 == queue.size()) visit(warp);
  }
}

/// Calls visit(queue, step, load) for each step of a strategy without regeneration.
template <class Visit>
void for_each_step(const Recording& recording, const Strategy& strategy, const ObservePass& observe,
                   Visit visit) {
  const bool only_ends = recording.only_ends();
  if (!only_ends && strategy.kind == Strategy::kCull && strategy.every > 1)
    throw std::runtime_error("items become active later, and would have to wait to be listed");
  Queue queue(recording.item_count);
  for (size_t s = 0; s < recording.steps.size(); ++s) {
    const Step& step = recording.steps[s];
    StepLoad load;
    const bool is_first_full = s == 0 && only_ends;
    bool passes = strategy.kind != Strategy::kNone;
    if (strategy.kind != Strategy::kClass) passes = passes && !is_first_full;
    if (strategy.kind == Strategy::kCull) passes = passes && s % strategy.every == 0;
    if (passes) {
      if (!only_ends) queue.all();
      if (observe) observe(s, queue.items());
      load.pass_in = queue.size();
      load.pass_out = step.active_count();
      load.pass_capacity = recording.item_count;
      if (strategy.kind == Strategy::kClass)
        queue.split(step);
      else
        queue.select(step);
    }
    visit(queue, uint32_t(s), load);
  }
}

/// Lets all items pass through the slots, each from its first step to its last.
std::vector<StepLoad> replay_regeneration(const Recording& recording, const Strategy& strategy,
                                          const Machine& machine) {
  if (!recording.only_ends())
    throw std::runtime_error("items become active later, and cannot begin in a slot");
  struct Slot {
    uint32_t item, step;
  };
  const Step& first = recording.steps[0];
  uint32_t next = 0;
  const auto next_item = [&] {
    while (next < recording.item_count && !first.is_active(next)) ++next;
    return next < recording.item_count ? next++ : recording.item_count;
  };
  std::vector<Slot> slots(std::max<uint32_t>(1, std::min(strategy.slots, recording.item_count)));
  for (Slot& slot : slots) slot = {next_item(), 0};
  std::vector<StepLoad> loads;
  for (bool is_left = true; is_left;) {
    StepLoad load;
    load.lanes_of_step.resize(recording.steps.size());
    load.is_list = true;
    WarpLoad warp(machine);
    is_left = false;
    bool refills = false;  // this warp
    for (size_t i = 0; i < slots.size(); ++i) {
      Slot& slot = slots[i];
      if (slot.item < recording.item_count) {
        warp.add(recording.steps[slot.step], slot.item,
                 strategy.state_in_slots ? uint32_t(i) : slot.item);
        ++load.lanes_of_step[slot.step];
        const uint32_t after = slot.step + 1;
        const bool goes_on =
            after < recording.steps.size() && recording.steps[after].is_active(slot.item);
        slot = goes_on ? Slot{slot.item, after} : Slot{next_item(), 0};
        refills = refills || (!goes_on && slot.item < recording.item_count);
        is_left = is_left || slot.item < recording.item_count;
      }
      if (i % kWarpSize == kWarpSize - 1 || i + 1 == slots.size()) {
        warp.end(load);
        load.refilled += refills && !strategy.state_in_slots;
        refills = false;
      }
    }
    loads.push_back(std::move(load));
  }
  return loads;
}

}  // namespace

std::string Strategy::name() const {
  switch (kind) {
    case kNone:
      return "none";
    case kCull:
      return every == 1 ? "every step" : "every " + std::to_string(every) + " steps";
    case kMove:
      return "every step, moving";
    case kClass:
      return "by class";
    case kRegenerate:
      return "regeneration";
  }
  return "";
}

std::vector<StepLoad> replay(const Recording& recording, const Strategy& strategy,
                             const Machine& machine, const ObservePass& observe) {
  if (strategy.kind == Strategy::kRegenerate)
    return replay_regeneration(recording, strategy, machine);
  std::vector<StepLoad> loads;
  for_each_step(recording, strategy, observe, [&](const Queue& queue, uint32_t s, StepLoad& load) {
    load.is_list = queue.is_list() && strategy.kind != Strategy::kMove;
    for_each_warp(queue, recording.steps[s], strategy.kind == Strategy::kMove, machine,
                  [&](WarpLoad& warp) { warp.end(load); });
    loads.push_back(std::move(load));
  });
  return loads;
}

std::vector<WarpSample> sample_warps(const Recording& recording, uint32_t per_step) {
  const uint32_t every = recording.format.culled_every;
  const Strategy recorded{.kind = every ? Strategy::kCull : Strategy::kNone,
                          .every = std::max(every, 1u)};
  std::vector<WarpSample> samples;
  for_each_step(recording, recorded, {}, [&](const Queue& queue, uint32_t s, StepLoad&) {
    const uint32_t warps = (queue.size() + kWarpSize - 1) / kWarpSize;
    const uint32_t stride = std::max(1u, warps / std::max(1u, per_step));
    uint32_t warp_index = 0;
    for_each_warp(queue, recording.steps[s], false, Machine{}, [&](WarpLoad& warp) {
      if (warp_index++ % stride == 0 && warp.lanes() > 0) samples.push_back(warp.sample(s));
      StepLoad ignored;
      warp.end(ignored);
    });
  });
  return samples;
}

}  // namespace compaction::advise
