// SPDX-License-Identifier: MIT
#include "scene/volumes/emission.h"

#include <algorithm>

#include "scene/spectra/spectrum.h"

namespace winnow {

float largest_value(const DensityGrid& grid) {
  float largest = 0.0f;
  for (const GridBrick& brick : grid.bricks) largest = std::max(largest, brick.max_density);
  return largest;
}

EmissionPart proportional_emission(glm::vec3 radiance, float largest) {
  if (largest <= 0.0f) return {.medium = 0, .placement = {}, .radiances = {glm::vec3(0.0f)}};
  return {.medium = 0,
          .placement = {},
          .step = largest,
          .radiances = {glm::vec3(0.0f), radiance * largest}};
}

EmissionPart black_body_emission(const BlackBodyScale& scale, float largest) {
  // Radiance grows with about the 10th power of the temperature. With this many entries, a line
  // between two of them is within 1e-4 of it above a tenth of the largest value.
  constexpr uint32_t kEntries = 1024;
  EmissionPart part{.medium = 0,
                    .placement = {},
                    .step = std::max(largest, 1e-30f) / float(kEntries - 1),
                    .radiances = {}};
  for (uint32_t i = 0; i < kEntries; ++i) {
    const float temperature = (float(i) * part.step - scale.offset) * scale.kelvin;
    part.radiances.push_back(temperature > BlackBodyScale::kColdest
                                 ? scale.radiance * rgb_of_black_body_over_maximum(temperature)
                                 : glm::vec3(0.0f));
  }
  return part;
}

}  // namespace winnow
