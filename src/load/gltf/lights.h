#pragma once

#include "load/gltf/nodes.h"
#include "scene/host_scene.h"

namespace winnow {

/// Adds the light of KHR_lights_punctual at a node, if there is one.
void add_gltf_light(GltfDocument& document, const PlacedNode& node, HostScene& scene);

}  // namespace winnow
