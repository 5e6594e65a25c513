// SPDX-License-Identifier: MIT
#include "scene/volumes/sparse_values.h"

#include <fmt/format.h>

#include <glm/common.hpp>

#include "base/error.h"
#include "base/limits.h"
#include "scene/volumes/make_bricks.h"

namespace winnow {
namespace {

/// Returns the coordinates of the block of a place.
glm::ivec3 block_of(glm::ivec3 place) {
  static_assert(SparseValues::kSide == 1 << 3);
  return {place.x >> 3, place.y >> 3, place.z >> 3};
}

size_t index_in_block(glm::ivec3 place) {
  const glm::ivec3 in = place & (SparseValues::kSide - 1);
  return size_t((in.z * SparseValues::kSide + in.y) * SparseValues::kSide + in.x);
}

}  // namespace

void SparseValues::add(glm::ivec3 low, const Block& block) {
  const bool is_first = blocks_.empty();
  glm::ivec3 first(kSide), last(-1);
  for (int z = 0; z < kSide; ++z)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x)
        if (const glm::ivec3 in{x, y, z}; block[index_in_block(in)] != 0.0f) {
          first = glm::min(first, in);
          last = glm::max(last, in);
        }
  if (last.x < 0) return;
  min_ = is_first ? low + first : glm::min(min_, low + first);
  max_ = is_first ? low + last : glm::max(max_, low + last);
  blocks_.emplace(key_of(block_of(low)), block);
}

const SparseValues::Block* SparseValues::find(glm::ivec3 block) const {
  const auto found = blocks_.find(key_of(block));
  return found == blocks_.end() ? nullptr : &found->second;
}

float SparseValues::at(glm::ivec3 place) const {
  const Block* block = find(block_of(place));
  return block ? (*block)[index_in_block(place)] : 0.0f;
}

DensityGrid make_density_grid(const SparseValues& values, GridBorder border) {
  const glm::ivec3 first = values.min();
  const glm::uvec3 size(glm::i64vec3(values.max()) - glm::i64vec3(first) + int64_t{1});
  uint64_t bricks = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] > kMaxVolumeSide)
      throw Error(fmt::format("expected values within {} cells along an axis, found {}",
                              kMaxVolumeSide, size[axis]));
    bricks *= size[axis] / GridBrick::kSide + 1;
  }
  if (bricks > kMaxVolumeBricks)
    throw Error(fmt::format("the box of {} x {} x {} cells is too large", size.x, size.y, size.z));
  const auto clamped = [&](glm::uvec3 place) {  // from grid space, whose value 1 is the first one
    return glm::clamp(glm::ivec3(place), glm::ivec3(1), glm::ivec3(size)) - 1 + first;
  };
  return make_bricks(
      size, border,
      [&](glm::uvec3 place) {
        const glm::ivec3 inside = clamped(place);
        const bool is_outside = inside - first + 1 != glm::ivec3(place);
        return is_outside && border != GridBorder::kClamp ? 0.0f : values.at(inside);
      },
      [&](glm::uvec3 low) {
        const glm::ivec3 begin = block_of(clamped(low)),
                         end = block_of(clamped(low + GridBrick::kSide));
        for (int z = begin.z; z <= end.z; ++z)
          for (int y = begin.y; y <= end.y; ++y)
            for (int x = begin.x; x <= end.x; ++x)
              if (values.find({x, y, z})) return false;
        return true;
      });
}

}  // namespace winnow
