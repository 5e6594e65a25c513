// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "base/error.h"
#include "load/winnow/read_parts.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

/// Checks of a mesh in memory. Errors name the scene and the mesh.
struct CheckedMesh {
  const SceneMesh& given;
  std::string title;

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... args) const {
    throw Error(fmt::format("{}: {}", title, fmt::format(what, std::forward<Args>(args)...)));
  }

  /// Checks that an array is empty or has one item per vertex, all finite and in range.
  template <class Item>
  void check_array(const std::vector<Item>& items, const char* array) const {
    const size_t vertices = given.mesh.positions.size();
    if (!items.empty() && items.size() != vertices)
      fail("{}: expected as many as vertices, {}, found {}", array, vertices, items.size());
    for (size_t i = 0; i < items.size(); ++i)
      for (int c = 0; c < Item::length(); ++c)
        if (!(std::abs(items[i][c]) <= float(kMaxSceneValue)))  // NaN compares false
          fail("{}: expected numbers from -1e9 to 1e9, item {} has {}", array, i, items[i][c]);
  }

  void check() const {
    const Mesh& mesh = given.mesh;
    if (mesh.positions.empty() || mesh.triangles.empty())
      fail("expected at least one vertex and one triangle");
    check_array(mesh.positions, "vertices");
    check_array(mesh.normals, "normals");
    check_array(mesh.uvs, "uvs");
    check_array(mesh.colors, "colors");
    for (size_t i = 0; i < mesh.triangles.size(); ++i)
      for (int corner = 0; corner < 3; ++corner)
        if (mesh.triangles[i][corner] >= mesh.positions.size())
          fail("indices: triangle {} has vertex {}; expected one below {}", i,
               mesh.triangles[i][corner], mesh.positions.size());
  }
};

/// Normalizes the normals. A normal without a direction becomes zero, which is flat.
Mesh finished(Mesh mesh) {
  for (glm::vec3& n : mesh.normals) {
    const float length = glm::length(n);
    n = length > 0.0f ? with_unit_length(n, length) : glm::vec3(0.0f);
  }
  finish_vertex_colors(mesh.colors, ColorEncoding::kLinear);
  return mesh;
}

uint32_t id_of_material(const CheckedMesh& checked, const MaterialIds& materials) {
  const auto found = materials.find(checked.given.material);
  if (found != materials.end()) return found->second;
  checked.fail("unknown material {}; {}", in_quotes(checked.given.material),
               suggest_name(checked.given.material, names_of(materials)));
}

}  // namespace

void add_scene_meshes(const std::string& name, const std::vector<SceneMesh>& scene_meshes,
                      const MaterialIds& materials, NamedMeshes& meshes, HostScene& scene) {
  for (size_t i = 0; i < scene_meshes.size(); ++i) {
    const SceneMesh& given = scene_meshes[i];
    const CheckedMesh checked{given, given.name.empty()
                                         ? fmt::format("{}: mesh {}", name, i)
                                         : fmt::format("{}: mesh {}", name, in_quotes(given.name))};
    checked.check();
    const uint32_t material = id_of_material(checked, materials);
    if (meshes.contains(given.name)) checked.fail("\"meshes\" has another mesh of this name");
    Mesh& to = given.name.empty() ? static_cast<Mesh&>(scene) : meshes[given.name].mesh;
    const size_t left_out = add_mesh(to, finished(given.mesh), glm::mat4(1.0f), material);
    if (left_out == given.mesh.triangles.size())
      checked.fail("no triangle of it has an area; expected a visible one");
    if (left_out > 0)
      scene.warnings.push_back(fmt::format("{}: {} of {} triangles have no area and are left out",
                                           checked.title, left_out, given.mesh.triangles.size()));
    if (!given.name.empty()) meshes[given.name].bounds = mesh_bounds(to);
  }
}

}  // namespace winnow
