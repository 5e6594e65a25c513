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

// Properties that are colours in linear Rec.709. No channel is below 0.

/// Returns a property that is a <texture> or a <spectrum> with a type, or refers to one; otherwise
/// nothing.
std::optional<MitsubaObject> find_mitsuba_texture(const MitsubaObject& object,
                                                  std::string_view name);

/// Reads an <rgb>, <srgb>, <spectrum> or <float>, or a <texture>, which becomes its mean colour.
glm::vec3 read_mitsuba_color(const MitsubaObject& object, std::string_view name,
                             glm::vec3 fallback);

/// Reads a colour that is a reflectance: it is clamped to 1, with a warning.
glm::vec3 read_mitsuba_reflectance(const MitsubaObject& object, std::string_view name,
                                   glm::vec3 fallback);

/// Reads a number. A colour or a <texture> in its place becomes the luminance of its mean, with a
/// warning.
float read_mitsuba_number(const MitsubaObject& object, std::string_view name, float fallback);

/// A colour, or a texture of colours.
struct MitsubaTextured {
  glm::vec3 factor{1.0f};         ///< factor of the texture, or the colour itself
  uint32_t texture = kNoTexture;  ///< index in HostScene::textures
};

/// Reads a texture of the type bitmap or checkerboard, scaled or not; nothing for another type. A
/// missing file gives grey, with a warning.
std::optional<MitsubaTextured> read_mitsuba_texture(const MitsubaObject& texture,
                                                    TextureLibrary& textures);

/// A texture of the type mesh_attribute: colours of a mesh times a factor.
struct MitsubaMeshAttribute {
  std::string name;
  float scale = 1.0f;
};

std::optional<MitsubaMeshAttribute> read_mitsuba_mesh_attribute(const MitsubaObject& texture);

/// Returns the names of the mesh_attributes in a BSDF and in the BSDFs inside of it.
std::set<std::string> find_mitsuba_mesh_attributes(const MitsubaObject& bsdf);

/// Names of the mesh attributes that are read.
inline constexpr const char* kMitsubaVertexColor = "vertex_color";
inline constexpr const char* kMitsubaFaceColor = "face_color";

using ReadMitsubaColor = glm::vec3(const MitsubaObject&, std::string_view, glm::vec3);

/// Reads a property with read_mitsuba_texture() if it is a bitmap or checkerboard, otherwise with
/// `read_plain`.
MitsubaTextured read_mitsuba_textured(const MitsubaObject& object, std::string_view name,
                                      glm::vec3 fallback, TextureLibrary& textures,
                                      ReadMitsubaColor read_plain = read_mitsuba_reflectance);

/// Reads a property that is a number, or a texture, whose numbers are the luminances of its linear
/// colours.
MitsubaTextured read_mitsuba_numbers(const MitsubaObject& object, std::string_view name,
                                     float fallback, TextureLibrary& textures);

/// Returns the index of a bitmap that holds no colours; kNoTexture, with a warning, if it is
/// missing.
uint32_t read_mitsuba_bitmap(const MitsubaObject& texture, TexelMeaning meaning,
                             TextureLibrary& textures);

}  // namespace winnow
