#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "image/image.h"
#include "scene/material.h"
#include "scene/mesh.h"
#include "scene/pixel_filter.h"
#include "scene/texture_image.h"

namespace winnow {

enum class Projection {
  kPerspective,   ///< rays pass through `position`
  kOrthographic,  ///< rays are parallel and start in the plane through `position`
};

/// Camera with a pinhole or a thin lens, right-handed, looking from `position` to `look_at`.
struct CameraDescription {
  glm::vec3 position{0.0f, 0.0f, 5.0f};  ///< m
  glm::vec3 look_at{0.0f};               ///< m
  glm::vec3 up{0.0f, 1.0f, 0.0f};
  float vertical_fov = 40.0f;   ///< degrees, (0, 180); of a perspective camera
  float lens_radius = 0.0f;     ///< m; 0 is a pinhole
  float focus_distance = 0.0f;  ///< m along the view axis; 0 focuses on `look_at`
  Projection projection = Projection::kPerspective;
  float view_height = 1.0f;     ///< m, of what an orthographic camera sees
  uint32_t blades = 0;          ///< 0: the lens is a disk; else a regular polygon in it
  float blade_rotation = 0.0f;  ///< degrees counter-clockwise, looking ahead; 0 has a corner up
};

/// Light from all around: a gradient from horizon to zenith, and one colour below the horizon.
struct Sky {
  glm::vec3 zenith{0.0f};   ///< W sr^-1 m^-2
  glm::vec3 horizon{0.0f};  ///< W sr^-1 m^-2; in between it is linear in the sine of the elevation
  glm::vec3 ground{0.0f};   ///< W sr^-1 m^-2
  glm::vec3 up{0.0f, 1.0f, 0.0f};  ///< unit length
};

/// Light from all around as an image. In its own space +y is the upper edge and +z the middle; from
/// there its columns go around by the right of who looks at it from inside.
struct EnvironmentMap {
  Image image;               ///< W sr^-1 m^-2, before `scale`; empty: there is none
  float scale = 1.0f;        ///< of radiance
  glm::mat3 to_world{1.0f};  ///< turns, and may mirror
};

enum class DeltaLightType : uint32_t {
  kPoint,
  kSpot,         ///< a point that shines into a cone
  kDirectional,  ///< parallel light, from so far that it has no place
};

/// Where the cone of a spot begins to fade, of its angle, where nobody says.
inline constexpr float kDefaultFalloffStart = 0.75f;

/// A light without a size, or one so far away that only its direction counts.
struct DeltaLight {
  DeltaLightType type = DeltaLightType::kPoint;
  glm::vec3 position{0.0f};                ///< m, of a point or spot
  glm::vec3 direction{0.0f, -1.0f, 0.0f};  ///< unit length, in which a spot or directional shines
  /// Of a point or the middle of a spot, W sr^-1; of a directional light the irradiance of what
  /// faces it, W m^-2.
  glm::vec3 intensity{0.0f};
  float cone_angle = 45.0f;      ///< degrees from its axis, (0, 180]: where a spot ends
  float falloff_start = 33.75f;  ///< degrees, [0, cone_angle]: from here to there it fades linearly
  float disk_angle = 0.0f;       ///< degrees, [0, 90): across the disk that a directional light is
};

struct Sphere {
  glm::vec3 center{0.0f};  ///< m, world space
  float radius = 1.0f;     ///< m
  uint32_t material = 0;
};

/// A part of HostScene::shared that is placed as a whole.
struct SharedMesh {
  uint32_t first_triangle = 0, triangle_count = 0;
  uint32_t first_vertex = 0, vertex_count = 0;
};

/// One place of a shared mesh.
struct MeshInstance {
  static constexpr uint32_t kOwnMaterials = ~0u;

  uint32_t mesh = 0;
  glm::mat4x3 to_world{1.0f};         ///< m; has an inverse
  uint32_t material = kOwnMaterials;  ///< of all triangles, or those of the mesh
};

/// What a scene file says, before it goes to a device. As a Mesh it holds the triangles in world
/// space: each of their vertices has a normal, and each of them a material.
struct HostScene : Mesh {
  std::string name;         ///< file name without folder and extension
  std::string description;  ///< one line from the file; may be empty
  uint32_t width = 512;     ///< pixels
  uint32_t height = 512;    ///< pixels
  uint32_t spp = 64;        ///< samples per pixel
  uint32_t max_bounces = 16;

  FilterDescription filter;
  CameraDescription camera;
  Sky sky;  ///< black where there is an environment map
  EnvironmentMap environment;
  std::vector<DeltaLight> delta_lights;
  std::vector<Material> materials;
  std::vector<std::string> material_names;  ///< [material]
  std::vector<TextureImage> images;
  std::vector<TextureDescription> textures;

  std::vector<Sphere> spheres;

  /// Meshes in their own space, one after the other, and where they are. Nothing of them emits.
  Mesh shared;
  std::vector<SharedMesh> meshes;
  std::vector<MeshInstance> instances;

  std::vector<std::string> warnings;  ///< what the loader read past, one line each
};

}  // namespace winnow
