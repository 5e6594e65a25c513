#pragma once

#include <memory>

#include "compaction/bench/device_array.cuh"
#include "compaction/bench/race.cuh"
#include "compaction/bench/read_kernel.cuh"

namespace compaction::bench {

/// Reads the items and writes nothing: the bound of a reduction, where a copy is none.
template <class T>
Contender read_contender(std::shared_ptr<DeviceArray<T>> items, cudaStream_t stream) {
  auto sink = std::make_shared<DeviceArray<uint32_t>>(1);
  return {"read kernel",
          [=] {
            read_all(items->data(), items->bytes(), sink->data(), stream);
            check(cudaGetLastError());
          },
          nullptr};
}

}  // namespace compaction::bench
