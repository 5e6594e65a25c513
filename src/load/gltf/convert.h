// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "load/gltf/document.h"
#include "load/gltf/materials.h"
#include "scene/host_scene.h"
#include "scene/mesh.h"

namespace winnow {

/// Reads the numbers of an accessor, item by item, including sparse items. Normalized integers
/// become fractions; other integers become floats of the same value.
/// @param reference  index of the accessor
/// @param type       required type, such as "VEC3"
std::vector<float> read_gltf_floats(const GltfDocument& document, const JsonReader& reference,
                                    std::string_view type);

/// Reads the unsigned integers of an accessor of the type "SCALAR".
std::vector<uint32_t> read_gltf_indices(const GltfDocument& document, const JsonReader& reference);

struct PlacedNode {
  uint32_t index;  ///< index in "nodes"
  JsonReader json;
  glm::dmat4 to_world;           ///< m
  std::optional<size_t> parent;  ///< item of the list of placed nodes; nothing for a root
  bool is_visible = true;        ///< by KHR_node_visibility of the node and of those above it
};

enum class GltfNodes {
  kOfScene,  ///< nodes of the default scene, or the first one; of the file if it has no scenes
  kOfFile,
};

/// Returns nodes with their transforms, parents before their children.
std::vector<PlacedNode> place_gltf_nodes(GltfDocument& document, GltfNodes nodes);

/// Returns the transforms to world space, m, of the copies of a node's mesh: one, or those of
/// EXT_mesh_gpu_instancing.
std::vector<glm::dmat4> place_gltf_copies(const GltfDocument& document, const PlacedNode& node);

/// JOINTS_n and WEIGHTS_n of a mesh.
struct GltfJointSet {
  /// [vertex], four joints and their weights; zero without joints. Empty without a skin, and if no
  /// primitive has the set.
  std::vector<glm::vec4> joints, weights;
};

/// Triangles of a mesh in its own space, and the joints that move their vertices.
struct GltfMesh {
  Mesh mesh;  ///< every triangle has a material
  std::array<GltfJointSet, 2> joint_sets;
};

/// Reads an item of "meshes". Primitives that are not triangles, and broken ones, are left out with
/// a warning.
/// @param node  node that shows the mesh; if it has a skin, joints are read; the weights of morph
///              targets are those of the node, or else of the mesh
GltfMesh read_gltf_mesh(GltfDocument& document, uint32_t index, const JsonReader& node,
                        GltfMaterials& materials);

/// Moves the vertices of a mesh to world space by the joints of its node's skin. If the skin is
/// broken, throws Error and moves none.
/// @param nodes  all nodes of the scene
void apply_gltf_skin(GltfDocument& document, const PlacedNode& node,
                     const std::vector<PlacedNode>& nodes, GltfMesh& mesh);

/// Sets the camera of `scene` to that of a node, and the aspect ratio of the film.
void read_gltf_camera(const GltfDocument& document, const PlacedNode& node, HostScene& scene);

/// Adds the light of KHR_lights_punctual of a node. Returns false if there is none, but true for
/// one without intensity. One candela counts as 1 W sr^-1 and one lux as 1 W m^-2, as in viewers:
/// the emission of surfaces, which has no unit in glTF, is on the same scale.
bool add_gltf_light(GltfDocument& document, const PlacedNode& node, HostScene& scene);

/// Sets the environment map of `scene` to the cube map of EXT_lights_image_based of the scene that
/// is shown: the images of its first level. Returns false if there is none or, with a warning, if
/// it is broken.
bool add_gltf_environment(GltfDocument& document, HostScene& scene);

}  // namespace winnow
