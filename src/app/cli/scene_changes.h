// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <glm/vec3.hpp>
#include <optional>
#include <string>

#include "app/cli/option_values.h"
#include "scene/host_scene.h"

namespace winnow {

/// A value of --sky, which replaces the sky of a scene.
struct SkyRequest {
  enum class Kind {
    kNone,
    kSoft,  ///< the sky of models without light
    kSun,   ///< a clear day
    kFile,  ///< an environment map
  };

  Kind kind = Kind::kNone;
  std::filesystem::path file;  ///< environment map
  float scale = 1.0f;          ///< factor of its radiance
  float rotation = 0.0f;       ///< degrees about +y, counter-clockwise seen from above
  std::string text = {};       ///< the value itself
  /// Azimuth of the sun, degrees from +z towards +x; none: in front of the scene
  std::optional<float> azimuth = {};
  float elevation = kDefaultElevation;  ///< degrees of the sun above the horizon, (0, 90]

  static constexpr float kDefaultElevation = 45.0f;
};

/// Parses none, soft, sun[:AZIMUTH[:ELEVATION]] or FILE[:SCALE[:ROTATION]]. Throws UsageError.
SkyRequest parse_sky(const std::string& option, const std::string& text);

/// Replaces the sky of `scene`. The sun without an azimuth stands in front of a framed scene, at
/// the multiple of 90 degrees nearest to the camera, and else at +z. Lamps and emissive surfaces
/// stay. Adds a warning to `scene` if no light is left. Throws Error, which names the file, if the
/// environment map cannot be read.
void replace_sky(const SkyRequest& sky, HostScene& scene);

/// Replaces the sky with a map that load_sky() has read, for several scenes.
void replace_sky(const SkyRequest& sky, const EnvironmentMap& map, HostScene& scene);

/// Returns the environment map of a sky; empty if the sky is not a file. Throws Error, which names
/// the file.
EnvironmentMap load_sky(const SkyRequest& sky, std::vector<std::string>& warnings);

/// A value of --camera. With a direction, +y is up.
struct View {
  glm::vec3 eye{0.0f}, direction{0.0f};
  float horizontal_fov = 0.0f;  ///< degrees; 0: the eye alone is given

  bool is_whole() const { return horizontal_fov > 0.0f; }
};

/// Parses X,Y,Z or X,Y,Z,DX,DY,DZ,FOV. Throws UsageError.
View parse_view(const std::string& option, const std::string& text);

/// Parses X,Y,Z. Throws UsageError.
glm::vec3 parse_point(const std::string& option, const std::string& text);

/// Parses a vertical field of view in degrees. Throws UsageError.
float parse_fov(const std::string& option, const std::string& text);

/// Returns the pinhole camera of a whole view for a film of `size` pixels.
CameraDescription camera_of(const View& view, Size size);

/// Values of --camera, --look-at and --fov, which replace parts of the camera of a scene.
struct CameraChange {
  std::optional<View> camera = {};
  std::optional<glm::vec3> look_at = {};
  std::optional<float> vertical_fov = {};  ///< degrees

  bool is_given() const { return camera || look_at || vertical_fov; }
};

/// Throws UsageError for values that contradict each other.
void check_camera_change(const CameraChange& change);

/// Changes the camera of `scene`. A whole view replaces it. Else the eye moves, and it looks at
/// `look_at` or at what it looked at; its `up`, lens, shift and clipping planes stay.
///
/// @param scene  has geometry and the size of the film
/// Throws UsageError as check_camera_change(), and if the camera would look at itself.
void change_camera(const CameraChange& change, HostScene& scene);

/// Returns the options that give a scene the camera of `scene`: "--camera 0,1,4 --look-at 0,1,0
/// --fov 36.4". Empty for an orthographic camera.
std::string camera_options_text(const HostScene& scene);

}  // namespace winnow
