#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace compaction {

/// A count in device memory that a kernel reads, of 32 or 64 bits.
class DeviceCount {
 public:
  DeviceCount() = default;
  SIMT_HOST_DEVICE DeviceCount(const uint32_t* count) : narrow_(count) {}
  SIMT_HOST_DEVICE DeviceCount(const uint64_t* count) : wide_(count) {}

  SIMT_HOST_DEVICE explicit operator bool() const { return narrow_ || wide_; }
  SIMT_HOST_DEVICE uint64_t load() const { return wide_ ? *wide_ : *narrow_; }

 private:
  const uint32_t* narrow_ = nullptr;
  const uint64_t* wide_ = nullptr;
};

/// A count in device memory that a kernel writes, of 32 or 64 bits.
class DeviceCountOut {
 public:
  DeviceCountOut() = default;
  SIMT_HOST_DEVICE DeviceCountOut(uint32_t* count) : narrow_(count) {}
  SIMT_HOST_DEVICE DeviceCountOut(uint64_t* count) : wide_(count) {}

  SIMT_HOST_DEVICE explicit operator bool() const { return narrow_ || wide_; }
  SIMT_HOST_DEVICE void store(uint64_t count) const {
    if (wide_)
      *wide_ = count;
    else
      *narrow_ = uint32_t(count);
  }

 private:
  uint32_t* narrow_ = nullptr;
  uint64_t* wide_ = nullptr;
};

/// How many items there are: at most `capacity`, and what `on_device` holds where the count lives
/// on the device.
///
/// The host sizes grids and workspaces by `capacity` and never reads `on_device`.
struct ItemCount {
  uint64_t capacity = 0;
  DeviceCount on_device = {};

  /// The count, in a kernel.
  SIMT_HOST_DEVICE uint64_t operator()() const {
    if (!on_device) return capacity;
    uint64_t count = on_device.load();
    return count < capacity ? count : capacity;
  }
};

}  // namespace compaction
