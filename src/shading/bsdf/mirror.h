#pragma once

#include <cmath>

#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/fresnel.h"

namespace winnow {

/// Perfect reflection about the normal.
SIMT_HOST_DEVICE inline BsdfSample sample_mirror(const Material& material, glm::vec3 wo) {
  return {.wi = {-wo.x, -wo.y, wo.z},
          .weight = schlick_fresnel(material.reflectance, std::abs(wo.z))};
}

}  // namespace winnow
