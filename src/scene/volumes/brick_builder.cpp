// SPDX-License-Identifier: MIT
#include "scene/volumes/brick_builder.h"

#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace winnow {

BrickBuilder::BrickBuilder(glm::uvec3 size, GridBorder border) {
  grid_.size = size;
  grid_.border = border;
  grid_.brick_counts = size / GridBrick::kSide + 1u;  // for size + 1 cells
  const glm::uvec3 counts = grid_.brick_counts;
  grid_.bricks.reserve(size_t(counts.x) * counts.y * counts.z);
}

void BrickBuilder::add(const Values& values) {
  const float largest = *std::ranges::max_element(values);
  if (largest == 0.0f) return add_clear();
  const auto [known, is_new] =
      known_.try_emplace(XXH3_64bits(values.data(), sizeof values), stored_count());
  const auto first = grid_.values.begin() + ptrdiff_t(known->second) * ptrdiff_t(values.size());
  const bool is_stored = !is_new && std::equal(values.begin(), values.end(), first);
  grid_.bricks.push_back(
      {.stored = is_stored ? known->second : stored_count(), .max_density = largest});
  if (!is_stored) grid_.values.insert(grid_.values.end(), values.begin(), values.end());
}

DensityGrid BrickBuilder::take() {
  return std::move(grid_);
}

}  // namespace winnow
