#pragma once

#include <filesystem>

#include "load/json/json_reader.h"
#include "load/winnow/read_instances.h"
#include "load/winnow/read_materials.h"
#include "scene/host_scene.h"
#include "scene/mesh.h"

namespace winnow {

/// Adds the items of "shapes" to `scene`, and those that are instances to `meshes`.
/// @param folder  where relative file names of meshes start
void read_shapes(const JsonReader& shapes, const MaterialIds& materials, NamedMeshes& meshes,
                 const std::filesystem::path& folder, HostScene& scene);

/// The triangles of a shape before its transform.
struct ShapeMesh {
  Mesh mesh;
  uint32_t material = 0;  ///< of triangles whose mesh does not say
};

/// Reads a shape of one of scene_keys::kMeshTypes. The materials of an OBJ file join `scene`.
ShapeMesh read_shape_mesh(const JsonReader& shape, const std::string& type,
                          const MaterialIds& materials, const std::filesystem::path& folder,
                          HostScene& scene);

/// The parallelogram that "corner", "edge_u" and "edge_v" describe.
Mesh read_rectangle(const JsonReader& shape);

/// The sphere that "center", "radius" and "transform" describe.
Sphere read_sphere(const JsonReader& shape, uint32_t material);

/// Warns of triangles that were left out; if that is all of them there is nothing to see.
void check_left_out(const JsonReader& shape, size_t left_out, size_t count, HostScene& scene);

/// Adds `mesh` with the transform of `shape`. Every triangle of it must be one that a ray can hit.
void add_shape(const JsonReader& shape, const Mesh& mesh, uint32_t material, HostScene& scene);

}  // namespace winnow
