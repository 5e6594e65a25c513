// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "backend/cpu/cull_passes.h"
#include "backend/cpu/first_hit_batch.h"
#include "backend/cpu/path_batch.h"
#include "backend/cpu/primitive_list.h"
#include "backend/cpu/shade_batch.h"
#include "backend/cpu/wave_recorder.h"
#include "base/nanoseconds.h"
#include "bvh/embree_accel.h"
#include "wavefront/bookkeeping.h"
#include "wavefront/cull/group.h"
#include "wavefront/kernels/append.h"
#include "wavefront/kernels/for_each.h"
#include "wavefront/stage/intersect.h"
#include "wavefront/stage/shadow.h"
#include "wavefront/state/queue.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

struct CpuAccel {
  EmbreeAccel embree{};
  const PrimitiveList* list = nullptr;  ///< if not null, traces the rays instead of Embree
  InstructionSet instructions = InstructionSet::kBase;

  Hit intersect(const Ray& ray) const {
    return list ? list->intersect(instructions, ray) : embree.intersect(ray);
  }
  bool occluded(const Ray& ray) const {
    return list ? list->occluded(instructions, ray) : embree.occluded(ray);
  }
};

/// Runs the stages of one CPU worker thread over its small wave, item by item. Kernels run on the
/// host executor. Workers share nothing.
class CpuBackend {
 public:
  /// Cost of appending per entry, ns: an upper bound, the noise of the measurement.
  static constexpr float kCullNs = 1.0f;
  /// Kernels run on the host executor, so waves are not timed to choose among culling plans.
  static constexpr bool kMeasuresWaves = false;
  /// The host may read what a stage wrote before it launches the next one.
  static constexpr bool kHostReadsState = true;

  /// Returns the feature set of the stages that sets may share, as in CudaBackend. Here, each set
  /// has its own.
  static constexpr Features shared_features(Features features) { return features; }

  /// @param recorder  records the waves while it is on; null: no recorder
  explicit CpuBackend(const RenderSettings& settings, WaveRecorder* recorder = nullptr)
      : instructions_(settings.instructions),
        recorder_(recorder),
        records_masks_(settings.record_masks) {}

  /// Allocates zeroed items, which are freed with the backend.
  template <class T>
  Span<T> allocate(size_t count) {
    if (count == 0) return {};
    auto& bytes = allocations_.emplace_back(count * sizeof(T) + alignof(T));
    void* data = bytes.data();
    size_t space = bytes.size();
    return {static_cast<T*>(std::align(alignof(T), count * sizeof(T), data, space)), count};
  }

  /// CpuRenderer rejects the modes of CUB and Thrust.
  static size_t baseline_workspace_bytes(Cull, uint32_t) { return 0; }

  /// Returns an upper bound of the length of the work queue: on the CPU, the length itself.
  uint32_t max_entries(const WaveState* state, uint32_t) const { return state->iteration.queued; }

  void trace_with(Tracer) {}

  template <class Work>
  void prepare(size_t, Work) {}

  template <class Work>
  void replay(size_t, Work work) {
    work();
  }

  template <class Use>
  void take_times(Use) {}

  /// Runs `body(iteration % 2)` while the work queue has entries, at most `max_iterations` times.
  template <class Body>
  void repeat(const WaveState* state, uint32_t max_iterations, Body body) {
    for (uint32_t i = 0; i < max_iterations && state->iteration.queued > 0; ++i) body(i % 2);
  }

  template <class Step>
  void once(const Step& step) {
    step();
  }
  void once(const BeginWave& step) {
    step();
    if (WaveRecorder* recorder = active_recorder()) recorder->begin_wave(step.wave);
  }
  void once(const EndIteration& step) {
    if (WaveRecorder* recorder = active_recorder()) recorder->end_iteration();
    step();
  }
  void once(const EndWave& step) {
    if (WaveRecorder* recorder = active_recorder()) recorder->end_wave();
    step();
  }

  template <class Source, class Stage>
  void for_each(WaveState* state, const Source& source, const Stage& stage) {
    if constexpr (!requires { Stage::kContinuesStage; }) stamp_start(state, Stage::kStage);
    const Items items = source.items(*state);
    for (uint32_t i = 0; i < items.count; ++i) {
      if (!items.is_alive(i)) continue;
      if constexpr (Counts<Stage>)
        Stage::counter(state->iteration) += stage(items[i]);
      else
        stage(items[i]);
    }
  }

  void for_each(WaveState* state, const AllSlots& slots, const GenerateCameraRays& stage) {
    stamp_start(state, Stage::kGenerate);
    generate_in_batches(instructions_, stage.starter, slots.items(*state).count,
                        is_by_pixel(*state));
  }

  /// Adds the first hits of the paths of a wave in batches, if pixels have enough samples in it.
  template <class Scene>
  void for_each(WaveState* state, const AllPixels& pixels,
                const AddFirstHits<CpuAccel, Scene, false>& stage) {
    if (!is_by_pixel(*state))
      return for_each<AllPixels, AddFirstHits<CpuAccel, Scene, false>>(state, pixels, stage);
    stamp_start(state, Stage::kFirstHits);
    add_first_hits_in_batches(instructions_, tables_of(stage.scene), stage);
  }

