// SPDX-License-Identifier: MIT
#include "compaction/scan.cuh"
#include "python/cuda_call.cuh"

namespace winnow::python {

void run_on_cuda(const ScanCall& call, CudaPlace place) {
  with_scan(call, [&](const auto* in, auto* out, auto op) {
    using T = std::remove_pointer_t<decltype(out)>;
    with_workspace("scanning", place, compaction::scan_bytes<T, decltype(op)>(call.n),
                   [&](const compaction::Storage& storage, cudaStream_t stream) {
                     return call.kind == compaction::ScanKind::kInclusive
                                ? compaction::inclusive_scan(in, out, call.n, op, storage, stream)
                                : compaction::exclusive_scan(in, out, call.n, op, storage, stream);
                   });
  });
}

}  // namespace winnow::python
