#pragma once

#include <cstdint>

#include "simt/qualifiers.h"

namespace compaction {

/// How many items there are: at most `capacity`, and `*on_device` where the count lives on the
/// device.
///
/// The host sizes grids and workspaces by `capacity` and never reads `*on_device`.
struct ItemCount {
  uint32_t capacity = 0;
  const uint32_t* on_device = nullptr;

  /// The count, in a kernel.
  SIMT_HOST_DEVICE uint32_t operator()() const {
    return on_device && *on_device < capacity ? *on_device : capacity;
  }
};

}  // namespace compaction
