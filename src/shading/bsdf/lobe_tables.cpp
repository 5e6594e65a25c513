// SPDX-License-Identifier: MIT
#include "shading/bsdf/lobe_tables.h"

#include "scene/spectra/spectrum.h"

namespace winnow {

const LobeValues& lobe_values() {
  static const LobeValues tables = [] {
    LobeValues read;
    const float* next = kLobeValues;
    for_each_table(read, [&](std::vector<float>& table) {
      const size_t count = size_t(*next++);
      table.assign(next, next + count);
      next += count;
    });
    return read;
  }();
  return tables;
}

const std::vector<glm::vec3>& film_colors() {
  static const std::vector<glm::vec3> colors = [] {
    constexpr double kStep = double(FilmTable::kMaxPath) / (FilmTable::kNodes - 1);
    std::vector<glm::vec3> built(FilmTable::kNodes);
    for (uint32_t i = 0; i + 1 < FilmTable::kNodes; ++i)
      built[i] = rgb_of_interference(double(i) * kStep);
    built.back() = glm::vec3(0.0f);
    return built;
  }();
  return colors;
}

}  // namespace winnow
