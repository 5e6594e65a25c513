// SPDX-License-Identifier: MIT
#include <map>
#include <optional>
#include <utility>

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

/// Reads densities that the scene itself has.
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

/// Reads the densities of media. Those that name the same file share a grid.
class DensityReader {
 public:
  DensityReader(const std::filesystem::path& folder, HostScene& scene)
      : folder_(folder), scene_(scene) {}

  void read(const JsonReader& json, uint32_t medium) {
    json.expect_keys(scene_keys::kDensity);
    const glm::mat4x3 to_world(read_transform(json));
    GridBorder border = GridBorder::kFade;
    json.read("border", border, enum_names<GridBorder>());
    if (json.has("file") == json.has("values"))
      json.fail("expected either \"file\", or \"size\" and \"values\"");
    const uint32_t grid =
        json.has("file") ? grid_of_file(json, border) : add_grid(scene_, read_values(json), border);
    place_grid(scene_, medium, {.grid = grid, .to_world = to_world});
  }

 private:
  uint32_t grid_of_file(const JsonReader& json, GridBorder border) {
    if (json.has("size")) json.at("size").fail("a file has its own size");
    const JsonReader name = json.at("file");
    const std::filesystem::path file = find_file(json, folder_);
    const auto [known, is_new] = known_.try_emplace({file, border}, 0u);
    if (!is_new) return known->second;
    const GridVolume volume = read_vol(file);
    if (volume.channels != 1)
      name.fail("expected a volume of one channel, found {}", volume.channels);
    try {
      return known->second = add_grid(scene_, volume, border);
    } catch (const Error& error) {
      name.fail("{}: {}", file.string(), error.what());
    }
  }

  const std::filesystem::path& folder_;
  HostScene& scene_;
  std::map<std::pair<std::filesystem::path, GridBorder>, uint32_t> known_;
};

}  // namespace

MediumIds read_media(const JsonReader& media, const std::filesystem::path& folder,
                     HostScene& scene) {
  MediumIds ids;
  DensityReader densities(folder, scene);
  for (const std::string& name : media.keys()) {
    const auto id = uint32_t(scene.media.size());
    const JsonReader json = media.at(name);
    scene.media.push_back(read_medium(json));
    if (auto density = json.find("density")) densities.read(*density, id);
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
