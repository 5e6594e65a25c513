#pragma once

#include <glm/mat4x4.hpp>
#include <string>
#include <vector>

#include "load/gltf/document.h"

namespace winnow {

/// A node of the scene and where it is.
struct PlacedNode {
  const tinygltf::Node* node = nullptr;
  glm::dmat4 to_world{1.0};  ///< m
  int number = 0;            ///< in the file
  std::string place;         ///< there
};

/// The nodes of the default scene, else of the first one, else of the file; parents before their
/// children.
std::vector<PlacedNode> place_gltf_nodes(const GltfDocument& document);

}  // namespace winnow
