// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <glm/vec3.hpp>
#include <list>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_position.h"
#include "load/mitsuba/mitsuba_xml.h"
#include "load/text/repeated_warnings.h"
#include "load/textures/texture_library.h"

namespace winnow {

/// An XML file and its text, which gives positions.
struct XmlFile {
  std::string name, text;
  TextLines lines;
  std::filesystem::path folder;
  pugi::xml_document xml;
};

/// A Mitsuba scene file, the files that it includes, and the values of its parameters.
class MitsubaDocument {
 public:
  /// Throws Error, in one line, if a file cannot be read or parsed, or a parameter is unknown.
  /// @param parameters  override the values of <default>
  MitsubaDocument(const std::filesystem::path& file, const MitsubaParameters& parameters,
                  HostScene& scene);

  HostScene& scene;  ///< scene that the document becomes
  TextureLibrary textures;
  std::map<const void*, uint32_t> media;  ///< indices in HostScene::media by XML node

  /// Returns the children of <scene> in order, with included files expanded.
  const std::vector<pugi::xml_node>& objects() const { return objects_; }

  /// Returns the major version; 0 if there is none.
  int version() const { return version_; }
  const std::string& name() const { return files_.front().name; }

  /// Returns the object that <ref id="..."/> refers to; any other node is returned unchanged.
  pugi::xml_node resolve(pugi::xml_node node) const;

  /// True for a node that resolve() can resolve.
  bool can_resolve(pugi::xml_node node) const {
    return std::string_view(node.name()) != "ref" || ids_.contains(node.attribute("id").value());
  }

  /// Calls `visit` for each element of all files, in their order.
  void for_each_node(const std::function<void(pugi::xml_node)>& visit) const;

  /// True for an object that a <ref> refers to.
  bool is_referred_to(pugi::xml_node node) const;

  /// Returns the path of a file that `node` names, relative to the folder of the scene file or a
  /// <path>. Throws Error if there is no such file.
  std::filesystem::path find_file(pugi::xml_node node, const std::string& name) const;

  /// Returns "file:line:column" of a node.
  std::string position(pugi::xml_node node) const;
  [[noreturn]] void fail(pugi::xml_node node, const std::string& what) const;

  /// Mean colours of the mesh whose shape is being read, by attribute name.
  std::map<std::string, glm::vec3> mesh_colors;
  bool has_null_surfaces = false;     ///< shapes that are no surface, and bound no medium
  std::string first_unreadable_mesh;  ///< reason of the first one; empty before

  void warn(pugi::xml_node node, const std::string& what) {
    warnings_.add(what, [&] { return position(node); });
  }
  std::vector<std::string> warnings() const { return warnings_.lines(); }

  void leave_out(pugi::xml_node shape, const std::string& why) {
    warn(shape, why);
    left_out_.add(why, [&] { return position(shape); });
  }
  /// Returns the first warnings of leave_out(), or `none` if there are none.
  std::string shapes_left_out(const std::string& none) const { return left_out_.summary(none); }

 private:
  void read(const std::filesystem::path& file, size_t depth);
  /// Replaces $parameters in the attributes of a node.
  void fill_in(pugi::xml_node node);
  void add_folder(const std::filesystem::path& folder);
  void include(pugi::xml_node node, size_t depth);

  std::list<XmlFile> files_;
  std::vector<std::filesystem::path> folders_;
  std::vector<pugi::xml_node> objects_;
  /// Throws Error for a parameter of the command line that the scene lacks.
  void check_parameters_are_known(const MitsubaParameters& given) const;

  std::vector<std::filesystem::path> open_;  ///< files being read; each includes the next one
  size_t parameter_bytes_ = 0;               ///< bytes that replaced parameters so far
  MitsubaParameters parameters_;
  std::set<std::string> known_parameters_;  ///< parameters with a <default>, and used ones
  std::set<std::string> referred_ids_;
  std::map<std::string, pugi::xml_node> ids_;
  int version_ = 0;
  RepeatedWarnings warnings_, left_out_;
};

}  // namespace winnow
