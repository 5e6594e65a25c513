#include "backend/cuda/cuda_memory.cuh"
#include "compaction/simt/cuda/launch.cuh"
#include "shading/bsdf/all_lobes.h"
#include "tests/shading/bsdf/support/lobe_runner.h"

namespace winnow {
namespace {

using simt::Span;

struct SampleLobes {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;

  AllLobes lobes;
  Material material;
  glm::vec3 wo;
  Span<const glm::vec3> u;
  Span<BsdfSample> samples;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t i = block.group_index() * kBlockSize + block.thread_rank();
    if (i < u.size) samples[i] = lobes.sample(material, wo, u[i]);
  }
};

struct EvalLobes {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;

  AllLobes lobes;
  Material material;
  glm::vec3 wo;
  Span<const glm::vec3> wi;
  Span<BsdfValue> values;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t i = block.group_index() * kBlockSize + block.thread_rank();
    if (i < wi.size) values[i] = lobes.eval(material, wo, wi[i]);
  }
};

class CudaLobes : public LobeRunner {
 public:
  explicit CudaLobes(LobeNeeds needs) {
    auto upload = [this]<class T>(const std::vector<T>& items) { return memory_.upload(items); };
    lobes_.tables = make_lobe_tables(needs, upload);
  }

  std::vector<BsdfSample> sample(const Material& material, glm::vec3 wo,
                                 const std::vector<glm::vec3>& u) override {
    CudaMemory memory;
    const auto samples = memory.allocate<BsdfSample>(u.size());
    launch(u.size(), SampleLobes{lobes_, material, wo, memory.upload(u), samples});
    return download(samples);
  }

  std::vector<BsdfValue> eval(const Material& material, glm::vec3 wo,
                              const std::vector<glm::vec3>& wi) override {
    CudaMemory memory;
    const auto values = memory.allocate<BsdfValue>(wi.size());
    launch(wi.size(), EvalLobes{lobes_, material, wo, memory.upload(wi), values});
    return download(values);
  }

 private:
  template <class Kernel>
  static void launch(size_t count, const Kernel& kernel) {
    simt::cuda::Launcher launcher(nullptr);
    launcher.launch(simt::ceil_div(uint32_t(count), Kernel::kBlockSize), kernel);
    check_cuda(launcher.status(), "running lobes");
  }

  CudaMemory memory_;
  AllLobes lobes_;
};

}  // namespace

std::unique_ptr<LobeRunner> make_cuda_lobes(LobeNeeds needs) {
  return std::make_unique<CudaLobes>(needs);
}

}  // namespace winnow
