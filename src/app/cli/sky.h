// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "scene/host_scene.h"

namespace winnow {

/// A value of --sky: what replaces the sky of a scene.
struct SkyRequest {
  enum class Kind {
    kNone,
    kSoft,  ///< that of models without light
    kSun,   ///< a clear day with the sun 45 degrees high
    kFile,  ///< an environment map
  };

  Kind kind = Kind::kNone;
  std::filesystem::path file;  ///< of an environment map
  float scale = 1.0f;          ///< factor of its radiance
  float rotation = 0.0f;       ///< degrees about +y, counter-clockwise seen from above
};

inline constexpr const char* kSkyHelp =
    "replaces the sky of the scene: none, soft, sun, or an\n"
    "environment map, as in studio.hdr:2:90: FILE, factor of\n"
    "its radiance, degrees about +y (default: the scene's)";

/// Parses none, soft, sun or FILE[:SCALE[:ROTATION]] as the functions of option_values.h do.
SkyRequest parse_sky(const std::string& option, const std::string& text);

/// Replaces the sky of `scene`; its lamps and emissive surfaces stay. Warns in `scene` if no light
/// is left. Throws Error, which names the file, if the environment map cannot be read.
void replace_sky(const SkyRequest& sky, HostScene& scene);

}  // namespace winnow
