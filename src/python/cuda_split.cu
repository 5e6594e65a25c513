// SPDX-License-Identifier: MIT
#include "compaction/split.cuh"
#include "python/cuda_call.cuh"

namespace winnow::python {
namespace {

template <unsigned kClasses, class T, class Source>
void split(const Source& source, const SplitCall& call, CudaPlace place) {
  using Sink = compaction::WriteColumns<T>;
  const Sink sink({static_cast<const T*>(call.items), static_cast<T*>(call.out)});
  with_workspace("splitting", place, compaction::split_bytes<kClasses, Source, Sink>(call.n),
                 [&](const compaction::Storage& storage, cudaStream_t stream) {
                   return compaction::split<kClasses>(source, sink, call.n, {call.offsets}, storage,
                                                      stream);
                 });
}

}  // namespace

void run_on_cuda(const SplitCall& call, CudaPlace place) {
  with_item(call.item_bytes, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    with_keys(call, [&](const auto& source) {
      if (call.classes_of_kernel() == SplitCall::kFewClasses)
        split<SplitCall::kFewClasses, T>(source, call, place);
      else
        split<SplitCall::kMaxClasses, T>(source, call, place);
    });
  });
}

}  // namespace winnow::python
