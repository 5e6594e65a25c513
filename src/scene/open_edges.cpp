// SPDX-License-Identifier: MIT
#include "scene/open_edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <unordered_map>

#include "base/error.h"
#include "math/mix_hash.h"

namespace winnow {
namespace {

/// True for glass and for boundaries of media, behind which light stays until it passes another.
bool encloses_light(const Material& material) {
  if (material.bounds_media && material.interior != kNoMedium) return true;
  if (material.ior == 1.0f) return false;
  if (material.type == MaterialType::kPrincipled)
    return material.transmission > 0.0f && material.metallic < 1.0f && !material.thin;
  return material.type == MaterialType::kDielectric ||
         material.type == MaterialType::kRoughDielectric;
}

/// Returns a hash of a directed edge between two positions.
uint64_t hash_of_edge(glm::vec3 from, glm::vec3 to) {
  uint64_t hash = 0;
  for (const glm::vec3& point : {from, to})
    for (int axis = 0; axis < 3; ++axis)
      hash = mix_hash(hash, std::bit_cast<uint32_t>(point[axis] + 0.0f));  // -0 is 0
  return hash;
}

}  // namespace

void EdgeBalance::add(const glm::vec3 (&corners)[3]) {
  for (int k = 0; k < 3; ++k) {
    const glm::vec3 from = corners[k], to = corners[(k + 1) % 3];
    sum_ += hash_of_edge(from, to) - hash_of_edge(to, from);
  }
}

void warn_about_open_glass(const Mesh& mesh, const std::vector<Material>& materials,
                           const std::vector<std::string>& names, const std::string& file,
                           std::vector<std::string>& warnings) {
  std::vector<bool> is_glass;
  for (const Material& material : materials) is_glass.push_back(encloses_light(material));
  if (std::ranges::find(is_glass, true) == is_glass.end()) return;
  // Calls use(corners, material) for each triangle that is of glass, or is not.
  auto visit = [&](bool of_glass, auto use) {
    for (size_t i = 0; i < mesh.triangles.size(); ++i) {
      const uint32_t material = mesh.triangle_materials.empty() ? 0 : mesh.triangle_materials[i];
      if (is_glass[material] != of_glass) continue;
      const glm::uvec3 corners = mesh.triangles[i];
      use({mesh.positions[corners.x], mesh.positions[corners.y], mesh.positions[corners.z]},
          material);
    }
  };
  using Corners = const glm::vec3(&)[3];
  EdgeBalance balance;
  visit(true, [&](Corners corners, uint32_t) { balance.add(corners); });
  if (balance.is_closed()) return;

  struct Edge {
    int count = 0;  // times in one direction less times in the other
    uint32_t material = 0;
  };
  std::unordered_map<uint64_t, Edge> edges;
  auto for_each_edge = [](Corners corners, auto use) {
    for (int k = 0; k < 3; ++k) {
      const glm::vec3 from = corners[k], to = corners[(k + 1) % 3];
      const uint64_t there = hash_of_edge(from, to), back = hash_of_edge(to, from);
      use(std::min(there, back), there < back ? 1 : -1);
    }
  };
  visit(true, [&](Corners corners, uint32_t material) {
    for_each_edge(corners, [&](uint64_t edge, int direction) {
      Edge& of_glass = edges[edge];
      of_glass.count += direction;
      of_glass.material = material;
    });
  });
  visit(false, [&](Corners corners, uint32_t) {  // a cap of another material
    for_each_edge(corners, [&](uint64_t edge, int direction) {
      if (const auto found = edges.find(edge); found != edges.end())
        found->second.count += direction;
    });
  });
  std::set<uint32_t> open;
  for (const auto& [hash, edge] : edges)
    if (edge.count != 0) open.insert(edge.material);
  if (open.empty()) return;
  warnings.push_back(fmt::format(
      "{}: the solid glass or volume of {} material{} has open edges, among them {}: light that "
      "enters and does not leave is dimmed, by the square of the index, and in Cycles it is not",
      file, open.size(), open.size() == 1 ? "" : "s", in_quotes(names[*open.begin()])));
}

}  // namespace winnow
