// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/one_line.h"
#include "load/mitsuba/bsdf.h"
#include "load/mitsuba/convert.h"

namespace winnow {
namespace {

const Material kBlack{.type = MaterialType::kDiffuse, .reflectance = glm::vec3(0.0f)};

/// True for shapes that may be open and curved. Others are closed, or get a black back.
bool is_mesh(const std::string& type) {
  return type == "obj" || type == "ply" || type == "serialized" || type == "cylinder";
}

/// First version of Mitsuba in which a shape with a medium and without a BSDF is a surface.
constexpr int kFirstVersionWithGreyWalls = 2;

/// Returns `material` as the boundary of two media.
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

MitsubaTextured MitsubaMaterials::emission_of(const MitsubaObject& shape) {
  for (const MitsubaObject& emitter : shape.children("emitter")) {
    if (emitter.type() == "area")
      return read_mitsuba_textured(emitter, "radiance", glm::vec3(1.0f), textures_,
                                   read_mitsuba_color);
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
  if (!default_) default_ = add(Material{}, "(none)");
  return *default_;
}

std::optional<uint32_t> MitsubaMaterials::of_shape(const MitsubaObject& shape,
                                                   const MitsubaTextured& emission,
                                                   const UvLayout& uvs, bool has_colors) {
  const bool emits = emission.factor != glm::vec3(0.0f);
  const std::vector<MitsubaObject> bsdfs = shape.children("bsdf");
  const MediaOfShape media = media_.of_shape(shape);
  if (bsdfs.empty() && !emits) return without_bsdf(shape, media);
  const void* node = bsdfs.empty() ? nullptr : bsdfs[0].node().internal_object();
  if (!emits)
    if (auto known = known_.find({node, uvs.is_v_left, has_colors, media}); known != known_.end())
      return known->second;

  // A light without a BSDF is black.
  std::optional<MitsubaBsdf> read =
      bsdfs.empty() ? MitsubaBsdf{.material = kBlack} : read_mitsuba_bsdf(bsdfs[0], 0, textures_);
  if (!read && emits) read = MitsubaBsdf{.material = kBlack};
  if (read && read->material.vertex_colors && !has_colors) {
    shape.warn("a mesh_attribute that the shape lacks becomes grey 0.5");
    read->material.vertex_colors = false;
    read->material.reflectance *= kGreyOfMissing;
  }
  if (!read && media.any()) read = MitsubaBsdf{.material = {.type = MaterialType::kNull}};
  if (read && media.any()) read->material = boundary_of(media, read->material);
  const bool has_normal_map = read && read->material.textures.normal != kNoTexture;
  if (has_normal_map && uvs.is_v_left)
    read->material.textures.normal =
        textures_.add_with_green_inverted(read->material.textures.normal);
  const bool has_bumps = read && read->heights != kNoTexture && uvs.size.x > 0.0f;
  if (has_bumps) bumps_.add(read->heights, read->height_scale, uvs.size, read->material);
  std::string name = bsdfs.empty() ? "(none)" : bsdfs[0].id();
  if (name.empty()) name = bsdfs[0].type();
  if (emits) {
    read->material.emission = emission.factor;
    read->material.textures.emission = emission.texture;
    read->material.two_sided_emission = !is_mesh(shape.type());
    return add(read->material, "light, " + name);
  }
  std::optional<uint32_t> id;
  if (read) id = add(read->material, name);
  if (has_bumps) return id;  // bumps depend on the size of the shape
  known_[{node, uvs.is_v_left, has_colors, media}] = id;
  if (!has_normal_map) known_[{node, !uvs.is_v_left, has_colors, media}] = id;
  return id;
}

}  // namespace winnow
