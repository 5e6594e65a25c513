// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_cuda.cuh"
#include "tests/compaction/support/selects_on.h"

namespace {

template <class... T, class... Op>
fast::AllScans make_scans(std::tuple<fast::ScansPointer<T, Op>...>*, fast::CudaTiles tiles) {
  return {fast::make_cuda_scans_of<T, Op>(tiles)...};
}

}  // namespace

std::vector<fast::Backend> fast::cuda_backends() {
  auto backend = [](const char* name, CudaTiles tiles) {
    return Backend{
        .name = name,
        .why_unavailable = why_no_gpu,
        .make_selects = [=] { return std::make_unique<fast_on::SelectsOn<CudaCalls>>(tiles); },
        .make_scans = [=] { return make_scans(static_cast<AllScans*>(nullptr), tiles); }};
  };
  return {backend("cuda", CudaTiles::kLibrary), backend("cuda_large_tiles", CudaTiles::kLarge),
          backend("cuda_small_tiles", CudaTiles::kSmall)};
}
