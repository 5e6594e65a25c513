// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "load/pbrt/statements.h"
#include "load/text/repeated_warnings.h"
#include "scene/host_scene.h"

namespace winnow {

/// A statement that describes an object, which is converted when it is used.
struct PbrtObject {
  std::string type;  ///< "matte", "trianglemesh", ...
  std::string name;  ///< name of a named object
  PbrtParameters parameters;
  PbrtPlace place;
  glm::mat3 to_rec709{1.0f};  ///< from the linear colour space of the statement
};

/// State that the parts of the reader of pbrt scenes share.
struct PbrtContext {
  explicit PbrtContext(HostScene& scene, const PbrtFolders& folders, bool is_old)
      : scene(scene), folders(folders), is_old(is_old) {}

  HostScene& scene;
  const PbrtFolders& folders;
  bool is_old;  ///< version 3 or older
  RepeatedWarnings warnings, left_out;
  size_t curve_triangles = 0;  ///< triangles of all curves so far
  size_t round_triangles = 0;  ///< triangles of spheres, disks and other round shapes so far

  /// Transform from the world of the file to that of Winnow. pbrt is left-handed: the world is
  /// mirrored unless the transform of the camera already mirrors it.
  glm::mat4 from_pbrt{1.0f};

  /// Adds a warning. Each text is reported once, with its first place and number of occurrences.
  void warn(const PbrtPlace& place, const std::string& what) {
    warnings.add(limited(what), [&] { return place.text(); });
  }

  /// Adds a warning about a shape that is left out.
  void leave_out(const PbrtObject& shape, const std::string& why) {
    warn(shape.place, why);
    left_out.add(limited(why), [&] { return shape.place.text(); });
  }

  /// Warns about unused parameters of an object.
  /// @param what  kind of the object: "a material of the type"
  void warn_about_unused(const PbrtObject& object, const std::string& what);

  /// Returns the path of a file that a statement names; nothing, with a warning, if it does not
  /// exist.
  std::optional<std::filesystem::path> find_file(const PbrtPlace& place, const std::string& name,
                                                 const std::string& consequence);

 private:
  /// Returns `what`, or a text that there are further warnings if there are already many.
  std::string limited(const std::string& what);

  std::unordered_set<std::string> kinds_;
};

/// Transform, attributes and defaults that apply to the next statement.
struct PbrtState {
  glm::dmat4 ctm{1.0};          ///< current transformation matrix, to the world of the file
  bool is_start_active = true;  ///< transforms apply at the start of the shutter
  bool is_reversed = false;     ///< ReverseOrientation
  std::shared_ptr<const PbrtObject> material;    ///< null for the default
  std::shared_ptr<const PbrtObject> area_light;  ///< light of the next shapes, or null
  std::string inside, outside;                   ///< names of media, empty for none
  glm::mat3 to_rec709{1.0f};
  /// Defaults by "shape", "light", "material", "medium" and "texture", see
  /// PbrtParameters::add_defaults().
  std::shared_ptr<const std::map<std::string, PbrtParameters>> defaults;
};

}  // namespace winnow
