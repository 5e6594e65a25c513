#pragma once

#include "scene/host_scene.h"
#include "scene/mitsuba_bsdf.h"
#include "scene/mitsuba_object.h"

namespace winnow {

/// Adds an <emitter> that is on no shape. The sky of `constant` is exact; point, spot and
/// directional lights become small or distant surfaces, and maps their mean colour, each with a
/// warning.
/// @param scene  has all of its shapes
void add_mitsuba_emitter(const MitsubaObject& emitter, MitsubaMaterials& materials,
                         HostScene& scene);

}  // namespace winnow
