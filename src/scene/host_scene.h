// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/ext/quaternion_float.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/render_defaults.h"
#include "image/image.h"
#include "scene/material.h"
#include "scene/mesh.h"
#include "scene/pixel_filter.h"
#include "scene/spot_falloff.h"
#include "scene/texture_image.h"
#include "scene/volumes/density_grid.h"
#include "scene/volumes/emission.h"

namespace winnow {

enum class Projection {
  kPerspective,   ///< rays pass through `position`
  kOrthographic,  ///< rays are parallel and start in the plane through `position`
};

/// Largest shift of a camera's lens, in widths or heights of the film.
inline constexpr double kMaxCameraShift = 1000.0;

/// Place of a camera at a moment.
struct CameraPose {
  glm::vec3 position{0.0f};                ///< m
  glm::quat turn{1.0f, 0.0f, 0.0f, 0.0f};  ///< rotation from the orientation of the camera at rest
};

/// When the shutter of a camera opens and closes.
struct Shutter {
  double open = 0.0, close = 0.0;  ///< s
};

/// Right-handed camera at `position` with a pinhole or a thin lens, which looks at `look_at`.
struct CameraDescription {
  glm::vec3 position{0.0f, 0.0f, 5.0f};  ///< m
  glm::vec3 look_at{0.0f};               ///< m
  glm::vec3 up{0.0f, 1.0f, 0.0f};
  float vertical_fov = 40.0f;   ///< degrees, (0, 180); for perspective cameras
  float lens_radius = 0.0f;     ///< m; 0 is a pinhole
  float focus_distance = 0.0f;  ///< m along the view axis; 0 focuses on `look_at`
  Projection projection = Projection::kPerspective;
  float view_height = 1.0f;     ///< m, height of the view; for orthographic cameras
  uint32_t blades = 0;          ///< 0: the lens is a disk; else a regular polygon inscribed in it
  float blade_rotation = 0.0f;  ///< degrees, counter-clockwise seen from behind; 0: a corner is up
  /// Fractions of the film's width and height by which the view moves to the right and up: lens
  /// shift, which keeps the perspective
  glm::vec2 shift{0.0f};
  // Clipping planes: camera rays start at the near one and meet no surface behind the far one.
  float near_clip = 0.0f;                                   ///< m along the view axis
  float far_clip = std::numeric_limits<float>::infinity();  ///< m along the view axis
  float pixel_aspect = 1.0f;                                ///< width of a pixel over its height
  /// Places of the camera while the shutter is open, at equal steps of time, from its opening to
  /// its closing: see set_motion(). Empty: the camera rests.
  std::vector<CameraPose> motion{};
};

/// What the camera of a scene is made from.
enum class CameraOrigin {
  kTarget,     ///< a position and the point that it looks at
  kDirection,  ///< a position and a direction: `look_at` is any point of the view axis
  kFramed,     ///< frame_scene(), which sees all of an object from outside; otherwise kDirection
};

/// Light from infinity: a gradient from horizon to zenith and one colour below the horizon.
struct Sky {
  glm::vec3 zenith{0.0f};          ///< W sr^-1 m^-2
  glm::vec3 horizon{0.0f};         ///< W sr^-1 m^-2; changes to `zenith` linearly in the sine of
                                   ///< the elevation
  glm::vec3 ground{0.0f};          ///< W sr^-1 m^-2
  glm::vec3 up{0.0f, 1.0f, 0.0f};  ///< unit length
};

/// Light from infinity as an equirectangular image. In its own space, +y is the upper edge and +z
/// the centre. Columns increase to the right, seen from inside.
struct EnvironmentMap {
  Image image;               ///< W sr^-1 m^-2, before `scale`; empty if there is no map
  float scale = 1.0f;        ///< factor of the radiance
  glm::mat3 to_world{1.0f};  ///< rotation, possibly mirroring
};

enum class DeltaLightType : uint32_t {
  kPoint,
  kSpot,         ///< a point that emits into a cone
  kDirectional,  ///< parallel light from infinity
};

/// Default start of the falloff of a spot, as a fraction of its cone angle.
inline constexpr float kDefaultFalloffStart = 0.75f;

/// A light without an area, or at infinity.
struct DeltaLight {
  DeltaLightType type = DeltaLightType::kPoint;
  glm::vec3 position{0.0f};  ///< m; for points and spots
  /// Direction of emission, unit length; for spots and directional lights
  glm::vec3 direction{0.0f, -1.0f, 0.0f};
  /// Intensity of a point, or of a spot along its axis, W sr^-1; irradiance of a surface that faces
  /// a directional light, W m^-2.
  glm::vec3 intensity{0.0f};
  float cone_angle = 45.0f;      ///< degrees, (0, 180], from the axis of a spot to its edge
  float falloff_start = 33.75f;  ///< degrees, [0, cone_angle]; a spot fades from here to its edge
  SpotFalloff falloff = SpotFalloff::kLinear;
  float disk_angle = 0.0f;  ///< degrees, [0, 90), diameter of the disk of a directional light
};

struct Sphere {
  glm::vec3 center{0.0f};  ///< m, world space
  float radius = 1.0f;     ///< m
  uint32_t material = 0;
};

/// A mesh that instances share, as a range of HostScene::shared.
struct SharedMesh {
  uint32_t first_triangle = 0, triangle_count = 0;
  uint32_t first_vertex = 0, vertex_count = 0;
};

struct MeshInstance {
  static constexpr uint32_t kOwnMaterials = ~0u;
  uint32_t mesh = 0;
  glm::mat4x3 to_world{1.0f};         ///< m; has an inverse
  uint32_t material = kOwnMaterials;  ///< material of all triangles, or kOwnMaterials to keep the
                                      ///< materials of the mesh
};

/// A scene in host memory, as loaders return it. Its base class holds the triangles in world space,
/// with a normal per vertex and a material per triangle.
struct HostScene : Mesh {
  std::string name;                  ///< file name without folder and extension
  std::string description;           ///< one line from the file; may be empty
  uint32_t width = kDefaultWidth;    ///< pixels
  uint32_t height = kDefaultHeight;  ///< pixels
  uint32_t spp = kDefaultSpp;        ///< samples per pixel
  uint32_t max_bounces = kDefaultMaxBounces;