  /// Tests shadow rays in lanes, or in packets where that pays.
  template <class Scene>
  void for_each_ray(WaveState* state, const AllShadowRays& source,
                    const TraceShadowRays<CpuAccel, Scene>& stage) {
    const CpuAccel& accel = stage.accel;
    if (!accel.list && !accel.embree.has_packets) return for_each(state, source, stage);
    stamp_start(state, Stage::kShadow);
    const uint32_t count = source.items(*state).count;
    if (accel.list)
      state->iteration.unoccluded += test_in_lanes(count, stage);
    else
      state->iteration.unoccluded += test_in_packets(count, stage);
  }

  /// Finds the closest hits of the paths in the work queue. Begins an iteration.
  void for_each_ray(WaveState* state, const WorkQueue& work,
                    const IntersectClosest<CpuAccel>& stage) {
    if (WaveRecorder* recorder = active_recorder())
      recorder->begin_iteration(*state, work, stage.paths);
    const CpuAccel& accel = stage.accel;
    if (!accel.list && !suits_packets(*state, accel.embree)) return for_each(state, work, stage);
    stamp_start(state, Stage::kIntersect);
    if (!accel.list && stage.incoherent(*state)) return trace_by_octant(work.items(*state), stage);
    if (!accel.list) return trace_camera_packets(work.items(*state).count, stage);
    const auto trace = [&](RayBatch& batch) {
      accel.list->intersect(accel.instructions, batch);
      for (uint32_t i = 0; i < batch.count; ++i) stage.store(batch.ids[i], batch.hit(i));
    };
    RayBatcher batches(trace);
    const Items entries = work.items(*state);
    for (uint32_t i = 0; i < entries.count; ++i)
      if (entries.is_alive(i)) batches.add(entries[i], stage.ray(entries[i]));
    batches.finish();
  }

  template <class Source, class Stage>
  void for_each_ray(WaveState* state, const Source& source, const Stage& stage) {
    for_each(state, source, stage);
  }

  template <class Source, class Stage>
  void for_each_tally(WaveState* state, const Source& source, const Stage& stage) {
    stamp_start(state, Stage::kStage);
    typename Stage::Tally tally{};
    const Items items = source.items(*state);
    for (uint32_t i = 0; i < items.count; ++i) stage(items[i], tally);
    for (uint32_t k = 0; k < Stage::Tally::kSize; ++k) stage.add_tally(tally, k);
  }

  /// Runs the shading stage for the active entries of the work queue, in batches, and records in
  /// the alive mask which paths stay active. Appends shadow rays and, if it culls, survivors.
  template <class Scene>
  void for_each_push(WaveState* state, const WorkQueue& work, const ShadeSurface<Scene>& stage,
                     AppendSurvivors append, AllEntries) {
    stamp_start(state, Stage::kShade);
    if (WaveRecorder* recorder = active_recorder()) recorder->begin_shading(stage);
    Iteration& iteration = state->iteration;
    const Items entries = work.items(*state);
    ShadeBatch<Scene> batch(stage, tables_of(stage.scene), instructions_, append.slots(iteration));
    for (uint32_t first = 0; first < entries.count; first += kBatchSize) {
      const uint32_t end = std::min(first + kBatchSize, entries.count);
      const auto mask = batch.shade(entries, first, end);
      for (uint32_t i = first; i < end; i += simt::kWarpSize) {
        work.alive[i / simt::kWarpSize] = uint32_t(mask.active >> (i - first));
        iteration.busy_warps += uint32_t(mask.busy >> (i - first)) != 0;
      }
    }
  }

  /// Runs the shading stage for some classes of a grouped queue, by the kernel.
  template <class Stage>
  void for_each_push(WaveState* state, const WorkQueue& work, const Stage& stage,
                     AppendSurvivors append, EntriesOfClasses range) {
    if (WaveRecorder* recorder = active_recorder()) recorder->begin_shading(stage);
    using Kernel = ForEachPush<Stage, EntriesOfClasses>;
    const uint32_t entries = range.offsets[range.end_class] - range.offsets[range.first_class];
    const uint32_t blocks = simt::ceil_div(entries, Kernel::kBlockSize);
    passes_.executor().launch(blocks, Kernel{state, work, stage, append, range});
  }

  void cull(Cull mode, const CullJob& job) { passes_.cull(mode, job); }
  void split_by_class(const GroupJob& job) { passes_.split_by_class(job); }

