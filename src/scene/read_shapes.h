#pragma once

#include <filesystem>

#include "scene/host_scene.h"
#include "scene/json_reader.h"
#include "scene/mesh.h"
#include "scene/read_materials.h"

namespace winnow {

/// Adds the items of "shapes" to `scene`.
/// @param folder  where relative file names of meshes start
void read_shapes(const JsonReader& shapes, const MaterialIds& materials,
                 const std::filesystem::path& folder, HostScene& scene);

/// The parallelogram that "corner", "edge_u" and "edge_v" describe.
Mesh read_rectangle(const JsonReader& shape);

/// The sphere that "center", "radius" and "transform" describe.
Sphere read_sphere(const JsonReader& shape, uint32_t material);

/// Adds `mesh` with the transform of `shape`. Every triangle of it must be one that a ray can hit.
void add_shape(const JsonReader& shape, const Mesh& mesh, uint32_t material, HostScene& scene);

}  // namespace winnow
