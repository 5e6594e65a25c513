// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "scene/material.h"
#include "scene/mesh.h"

namespace winnow {

/// Returns a hash of a directed edge between two positions.
uint64_t hash_of_edge(glm::vec3 from, glm::vec3 to);

/// Warns about solid glass that does not enclose a volume. Its radiance is that inside of the
/// glass, lower by the square of the index, as no far side raises it again. Programs without this
/// factor, such as Cycles, show such a sheet brighter.
///
/// Edges are compared by their positions. Reads all triangles, and stores the edges of glass.
/// @param names     [material]
/// @param warnings  receives one line that names the first such material
void warn_about_open_glass(const Mesh& mesh, const std::vector<Material>& materials,
                           const std::vector<std::string>& names, const std::string& file,
                           std::vector<std::string>& warnings);

}  // namespace winnow