 private:
  /// Tests shadow rays with a list of primitives. Returns how many reach their lights.
  template <class Scene>
  static uint32_t test_in_lanes(uint32_t count, const TraceShadowRays<CpuAccel, Scene>& stage) {
    const CpuAccel& accel = stage.accel;
    uint32_t unoccluded = 0;
    const auto trace = [&](RayBatch& batch) {
      accel.list->find_nearest(accel.instructions, batch);
      for (uint32_t i = 0; i < batch.count; ++i)
        unoccluded += stage.store(batch.ids[i], batch.primitive[i] != kNoPrimitive);
    };
    RayBatcher batches(trace);
    for (uint32_t i = 0; i < count; ++i) batches.add(i, stage.ray(i));
    batches.finish();
    return unoccluded;
  }

  /// Finds the closest hits of camera rays with packets of Embree. Their slots are in the order of
  /// pixels.
  static void trace_camera_packets(uint32_t count, const IntersectClosest<CpuAccel>& stage) {
    RayPacket packet;
    for (uint32_t first = 0; first < count; first += RayPacket::kSize) {
      packet.count = 0;
      const uint32_t end = std::min(first + RayPacket::kSize, count);
      for (uint32_t slot = first; slot < end; ++slot) packet.add(slot, stage.ray(slot));
      stage.accel.embree.intersect(packet, stage.hits);
    }
  }

  /// Finds the closest hits of scattered rays with packets of Embree. The rays of a packet are in
  /// one octant, so that they visit nodes in the same order.
  static void trace_by_octant(const Items& entries, const IntersectClosest<CpuAccel>& stage) {
    constexpr uint32_t kOctants = 8;
    constexpr uint32_t kFewRays = 4;  // fewer rays are faster one by one
    RayPacket packets[kOctants];
    for (uint32_t i = 0; i < entries.count; ++i) {
      if (!entries.is_alive(i)) continue;
      const Ray ray = stage.ray(entries[i]);
      const glm::vec3 d = ray.direction;
      RayPacket& packet =
          packets[(d.x < 0.0f ? 1 : 0) + (d.y < 0.0f ? 2 : 0) + (d.z < 0.0f ? 4 : 0)];
      packet.add(entries[i], ray);
      if (packet.count < RayPacket::kSize) continue;
      stage.accel.embree.intersect(packet, stage.hits);
      packet.count = 0;
    }
    for (const RayPacket& packet : packets) {
      if (packet.count >= kFewRays)
        stage.accel.embree.intersect(packet, stage.hits);
      else
        for (uint32_t k = 0; k < packet.count; ++k)
          stage.store(packet.id[k], stage.accel.embree.intersect(packet[k]));
    }
  }

  /// Tests shadow rays with packets of Embree. Returns how many reach their lights.
  template <class Scene>
  static uint32_t test_in_packets(uint32_t count, const TraceShadowRays<CpuAccel, Scene>& stage) {
    uint32_t unoccluded = 0;
    RayPacket packet;
    for (uint32_t first = 0; first < count; first += RayPacket::kSize) {
      packet.count = 0;
      const uint32_t end = std::min(first + RayPacket::kSize, count);
      for (uint32_t i = first; i < end; ++i) packet.add(i, stage.ray(i));
      const uint32_t occluded = stage.accel.embree.occluded(packet);
      for (uint32_t i = first; i < end; ++i)
        unoccluded += stage.store(i, occluded >> (i - first) & 1);
    }
    return unoccluded;
  }

  /// Returns whether packets of Embree pay for the closest hits of this iteration: for camera rays,
  /// and for rays after the first scattering if many of them start in a pixel. With 64 samples of a
  /// pixel in a wave, packets then save a tenth of a render of 1,000 to 100,000 triangles, and 1 to
  /// 8 % with a million; a yard of 27,000 triangles takes 3 % longer. With 8 samples, or after
  /// further scatterings, a render takes a tenth to a third longer.
  bool suits_packets(const WaveState& state, const EmbreeAccel& embree) const {
    constexpr uint32_t kManySamples = 32;
    if (!embree.has_closest_packets || !is_by_pixel(state)) return false;
    if (state.iteration.index == 0) return true;
    return state.iteration.index == 1 && state.wave.sample_count >= kManySamples;
  }

  /// Returns whether the slots of the wave are in the order of pixels, as its camera rays are then
  /// traced in packets, and its first hits added in batches. Recorded waves have the order of a
  /// GPU.
  bool is_by_pixel(const WaveState& state) const {
    constexpr uint32_t kFewSamples = 8;
    return state.wave.sample_count >= kFewSamples && state.slot_count == state.wave.path_count() &&
           !recorder_ && !records_masks_;
  }

  template <class Scene>
  const BatchTables& tables_of(const Scene& scene) {
    if (tables_.hits.empty()) tables_ = BatchTables::of(scene);
    return tables_;
  }

  WaveRecorder* active_recorder() const {
    return recorder_ && recorder_->is_on ? recorder_ : nullptr;
  }

  static void stamp_start(WaveState* state, Stage stage) {
    state->iteration.start[uint32_t(stage)] = nanoseconds();
  }

  InstructionSet instructions_;
  WaveRecorder* recorder_;
  bool records_masks_;
  BatchTables tables_;  ///< tables of the only scene
  std::deque<std::vector<std::byte>> allocations_;
  CullPasses passes_;
};

}  // namespace winnow
