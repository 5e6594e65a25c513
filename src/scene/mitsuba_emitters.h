#pragma once

#include "scene/host_scene.h"
#include "scene/mitsuba_object.h"

namespace winnow {

/// Adds an <emitter> that is on no shape.
void add_mitsuba_emitter(const MitsubaObject& emitter, HostScene& scene);

}  // namespace winnow
