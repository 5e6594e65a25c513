// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
#include <string_view>
#include <vector>

#include "load/gltf/document.h"
#include "load/gltf/materials.h"
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

/// The nodes of the default scene, or of the first one, or of the file if it has no scenes; parents
/// before their children.
std::vector<PlacedNode> place_gltf_nodes(const GltfDocument& document);

/// The triangles of a mesh in its own space, and the joints that move their vertices.
struct GltfMesh {
  Mesh mesh;  ///< all of its triangles have a material
  /// [vertex], four joints and their weights; zero where a vertex has none, empty without a skin.
  std::vector<glm::vec4> joints, weights;
};

/// Reads an item of "meshes". Points and lines are ignored with a warning.
/// @param has_skin  whether joints and weights are read
GltfMesh read_gltf_mesh(GltfDocument& document, uint32_t index, bool has_skin,
                        GltfMaterials& materials);

/// Moves the vertices of a mesh to world space, by the joints of its node's skin.
/// @param nodes  all of the scene, the joints among them
void apply_gltf_skin(const GltfDocument& document, const PlacedNode& node,
                     const std::vector<PlacedNode>& nodes, GltfMesh& mesh);

/// Sets the camera of `scene` to that of a node, and the film to its aspect ratio.
void read_gltf_camera(const GltfDocument& document, const PlacedNode& node, HostScene& scene);

/// Adds the light of KHR_lights_punctual at a node, if the node has one. One candela is taken for
/// 1 W sr^-1 and one lux for 1 W m^-2, as viewers do: the emission of surfaces, which has no unit
/// in glTF, is on the same scale.
void add_gltf_light(GltfDocument& document, const PlacedNode& node, HostScene& scene);

}  // namespace winnow
