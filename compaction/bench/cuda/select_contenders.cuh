// SPDX-License-Identifier: MIT
#pragma once

#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>

#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/select_result.cuh"

namespace compaction::bench {

template <class T>
Contender fast_select_if(const SelectInput<T>& input, cudaStream_t stream) {
  return fast_path(input.result(), [=](auto& to, const Storage& storage) {
    return select_if(input.in(), to.data(), {to.count.data()}, ItemCount{input.n}, input.keep,
                     storage, stream);
  });
}

template <class T>
Contender cub_select_if(const SelectInput<T>& input, cudaStream_t stream) {
  return cub_contender(input.result(), [=](auto& to, void* temp, size_t& bytes) {
    return cub::DeviceSelect::If(temp, bytes, input.in(), to.data(), to.count.data(), int(input.n),
                                 input.keep, stream);
  });
}

using Flags = std::shared_ptr<DeviceArray<uint8_t>>;

template <class T>
Contender fast_select_flagged(const SelectInput<T>& input, const Flags& flags,
                              cudaStream_t stream) {
  return fast_path(input.result(), [=](auto& to, const Storage& storage) {
    return select_flagged(input.in(), flags->data(), to.data(), {to.count.data()},
                          ItemCount{input.n}, storage, stream);
  });
}

template <class T>
Contender cub_select_flagged(const SelectInput<T>& input, const Flags& flags, cudaStream_t stream) {
  return cub_contender(input.result(), [=](auto& to, void* temp, size_t& bytes) {
    return cub::DeviceSelect::Flagged(temp, bytes, input.in(), flags->data(), to.data(),
                                      to.count.data(), int(input.n), stream);
  });
}

template <class T>
Contender fast_partition_if(const SelectInput<T>& input, cudaStream_t stream) {
  auto result = input.partition_result(Rejected::kOwnBuffer);
  return fast_path(result, [=](auto& to, const Storage& storage) {
    return partition_if(input.in(), to.selected.data(), to.rejected.data(), {to.count.data()},
                        ItemCount{input.n}, input.keep, storage, stream);
  });
}

/// Returns CUB's partition into one buffer, with the second side reversed.
template <class T>
Contender cub_partition_if(const SelectInput<T>& input, cudaStream_t stream) {
  auto result = input.partition_result(Rejected::kReversed);
  return cub_contender(result, [=](auto& to, void* temp, size_t& bytes) {
    return cub::DevicePartition::If(temp, bytes, input.in(), to.selected.data(), to.count.data(),
                                    int(input.n), input.keep, stream);
  });
}

}  // namespace compaction::bench
