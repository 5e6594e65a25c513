// SPDX-License-Identifier: MIT
#include "scene/volumes/sparse_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>

#include "base/error.h"
#include "base/limits.h"
#include "math/mix_hash.h"
#include "scene/volumes/brick_builder.h"

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

/// Returns the size of the box of values. Throws Error if it has too many bricks.
/// @param block_count  blocks with values
glm::uvec3 check_box(glm::ivec3 min, glm::ivec3 max, size_t block_count) {
  // A box of up to 2048^3 cells may be empty: it takes 128 MiB. A larger box needs blocks in
  // proportion to its bricks, so that no small file takes much memory.
  constexpr uint64_t kAlways = uint64_t{1} << 24, kPerBlock = 1024;
  const glm::uvec3 size(glm::i64vec3(max) - glm::i64vec3(min) + int64_t{1});
  uint64_t bricks = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] > kMaxVolumeSide)
      throw Error(fmt::format("expected values within {} cells along an axis, found {}",
                              kMaxVolumeSide, size[axis]));
    bricks *= size[axis] / GridBrick::kSide + 1;
  }
  if (bricks > std::min(kAlways + kPerBlock * block_count, kMaxVolumeBricks))
    throw Error(fmt::format("the box of {} x {} x {} cells is too large for {} blocks of 8^3",
                            size.x, size.y, size.z, block_count));
  return size;
}

}  // namespace

size_t SparseValues::Hash::operator()(glm::ivec3 block) const {
  uint64_t hash = 0;
  for (int axis = 0; axis < 3; ++axis) hash = mix_hash(hash, uint32_t(block[axis]));
  return hash;
}

void SparseValues::add(glm::ivec3 low, glm::ivec3 first, glm::ivec3 last, Place place) {
  const bool is_first = places_.empty();
  min_ = is_first ? low + first : glm::min(min_, low + first);
  max_ = is_first ? low + last : glm::max(max_, low + last);
  places_.emplace(block_of(low), place);
  if (places_.size() > kMaxStoredBricks) throw Error("expected at most 2^30 values other than 0");
}

void SparseValues::add(glm::ivec3 low, const Block& block) {
  glm::ivec3 first(kSide), last(-1);
  for (int z = 0; z < kSide; ++z)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x)
        if (const glm::ivec3 in{x, y, z}; block[index_in_block(in)] != 0.0f) {
          first = glm::min(first, in);
          last = glm::max(last, in);
        }
  if (last.x < 0) return;
  add(low, first, last, {.block = uint32_t(blocks_.size())});
  blocks_.push_back(block);
}

void SparseValues::add_uniform(glm::ivec3 low, float value) {
  if (value != 0.0f) add(low, glm::ivec3(0), glm::ivec3(kSide - 1), {.value = value});
}

SparseValues::Place SparseValues::find(glm::ivec3 block) const {
  const auto found = places_.find(block);
  return found == places_.end() ? Place{} : found->second;
}

float SparseValues::at(glm::ivec3 place) const {
  const Place found = find(block_of(place));
  return found.block == kUniform ? found.value : blocks_[found.block][index_in_block(place)];
}

/// Gathers the values of bricks from the blocks below them: two along each axis, as a brick begins
/// anywhere in a block.
class SparseBricks {
  static constexpr int kValuesPerSide = int(GridBrick::kValuesPerSide);

 public:
  SparseBricks(const SparseValues& values, glm::uvec3 size, GridBorder border)
      : values_(values), size_(size), border_(border), begin_(values.min() - 1) {}

  /// Adds the next brick of a builder.
  void add(glm::uvec3 brick, BrickBuilder& builder) {
    const glm::ivec3 low = begin_ + SparseValues::kSide * glm::ivec3(brick), block = block_of(low);
    std::array<SparseValues::Place, 8> places;
    for (int corner = 0; corner < 8; ++corner)
      places[size_t(corner)] =
          values_.find(block + glm::ivec3(corner & 1, corner >> 1 & 1, corner >> 2));
    const glm::ivec3 offset = low - SparseValues::kSide * block;
    brick_.fill(0.0f);
    for (int corner = 0; corner < 8; ++corner)
      copy(places[size_t(corner)], {corner & 1, corner >> 1 & 1, corner >> 2}, offset);
    if (border_ == GridBorder::kClamp)
      for (int axis = 0; axis < 3; ++axis) clamp(brick, axis);
    builder.add(brick_);
    if (builder.stored_count() > kMaxStoredBricks)
      throw Error("expected at most 2^21 bricks of 8^3 cells with values");
  }

