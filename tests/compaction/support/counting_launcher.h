#pragma once

#include <cstdint>

#include "compaction/simt/host/executor.h"

/// Launches on the host executor and counts what a GPU would be asked for.
class CountingLauncher {
 public:
  explicit CountingLauncher(simt::host::Schedule schedule = {}) : executor_(schedule) {}

  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    if (blocks > 0) ++launches_;
    executor_.launch(blocks, kernel);
  }

  unsigned launches() const { return launches_; }

 private:
  simt::host::Executor executor_;
  unsigned launches_ = 0;
};
