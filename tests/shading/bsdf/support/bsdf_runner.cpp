// SPDX-License-Identifier: MIT
#include "tests/shading/bsdf/support/bsdf_runner.h"

#include "shading/bsdf/bsdf.h"

namespace winnow {
namespace {

template <Features kFeatures>
class HostBsdfs : public BsdfRunner {
 public:
  explicit HostBsdfs([[maybe_unused]] LobeNeeds needs) {
    if constexpr (kFeatures.extended)
      bsdfs_.tables = make_lobe_tables(needs, []<class T>(const std::vector<T>& items) {
        return simt::Span<const T>(items.data(), items.size());
      });
  }

  std::vector<BsdfSample> sample(const Material& material, glm::vec3 wo,
                                 const std::vector<glm::vec3>& u) override {
    std::vector<BsdfSample> samples;
    for (glm::vec3 one : u) samples.push_back(bsdfs_.sample(material, wo, one));
    return samples;
  }

  std::vector<BsdfValue> eval(const Material& material, glm::vec3 wo,
                              const std::vector<glm::vec3>& wi) override {
    std::vector<BsdfValue> values;
    for (glm::vec3 one : wi) values.push_back(bsdfs_.eval(material, wo, one));
    return values;
  }

 private:
  Bsdfs<kFeatures> bsdfs_;
};

}  // namespace

std::unique_ptr<BsdfRunner> make_host_bsdfs(Features features, LobeNeeds needs) {
  if (features.extended) return std::make_unique<HostBsdfs<kExtended>>(needs);
  return std::make_unique<HostBsdfs<kBasic>>(needs);
}

#ifndef WINNOW_CUDA
std::unique_ptr<BsdfRunner> make_cuda_bsdfs(LobeNeeds) {
  return nullptr;
}
#endif

}  // namespace winnow
