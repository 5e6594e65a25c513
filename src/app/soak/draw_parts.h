// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <glm/vec3.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/soak/draw.h"
#include "app/soak/draw_scene.h"

namespace winnow {

using DrawnJson = nlohmann::ordered_json;

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
  /// A point of the scene.
  glm::vec3 point() { return center + scale * draw.point(); }
  /// A length of the size of an object.
  float length() { return scale * draw.log_between(0.05f, 0.8f); }
};

DrawnJson json_of(glm::vec3 v);
/// Each channel in [0, 1]; one number for all of them every other time.
DrawnJson draw_color(Draw& draw);
/// The same, up to some power of ten.
DrawnJson draw_bright_color(Draw& draw);

/// "media": up to three.
void add_random_media(DrawnParts& parts);
/// "textures": up to four, and their images.
void add_random_textures(DrawnParts& parts);
/// "materials": up to eight, of any type.
void add_random_materials(DrawnParts& parts);
/// "meshes" and "shapes", with the OBJ and PLY files among them.
void add_random_geometry(DrawnParts& parts);

}  // namespace winnow
