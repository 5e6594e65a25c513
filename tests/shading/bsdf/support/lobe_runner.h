#pragma once

#include <glm/vec3.hpp>
#include <memory>
#include <vector>

#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/lobe_tables.h"

namespace winnow {

/// AllLobes with some of its tables, here or on a GPU, for many directions at once.
class LobeRunner {
 public:
  virtual ~LobeRunner() = default;

  /// What each of the uniforms samples.
  virtual std::vector<BsdfSample> sample(const Material& material, glm::vec3 wo,
                                         const std::vector<glm::vec3>& u) = 0;

  /// The value for each of the directions.
  virtual std::vector<BsdfValue> eval(const Material& material, glm::vec3 wo,
                                      const std::vector<glm::vec3>& wi) = 0;
};

std::unique_ptr<LobeRunner> make_host_lobes(LobeNeeds needs);

/// Null where this build has no CUDA; needs a GPU.
std::unique_ptr<LobeRunner> make_cuda_lobes(LobeNeeds needs);

}  // namespace winnow
