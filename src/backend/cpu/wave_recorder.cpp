// SPDX-License-Identifier: MIT
#include "backend/cpu/wave_recorder.h"

#include <bit>

namespace winnow {

void WaveRecorder::begin_wave(const Wave& wave) {
  wave_ = {};
  wave_.paths.resize(wave.path_count());
  for (PathId path = 0; path < wave.path_count(); ++path)
    wave_.paths[path].pixel = wave.pixel_of(path);
}

void WaveRecorder::begin_iteration(const WaveState& state, const WorkQueue& work,
                                   const Paths& paths) {
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

void WaveRecorder::end_iteration() {
  IterationRecord& ended = iteration();
  ended.busy_warps = state_->iteration.busy_warps;
  ended.survivors = state_->iteration.survivors;
  for (uint32_t entry = 0; entry < ended.shaded.size(); ++entry)
    ended.survived.push_back(work_.alive[entry / simt::kWarpSize] >> entry % simt::kWarpSize & 1);
}

void WaveRecorder::end_wave() {
  for (PathId path = 0; path < wave_.paths.size(); ++path) {
    wave_.paths[path].termination = paths_.results[path].termination;
    wave_.paths[path].radiance = paths_.results[path].radiance;
  }
}

PathId WaveRecorder::path_in(uint32_t slot) const {
  return std::bit_cast<PathId>(paths_.columns[state_->iteration.ping_pong].direction_id[slot].w);
}

}  // namespace winnow
