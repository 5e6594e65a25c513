// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "load/mitsuba/document.h"

namespace winnow {

/// Converts a name to snake case: "toWorld" to "to_world", "intIOR" to "int_ior".
std::string snake_case(std::string_view name);

/// A plugin of a Mitsuba scene (<shape>, <bsdf>, ...) and its properties. They are found by names
/// in snake case, as in Mitsuba 3, even if an older file has "toWorld" or "intIOR".
class MitsubaObject {
 public:
  MitsubaObject(MitsubaDocument& document, pugi::xml_node node)
      : document_(&document), node_(document.resolve(node)) {}

  MitsubaDocument& document() const { return *document_; }
  HostScene& scene() const { return document_->scene; }
  TextureLibrary& library() const { return document_->textures; }
  pugi::xml_node node() const { return node_; }
  std::string tag() const { return node_.name(); }
  std::string type() const { return node_.attribute("type").value(); }
  std::string id() const { return node_.attribute("id").value(); }

  [[noreturn]] void fail(const std::string& what) const { document_->fail(node_, what); }
  void warn(const std::string& what) const { document_->warn(node_, what); }
  void leave_out(const std::string& why) const { document_->leave_out(node_, why); }

  /// Returns the property of this name and any type; null if there is none.
  pugi::xml_node find(std::string_view name) const;
  bool has(std::string_view name) const { return bool(find(name)); }

  /// Returns a number. A property without a number, such as a <texture>, is ignored with a warning.
  float number(std::string_view name, float fallback) const;

  /// Returns an integer. Rounds a number that is not whole and clamps it to 1e9, with a warning.
  int integer(std::string_view name, int fallback) const;
  bool boolean(std::string_view name, bool fallback) const;
  std::string text(std::string_view name, const std::string& fallback = "") const;
  glm::vec3 point(std::string_view name, glm::vec3 fallback) const;
  glm::mat4 transform(std::string_view name) const;  ///< identity if there is none

  /// Returns numbers separated by blanks or commas. Throws Error if a word is not a number.
  std::vector<float> numbers_of(std::string_view text) const;

  /// Returns the path of the file that "filename" names. Throws Error if there is no such file.
  std::filesystem::path file() const { return document_->find_file(node_, text("filename")); }

  // Colours are in linear Rec.709. No channel is below 0.

  /// Reads an <rgb>, <srgb>, <spectrum> or <float>, or a <texture>, which becomes its mean colour.
  glm::vec3 color(std::string_view name, glm::vec3 fallback) const;

  /// Reads a colour that is a reflectance: it is clamped to 1, with a warning.
  glm::vec3 reflectance(std::string_view name, glm::vec3 fallback) const;

  /// Reads a number. A colour or <texture> becomes the luminance of its mean, with a warning.
  float mean(std::string_view name, float fallback) const;

  /// Reads a property that is a texture of the type bitmap or checkerboard, scaled or not; nothing
  /// for any other. A missing file gives grey, with a warning.
  /// @param as_number  true if Mitsuba evaluates it as a number, where a checkerboard has the
  /// colours
  ///                   exchanged since version 2
  std::optional<Textured> image(std::string_view name, bool as_number = false) const;

  /// Reads a property with image(), or else with reflectance().
  Textured textured(std::string_view name, glm::vec3 fallback) const;

  /// Reads a number, or a texture whose numbers are the luminances of its linear colours.
  Textured textured(std::string_view name, float fallback) const;

  /// Returns the child elements; references are resolved.
  std::vector<MitsubaObject> children() const;
  std::vector<MitsubaObject> children(std::string_view tag) const;

  /// True for a <texture>, and for a <spectrum> that has a type.
  bool is_texture() const { return tag() == "texture" || (tag() == "spectrum" && !type().empty()); }

  /// Returns the children that are textures, whatever their names.
  std::vector<MitsubaObject> textures() const;

  /// Returns a property for which is_texture() is true; nothing for any other.
  std::optional<MitsubaObject> texture(std::string_view name) const;

 private:
  MitsubaDocument* document_;
  pugi::xml_node node_;
};

/// Reads a texture like MitsubaObject::image().
std::optional<Textured> read_mitsuba_image(const MitsubaObject& texture, bool as_number);

/// Returns the index of the texture of a bitmap; kNoTexture, with a warning, if it is missing.
uint32_t read_mitsuba_bitmap(const MitsubaObject& texture, TexelMeaning meaning);

/// A texture of the type mesh_attribute: colours of a mesh times a factor.
struct MitsubaMeshAttribute {
  std::string name;
  float scale = 1.0f;
};

std::optional<MitsubaMeshAttribute> read_mitsuba_mesh_attribute(const MitsubaObject& texture);

/// Returns a BSDF and those inside of it, each once.
std::vector<MitsubaObject> bsdfs_in(const MitsubaObject& bsdf);

/// Returns the names of the mesh_attributes in a BSDF and in the BSDFs inside of it.
std::set<std::string> find_mitsuba_mesh_attributes(const MitsubaObject& bsdf);

/// Names of the mesh attributes that are read.
inline constexpr const char* kMitsubaVertexColor = "vertex_color";
inline constexpr const char* kMitsubaFaceColor = "face_color";

}  // namespace winnow
