// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <memory>
#include <vector>

#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/lobe_tables.h"
#include "shading/features.h"

namespace winnow {

/// Samples and evaluates BSDFs for many directions at once, on the host or on a GPU.
class BsdfRunner {
 public:
  virtual ~BsdfRunner() = default;

  /// The sample of each of the uniforms.
  virtual std::vector<BsdfSample> sample(const Material& material, glm::vec3 wo,
                                         const std::vector<glm::vec3>& u) = 0;

  /// The value for each of the directions.
  virtual std::vector<BsdfValue> eval(const Material& material, glm::vec3 wo,
                                      const std::vector<glm::vec3>& wi) = 0;
};

/// @param features  kBasic or kExtended
std::unique_ptr<BsdfRunner> make_host_bsdfs(Features features, LobeNeeds needs);

/// With kExtended; needs a GPU. Null in builds without CUDA.
std::unique_ptr<BsdfRunner> make_cuda_bsdfs(LobeNeeds needs);

}  // namespace winnow
