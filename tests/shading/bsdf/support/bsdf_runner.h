// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "math/sampler.h"
#include "shading/bsdf/bsdf_by_type.h"
#include "tests/support/estimate.h"
#include "tests/support/span_of.h"

namespace winnow {

/// Samples and evaluates BSDFs for many directions at once, on the host or on a GPU.
struct BsdfRunner {
  template <class Result>
  using ForEach = std::function<std::vector<Result>(const Material& material, glm::vec3 wo,
                                                    const std::vector<glm::vec3>&)>;

  ForEach<BsdfSample> sample;  ///< samples with each of the uniforms
  ForEach<BsdfValue> eval;     ///< evaluates each of the directions
};

/// @param features  kBasic, kExtended or kLayered
BsdfRunner make_host_bsdfs(Features features, LobeNeeds needs);

/// With kLayered; needs a GPU and a build with CUDA.
BsdfRunner make_cuda_bsdfs(LobeNeeds needs);

inline glm::vec3 at_cosine(float cosine) {
  const float sine = std::sqrt(1.0f - cosine * cosine);
  return {0.6f * sine, 0.8f * sine, cosine};
}

/// Reflectance of a smooth boundary, as a function of the cosine.
inline auto boundary_reflectance(double eta) {
  return
      [=](double cosine) { return double(cross_dielectric(float(cosine), float(eta)).reflected); };
}

/// Cosine-weighted mean over directions.
template <class Function>
double mean_over_cosine(const Function& function, int steps = 48) {
  double mean = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double cosine = (i + 0.5) / steps;
    mean += 2.0 * cosine * function(cosine) / steps;
  }
  return mean;
}

/// BSDFs on the host, with all tables but those of Beckmann's distribution.
inline const Bsdfs<kLayered>& host_bsdfs() {
  static const Bsdfs<kLayered> bsdfs{make_lobe_tables(
      {.plastic = {true, true}, .principled = true, .film = true, .brushed = true}, span_of)};
  return bsdfs;
}

/// The energy of a sample in red: after refraction, radiance is scaled by the squared index.
inline double energy(const BsdfSample& sample) {
  return double(sample.weight.x) * sample.eta_scale;
}

/// Albedo for `wo`.
inline Estimate furnace(const Material& material, glm::vec3 wo, uint32_t count = 20'000) {
  return estimate(count, [&](uint32_t i) {
    const glm::vec3 u(Sampler{.seed = 3, .sample = i}.sample4(0));
    return energy(host_bsdfs().sample(material, wo, u));
  });
}

}  // namespace winnow
