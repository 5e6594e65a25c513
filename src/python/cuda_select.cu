// SPDX-License-Identifier: MIT
#include "compaction/partition.cuh"
#include "python/cuda_call.cuh"

namespace winnow::python {

Workspaces& all_workspaces() {
  static auto* const all = new Workspaces;
  return *all;
}

int cuda_device_of(uintptr_t address) {
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, reinterpret_cast<const void*>(address)),
             "asking for the GPU of an array");
  if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged)
    throw Error("an array is not in the memory of a GPU");
  return attributes.device;
}

void run_on_cuda(const SelectCall& call, CudaPlace place) {
  with_item(call.item_bytes, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    using Source = compaction::Flagged;
    using Sink = compaction::WriteColumns<T>;
    const auto* in = static_cast<const T*>(call.items);
    auto* const selected = static_cast<T*>(call.selected);
    auto* const rejected = static_cast<T*>(call.rejected);
    if (rejected)
      with_workspace("partitioning", place, compaction::partition_bytes<Source, Sink>(call.n),
                     [&](const compaction::Storage& storage, cudaStream_t stream) {
                       return compaction::partition(Source{call.flags}, Sink({in, selected}),
                                                    Sink({in, rejected}), call.n, call.count,
                                                    storage, stream);
                     });
    else
      with_workspace("selecting", place, compaction::select_bytes<Source, Sink>(call.n),
                     [&](const compaction::Storage& storage, cudaStream_t stream) {
                       return compaction::select_flagged(in, call.flags, selected, call.count,
                                                         call.n, storage, stream);
                     });
  });
}

}  // namespace winnow::python
