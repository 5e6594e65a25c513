// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <glm/common.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "image/byte_reader.h"
#include "load/mitsuba/convert.h"
#include "scene/optical_constants.h"

namespace winnow {
namespace {

constexpr int kFirstVersionWithoutNames = 2;  ///< first version of Mitsuba without names of media

/// Reads a coefficient or an albedo: a colour, or the mean of a <volume>.
glm::vec3 read_volume(const MitsubaObject& medium, const char* name, glm::vec3 fallback) {
  if (!medium.has(name)) return fallback;
  const MitsubaObject volume(medium.document(), medium.find(name));
  if (volume.tag() != "volume") return medium.color(name, fallback);
  if (volume.type() == "constvolume") return volume.color("value", fallback);
  if (volume.type() == "gridvolume") {
    volume.warn("a gridvolume becomes its mean: media are homogeneous here");
    return mean_of_grid_volume(volume.file());
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

/// Sets the coefficients of `medium` without their scale.
void read_coefficients(const MitsubaObject& source, Medium& medium) {
  constexpr glm::vec3 kDefaultExtinction(1.0f), kDefaultAlbedo(0.75f);
  const bool has_both = source.has("sigma_s") || source.has("sigma_a");
  const char* name = source.has("density") ? "density" : "sigma_t";
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
  const glm::vec3 extinction = read_volume(source, name, kDefaultExtinction);
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
  Medium read;
  read_coefficients(medium, read);
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
  return known->second = uint32_t(media.size() - 1);
}

// Mitsuba 0.5 documentation, section "Grid-based volume data source".
constexpr uint8_t kVolVersion = 3;
enum VolEncoding : uint32_t { kVolFloat = 1, kVolByte = 3 };
constexpr size_t kVolBoundsBytes = 24;

float read_value(ByteReader& reader, uint32_t encoding) {
  constexpr float kMaxByte = 255.0f;
  return encoding == kVolFloat ? std::bit_cast<float>(reader.read_32())
                               : float(reader.read_8()) / kMaxByte;
}

glm::vec3 read_mean(ByteReader reader) {
  if (reader.take(3) != "VOL" || reader.read_8() != kVolVersion)
    throw Error(fmt::format("expected a volume of version {}", kVolVersion));
  const uint32_t encoding = reader.read_32();
  if (encoding != kVolFloat && encoding != kVolByte)
    throw Error(
        fmt::format("expected values of 32-bit floats or bytes, found the encoding {}", encoding));
  uint64_t cells = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const uint64_t side = reader.read_32();
    if (side == 0 || side > kMaxVolumeSide)
      throw Error(
          fmt::format("expected 1 to {} cells along an axis, found {}", kMaxVolumeSide, side));
    cells *= side;
  }
  const uint32_t channels = reader.read_32();
  if (channels != 1 && channels != 3)
    throw Error(fmt::format("expected 1 or 3 channels, found {}", channels));
  reader.take(kVolBoundsBytes);
  const size_t cell_bytes = channels * (encoding == kVolFloat ? sizeof(float) : 1);
  if (cells > reader.left() / cell_bytes) throw Error("truncated");

  glm::dvec3 sum(0.0);
  for (uint64_t cell = 0; cell < cells; ++cell)
    for (uint32_t channel = 0; channel < channels; ++channel)
      sum[int(channel)] += double(read_value(reader, encoding));
  if (channels == 1) sum = glm::dvec3(sum.x);
  const glm::vec3 mean(sum / double(cells));
  for (int channel = 0; channel < 3; ++channel)
    if (!(std::isfinite(mean[channel]) && mean[channel] >= 0.0f))
      throw Error("the mean is negative or not a number");
  return mean;
}

const Material kBlack{.reflectance = glm::vec3(0.0f), .black_back = true};

/// True for shapes that may be open and curved. Others are closed, or get a black back.
bool is_mesh(const std::string& type) {
  return type == "obj" || type == "ply" || type == "serialized" || type == "cylinder";
}

/// First version of Mitsuba in which a shape with a medium and without a BSDF is a surface.
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

glm::vec3 mean_of_grid_volume(const std::filesystem::path& file) {
  const std::string bytes = read_file(file);
  try {
    return read_mean(ByteReader(bytes));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  }
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
  if (media.any()) {
    if (shape.document().version() >= kFirstVersionWithGreyWalls)
      shape.warn(
          "a shape with a medium and without a <bsdf> is no surface; in Mitsuba 3 it is grey");
    return add(boundary_of(media, {.type = MaterialType::kNull}), "boundary");
  }
  if (!shape.children("medium").empty()) {
    shape.leave_out("a boundary without a <bsdf> is left out with its medium");
    return std::nullopt;
  }
  if (!default_) default_ = add({.black_back = true}, "(none)");
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
