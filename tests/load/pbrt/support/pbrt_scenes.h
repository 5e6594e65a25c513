// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "tests/support/scene_files.h"

namespace winnow {

/// Loads scenes of pbrt that are written for a test.
class PbrtScenes : public SceneFiles {
 protected:
  /// A world with a camera, of version 4. Unless it has light, there is a warning.
  HostScene load_world(const std::string& world, const std::string& before_camera = "") const {
    return load("s.pbrt", before_camera + " Camera \"perspective\" WorldBegin\n" + world);
  }

  /// A world whose x axis is that of Winnow, under a white sky.
  HostScene load_lit(const std::string& world) const {
    return load_world("LightSource \"infinite\"\n" + world, "Scale -1 1 1");
  }

  /// The material of a triangle that follows some statements.
  Material load_material(const std::string& statements) const {
    const HostScene scene = load_lit(statements +
                                     " Shape \"trianglemesh\" \"point3 P\" [0 0 0  1 0 0  0 1 0] "
                                     "\"point2 uv\" [0 0 1 0 0 1]");
    return scene.materials.at(scene.triangle_materials.at(0));
  }
};

}  // namespace winnow
