#pragma once

#include "load/gltf/nodes.h"
#include "scene/host_scene.h"

namespace winnow {

/// Looks through the camera of a node, and gives the film its shape.
void read_gltf_camera(const GltfDocument& document, const PlacedNode& node, HostScene& scene);

}  // namespace winnow
