// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "scene/host_scene.h"

namespace winnow {

/// Tells whether triangles have no open edges: whether each edge occurs as often in one direction
/// as in the other. Compares positions, by sums of hashes.
class EdgeBalance {
 public:
  void add(const glm::vec3 (&corners)[3]);
  bool is_closed() const { return sum_ == 0; }

 private:
  uint64_t sum_ = 0;
};

/// Warns about solid glass that does not enclose a volume. Its radiance is that inside of the
/// glass, lower by the square of the index, as no far side raises it again. Programs without this
/// factor, such as Cycles, show such a sheet brighter.
///
/// Edges are compared by their positions. Reads the triangles of glass and, if they have open
/// edges, all triangles, and then stores the edges of glass.
/// @param names     [material]
/// @param warnings  receives one line that names the first such material
void warn_about_open_glass(const Mesh& mesh, const std::vector<Material>& materials,
                           const std::vector<std::string>& names, const std::string& file,
                           std::vector<std::string>& warnings);

/// Clears Material::black_back of the materials whose backs no path reaches, so that the scene is
/// rendered by kernels for surfaces with two sides.
///
/// Paths start at the scene's camera. The backs that they do not reach are the insides of closed
/// objects, and those of walls that have the whole scene in front of them. What hides other backs
/// is not looked for. Objects that overlap are examined one by one, so the result also holds where
/// they do.
void clear_unreached_backs(HostScene& scene);

}  // namespace winnow
