// SPDX-License-Identifier: MIT
#include <glm/common.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <optional>

#include "base/error.h"
#include "base/limits.h"
#include "load/mitsuba/convert.h"
#include "load/volumes/vol.h"
#include "scene/optical_constants.h"
#include "scene/place_meshes.h"

namespace winnow {
namespace {

constexpr int kFirstVersionWithoutNames = 2;  ///< first version of Mitsuba without names of media

glm::vec3 mean_of_volume(const MitsubaObject& volume) {
  const std::filesystem::path file = volume.file();
  const GridVolume grid = read_vol(file);
  try {
    return mean_of(grid);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

/// Reads a coefficient or an albedo: a colour, or the mean of a <volume>.
glm::vec3 read_volume(const MitsubaObject& medium, const char* name, glm::vec3 fallback) {
  if (!medium.has(name)) return fallback;
  const MitsubaObject volume(medium.document(), medium.find(name));
  if (volume.tag() != "volume") return medium.color(name, fallback);
  if (volume.type() == "constvolume") return volume.color("value", fallback);
  if (volume.type() == "gridvolume") {
    volume.warn("a gridvolume becomes its mean: only densities of one channel are read as grids");
    return mean_of_volume(volume);
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

/// Returns the <volume> of a heterogeneous medium's density, if it is a grid.
std::optional<MitsubaObject> find_density(const MitsubaObject& medium) {
  const char* name = name_of_extinction(medium);
  if (medium.type() != "heterogeneous" || !medium.has(name)) return std::nullopt;
  const MitsubaObject volume(medium.document(), medium.find(name));
  if (volume.tag() != "volume" || volume.type() != "gridvolume") return std::nullopt;
  return volume;
}

/// Makes a medium heterogeneous. Its grid is in the unit cube or in the box of its file, and clear
/// outside.
void add_density(const MitsubaObject& volume, const GridVolume& grid, uint32_t medium) {
  if (volume.text("filter_type", "trilinear") == "nearest")
    volume.warn("the filter of a volume becomes trilinear");
  if (volume.text("wrap_mode", "clamp") == "repeat")
    volume.warn("a volume is not repeated: its border is clamped");
  glm::mat4 to_world = volume.transform("to_world");
  if (volume.boolean("use_grid_bbox", volume.document().version() < kFirstVersionWithoutNames))
    to_world = glm::scale(glm::translate(to_world, grid.box.min), grid.box.size());
  if (!can_place({glm::vec3(0.0f), glm::vec3(1.0f)}, to_world))
    volume.fail("the box of the volume is flat, or farther away than 1e9 m");
  try {
    place_grid(volume.scene(), medium,
               {.grid = add_grid(volume.scene(), grid, GridBorder::kClamp),
                .to_world = glm::mat4x3(to_world)});
  } catch (const Error& error) {
    volume.fail(error.what());
  }
}

/// Sets the coefficients of `medium` without their scale.
/// @param has_grid  whether a grid holds the extinction
void read_coefficients(const MitsubaObject& source, bool has_grid, Medium& medium) {
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
  const glm::vec3 extinction =
      has_grid ? glm::vec3(1.0f) : read_volume(source, name, kDefaultExtinction);
  const glm::vec3 albedo = glm::min(read_volume(source, "albedo", kDefaultAlbedo), glm::vec3(1.0f));
  medium.scattering = extinction * albedo;
  medium.absorption = extinction - medium.scattering;
}

/// Returns the index of a medium, or kNoMedium.
uint32_t add_medium(const MitsubaObject& medium) {
  const void* node = medium.node().internal_object();
  const auto [known, is_new] = medium.document().media.try_emplace(node, kNoMedium);
  if (!is_new) return known->second;
  if (medium.type() != "homogeneous" && medium.type() != "heterogeneous") {
    medium.warn(fmt::format("a medium of the type {} is left out", in_quotes(medium.type())));
    return kNoMedium;
  }
  const std::optional<MitsubaObject> density = find_density(medium);
  std::optional<GridVolume> grid;
  if (density) grid = read_vol(density->file());
  if (grid && grid->channels != 1) grid.reset();  // a mean
  Medium read;
  read_coefficients(medium, grid.has_value(), read);
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
  std::vector<Medium>& media = medium.scene().media;
  media.push_back(read);
  known->second = uint32_t(media.size() - 1);
  if (grid) add_density(*density, *grid, known->second);
  return known->second;
}

const Material kBlack{.reflectance = glm::vec3(0.0f), .black_back = true};

/// True for shapes that may be open and curved. Others are closed, or get a black back.
bool is_mesh(const std::string& type) {
  return type == "obj" || type == "ply" || type == "serialized" || type == "cylinder";
}

/// First version of Mitsuba in which a shape with a medium and without a BSDF is a grey surface,
/// not a boundary that light passes.
constexpr int kFirstVersionWithGreyWalls = 2;

Material boundary_of(const MediaOfShape& media, Material material) {
  material.bounds_media = true;
  material.interior = media.interior;
  material.exterior = media.exterior;
  return material;
}

constexpr float kGreyOfMissing = 0.5f;

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

uint32_t MitsubaMaterials::add(const Material& material, const std::string& name) {
  scene_.materials.push_back(material);
  scene_.material_names.push_back(one_line(name));
  return uint32_t(scene_.materials.size() - 1);
}

uint32_t MitsubaMaterials::black() {
  if (!black_) black_ = add(kBlack, "black");
  return *black_;
}

Textured MitsubaMaterials::emission_of(const MitsubaObject& shape) {
  for (const MitsubaObject& emitter : shape.children("emitter")) {
    if (emitter.type() == "area") {
      const std::optional<Textured> image = emitter.image("radiance");
      return image ? *image : Textured{emitter.color("radiance", glm::vec3(1.0f))};
    }
    emitter.warn(
        fmt::format("an emitter of the type {} on a shape is ignored", in_quotes(emitter.type())));
  }
  return {.factor = glm::vec3(0.0f)};
}

std::optional<uint32_t> MitsubaMaterials::without_bsdf(const MitsubaObject& shape,
                                                       const MediaOfShape& media) {
  const Material grey{.black_back = true};
  const bool is_grey = shape.document().version() >= kFirstVersionWithGreyWalls;
  if (media.any())
    return is_grey ? add(boundary_of(media, grey), "(none)")
                   : add(boundary_of(media, {.type = MaterialType::kNull}), "boundary");
  if (!is_grey && !shape.children("medium").empty()) {
    shape.leave_out("a boundary without a <bsdf> is left out with its medium");
    return std::nullopt;
  }
  if (!default_) default_ = add(grey, "(none)");
  return *default_;
}

uint32_t MitsubaMaterials::without_black_back(uint32_t material) {
  const auto [known, is_new] = without_black_back_.try_emplace(material);
  if (is_new) {
    Material copy = scene_.materials[material];
    copy.black_back = false;
    known->second = add(copy, scene_.material_names[material]);
  }
  return known->second;
}

std::optional<uint32_t> MitsubaMaterials::of_shape(const MitsubaObject& shape,
                                                   const Textured& emission, const UvLayout& uvs,
                                                   bool has_colors) {
  const bool emits = emission.factor != glm::vec3(0.0f);
  const std::vector<MitsubaObject> bsdfs = shape.children("bsdf");
  const MediaOfShape media = read_mitsuba_media(shape);
  if (bsdfs.empty() && !emits) return without_bsdf(shape, media);
  const void* node = bsdfs.empty() ? nullptr : bsdfs[0].node().internal_object();
  if (!emits)
    if (auto known = known_.find({node, uvs.is_v_left, has_colors, media}); known != known_.end())
      return known->second;

  // A light without a BSDF is black.
  std::optional<MitsubaBsdf> read =
      bsdfs.empty() ? MitsubaBsdf{.material = kBlack} : read_mitsuba_bsdf(bsdfs[0], 0);
  if (!read && emits) {
    shape.warn("a light whose surface is null is opaque; in Mitsuba light passes it");
    read = MitsubaBsdf{.material = kBlack};
  }
  if (read && read->material.vertex_colors && !has_colors) {
    shape.warn("a mesh_attribute that the shape lacks becomes grey 0.5");
    read->material.vertex_colors = false;
    read->material.reflectance *= kGreyOfMissing;
  }
  if (!read && media.any()) read = MitsubaBsdf{.material = {.type = MaterialType::kNull}};
  if (!read) shape.document().has_null_surfaces = true;
  if (read && media.any()) read->material = boundary_of(media, read->material);
  const bool has_normal_map = read && read->material.textures.normal != kNoTexture;
  if (has_normal_map && uvs.is_v_left)
    read->material.textures.normal =
        shape.library().add_with_green_inverted(read->material.textures.normal);
  const bool has_bumps = read && read->heights != kNoTexture && uvs.size.x > 0.0f;
  if (has_bumps && shape.type() != "rectangle")
    shape.warn("a bump map becomes a normal map for the mean size of the shape");
  if (has_bumps) bumps_.add(read->heights, read->height_scale, uvs.size, read->material);
  std::string name = bsdfs.empty() ? "(none)" : bsdfs[0].id();
  if (name.empty()) name = bsdfs[0].type();
  if (emits) {
    Material& lamp = read->material;
    lamp.emission = emission.factor;
    lamp.textures.emission = emission.texture;
    if (lamp.textures.alpha != kNoTexture)
      shape.warn("the mask of a light dims it; in Mitsuba it shines through it");
    else if (lamp.alpha > 0.0f)
      lamp.emission /= lamp.alpha;  // the mask does not dim it
    lamp.two_sided_emission = !is_mesh(shape.type()) && !shape.boolean("flip_normals", false);
    const bool is_flat = shape.type() == "rectangle" || shape.type() == "disk";
    const bool gets_back = is_flat && lamp.black_back && !has_alpha_cutouts(lamp);
    if (gets_back) {
      lamp.two_sided_emission = true;
      lamp.black_back = false;
    } else if (is_flat || !lamp.black_back) {
      lamp.two_sided_emission = false;
    }
    return add(lamp, "light, " + name);
  }
  std::optional<uint32_t> id;
  if (read) id = add(read->material, name);
  if (has_bumps) return id;  // bumps depend on the size of the shape
  known_[{node, uvs.is_v_left, has_colors, media}] = id;
  if (!has_normal_map) known_[{node, !uvs.is_v_left, has_colors, media}] = id;
  return id;
}

}  // namespace winnow
