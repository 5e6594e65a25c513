// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <map>
#include <string>
#include <vector>

#include "scene/host_scene.h"
#include "scene/scene_bounds.h"

namespace winnow {

struct NamedMesh {
  struct Placement {
    glm::mat4 to_world;
    uint32_t material;  ///< index, or MeshInstance::kOwnMaterials
  };

  Mesh mesh;  ///< every triangle has a material
  Bounds bounds;
  std::vector<Placement> placements;
};

using NamedMeshes = std::map<std::string, NamedMesh>;

/// Adds placed meshes to `scene`. Emissive meshes and meshes with a single placement are copied
/// into world space; others become instances. Throws Error if there are too many primitives.
/// @param file  name of the scene file, for messages
void place_meshes(const std::string& file, const NamedMeshes& meshes, HostScene& scene);

/// True if `to_world` neither flattens a mesh with these bounds nor moves it out of range.
bool can_place(const Bounds& bounds, const glm::mat4& to_world);

/// True if a box that `to_world` transforms stays within the range of coordinates.
bool is_within_reach(const Bounds& bounds, const glm::mat4& to_world);

}  // namespace winnow