 private:
  /// Copies the values of a brick that are in a block.
  /// @param side    0 or 1 along each axis: the block of the first values or the one after it
  /// @param offset  place of the first value of the brick in its block
  void copy(const SparseValues::Place& place, glm::ivec3 side, glm::ivec3 offset) {
    constexpr int kSide = SparseValues::kSide;
    if (place.block == SparseValues::kUniform && place.value == 0.0f) return;
    const glm::ivec3 split = kSide - offset;  // first values of the second blocks
    const glm::ivec3 first = side * split;
    const glm::ivec3 end = glm::mix(split, glm::ivec3(kValuesPerSide), glm::bvec3(side));
    const glm::ivec3 from = (1 - side) * offset;
    const int count = end.x - first.x;
    for (int z = first.z; z < end.z; ++z)
      for (int y = first.y; y < end.y; ++y) {
        float* to = &brick_[size_t((z * kValuesPerSide + y) * kValuesPerSide + first.x)];
        if (place.block == SparseValues::kUniform) {
          std::fill_n(to, count, place.value);
        } else {
          const glm::ivec3 in{from.x, from.y + y - first.y, from.z + z - first.z};
          std::copy_n(&values_.blocks_[place.block][index_in_block(in)], count, to);
        }
      }
  }

  /// Continues the outermost samples along an axis to the ends of the brick, if they are in the
  /// brick.
  void clamp(glm::uvec3 brick, int axis) {
    const int stride = axis == 0 ? 1 : axis == 1 ? kValuesPerSide : kValuesPerSide * kValuesPerSide;
    const int end = int(size_[axis]) + 1 - SparseValues::kSide * int(brick[axis]);
    if (brick[axis] == 0) continue_plane(axis, 0, stride);
    for (int at = end; at < kValuesPerSide; ++at) continue_plane(axis, at * stride, -stride);
  }
  /// Fills the plane that begins at `to` from the plane `step` beside it.
  void continue_plane(int axis, int to, int step) {
    const int u = axis == 0 ? kValuesPerSide : 1,
              v = axis == 2 ? kValuesPerSide : kValuesPerSide * kValuesPerSide;
    for (int i = 0; i < kValuesPerSide; ++i)
      for (int j = 0; j < kValuesPerSide; ++j) {
        float& value = brick_[size_t(to + i * u + j * v)];
        value = *(&value + step);
      }
  }

  const SparseValues& values_;
  glm::uvec3 size_;
  GridBorder border_;
  glm::ivec3 begin_;  ///< coordinates of the value 0 of grid space
  BrickBuilder::Values brick_;
};

DensityGrid make_density_grid(const SparseValues& values, GridBorder border) {
  const glm::uvec3 size = check_box(values.min(), values.max(), values.block_count());
  const glm::uvec3 counts = size / GridBrick::kSide + 1u;
  const auto index_of = [&](glm::uvec3 brick) {
    return (size_t(brick.z) * counts.y + brick.y) * counts.x + brick.x;
  };
  // The bricks that have values of a block.
  std::vector<bool> is_met(size_t(counts.x) * counts.y * counts.z);
  const glm::ivec3 begin = values.min() - 1;
  for (const auto& [block, place] : values.places_) {
    const glm::ivec3 first = block_of(SparseValues::kSide * block - begin - 1);
    for (int corner = 0; corner < 8; ++corner)
      if (const glm::ivec3 brick = first + glm::ivec3(corner & 1, corner >> 1 & 1, corner >> 2);
          glm::clamp(brick, glm::ivec3(0), glm::ivec3(counts) - 1) == brick)
        is_met[index_of(brick)] = true;
  }
  BrickBuilder builder(size, border);
  builder.reserve(values.blocks_.size());
  SparseBricks bricks(values, size, border);
  for (uint32_t z = 0; z < counts.z; ++z)
    for (uint32_t y = 0; y < counts.y; ++y)
      for (uint32_t x = 0; x < counts.x; ++x)
        if (is_met[index_of({x, y, z})])
          bricks.add({x, y, z}, builder);
        else
          builder.add_clear();
  return builder.take();
}

}  // namespace winnow
