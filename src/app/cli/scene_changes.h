// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <glm/vec3.hpp>
#include <string>

#include "app/cli/option_values.h"
#include "scene/host_scene.h"

namespace winnow {

/// A value of --sky, which replaces the sky of a scene.
struct SkyRequest {
  enum class Kind {
    kNone,
    kSoft,  ///< the sky of models without light
    kSun,   ///< a clear day with the sun 45 degrees high
    kFile,  ///< an environment map
  };

  Kind kind = Kind::kNone;
  std::filesystem::path file;  ///< environment map
  float scale = 1.0f;          ///< factor of its radiance
  float rotation = 0.0f;       ///< degrees about +y, counter-clockwise seen from above
  std::string text = {};       ///< the value itself
};

/// Parses none, soft, sun or FILE[:SCALE[:ROTATION]]. Throws UsageError.
SkyRequest parse_sky(const std::string& option, const std::string& text);

/// Replaces the sky of `scene`; its lamps and emissive surfaces stay. Adds a warning to `scene` if
/// no light is left. Throws Error, which names the file, if the environment map cannot be read.
void replace_sky(const SkyRequest& sky, HostScene& scene);

/// Replaces the sky with a map that load_sky() has read, for several scenes.
void replace_sky(const SkyRequest& sky, const EnvironmentMap& map, HostScene& scene);

/// Returns the environment map of a sky; empty if the sky is not a file. Throws Error, which names
/// the file.
EnvironmentMap load_sky(const SkyRequest& sky, std::vector<std::string>& warnings);

/// A value of --camera; +y is up.
struct View {
  glm::vec3 eye{0.0f}, direction{0.0f};
  float horizontal_fov = 0.0f;  ///< degrees
};

/// Parses X,Y,Z,DX,DY,DZ,FOV. Throws UsageError.
View parse_view(const std::string& option, const std::string& text);

/// Returns the pinhole camera of a view for a film of `size` pixels.
CameraDescription camera_of(const View& view, Size size);

}  // namespace winnow
