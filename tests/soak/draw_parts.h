// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/soak/draw_scene.h"
#include "tests/support/draw.h"

namespace winnow {

using DrawnJson = nlohmann::ordered_json;

/// Returns a point whose coordinates are uniform in [-1, 1).
inline glm::vec3 draw_point(Draw& draw) {
  const float x = draw.between(-1, 1), y = draw.between(-1, 1);
  return {x, y, draw.between(-1, 1)};
}

/// Returns a vector of unit length.
inline glm::vec3 draw_direction(Draw& draw) {
  constexpr float kMinLength = 0.1f;
  glm::vec3 v = draw_point(draw);
  while (glm::length(v) < kMinLength) v = draw_point(draw);
  return glm::normalize(v);
}

/// A random scene while it is drawn: each function below adds a part.
struct DrawnParts {
  DrawnParts(const std::filesystem::path& to, Draw& source) : folder(to), draw(source) {}

  std::filesystem::path folder;
  Draw& draw;
  DrawnSceneKind kind = DrawnSceneKind::kAny;
  float scale = 1.0f;      ///< m, half the size of the scene
  glm::vec3 center{0.0f};  ///< m
  DrawnJson json = DrawnJson::object();
  std::vector<std::string> media, textures, materials, meshes;  ///< names

  bool is_furnace() const { return kind == DrawnSceneKind::kFurnace; }
  /// Returns a point of the scene.
  glm::vec3 point() { return center + scale * draw_point(draw); }
  /// Returns a length of the size of an object.
  float length() { return scale * draw.log_between(0.05f, 0.8f); }
};

DrawnJson json_of(glm::vec3 v);
/// Returns a colour with channels in [0, 1], every other time one number for all three.
DrawnJson draw_color(Draw& draw);
/// Returns a colour whose channels are at most a random number from 0.1 to 1,000.
DrawnJson draw_bright_color(Draw& draw);

/// Adds a motion to the steps of a transform, now and then. It keeps a sphere a sphere.
void add_random_motion(DrawnParts& parts, DrawnJson& steps);
/// Adds up to three "media".
void add_random_media(DrawnParts& parts);
/// Adds up to four "textures" and writes their images.
void add_random_textures(DrawnParts& parts);
/// Adds up to eight "materials" of any type.
void add_random_materials(DrawnParts& parts);
/// Adds "meshes" and "shapes", and writes the OBJ and PLY files among them.
void add_random_geometry(DrawnParts& parts);

}  // namespace winnow
