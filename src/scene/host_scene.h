#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "shading/material.h"

namespace winnow {

/// Pinhole or thin-lens camera, right-handed, looking from `position` to `look_at`.
struct CameraDescription {
  glm::vec3 position{0.0f, 0.0f, 5.0f};  ///< m
  glm::vec3 look_at{0.0f};               ///< m
  glm::vec3 up{0.0f, 1.0f, 0.0f};
  float vertical_fov = 40.0f;   ///< degrees, (0, 180)
  float lens_radius = 0.0f;     ///< m; 0 is a pinhole
  float focus_distance = 0.0f;  ///< m along the view axis; 0 focuses on `look_at`
};

/// Light from all around: a gradient from horizon to zenith, and one colour below the horizon.
struct Sky {
  glm::vec3 zenith{0.0f};   ///< W sr^-1 m^-2
  glm::vec3 horizon{0.0f};  ///< W sr^-1 m^-2; in between it is linear in the sine of the elevation
  glm::vec3 ground{0.0f};   ///< W sr^-1 m^-2
  glm::vec3 up{0.0f, 1.0f, 0.0f};  ///< unit length
};

struct Sphere {
  glm::vec3 center{0.0f};  ///< m, world space
  float radius = 1.0f;     ///< m
  uint32_t material = 0;
};

/// What a scene file says, in world space, before it goes to a device.
struct HostScene {
  std::string name;         ///< file name without folder and extension
  std::string description;  ///< one line from the file; may be empty
  uint32_t width = 512;     ///< pixels
  uint32_t height = 512;    ///< pixels
  uint32_t spp = 64;        ///< samples per pixel
  uint32_t max_bounces = 16;

  CameraDescription camera;
  Sky sky;
  std::vector<Material> materials;
  std::vector<std::string> material_names;  ///< [material]

  std::vector<glm::vec3> positions;   ///< [vertex], m
  std::vector<glm::vec3> normals;     ///< [vertex], unit length; zero where the surface is flat
  std::vector<glm::uvec3> triangles;  ///< [triangle], vertices; counter-clockwise is outside
  std::vector<uint32_t> triangle_materials;  ///< [triangle]
  std::vector<Sphere> spheres;

  std::vector<std::string> warnings;  ///< what the loader read past, one line each
};

}  // namespace winnow
