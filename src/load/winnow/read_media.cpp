// SPDX-License-Identifier: MIT
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "base/files.h"
#include "load/volumes/vdb.h"
#include "load/volumes/vol.h"
#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"

namespace winnow {
namespace {

constexpr Range kAsymmetry{-0.999, 0.999};

Medium read_medium(const JsonReader& json) {
  json.expect_keys(scene_keys::kMedium);
  Medium medium;
  if (json.has("extinction") || json.has("albedo")) {
    if (json.has("absorption") || json.has("scattering"))
      json.fail(
          "expected either \"absorption\" and \"scattering\", or \"extinction\" and \"albedo\"");
    const glm::vec3 extinction = json.at("extinction").color(kNonNegative);
    medium.scattering = extinction * json.at("albedo").color(kFraction);
    medium.absorption = extinction - medium.scattering;
  }
  json.read("absorption", medium.absorption, kNonNegative);
  json.read("scattering", medium.scattering, kNonNegative);
  json.read("asymmetry", medium.asymmetry, kAsymmetry);
  return medium;
}

/// Returns the index of a medium by its name; kNoMedium for null.
uint32_t medium_of(const JsonReader& name, const MediumIds& media) {
  return name.is_null() ? kNoMedium : name.look_up(media, "medium");
}

/// Reads values that the scene itself has.
GridVolume read_values(const JsonReader& json) {
  GridVolume volume;
  const JsonReader size = json.at("size"), values = json.at("values");
  size.expect_size(3, "three numbers of samples: along x, y and z");
  uint64_t count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    volume.size[axis] = size[size_t(axis)].integer(1, kMaxVolumeSide);
    count *= volume.size[axis];
  }
  if (values.size() != count)
    values.fail("expected {} numbers, x fastest, as \"size\" says; found {}", count, values.size());
  volume.values.reserve(count);
  for (size_t i = 0; i < count; ++i) volume.values.push_back(values[i].number(kNonNegative));
  return volume;
}

/// Reads grids. Those of the same file share their values.
class GridReader {
 public:
  GridReader(const std::filesystem::path& folder, SceneMoment& moment, HostScene& scene)
      : folder_(folder), moment_(moment), scene_(scene) {}

  /// @param name    default name of the grid in a file that has several
  /// @param border  default border
  GridPlacement read(const JsonReader& json, const char* name,
                     GridBorder border = GridBorder::kFade) {
    json.expect_keys(scene_keys::kDensity);
    const glm::mat4 to_world = read_transform(json, moment_);
    json.read("border", border, enum_names<GridBorder>());
    if (json.has("file") == json.has("values"))
      json.fail("expected either \"file\", or \"size\" and \"values\"");
    GridPlacement placed = json.has("file")
                               ? grid_of_file(json, name, border)
                               : GridPlacement{add_grid(scene_, read_values(json), border)};
    placed.to_world = glm::mat4x3(to_world * glm::mat4(placed.to_world));
    return placed;
  }

 private:
  GridPlacement grid_of_file(const JsonReader& json, std::string name, GridBorder border) {
    if (json.has("size")) json.at("size").fail("a file has its own size");
    const std::filesystem::path file = find_file(json, folder_);
    const std::string kind = extension_of(file);
    const bool is_vdb = kind == ".vdb", is_sparse = is_vdb || kind == ".nvdb";
    if (is_sparse && border == GridBorder::kRepeat)
      json.at("border").fail("grids of .nvdb and .vdb files do not repeat");
    if (json.has("grid")) {
      if (!is_sparse) json.at("grid").fail("only .nvdb and .vdb files have names of grids");
      name = json.at("grid").text();
    }
    const auto [known, is_new] = known_.try_emplace({file, is_sparse ? name : "", border});
    if (!is_new) return known->second;
    if (is_sparse)
      return known->second =
                 add_sparse_grid(scene_, is_vdb ? read_vdb(file, name) : NvdbFile(file).read(name),
                                 file.string(), name, border);
    const GridVolume volume = read_vol(file);
    if (volume.channels != 1)
      json.at("file").fail("expected a volume of one channel, found {}", volume.channels);
    try {
      return known->second = {add_grid(scene_, volume, border)};
    } catch (const Error& error) {
      json.at("file").fail("{}: {}", file.string(), error.what());
    }
  }

