#pragma once

#include "scene/host_scene.h"
#include "scene/mesh.h"

namespace winnow {

/// Makes a whole scene of a mesh that came alone: the film, a camera framed on it, and a soft sky
/// where nothing emits.
/// @param scene  has the materials that the triangles of `mesh` name, and nothing else
void complete_lone_mesh_scene(HostScene& scene, const Mesh& mesh);

}  // namespace winnow
