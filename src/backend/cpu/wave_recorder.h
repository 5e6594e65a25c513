// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "device_scene/surface.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/queue.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// Material of a point that is not on a surface.
inline constexpr uint32_t kNoMaterial = 0xffffffff;

/// End of one ray of a path.
struct PathVertex {
  glm::vec3 position{0.0f};  ///< m, world space; for a ray that escaped, a point along it
  uint32_t material = 0;     ///< kNoMaterial: it escaped, or scattered in a medium
  bool escaped = false;
};

/// A path of a wave, from the camera to its end.
struct PathRecord {
  uint32_t pixel = 0;  ///< film position, row by row
  TerminationRecord termination;
  glm::vec3 radiance{0.0f};          ///< W sr^-1 m^-2, without what would be clamped
  std::vector<PathVertex> vertices;  ///< [bounce], from bounce 0
};

/// The work queue in one iteration of the loop over bounces. Unless paths are grouped, the orders
/// of `traced` and `shaded` are the same.
struct IterationRecord {
  std::vector<PathId> traced;       ///< [entry], path of the entry when rays were traced
  std::vector<uint8_t> was_active;  ///< [entry of `traced`], 0 if its path had terminated before
  std::vector<PathId> shaded;       ///< [entry], path of the entry when hits were shaded
  std::vector<uint8_t> survived;    ///< [entry of `shaded`], 1 if its path stayed active
  uint32_t busy_warps = 0;          ///< groups of 32 entries with an active path, when shaded
  uint32_t survivors = 0;           ///< as the iteration counted them
};

struct WaveRecord {
  std::vector<PathRecord> paths;            ///< [path]
  std::vector<IterationRecord> iterations;  ///< [iteration]
};

/// Records waves on the CPU: only reads the work queue and the path state between stages.
class WaveRecorder {
 public:
  /// Off while several threads render: the recorder follows one wave at a time.
  bool is_on = false;
  const WaveRecord& wave() const { return wave_; }

  // The backend calls these functions in this order.

  void begin_wave(const Wave& wave) {
    wave_ = {};
    wave_.paths.resize(wave.path_count());
    for (PathId path = 0; path < wave.path_count(); ++path)
      wave_.paths[path].pixel = wave.pixel_of(path);
  }
  void begin_iteration(const WaveState& state, const WorkQueue& work, const Paths& paths) {
    state_ = &state;
    work_ = work;
    paths_ = paths;
    IterationRecord& iteration = wave_.iterations.emplace_back();
    const Items entries = work.items(state);
    for (uint32_t entry = 0; entry < entries.count; ++entry) {
      iteration.traced.push_back(path_in(entries[entry]));
      iteration.was_active.push_back(entries.is_alive(entry));
    }
  }
  /// Ignores all calls but the first of an iteration, because the queue may be shaded in parts.
  ///
  /// @tparam Stage  ShadeSurface, whose header the commands should not include
  template <class Stage>
  void begin_shading(const Stage& stage);
  void end_iteration() {
    IterationRecord& ended = iteration();
    ended.busy_warps = state_->iteration.busy_warps;
    ended.survivors = state_->iteration.survivors;
    for (uint32_t entry = 0; entry < ended.shaded.size(); ++entry)
      ended.survived.push_back(work_.alive[entry / simt::kWarpSize] >> entry % simt::kWarpSize & 1);
  }
  void end_wave() {
    for (PathId path = 0; path < wave_.paths.size(); ++path) {
      wave_.paths[path].termination = paths_.results[path].termination;
      wave_.paths[path].radiance = paths_.results[path].radiance;
    }
  }

 private:
  PathId path_in(uint32_t slot) const {
    return std::bit_cast<PathId>(paths_.columns[state_->iteration.ping_pong].direction_id[slot].w);
  }
  IterationRecord& iteration() { return wave_.iterations.back(); }

  WaveRecord wave_;
  const WaveState* state_ = nullptr;
  WorkQueue work_;
  Paths paths_;
};

template <class Stage>
void WaveRecorder::begin_shading(const Stage& stage) {
  if (!iteration().shaded.empty()) return;
  const PathColumns& columns = paths_.columns[state_->iteration.ping_pong];
  const Items entries = work_.items(*state_);
  for (uint32_t entry = 0; entry < entries.count; ++entry) {
    const uint32_t slot = entries[entry];
    const PathId path = path_in(slot);
    iteration().shaded.push_back(path);
    if (!entries.is_alive(entry)) continue;
    const Hit hit = stage.hits[slot];
    const Ray ray = columns.ray(slot);
    const bool escaped = hit.primitive == kNoPrimitive && !(hit.t < INFINITY);
    // An escaped ray is drawn up to this fraction of its origin's distance from the camera.
    constexpr float kShown = 0.25f;
    const float seen = kShown * glm::length(ray.origin - stage.scene.camera.position);
    const float t = !escaped ? hit.t : seen > 0.0f ? seen : 1.0f;
    const uint32_t material =
        hit.primitive == kNoPrimitive ? kNoMaterial : material_of(stage.scene, hit.primitive);
    wave_.paths[path].vertices.push_back({ray.origin + t * ray.direction, material, escaped});
  }
}

}  // namespace winnow
