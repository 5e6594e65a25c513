// SPDX-License-Identifier: MIT
#pragma once

#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>

#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/select_result.cuh"

// Select and partition by a predicate, by the library and by CUB, for items of any type.

namespace compaction::bench {

template <class T>
Contender fast_select_if(const SelectInput<T>& input, cudaStream_t stream) {
  auto to = input.result();
  return fast_path(select_if_bytes<T, Below<T>>(input.n), to, [=](Span<std::byte> workspace) {
    return select_if(input.items->data(), to->data(), {to->count.on_device.data()},
                     ItemCount{input.n}, input.keep, workspace, stream);
  });
}

template <class T>
Contender cub_select_if(const SelectInput<T>& input, cudaStream_t stream) {
  auto to = input.result();
  return {kCub, cub_call([=](void* storage, size_t& bytes) {
            return cub::DeviceSelect::If(storage, bytes, input.items->data(), to->data(),
                                         to->count.on_device.data(), int(input.n), input.keep,
                                         stream);
          }),
          to};
}

template <class T>
Contender fast_partition_if(const SelectInput<T>& input, cudaStream_t stream) {
  auto to = input.partition_result(Rejected::kOwnBuffer);
  return fast_path(partition_if_bytes<T, Below<T>>(input.n), to, [=](Span<std::byte> workspace) {
    return partition_if(input.items->data(), to->selected.data(), to->rejected.data(),
                        {to->count.on_device.data()}, ItemCount{input.n}, input.keep, workspace,
                        stream);
  });
}

/// Returns CUB's partition into one buffer, with the second side reversed.
template <class T>
Contender cub_partition_if(const SelectInput<T>& input, cudaStream_t stream) {
  auto to = input.partition_result(Rejected::kReversed);
  return {kCub, cub_call([=](void* storage, size_t& bytes) {
            return cub::DevicePartition::If(storage, bytes, input.items->data(),
                                            to->selected.data(), to->count.on_device.data(),
                                            int(input.n), input.keep, stream);
          }),
          to};
}

}  // namespace compaction::bench
