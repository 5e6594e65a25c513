#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

// When `--cull auto` culls.

/// What culling costs on a device.
struct CullCost {
  float fixed_ns;
  float entry_ns;  ///< for each entry of the queue

  SIMT_HOST_DEVICE float of(uint32_t entries) const { return fixed_ns + entry_ns * float(entries); }
};

/// Whether the next round gains more than culling costs: a share of the entries is dead, and would
/// take that share of the lanes of the next round, which lasts about as long as this one.
SIMT_HOST_DEVICE inline bool culling_pays(uint32_t entries, uint32_t survivors, float round_ns,
                                          float cull_ns) {
  float dead_share = 1.0f - float(survivors) / float(entries);
  return survivors > 0 && dead_share * round_ns > cull_ns;
}

/// The measured cost over the predicted one, as a running mean over the last cullings.
SIMT_HOST_DEVICE inline float learn_scale(float scale, float measured_ns, float predicted_ns) {
  constexpr float kNewShare = 0.25f;  // forgets a disturbed measurement within a wave
  return scale + kNewShare * (measured_ns / predicted_ns - scale);
}

}  // namespace winnow
