// SPDX-License-Identifier: MIT
#include "load/volumes/vol.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <ostream>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "image/byte_reader.h"
#include "scene/place_meshes.h"

namespace winnow {
namespace {

// Mitsuba 0.5 documentation, section "Grid-based volume data source".
constexpr std::string_view kVolMagic = "VOL";
constexpr uint8_t kVolVersion = 3;
enum VolEncoding : uint32_t { kVolFloat = 1, kVolByte = 3 };

float read_float(ByteReader& reader) {
  return std::bit_cast<float>(reader.read_32());
}

GridVolume parse(ByteReader reader) {
  if (reader.take(kVolMagic.size()) != kVolMagic || reader.read_8() != kVolVersion)
    throw Error(fmt::format("expected a volume of version {}", kVolVersion));
  const uint32_t encoding = reader.read_32();
  if (encoding != kVolFloat && encoding != kVolByte)
    throw Error(
        fmt::format("expected values of 32-bit floats or bytes, found the encoding {}", encoding));
  GridVolume volume;
  uint64_t cells = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t side = reader.read_32();
    if (side == 0 || side > kMaxVolumeSide)
      throw Error(
          fmt::format("expected 1 to {} cells along an axis, found {}", kMaxVolumeSide, side));
    volume.size[axis] = side;
    cells *= side;
  }
  volume.channels = reader.read_32();
  if (volume.channels != 1 && volume.channels != 3)
    throw Error(fmt::format("expected 1 or 3 channels, found {}", volume.channels));
  for (glm::vec3* corner : {&volume.box.min, &volume.box.max})
    for (int axis = 0; axis < 3; ++axis) (*corner)[axis] = read_float(reader);
  const size_t cell_bytes = volume.channels * (encoding == kVolFloat ? sizeof(float) : 1);
  if (cells > reader.left() / cell_bytes) throw Error("truncated");

  volume.values.resize(cells * volume.channels);
  constexpr float kMaxByte = 255.0f;
  for (float& value : volume.values)
    value = encoding == kVolFloat ? read_float(reader) : float(reader.read_8()) / kMaxByte;
  return volume;
}

}  // namespace

GridVolume read_vol(const std::filesystem::path& file) {
  return parse_vol(read_file(file), file.string());
}

GridVolume parse_vol(std::string_view bytes, const std::string& file) {
  try {
    return parse(ByteReader(bytes));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file, error.what()));
  }
}

void write_vol(const std::filesystem::path& file, const DensityGrid& grid) {
  static_assert(std::endian::native == std::endian::little);
  replace_file(file, [&](std::ostream& stream) {
    const auto write = [&](const auto& value) {
      stream.write(reinterpret_cast<const char*>(&value), sizeof value);
    };
    stream << kVolMagic << char(kVolVersion);
    write(uint32_t{kVolFloat});
    write(grid.size);
    write(uint32_t{1});
    write(glm::vec3(0.0f));
    write(glm::vec3(1.0f));
    for (uint32_t z = 0; z < grid.size.z; ++z)
      for (uint32_t y = 0; y < grid.size.y; ++y)
        for (uint32_t x = 0; x < grid.size.x; ++x) write(grid.sample({x, y, z}));
  });
}

glm::vec3 mean_of(const GridVolume& volume) {
  glm::dvec3 sum(0.0);
  for (size_t i = 0; i < volume.values.size(); ++i)
    sum[int(i % volume.channels)] += double(volume.values[i]);
  if (volume.channels == 1) sum = glm::dvec3(sum.x);
  const glm::vec3 mean(sum * double(volume.channels) / double(volume.values.size()));
  for (int channel = 0; channel < 3; ++channel)
    if (!(std::isfinite(mean[channel]) && mean[channel] >= 0.0f))
      throw Error("the mean is negative or not a number");
  return mean;
}

uint32_t add_grid(HostScene& scene, const GridVolume& volume, GridBorder border) {
  const glm::uvec3 size = volume.size;
  for (size_t i = 0; i < volume.values.size(); ++i)
    if (!(volume.values[i] >= 0.0f && volume.values[i] <= float(kMaxSceneValue)))
      throw Error(fmt::format("expected densities from 0 to 1e9, found {} at ({}, {}, {})",
                              volume.values[i], i % size.x, i / size.x % size.y,
                              i / size.x / size.y));
  scene.grids.push_back(make_density_grid(size, volume.values, border));
  return uint32_t(scene.grids.size() - 1);
}

GridPlacement add_nvdb_grid(HostScene& scene, const NvdbFile& file, std::string_view name,
                            GridBorder border) {
  return add_sparse_grid(scene, file.read(name), file.name(), name, border);
}

GridPlacement add_sparse_grid(HostScene& scene, const SparseGrid& grid, const std::string& file,
                              std::string_view name, GridBorder border) {
  try {
    const glm::dvec3 low(grid.values.min()), size(grid.values.max() - grid.values.min() + 1);
    // The box begins half a cell before the first value.
    constexpr double kHalf = 0.5;
    const glm::mat4 to_world(glm::scale(glm::translate(grid.index_to_world, low - kHalf), size));
    if (!can_place({glm::vec3(0.0f), glm::vec3(1.0f)}, to_world))
      throw Error("the box of the grid is flat, or farther away than 1e9 m");
    scene.grids.push_back(make_density_grid(grid.values, border));
    if (grid.is_level_set)
      scene.warnings.push_back(fmt::format(
          "{}: the values of {} are distances to a surface, not densities", file, in_quotes(name)));
    return {.grid = uint32_t(scene.grids.size() - 1), .to_world = glm::mat4x3(to_world)};
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file, error.what()));
  }
}

void place_grid(HostScene& scene, uint32_t medium, const GridPlacement& placement) {
  if (scene.grid_placements.size() <= medium) scene.grid_placements.resize(size_t(medium) + 1);
  scene.grid_placements[medium] = placement;
}

}  // namespace winnow