  const std::filesystem::path& folder_;
  SceneMoment& moment_;
  HostScene& scene_;
  std::map<std::tuple<std::filesystem::path, std::string, GridBorder>, GridPlacement> known_;
};

constexpr size_t kMaxEmissionEntries = size_t{1} << 20;

/// Reads a table of radiances, one for each multiple of a step.
EmissionPart read_emission_table(const JsonReader& json) {
  const JsonReader table = json.at("table");
  if (table.size() == 0 || table.size() > kMaxEmissionEntries)
    table.fail("expected 1 to {} colours, found {}", kMaxEmissionEntries, table.size());
  EmissionPart part;
  part.step = json.at("step").number(kPositive);
  for (size_t i = 0; i < table.size(); ++i) part.radiances.push_back(table[i].color(kNonNegative));
  return part;
}

/// Reads a part of what a medium emits: see EmissionPart.
EmissionPart read_emission(const JsonReader& json, GridReader& grids, const HostScene& scene) {
  json.expect_keys(scene_keys::kEmission);
  if (json.has("values") && json.has("temperature"))
    json.fail("expected either \"values\" or \"temperature\"");
  if (json.has("table") && (json.has("radiance") || json.has("temperature")))
    json.fail("a \"table\" has all radiances; expected no \"radiance\" and no \"temperature\"");
  for (const char* key : {"kelvin", "offset"})
    if (json.has(key) && !json.has("temperature"))
      json.at(key).fail("expected a \"temperature\" beside it");
  glm::vec3 radiance(1.0f);
  json.read("radiance", radiance, kNonNegative);
  const std::optional<JsonReader> values =
      json.has("temperature") ? json.find("temperature") : json.find("values");
  const GridPlacement placement =
      values ? grids.read(*values, json.has("temperature") ? "temperature" : "flames")
             : GridPlacement();
  const float largest = values ? largest_value(scene.grids[placement.grid]) : 1.0f;
  EmissionPart part;
  if (json.has("table")) {
    part = read_emission_table(json);
  } else if (json.has("temperature")) {
    BlackBodyScale scale{.radiance = radiance};
    json.read("kelvin", scale.kelvin, kNonNegative);
    json.read("offset", scale.offset, kCoordinate);
    part = black_body_emission(scale, largest);
  } else {
    part = proportional_emission(radiance, largest);
  }
  part.placement = placement;
  if (auto factors = json.find("factors")) part.factors = grids.read(*factors, "flames");
  return part;
}

/// Reads the "emission" of a medium: one part or a list of parts.
void read_emissions(const JsonReader& json, uint32_t medium, GridReader& grids, HostScene& scene) {
  const auto add = [&](const JsonReader& part) {
    scene.emission.push_back(read_emission(part, grids, scene));
    scene.emission.back().medium = medium;
  };
  if (!json.is_array()) return add(json);
  for (size_t i = 0; i < json.size(); ++i) add(json[i]);
}

/// Reads the factors of the scattering of a medium: one grid, or one for each channel.
void read_scattering_factors(const JsonReader& json, uint32_t medium, GridReader& grids,
                             HostScene& scene) {
  const auto read = [&](const JsonReader& channel) {
    const GridPlacement placed = grids.read(channel, "density", GridBorder::kClamp);
    const DensityGrid& grid = scene.grids[placed.grid];
    if (grid.border != GridBorder::kClamp && grid.border != GridBorder::kRepeat)
      channel.at("border").fail(
          "factors continue beyond their box: expected \"clamp\" or \"repeat\"");
    if (largest_value(grid) > 1.0f) channel.fail("expected factors from 0 to 1");
    return placed;
  };
  ScatteringFactors factors{.medium = medium, .channels = {}};
  if (json.is_array())
    json.expect_size(3, "a grid for each of the three channels");
  else
    factors.channels.fill(read(json));
  for (size_t channel = 0; json.is_array() && channel < 3; ++channel)
    factors.channels[channel] = read(json[channel]);
  scene.scattering_factors.push_back(factors);
}

}  // namespace

MediumIds read_media(const JsonReader& media, const std::filesystem::path& folder,
                     SceneMoment& moment, HostScene& scene) {
  MediumIds ids;
  GridReader grids(folder, moment, scene);
  for (const std::string& name : media.keys()) {
    const auto id = uint32_t(scene.media.size());
    const JsonReader json = media.at(name);
    scene.media.push_back(read_medium(json));
    if (auto density = json.find("density")) place_grid(scene, id, grids.read(*density, "density"));
    if (auto emission = json.find("emission")) read_emissions(*emission, id, grids, scene);
    if (auto factors = json.find("scattering_factors"))
      read_scattering_factors(*factors, id, grids, scene);
    ids[name] = id;
  }
  return ids;
}

void read_media_of_material(const JsonReader& json, const MediumIds& media, Material& material) {
  const std::optional<JsonReader> interior = json.find("interior"),
                                  exterior = json.find("exterior");
  material.bounds_media = interior || exterior;
  if (interior) material.interior = medium_of(*interior, media);
  if (exterior) material.exterior = medium_of(*exterior, media);
}

}  // namespace winnow
