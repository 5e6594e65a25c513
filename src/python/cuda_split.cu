// SPDX-License-Identifier: MIT
#include "compaction/split.cuh"
#include "python/cuda_call.cuh"

namespace winnow::python {
namespace {

template <unsigned kClasses, class T>
void split(const SplitCall& call, CudaPlace place) {
  using Source = compaction::IndicesByKey<int32_t>;
  using Sink = compaction::WriteColumns<T>;
  const Sink sink({static_cast<const T*>(call.items), static_cast<T*>(call.out)});
  with_workspace("splitting", place, compaction::split_bytes<kClasses, Source, Sink>(call.n),
                 [&](const compaction::Storage& storage, cudaStream_t stream) {
                   return compaction::split<kClasses>(Source{call.keys}, sink, call.n,
                                                      {call.offsets}, storage, stream);
                 });
}

}  // namespace

void run_on_cuda(const SplitCall& call, CudaPlace place) {
  with_item(call.item_bytes, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    if (call.classes_of_kernel() == SplitCall::kFewClasses)
      split<SplitCall::kFewClasses, T>(call, place);
    else
      split<SplitCall::kMaxClasses, T>(call, place);
  });
}

}  // namespace winnow::python