  FilterDescription filter;
  CameraDescription camera;
  CameraOrigin camera_origin = CameraOrigin::kTarget;
  Sky sky;  ///< black if there is an environment map
  EnvironmentMap environment;
  std::vector<DeltaLight> delta_lights;
  std::vector<Material> materials;
  std::vector<std::string> material_names;  ///< [material]
  std::vector<TextureImage> images;
  std::vector<TextureDescription> textures;

  std::vector<Medium> media;
  uint32_t camera_medium = kNoMedium;  ///< medium that contains the camera, index in `media`
  std::vector<DensityGrid> grids;
  /// [medium]; the media beyond its end are homogeneous
  std::vector<GridPlacement> grid_placements;
  std::vector<EmissionPart> emission;                 ///< parts of what media emit
  std::vector<ScatteringFactors> scattering_factors;  ///< how the albedos of media vary

  std::vector<Sphere> spheres;
  /// First triangle of each object among the triangles in world space, ascending; empty: one object
  std::vector<uint32_t> object_starts;

  /// Meshes in their own space, one after another, and their instances. None of them emits.
  Mesh shared;
  std::vector<SharedMesh> meshes;
  std::vector<MeshInstance> instances;
  /// Whether the file moves anything but the camera. The scene is that of one moment; load_scene()
  /// shows others.
  bool is_animated = false;
  uint32_t motion_hash = 0;           ///< see MotionHash; 0 if only the camera moves
  std::optional<Shutter> shutter;     ///< times on the clock of the file, if it states them
  std::vector<std::string> warnings;  ///< warnings of the loader, one line each
  std::vector<std::string> notes;     ///< what the program that wrote the file could not write

  std::vector<std::string> camera_names;   ///< names of the file's cameras; the default is first
  std::vector<std::string> variant_names;  ///< names of the variants of its materials
};

/// Returns whether the density of a medium varies.
inline bool has_grid(const HostScene& scene, size_t medium) {
  return medium < scene.grid_placements.size() &&
         scene.grid_placements[medium].grid != GridPlacement::kNone;
}

}  // namespace winnow
