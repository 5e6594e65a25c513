// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/limits.h"
#include "load/mitsuba/convert.h"
#include "load/volumes/vol.h"
#include "math/bounds.h"
#include "scene/optical_constants.h"
#include "scene/place_meshes.h"

namespace winnow {
namespace {

/// First version of Mitsuba without names of media, whose volumes are in the unit cube.
constexpr int kFirstVersionWithoutNames = 2;

/// Returns the mean of a volume that was read from the file of `volume`.
glm::vec3 mean_of_volume(const MitsubaObject& volume, const GridVolume& grid) {
  try {
    return mean_of(grid);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", volume.file().string(), error.what()));
  }
}

/// Reads a coefficient or an albedo: a colour, or the mean of a <volume>.
glm::vec3 read_volume(const MitsubaObject& medium, const char* name, glm::vec3 fallback) {
  if (!medium.has(name)) return fallback;
  const MitsubaObject volume(medium.document(), medium.find(name));
  if (volume.tag() != "volume") return medium.color(name, fallback);
  if (volume.type() == "constvolume") return volume.color("value", fallback);
  if (volume.type() == "gridvolume") {
    volume.warn(
        "a gridvolume becomes its mean: grids are read of an albedo, and of the extinction of a "
        "heterogeneous medium");
    return mean_of_volume(volume, read_vol(volume.file()));
  }
  volume.warn(fmt::format("a volume of the type {} is ignored", in_quotes(volume.type())));
  return fallback;
}

float read_asymmetry(const MitsubaObject& medium) {
  constexpr float kMax = 0.999f;
  for (const MitsubaObject& phase : medium.children("phase")) {
    if (phase.type() == "hg") return glm::clamp(phase.number("g", 0.8f), -kMax, kMax);
    if (phase.type() != "isotropic")
      phase.warn(fmt::format("a phase function of the type {} becomes isotropic",
                             in_quotes(phase.type())));
    return 0.0f;
  }
  return 0.0f;
}

/// Returns the name of the extinction of a medium: that of Mitsuba 0.6, or that of later versions.
const char* name_of_extinction(const MitsubaObject& medium) {
  return medium.has("density") ? "density" : "sigma_t";
}

/// Returns a <volume> of a medium.
std::optional<MitsubaObject> find_volume(const MitsubaObject& medium, const char* name) {
  if (!medium.has(name)) return std::nullopt;
  const MitsubaObject volume(medium.document(), medium.find(name));
  if (volume.tag() != "volume") return std::nullopt;
  return volume;
}

/// Returns a <volume> of a medium if it is a grid.
std::optional<MitsubaObject> find_grid(const MitsubaObject& medium, const char* name) {
  const std::optional<MitsubaObject> volume = find_volume(medium, name);
  return volume && volume->type() == "gridvolume" ? volume : std::nullopt;
}

/// A volume of one channel in the unit cube of a space.
struct PlacedVolume {
  GridVolume grid;
  glm::mat4 to_world{1.0f};
};

/// Returns the volume whose sample at a place is that of `volume` at source(place).
template <class Source>
GridVolume gather(const GridVolume& volume, glm::uvec3 size, const Source& source) {
  GridVolume result;
  result.size = size;
  result.values.reserve(size_t(size.x) * size.y * size.z);
  for (uint32_t z = 0; z < size.z; ++z)
    for (uint32_t y = 0; y < size.y; ++y)
      for (uint32_t x = 0; x < size.x; ++x) {
        const std::optional<glm::uvec3> from = source(glm::uvec3(x, y, z));
        result.values.push_back(
            from
                ? volume
                      .values[(size_t(from->z) * volume.size.y + from->y) * volume.size.x + from->x]
                : 0.0f);
      }
  return result;
}

constexpr uint64_t kMostGathered = 1 << 24;  // samples of a volume that is larger than its file

uint64_t count_of(glm::uvec3 size) {
  return uint64_t{size.x} * size.y * size.z;
}

/// Returns samples that a trilinear filter makes cells of one value, up to a part of a cell between
/// them.
GridVolume with_nearest_filter(const MitsubaObject& volume, GridVolume grid) {
  constexpr uint32_t kMost = 8, kEnough = 4;  // samples along the side of a cell
  uint32_t fine = kMost;
  while (fine > 1 && count_of(fine * grid.size) > kMostGathered) --fine;
  if (fine < kEnough) volume.warn("the filter of a volume of so many samples becomes trilinear");
  if (fine == 1) return grid;
  return gather(grid, fine * grid.size, [fine](glm::uvec3 at) { return std::optional(at / fine); });
}

/// Returns the box that contains the unit cube of a space.
Bounds box_of(const glm::mat4& to_world) {
  Bounds box;
  for (int corner = 0; corner < 8; ++corner)
    box.extend(glm::vec3(to_world * glm::vec4(corner & 1, corner >> 1 & 1, corner >> 2, 1)));
  return box;
}

/// Returns the sample of an axis at a place that may be beyond its ends.
int wrapped(int place, int count, const std::string& wrap_mode) {
  const auto modulo = [place](int n) { return (place % n + n) % n; };
  if (wrap_mode == "repeat") return modulo(count);
  if (wrap_mode == "mirror") return std::min(modulo(2 * count), 2 * count - 1 - modulo(2 * count));
  return std::clamp(place, 0, count - 1);
}

/// The two samples of an axis that a place is between.
struct Between {
  uint32_t low, high;
  float weight_of_high;
};

/// Returns what `fine` places in each of `count` cells are between.
std::vector<Between> places_in_cells(uint32_t count, uint32_t fine, const std::string& wrap_mode) {
  std::vector<Between> places(size_t{count} * fine);
  for (size_t i = 0; i < places.size(); ++i) {
    const float place = (float(i) + 0.5f) / float(fine) - 0.5f, low = std::floor(place);
    places[i] = {uint32_t(wrapped(int(low), int(count), wrap_mode)),
                 uint32_t(wrapped(int(low) + 1, int(count), wrap_mode)), place - low};
  }
  return places;
}

/// Divides each cell of a volume into smaller ones, whose trilinear interpolation has the same
/// values if their numbers are odd.
///
/// @param fine  cells for one cell, along each axis
GridVolume refined(const GridVolume& volume, glm::uvec3 fine, const std::string& wrap_mode) {
  GridVolume result;
  result.size = fine * volume.size;
  result.values.reserve(count_of(result.size));
  std::array<std::vector<Between>, 3> places;
  for (int axis = 0; axis < 3; ++axis)
    places[size_t(axis)] = places_in_cells(volume.size[axis], fine[axis], wrap_mode);
  for (const Between& z : places[2])
    for (const Between& y : places[1])
      for (const Between& x : places[0]) {
        const auto along_x = [&](uint32_t at_y, uint32_t at_z) {
          const float* row = &volume.values[(size_t{at_z} * volume.size.y + at_y) * volume.size.x];
          return glm::mix(row[x.low], row[x.high], x.weight_of_high);
        };
        const auto along_y = [&](uint32_t at_z) {
          return glm::mix(along_x(y.low, at_z), along_x(y.high, at_z), y.weight_of_high);
        };
        result.values.push_back(glm::mix(along_y(z.low), along_y(z.high), z.weight_of_high));
      }
  return result;
}

/// Continues a turned density to the box around it along the axes of the world, as Mitsuba does.
/// The box cuts it along cells, so there are at least 64 along each axis if memory permits.
void continue_to_box(const MitsubaObject& volume, const std::string& wrap_mode,
                     PlacedVolume& placed) {
  const auto absolute = [](glm::dmat3 m) {
    for (int column = 0; column < 3; ++column) m[column] = glm::abs(m[column]);
    return m;
  };
  const glm::dmat3 turn(glm::mat3(placed.to_world));
  // The box has the centre of the cube. Its sides are in units of those of the cube.
  const glm::dvec3 sides = absolute(glm::inverse(turn)) * (absolute(turn) * glm::dvec3(1.0));
  const auto cells_beside = [&](glm::uvec3 size) {
    constexpr double kRounding = 1e-3;  // cells
    return glm::max(glm::ceil(0.5 * (sides - 1.0) * glm::dvec3(size) - kRounding), 0.0);
  };
  const auto samples = [&](glm::uvec3 fine) {
    const glm::dvec3 size =
        glm::dvec3(fine * placed.grid.size) + 2.0 * cells_beside(fine * placed.grid.size);
    return size.x * size.y * size.z;
  };
  if (cells_beside(placed.grid.size) == glm::dvec3(0.0)) return;
  if (samples(glm::uvec3(1)) > double(kMostGathered))
    return volume.warn(
        "a large turned volume ends at its box; in Mitsuba it continues to the box around that");
  constexpr uint32_t kEnough = 64;  // cells
  glm::uvec3 fine(1);
  for (int axis = 0; axis < 3; ++axis)
    while (cells_beside(placed.grid.size)[axis] > 0.0 &&
           fine[axis] * placed.grid.size[axis] < kEnough) {
      glm::uvec3 next = fine;
      next[axis] += 2;
      if (samples(next) > double(kMostGathered)) break;
      fine = next;
    }
  placed.grid = refined(placed.grid, fine, wrap_mode);

  const glm::vec3 cells(placed.grid.size), before(cells_beside(placed.grid.size));
  const glm::vec3 size = cells + 2.0f * before;
  const Bounds box = box_of(placed.to_world);
  placed.to_world = glm::scale(glm::translate(placed.to_world, -before / cells), size / cells);
  const glm::ivec3 first(before), count(placed.grid.size);
  placed.grid = gather(placed.grid, glm::uvec3(size), [&](glm::uvec3 at) {
    const glm::vec3 p(placed.to_world * glm::vec4((glm::vec3(at) + 0.5f) / size, 1.0f));
    // The samples beside the cube are kept, as they count inside.
    const glm::ivec3 place = glm::ivec3(at) - first;
    std::optional<glm::uvec3> from;
    if (glm::clamp(p, box.min, box.max) == p || glm::clamp(place, glm::ivec3(-1), count) == place)
      from.emplace();
    for (int axis = 0; axis < 3 && from; ++axis)
      (*from)[axis] = uint32_t(wrapped(place[axis], count[axis], wrap_mode));
    return from;
  });
}

/// Adds a channel of a volume to the grids of the scene.
/// @param is_density  whether it ends at the box around it
GridPlacement add_volume(const MitsubaObject& volume, const GridVolume& grid, uint32_t channel,
                         bool is_density) {
  const bool is_new = volume.document().version() >= kFirstVersionWithoutNames;
  PlacedVolume placed;
  placed.to_world = volume.transform("to_world");
  if (volume.boolean("use_grid_bbox", !is_new))
    placed.to_world = glm::scale(glm::translate(placed.to_world, grid.box.min), grid.box.size());
  if (!can_place({glm::vec3(0.0f), glm::vec3(1.0f)}, placed.to_world))
    volume.fail("the box of the volume is flat, or farther away than 1e9 m");
  placed.grid.size = grid.size;
  for (size_t i = channel; i < grid.values.size(); i += grid.channels)
    placed.grid.values.push_back(grid.values[i]);
  const std::string wrap_mode = volume.text("wrap_mode", "clamp");
  const bool is_nearest = volume.text("filter_type", "trilinear") == "nearest";
  GridBorder border = GridBorder::kClamp;
  if (is_nearest)
    placed.grid = with_nearest_filter(volume, std::move(placed.grid));
  else if (wrap_mode == "repeat")
    border = GridBorder::kRepeat;
  if (is_new && is_density) continue_to_box(volume, wrap_mode, placed);
  try {
    return {.grid = add_grid(volume.scene(), placed.grid, border),
            .to_world = glm::mat4x3(placed.to_world)};
  } catch (const Error& error) {
    volume.fail(error.what());
  }
}

/// Returns a density of 1 in the box around a volume that has no grid. Mitsuba 2 and 3 give a
/// number and a <constvolume> a box, too: the unit cube, placed by `to_world`.
GridPlacement add_even_density(const MitsubaObject& medium,
                               const std::optional<MitsubaObject>& volume) {
  const Bounds box = box_of(volume ? volume->transform("to_world") : glm::mat4(1.0f));
  const glm::mat4 to_world = glm::scale(glm::translate(glm::mat4(1.0f), box.min), box.size());
  if (!can_place({glm::vec3(0.0f), glm::vec3(1.0f)}, to_world))
    medium.fail("the box of a volume is flat, or farther away than 1e9 m");
  const GridVolume one{.size = glm::uvec3(1), .values = {1.0f}};
  return {.grid = add_grid(medium.scene(), one, GridBorder::kClamp),
          .to_world = glm::mat4x3(to_world)};
}

/// Makes a volume of three channels their mean at each sample. Returns the mean colour of what is
/// left, whose mean is 1.
glm::vec3 take_colors(const MitsubaObject& volume, GridVolume& grid) {
  if (grid.channels == 1) return glm::vec3(1.0f);
  volume.warn("the colours of an extinction that varies become their mean");
  const glm::vec3 color = mean_of_volume(volume, grid);
  const float mean = (color.x + color.y + color.z) / 3.0f;
  for (size_t i = 0; i < grid.values.size() / 3; ++i)
    grid.values[i] = (grid.values[3 * i] + grid.values[3 * i + 1] + grid.values[3 * i + 2]) / 3.0f;
  grid.values.resize(grid.values.size() / 3);
  grid.channels = 1;
  return mean > 0.0f ? color / mean : glm::vec3(1.0f);
}

/// Sets the coefficients of `medium` without their scale. Returns whether they follow from an
/// albedo.
///
/// @param of_grid         extinction for the value 1 of a grid, if there is one
/// @param largest_albedo  largest albedo of a grid, if there is one
bool read_coefficients(const MitsubaObject& source, const std::optional<glm::vec3>& of_grid,
                       const std::optional<glm::vec3>& largest_albedo, Medium& medium) {
  constexpr glm::vec3 kDefaultExtinction(1.0f), kDefaultAlbedo(0.75f);
  const bool has_both = source.has("sigma_s") || source.has("sigma_a");
  const char* name = name_of_extinction(source);
  const bool may_be_named = source.document().version() < kFirstVersionWithoutNames;
  if (source.has("material") || (may_be_named && !has_both && !source.has(name))) {
    const std::string preset = source.text("material", "skin1");
    if (const std::optional<Medium> known = find_medium(preset)) {
      medium.absorption = known->absorption;
      medium.scattering = known->scattering;
      return false;
    }
    source.warn(fmt::format("the medium {} is unknown", in_quotes(preset)));
  }
  if (has_both) {
    medium.absorption = read_volume(source, "sigma_a", glm::vec3(0.0f));
    medium.scattering = read_volume(source, "sigma_s", glm::vec3(0.0f));
    return false;
  }
  const glm::vec3 extinction = of_grid ? *of_grid : read_volume(source, name, kDefaultExtinction);
  const glm::vec3 albedo =
      glm::min(largest_albedo ? *largest_albedo : read_volume(source, "albedo", kDefaultAlbedo),
               glm::vec3(1.0f));
  medium.scattering = extinction * albedo;
  medium.absorption = extinction - medium.scattering;
  return true;
}

/// Returns the largest albedo of a grid, and makes its values factors of that.
glm::vec3 divide_by_largest(const MitsubaObject& volume, GridVolume& grid) {
  glm::vec3 largest(0.0f);
  for (size_t i = 0; i < grid.values.size(); ++i) {
    float& value = grid.values[i];
    if (!(value >= 0.0f && value <= float(kMaxSceneValue)))
      volume.fail(fmt::format("expected values of an albedo from 0 to 1, found {}", value));
    value = std::min(value, 1.0f);
    float& channel = largest[int(i % grid.channels)];
    channel = std::max(channel, value);
  }
  if (grid.channels == 1) largest = glm::vec3(largest.x);
  for (size_t i = 0; i < grid.values.size(); ++i)
    if (const float most = largest[int(i % grid.channels)]; most > 0.0f) grid.values[i] /= most;
  return largest;
}

/// Returns the index of a medium, or kNoMedium.
uint32_t add_medium(const MitsubaObject& medium) {
  const void* node = medium.node().internal_object();
  const auto [known, is_new] = medium.document().media.try_emplace(node, kNoMedium);
  if (!is_new) return known->second;
  const bool is_heterogeneous = medium.type() == "heterogeneous";
  if (medium.type() != "homogeneous" && !is_heterogeneous) {
    medium.warn(fmt::format("a medium of the type {} is left out", in_quotes(medium.type())));
    return kNoMedium;
  }
  const char* extinction = name_of_extinction(medium);
  const std::optional<MitsubaObject> density =
      is_heterogeneous ? find_grid(medium, extinction) : std::nullopt;
  const std::optional<MitsubaObject> albedo = find_grid(medium, "albedo");
  std::optional<GridVolume> grid, albedos;
  std::optional<glm::vec3> of_grid, largest_albedo;
  if (density) {
    grid = read_vol(density->file());
    of_grid = take_colors(*density, *grid);
  }
  if (albedo) {
    albedos = read_vol(albedo->file());
    largest_albedo = divide_by_largest(*albedo, *albedos);
  }
  Medium read;
  const bool has_albedo = read_coefficients(medium, of_grid, largest_albedo, read);
  const float scale = medium.number("scale", 1.0f);
  read.absorption *= scale;
  read.scattering *= scale;
  read.asymmetry = read_asymmetry(medium);
  for (int channel = 0; channel < 3; ++channel) {
    const float absorption = read.absorption[channel], scattering = read.scattering[channel];
    if (!(absorption >= 0.0f && scattering >= 0.0f && absorption <= float(kMaxSceneValue) &&
          scattering <= float(kMaxSceneValue)))
      medium.fail(fmt::format("expected coefficients of a medium from 0 to 1e9, found {} and {}",
                              absorption, scattering));
  }
  HostScene& scene = medium.scene();
  const auto id = uint32_t(scene.media.size());
  scene.media.push_back(read);
  known->second = id;
  GridPlacement place_of_density;
  if (grid)
    place_grid(scene, id, place_of_density = add_volume(*density, *grid, 0, true));
  else if (is_heterogeneous && medium.document().version() >= kFirstVersionWithoutNames)
    place_grid(scene, id, add_even_density(medium, find_volume(medium, extinction)));
  if (albedos && has_albedo) {
    ScatteringFactors factors{.medium = id, .channels = {}};
    for (uint32_t channel = 0; channel < 3; ++channel)
      factors.channels[channel] = channel < albedos->channels
                                      ? add_volume(*albedo, *albedos, channel, false)
                                      : factors.channels[0];
    const bool is_inside = grid && factors.channels[0].to_world == place_of_density.to_world;
    if (!is_inside && albedo->text("wrap_mode", "clamp") != "clamp")
      albedo->warn("an albedo does not repeat beyond its box: its outermost values continue");
    scene.scattering_factors.push_back(factors);
  }
  return id;
}

}  // namespace

MediaOfShape read_mitsuba_media(const MitsubaObject& shape) {
  MediaOfShape media;
  for (pugi::xml_node child : shape.node().children()) {
    if (child.type() != pugi::node_element) continue;
    const MitsubaObject object(shape.document(), child);
    if (object.tag() != "medium") continue;
    const bool is_exterior = std::string_view(child.attribute("name").value()) == "exterior";
    (is_exterior ? media.exterior : media.interior) = add_medium(object);
  }
  return media;
}

uint32_t read_mitsuba_sensor_medium(const MitsubaObject& sensor) {
  const std::vector<MitsubaObject> media = sensor.children("medium");
  return media.empty() ? kNoMedium : add_medium(media[0]);
}

}  // namespace winnow
