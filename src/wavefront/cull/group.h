// SPDX-License-Identifier: MIT
#pragma once

#include "base/nanoseconds.h"
#include "compaction/single_pass/split.h"
#include "device_scene/surface.h"
#include "wavefront/stage/media.h"
#include "wavefront/state/queue.h"

namespace winnow {

// --group material: after intersection, the entries of the queue are split by the class of their
// hits (shading/hit_class.h), in the same pass in which terminated entries are dropped.
// Neighbouring lanes then run the same code, and each shading kernel contains only the code of its
// classes. The split is stable: paths of a class keep their order.

struct HitGroups {
  Span<uint8_t> classes;      ///< [slot], HitClass of its hit
  Span<uint32_t> offsets;     ///< [kHitClassCount + 1], the entry at which each class begins
  Span<std::byte> workspace;  ///< workspace of split(); zeroed before its first use
};

/// reads  hit    writes  class
template <class Scene>
struct ClassifyHits {
  static constexpr Stage kStage = Stage::kCull;
  static constexpr bool kUniformCost = true;

  Scene scene;
  Span<const Hit> hits;   ///< [slot]
  Span<uint8_t> classes;  ///< [slot]

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const {
    classes[slot] = uint8_t(hit_class_of(hits[slot]));
  }

 private:
  SIMT_HOST_DEVICE HitClass hit_class_of(const Hit& hit) const {
    if (hit.primitive != kNoPrimitive) return scene.classes[material_of(scene, hit.primitive)];
    if constexpr (Scene::kFeatures.media)
      if (ended_in_medium(hit)) return kScatteredInMedium;
    return HitClass::kNoSurface;
  }
};

/// Queue entries as the source of a split: slots by class. Terminated entries have no class.
struct SlotsByClass {
  struct Chunk {
    uint32_t items[1] = {0};  ///< the slot, which WriteItems writes
    uint32_t item_class = kHitClassCount;
  };

  WorkQueue work;
  const WaveState* state;
  Span<const uint8_t> classes;  ///< [slot]

  SIMT_HOST_DEVICE Chunk load(uint64_t entry) const {
    const Items entries = work.items(*state);
    const uint32_t slot = entries[uint32_t(entry)];
    return {{slot}, entries.is_alive(uint32_t(entry)) ? classes[slot] : kHitClassCount};
  }
  SIMT_HOST_DEVICE uint32_t class_of(const Chunk& chunk) const { return chunk.item_class; }
};

/// Makes the grouped entries the queue of the iteration.
struct EndGrouping {
  WaveState* state;
  Span<const uint32_t> offsets;  ///< [kHitClassCount + 1]
  SlotList list;                 ///< list that contains the grouped entries

  SIMT_HOST_DEVICE void operator()() const {
    Iteration& iteration = state->iteration;
    iteration.queued = offsets[kHitClassCount];
    iteration.list = list;
    iteration.all_alive = true;
    if (iteration.cull_entries > 0) iteration.cull_entries = iteration.queued;
    // A separate culling pass writes its own start time there later.
    uint64_t& cull_start = iteration.start[uint32_t(Stage::kCull)];
    iteration.group_start = cull_start;
    cull_start = 0;
    iteration.start[uint32_t(Stage::kShade)] = nanoseconds();
  }
};

struct GroupJob {
  WorkQueue work;
  WaveState* state;
  Span<const Hit> hits;  ///< [slot]
  HitGroups groups;
  uint32_t max_entries;  ///< upper bound of the queue's size, known to the host
  uint32_t list;         ///< index of the list to write, which must not be that of the queue
};

/// Splits the entries of the queue by `GroupJob::groups.classes` and drops terminated ones.
///
/// Reads 5 to 9 bytes per entry and writes 4. 1 kernel.
template <class Launcher>
void split_by_class(Launcher& launcher, const GroupJob& job) {
  const HitGroups& groups = job.groups;
  compaction::split<kHitClassCount>(
      launcher, SlotsByClass{job.work, job.state, groups.classes},
      compaction::WriteItems<uint32_t>{job.work.lists[job.list].data},
      compaction::ItemCount{job.max_entries, &job.state->iteration.queued},
      compaction::SplitOffsets(groups.offsets.data), groups.workspace);
}

/// Groups the entries of the queue by the classes of their hits, and drops terminated ones.
///
/// Reads 16 bytes per hit and its material, then 5 to 9 bytes per entry, and writes 5. 3 kernels.
template <class Backend, class Scene>
void group_by_material(Backend& backend, const Scene& scene, const GroupJob& job) {
  const HitGroups& groups = job.groups;
  backend.for_each(job.state, job.work, ClassifyHits<Scene>{scene, job.hits, groups.classes});
  backend.split_by_class(job);
  backend.once(
      EndGrouping{job.state, groups.offsets, job.list == 0 ? SlotList::kFirst : SlotList::kSecond});
}

/// Returns the bytes of HitGroups::workspace for queues of up to `capacity` entries.
inline size_t group_workspace_bytes(uint32_t capacity) {
  return compaction::split_bytes<kHitClassCount, SlotsByClass, compaction::WriteItems<uint32_t>>(
      capacity);
}

}  // namespace winnow
