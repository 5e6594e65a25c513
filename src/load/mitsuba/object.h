// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/mitsuba/document.h"

namespace winnow {

/// A plugin of a Mitsuba scene (<shape>, <bsdf>, ...) and its properties. They are found by names
/// in snake case, as in Mitsuba 3, even if an older file has "toWorld" or "intIOR".
class MitsubaObject {
 public:
  MitsubaObject(MitsubaDocument& document, pugi::xml_node node)
      : document_(&document), node_(document.resolve(node)) {}

  MitsubaDocument& document() const { return *document_; }
  pugi::xml_node node() const { return node_; }
  std::string tag() const { return node_.name(); }
  std::string type() const { return node_.attribute("type").value(); }
  std::string id() const { return node_.attribute("id").value(); }

  [[noreturn]] void fail(const std::string& what) const { document_->fail(node_, what); }
  void warn(const std::string& what) const { document_->warn(node_, what); }
  /// Warns about a shape that is left out.
  void leave_out(const std::string& why) const { document_->leave_out(node_, why); }

  /// Returns the property of this name and any type; null if there is none.
  pugi::xml_node find(std::string_view name) const;
  bool has(std::string_view name) const { return bool(find(name)); }

  /// Returns a number. A property without a number, such as a <texture>, is ignored with a warning.
  float number(std::string_view name, float fallback) const;

  /// Returns an integer. Rounds a number that is not whole and clamps it to 1e9, with a warning.
  int integer(std::string_view name, int fallback) const;
  bool boolean(std::string_view name, bool fallback) const;
  std::string text(std::string_view name, const std::string& fallback) const;
  glm::vec3 point(std::string_view name, glm::vec3 fallback) const;
  glm::mat4 transform(std::string_view name) const;  ///< identity if there is none

  /// Returns the children with this tag; references are resolved.
  std::vector<MitsubaObject> children(std::string_view tag) const;

  /// True for a <texture>, and for a <spectrum> that has a type.
  bool is_texture() const { return tag() == "texture" || (tag() == "spectrum" && !type().empty()); }

  /// Returns the children that are textures, whatever their names.
  std::vector<MitsubaObject> textures() const;

 private:
  MitsubaDocument* document_;
  pugi::xml_node node_;
};

/// Reads numbers separated by blanks or commas. Throws Error, at `node`, if a word is not a number.
std::vector<float> mitsuba_numbers(const MitsubaDocument& document, pugi::xml_node node,
                                   std::string_view text);

}  // namespace winnow
