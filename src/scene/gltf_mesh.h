#pragma once

#include "scene/gltf_document.h"
#include "scene/gltf_materials.h"
#include "scene/mesh.h"

namespace winnow {

/// The triangles of one of the file's meshes in its own space, each with its material. What is no
/// triangle is left out with a warning.
Mesh read_gltf_mesh(GltfDocument& document, int number, GltfMaterials& materials);

}  // namespace winnow
