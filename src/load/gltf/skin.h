#pragma once

#include <vector>

#include "load/gltf/mesh.h"
#include "load/gltf/nodes.h"

namespace winnow {

/// Moves the vertices of a mesh to where the joints of its node's skin are, in world space.
/// @param nodes  of the scene, among them the joints
void apply_gltf_skin(const GltfDocument& document, const PlacedNode& node,
                     const std::vector<PlacedNode>& nodes, GltfMesh& mesh);

}  // namespace winnow
