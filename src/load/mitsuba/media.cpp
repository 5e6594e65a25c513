// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <optional>
#include <utility>

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

/// Continues a turned density to the box around it along the axes of the world, as Mitsuba does.
void continue_to_box(const MitsubaObject& volume, const std::string& wrap_mode,
                     PlacedVolume& placed) {
  const Bounds box = box_of(placed.to_world);
  Bounds in_cube;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec3 side(corner & 1, corner >> 1 & 1, corner >> 2);
    in_cube.extend(glm::vec3(glm::inverse(placed.to_world) *
                             glm::vec4(glm::mix(box.min, box.max, side), 1.0f)));
  }
  constexpr float kRounding = 1e-3f;  // cells
  const glm::vec3 cells(placed.grid.size);
  const glm::vec3 before = glm::ceil(-in_cube.min * cells - kRounding),
                  after = glm::ceil((in_cube.max - 1.0f) * cells - kRounding);
  const glm::vec3 size = before + cells + after;
  if (size == cells) return;
  const glm::dvec3 exact(size);
  if (exact.x * exact.y * exact.z > double(kMostGathered))
    return volume.warn(
        "a large turned volume ends at its box; in Mitsuba it continues to the box around that");
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

/// Sets the coefficients of `medium` without their scale.
/// @param of_grid         extinction for the value 1 of a grid, if it has one
/// @param largest_albedo  that of a grid, if it has one
void read_coefficients(const MitsubaObject& source, const std::optional<glm::vec3>& of_grid,
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
      return;
    }
    source.warn(fmt::format("the medium {} is unknown", in_quotes(preset)));
  }
  if (has_both) {
    medium.absorption = read_volume(source, "sigma_a", glm::vec3(0.0f));
    medium.scattering = read_volume(source, "sigma_s", glm::vec3(0.0f));
    return;
  }
  const glm::vec3 extinction = of_grid ? *of_grid : read_volume(source, name, kDefaultExtinction);
  const glm::vec3 albedo =
      glm::min(largest_albedo ? *largest_albedo : read_volume(source, "albedo", kDefaultAlbedo),
               glm::vec3(1.0f));
  medium.scattering = extinction * albedo;
  medium.absorption = extinction - medium.scattering;
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
  read_coefficients(medium, of_grid, largest_albedo, read);
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
  if (grid)
    place_grid(scene, id, add_volume(*density, *grid, 0, true));
  else if (is_heterogeneous && medium.document().version() >= kFirstVersionWithoutNames)
    place_grid(scene, id, add_even_density(medium, find_volume(medium, extinction)));
  if (albedos) {
    ScatteringFactors factors{.medium = id, .channels = {}};
    for (uint32_t channel = 0; channel < 3; ++channel)
      factors.channels[channel] = channel < albedos->channels
                                      ? add_volume(*albedo, *albedos, channel, false)
                                      : factors.channels[0];
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
