// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/scene_files.h"

namespace winnow {

/// Loads scenes of Mitsuba that are written for a test.
class MitsubaScenes : public SceneFiles {
 protected:
  /// A scene of these objects, and nothing else.
  HostScene load_objects(const std::string& objects, const std::string& version = "3.0.0") const {
    return load("s.xml", "<scene version=\"" + version + "\">" + objects + "</scene>");
  }

  /// The material of a sphere with this surface.
  Material load_bsdf(const std::string& bsdf, const std::string& version = "3.0.0") const {
    HostScene scene = load_objects("<shape type='sphere'>" + bsdf + "</shape>", version);
    return scene.materials[scene.spheres.at(0).material];
  }
};

/// An object with properties, each given as "tag name value".
inline std::string object(const std::string& tag, const std::string& type,
                          const std::vector<std::string>& properties = {}) {
  std::string text = fmt::format("<{} type='{}'>", tag, type);
  for (const std::string& property : properties) {
    const size_t name = property.find(' ') + 1, value = property.find(' ', name) + 1;
    text += fmt::format("<{}name='{}' value='{}'/>", property.substr(0, name),
                        property.substr(name, value - 1 - name), property.substr(value));
  }
  return text + "</" + tag + ">";
}
inline std::string bsdf(const std::string& type, const std::vector<std::string>& properties = {}) {
  return object("bsdf", type, properties);
}

inline const std::string kSphere = "<shape type='sphere'/>";

}  // namespace winnow
