#pragma once

#include <cstddef>
#include <cstdint>

/// A launcher on which no blocks run together: there the library takes large tiles for any number
/// of items, or small ones where a block has but little shared memory.
template <class Launcher, size_t kSharedBytes>
struct WithoutWaves : Launcher {
  using Launcher::Launcher;

  template <class Kernel>
  uint32_t max_cooperative_blocks() const {
    return 0;
  }
  size_t max_shared_bytes() const { return kSharedBytes; }
};

inline constexpr size_t kMuchShared = size_t(227) << 10, kLittleShared = size_t(64) << 10;
