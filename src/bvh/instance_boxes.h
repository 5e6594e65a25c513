#pragma once

#include <vector>

#include "bvh/bvh_box.h"
#include "bvh/instance_table.h"
#include "scene/host_scene.h"

namespace winnow {

/// [instance], a box of the world around each. It is wider than its mesh by as much as rounding may
/// turn a ray aside on its way from anywhere in the scene to the space of the mesh: a ray that
/// meets the mesh there has met the box.
std::vector<BvhBox> instance_boxes(const HostScene& scene, const InstanceTable& table);

}  // namespace winnow
