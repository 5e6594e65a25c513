// SPDX-License-Identifier: MIT
#include <memory>

#include "backend/cuda/cuda_memory.h"
#include "compaction/simt/cuda/launch.cuh"
#include "tests/shading/bsdf/support/bsdf_runner.h"

namespace winnow {
namespace {

using simt::Span;

/// Samples, if those are the outputs, or evaluates.
template <class Output>
struct RunBsdf {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;

  Bsdfs<kLayered> bsdfs;
  Material material;
  glm::vec3 wo;
  Span<const glm::vec3> inputs;
  Span<Output> outputs;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t i = block.group_index() * kBlockSize + block.thread_rank();
    if (i >= inputs.size) return;
    if constexpr (std::is_same_v<Output, BsdfSample>)
      outputs[i] = bsdfs.sample(material, wo, inputs[i]);
    else
      outputs[i] = bsdfs.eval(material, wo, inputs[i]);
  }
};

/// @param tables  keeps the tables of `bsdfs` allocated
template <class Output>
BsdfRunner::ForEach<Output> run_on_gpu(const std::shared_ptr<CudaMemory>& tables,
                                       const Bsdfs<kLayered>& bsdfs) {
  return [tables, bsdfs](const Material& material, glm::vec3 wo,
                         const std::vector<glm::vec3>& inputs) {
    CudaMemory memory;
    const Span<Output> outputs = memory.allocate<Output>(inputs.size());
    const RunBsdf<Output> kernel{bsdfs, material, wo, memory.upload(inputs), outputs};
    simt::cuda::Launcher launcher(nullptr);
    launcher.launch(simt::ceil_div(uint32_t(inputs.size()), kernel.kBlockSize), kernel);
    check_cuda(launcher.status(), "running BSDFs");
    return download(outputs);
  };
}

}  // namespace

BsdfRunner make_cuda_bsdfs(LobeNeeds needs) {
  const auto tables = std::make_shared<CudaMemory>();
  auto upload = [&]<class T>(const std::vector<T>& items) { return tables->upload(items); };
  const Bsdfs<kLayered> bsdfs{make_lobe_tables(needs, upload)};
  return {run_on_gpu<BsdfSample>(tables, bsdfs), run_on_gpu<BsdfValue>(tables, bsdfs)};
}

}  // namespace winnow
