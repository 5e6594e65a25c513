// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "load/mitsuba/object.h"
#include "load/textures/texture_library.h"

namespace winnow {

// Properties that are colours, in linear Rec.709. No channel is below 0.

/// A property that is a <texture> or a <spectrum> of some type, or refers to one; nothing if it is
/// something else.
std::optional<MitsubaObject> find_mitsuba_texture(const MitsubaObject& object,
                                                  std::string_view name);

/// An <rgb>, <srgb>, <spectrum> or <float>, or a <texture>, which becomes its mean colour.
glm::vec3 read_mitsuba_color(const MitsubaObject& object, std::string_view name,
                             glm::vec3 fallback);

/// The same for a reflectance: it is clamped to 1, with a warning.
glm::vec3 read_mitsuba_reflectance(const MitsubaObject& object, std::string_view name,
                                   glm::vec3 fallback);

/// A number. A colour or a <texture> in its place becomes the luminance of its mean, with a
/// warning.
float read_mitsuba_number(const MitsubaObject& object, std::string_view name, float fallback);

/// A colour, or a texture of colours.
struct MitsubaTextured {
  glm::vec3 factor{1.0f};         ///< of the texture, or the colour itself
  uint32_t texture = kNoTexture;  ///< index in HostScene::textures
};

/// A texture of the type bitmap or checkerboard, scaled or not; nothing for another one. A missing
/// file gives grey, with a warning.
std::optional<MitsubaTextured> read_mitsuba_texture(const MitsubaObject& texture,
                                                    TextureLibrary& textures);

/// A texture of the type mesh_attribute: colours that a mesh has, times a factor.
struct MitsubaMeshAttribute {
  std::string name;
  float scale = 1.0f;
};

std::optional<MitsubaMeshAttribute> read_mitsuba_mesh_attribute(const MitsubaObject& texture);

/// The names of the mesh_attributes in a BSDF and in those inside of it.
std::set<std::string> find_mitsuba_mesh_attributes(const MitsubaObject& bsdf);

/// The names of the attributes that are read.
inline constexpr const char* kMitsubaVertexColor = "vertex_color";
inline constexpr const char* kMitsubaFaceColor = "face_color";

using ReadMitsubaColor = glm::vec3(const MitsubaObject&, std::string_view, glm::vec3);

/// A property: read_mitsuba_texture() where it is such a texture, and anything else by
/// `read_plain`.
MitsubaTextured read_mitsuba_textured(const MitsubaObject& object, std::string_view name,
                                      glm::vec3 fallback, TextureLibrary& textures,
                                      ReadMitsubaColor read_plain = read_mitsuba_reflectance);

/// The same for a property that is a number. The numbers of a texture are the luminances of its
/// linear colours.
MitsubaTextured read_mitsuba_numbers(const MitsubaObject& object, std::string_view name,
                                     float fallback, TextureLibrary& textures);

/// Index of a bitmap that does not hold colours; kNoTexture, with a warning, where it is missing.
uint32_t read_mitsuba_bitmap(const MitsubaObject& texture, TexelMeaning meaning,
                             TextureLibrary& textures);

}  // namespace winnow
