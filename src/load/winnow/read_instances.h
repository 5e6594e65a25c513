#pragma once

#include <filesystem>
#include <glm/mat4x4.hpp>
#include <map>
#include <string>
#include <vector>

#include "load/json/json_reader.h"
#include "load/winnow/read_materials.h"
#include "scene/host_scene.h"
#include "scene/scene_bounds.h"

namespace winnow {

/// A member of "meshes", and where shapes place it.
struct NamedMesh {
  struct Placement {
    glm::mat4 to_world;
    uint32_t material;  ///< or MeshInstance::kOwnMaterials
  };

  Mesh mesh;  ///< all of its triangles have a material
  Bounds bounds;
  std::vector<Placement> placements;
};

using NamedMeshes = std::map<std::string, NamedMesh>;

/// Reads the members of "meshes". The materials of OBJ files among them join `scene`.
/// @param folder  where relative file names start
NamedMeshes read_meshes(const JsonReader& json, const MaterialIds& materials,
                        const std::filesystem::path& folder, HostScene& scene);

/// Adds the placements of a shape of the type "instances" to the mesh that it names.
void read_instances(const JsonReader& shape, const MaterialIds& materials, NamedMeshes& meshes);

/// Adds the meshes to `scene` where they are placed. What emits, and what is placed only once, is
/// copied into the world; the rest becomes instances. Throws Error if there are too many.
/// @param file  the scene's, for messages
void place_meshes(const std::string& file, const NamedMeshes& meshes, HostScene& scene);

/// True if `to_world` leaves the box where coordinates are allowed.
bool is_within_reach(const Bounds& bounds, const glm::mat4& to_world);

}  // namespace winnow
