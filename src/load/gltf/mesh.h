#pragma once

#include <glm/vec4.hpp>
#include <vector>

#include "load/gltf/document.h"
#include "load/gltf/materials.h"
#include "scene/mesh.h"

namespace winnow {

/// The triangles of one of the file's meshes in its own space, and what moves their vertices.
struct GltfMesh {
  Mesh mesh;  ///< all of its triangles have a material
  /// [vertex], four joints and their weights; zero where nothing moves it, empty without a skin.
  std::vector<glm::vec4> joints, weights;
};

/// What is no triangle is left out with a warning.
/// @param has_skin  whether joints and weights are wanted
GltfMesh read_gltf_mesh(GltfDocument& document, int number, bool has_skin,
                        GltfMaterials& materials);

}  // namespace winnow
