// SPDX-License-Identifier: MIT
#include <optional>

#include "base/error.h"
#include "load/mitsuba/convert.h"

namespace winnow {
namespace {

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
                                                   const MediaOfShape& media, bool has_colors) {
  const bool emits = emission.factor != glm::vec3(0.0f);
  const std::vector<MitsubaObject> bsdfs = shape.children("bsdf");
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
