// SPDX-License-Identifier: MIT
#include "backend/cuda/cuda_memory.cuh"
#include "compaction/simt/cuda/launch.cuh"
#include "shading/bsdf/bsdf.h"
#include "tests/shading/bsdf/support/bsdf_runner.h"

namespace winnow {
namespace {

using simt::Span;

struct SampleBsdf {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;

  Bsdfs<kExtended> bsdfs;
  Material material;
  glm::vec3 wo;
  Span<const glm::vec3> u;
  Span<BsdfSample> samples;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t i = block.group_index() * kBlockSize + block.thread_rank();
    if (i < u.size) samples[i] = bsdfs.sample(material, wo, u[i]);
  }
};

struct EvalBsdf {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;

  Bsdfs<kExtended> bsdfs;
  Material material;
  glm::vec3 wo;
  Span<const glm::vec3> wi;
  Span<BsdfValue> values;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t i = block.group_index() * kBlockSize + block.thread_rank();
    if (i < wi.size) values[i] = bsdfs.eval(material, wo, wi[i]);
  }
};

class CudaBsdfs : public BsdfRunner {
 public:
  explicit CudaBsdfs(LobeNeeds needs) {
    auto upload = [this]<class T>(const std::vector<T>& items) { return memory_.upload(items); };
    bsdfs_.tables = make_lobe_tables(needs, upload);
  }

  std::vector<BsdfSample> sample(const Material& material, glm::vec3 wo,
                                 const std::vector<glm::vec3>& u) override {
    CudaMemory memory;
    const auto samples = memory.allocate<BsdfSample>(u.size());
    launch(u.size(), SampleBsdf{bsdfs_, material, wo, memory.upload(u), samples});
    return download(samples);
  }

  std::vector<BsdfValue> eval(const Material& material, glm::vec3 wo,
                              const std::vector<glm::vec3>& wi) override {
    CudaMemory memory;
    const auto values = memory.allocate<BsdfValue>(wi.size());
    launch(wi.size(), EvalBsdf{bsdfs_, material, wo, memory.upload(wi), values});
    return download(values);
  }

 private:
  template <class Kernel>
  static void launch(size_t count, const Kernel& kernel) {
    simt::cuda::Launcher launcher(nullptr);
    launcher.launch(simt::ceil_div(uint32_t(count), Kernel::kBlockSize), kernel);
    check_cuda(launcher.status(), "running BSDFs");
  }

  CudaMemory memory_;
  Bsdfs<kExtended> bsdfs_;
};

}  // namespace

std::unique_ptr<BsdfRunner> make_cuda_bsdfs(LobeNeeds needs) {
  return std::make_unique<CudaBsdfs>(needs);
}

}  // namespace winnow
