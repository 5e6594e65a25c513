#include "tests/shading/bsdf/support/lobe_runner.h"

#include "shading/bsdf/all_lobes.h"

namespace winnow {
namespace {

class HostLobes : public LobeRunner {
 public:
  explicit HostLobes(LobeNeeds needs)
      : lobes_{make_lobe_tables(needs, []<class T>(const std::vector<T>& items) {
          return simt::Span<const T>(items.data(), items.size());
        })} {}

  std::vector<BsdfSample> sample(const Material& material, glm::vec3 wo,
                                 const std::vector<glm::vec3>& u) override {
    std::vector<BsdfSample> samples;
    for (glm::vec3 one : u) samples.push_back(lobes_.sample(material, wo, one));
    return samples;
  }

  std::vector<BsdfValue> eval(const Material& material, glm::vec3 wo,
                              const std::vector<glm::vec3>& wi) override {
    std::vector<BsdfValue> values;
    for (glm::vec3 one : wi) values.push_back(lobes_.eval(material, wo, one));
    return values;
  }

 private:
  AllLobes lobes_;
};

}  // namespace

std::unique_ptr<LobeRunner> make_host_lobes(LobeNeeds needs) {
  return std::make_unique<HostLobes>(needs);
}

#ifndef WINNOW_CUDA
std::unique_ptr<LobeRunner> make_cuda_lobes(LobeNeeds) {
  return nullptr;
}
#endif

}  // namespace winnow
