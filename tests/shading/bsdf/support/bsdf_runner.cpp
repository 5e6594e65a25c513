// SPDX-License-Identifier: MIT
#include "tests/shading/bsdf/support/bsdf_runner.h"

namespace winnow {
namespace {

template <class Function>
auto results(const std::vector<glm::vec3>& inputs, const Function& function) {
  std::vector<decltype(function(inputs[0]))> outputs;
  for (glm::vec3 input : inputs) outputs.push_back(function(input));
  return outputs;
}

template <Features kFeatures>
BsdfRunner run_on_host(const Bsdfs<kFeatures>& bsdfs) {
  return {[=](const Material& material, glm::vec3 wo, const std::vector<glm::vec3>& u) {
            return results(u, [&](glm::vec3 one) { return bsdfs.sample(material, wo, one); });
          },
          [=](const Material& material, glm::vec3 wo, const std::vector<glm::vec3>& wi) {
            return results(wi, [&](glm::vec3 one) { return bsdfs.eval(material, wo, one); });
          }};
}

}  // namespace

BsdfRunner make_host_bsdfs(Features features, LobeNeeds needs) {
  if (!features.extended) return run_on_host(Bsdfs<kBasic>{});
  if (features.layers) return run_on_host(Bsdfs<kLayered>{make_lobe_tables(needs, span_of)});
  return run_on_host(Bsdfs<kExtended>{make_lobe_tables(needs, span_of)});
}

#ifndef WINNOW_GPU_TESTS
BsdfRunner make_cuda_bsdfs(LobeNeeds) {
  return {};
}
#endif

}  // namespace winnow
