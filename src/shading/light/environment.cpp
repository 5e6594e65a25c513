// SPDX-License-Identifier: MIT
#include "shading/light/environment.h"

#include <algorithm>
#include <cmath>

namespace winnow {

EnvironmentTable build_environment_table(const EnvironmentMap& map, float floor) {
  EnvironmentTable table;
  table.floor = floor;
  const Image& image = map.image;
  if (image.pixels.empty() || !(map.scale > 0.0f)) return table;
  Environment view{.texels = {image.pixels.data(), image.pixels.size()},
                   .width = image.width,
                   .height = image.height};

  constexpr double kPiInDouble = 3.14159265358979323846;
  auto sine_at = [&](float row) {  // 0 at the poles
    return float(std::max(std::sin(kPiInDouble * row / image.height), 0.0));
  };
  for (uint32_t row = 0; row <= image.height; ++row)
    table.edge_sines.push_back(sine_at(cell_top(row)));
  table.edge_sines.push_back(0.0f);
  view.edge_sines = {table.edge_sines.data(), table.edge_sines.size()};

  const double texel_angles = kPiInDouble / image.height * 2.0 * kPiInDouble / image.width;
  std::vector<float> row_weights, weights(image.width);
  for (uint32_t row = 0; row <= image.height; ++row) {
    double sum = 0.0;
    for (uint32_t column = 0; column < image.width; ++column) {
      const CellWeights corners = cell_weights(environment_cell(view, row, column), floor);
      const float height = cell_bottom(view, row) - cell_top(row);
      weights[column] = 0.25f * corners.sum() * height;
      sum += weights[column];
    }
    append_cdf_table(weights, table.columns);
    row_weights.push_back(float(sum));
    table.total += sum * texel_angles;
  }
  if (!(table.total > 0.0)) return {};
  append_cdf_table(row_weights, table.rows);
  return table;
}

}  // namespace winnow
