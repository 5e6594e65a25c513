#pragma once

#include "compaction/simt/qualifiers.h"
#include "scene/material.h"

namespace winnow {

/// Share of the light from straight ahead that a surface sends on, in any direction.
SIMT_HOST_DEVICE inline glm::vec3 albedo(const Material& material) {
  // A dielectric reflects or refracts all of it; only what refracts is tinted.
  return material.type == MaterialType::kDielectric ? glm::vec3(1.0f) : material.reflectance;
}

}  // namespace winnow
