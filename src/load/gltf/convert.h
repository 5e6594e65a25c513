// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
#include <string_view>
#include <vector>

#include "load/gltf/document.h"
#include "load/gltf/materials.h"
#include "load/gltf/pose.h"
#include "scene/host_scene.h"
#include "scene/mesh.h"

namespace winnow {

/// The numbers of an accessor, item after item, sparse items included. Normalized integers become
/// fractions, other integers floats of the same value.
///
/// @param reference  the index of the accessor
/// @param type       that it must have: "VEC3" and the like
std::vector<float> read_gltf_floats(const GltfDocument& document, const JsonReader& reference,
                                    std::string_view type);

/// The unsigned integers of an accessor of the type "SCALAR".
std::vector<uint32_t> read_gltf_indices(const GltfDocument& document, const JsonReader& reference);

/// A node of the scene graph with its transform.
struct PlacedNode {
  uint32_t index;  ///< in "nodes"
  JsonReader json;
  glm::dmat4 to_world;  ///< m
};

enum class GltfNodes {
  kOfScene,  ///< the default scene, or the first one; the file if it has no scenes
  kOfFile,
};

/// Nodes with their transforms in a pose, parents before their children.
std::vector<PlacedNode> place_gltf_nodes(GltfDocument& document, GltfNodes nodes,
                                         const GltfPose& pose);

/// The transforms to world space, m, of the copies of a node's mesh: one, or those of
/// EXT_mesh_gpu_instancing.
std::vector<glm::dmat4> place_gltf_copies(const GltfDocument& document, const PlacedNode& node);

/// The triangles of a mesh in its own space, and the joints that move their vertices.
struct GltfMesh {
  Mesh mesh;  ///< all of its triangles have a material
  /// [vertex], four joints and their weights; zero where a vertex has none, empty without a skin.
  std::vector<glm::vec4> joints, weights;
};

/// Reads an item of "meshes". Primitives that are no triangles, or that are broken, are left out
/// with a warning.
/// @param node  that shows the mesh: with a skin the joints are read
/// @param pose  of the node, nullptr if it is not animated; its weights, or else those of the node
///              or of the mesh, are those of the morph targets
GltfMesh read_gltf_mesh(GltfDocument& document, uint32_t index, const JsonReader& node,
                        const GltfNodePose* pose, GltfMaterials& materials);

/// Moves the vertices of a mesh to world space, by the joints of its node's skin. Throws Error
/// before it moves any if the skin is broken.
/// @param nodes  all of the scene, in this pose
void apply_gltf_skin(GltfDocument& document, const PlacedNode& node,
                     const std::vector<PlacedNode>& nodes, const GltfPose& pose, GltfMesh& mesh);

/// Sets the camera of `scene` to that of a node, and the film to its aspect ratio.
void read_gltf_camera(const GltfDocument& document, const PlacedNode& node, HostScene& scene);

/// Adds the light of KHR_lights_punctual at a node, if the node has one. One candela is taken for
/// 1 W sr^-1 and one lux for 1 W m^-2, as viewers do: the emission of surfaces, which has no unit
/// in glTF, is on the same scale.
void add_gltf_light(GltfDocument& document, const PlacedNode& node, HostScene& scene);

}  // namespace winnow
