#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/mitsuba/document.h"

namespace winnow {

/// A plugin of a Mitsuba scene (<shape>, <bsdf>, ...) and its properties. A property is asked for
/// in snake case, as Mitsuba 3 writes it; "toWorld" and "intIOR" of older files are found, too.
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

  /// The property of that name, whatever it is; null if there is none.
  pugi::xml_node find(std::string_view name) const;
  bool has(std::string_view name) const { return bool(find(name)); }

  float number(std::string_view name, float fallback) const;
  int integer(std::string_view name, int fallback) const;
  bool boolean(std::string_view name, bool fallback) const;
  std::string text(std::string_view name, const std::string& fallback) const;
  glm::vec3 point(std::string_view name, glm::vec3 fallback) const;
  glm::mat4 transform(std::string_view name) const;  ///< or the identity

  /// What stands in this object and has one of these tags, references followed.
  std::vector<MitsubaObject> children(std::string_view tag) const;

 private:
  MitsubaDocument* document_;
  pugi::xml_node node_;
};

/// Numbers with blanks or commas between them. Throws Error where `node` holds something else.
std::vector<float> mitsuba_numbers(const MitsubaDocument& document, pugi::xml_node node,
                                   std::string_view text);

}  // namespace winnow
