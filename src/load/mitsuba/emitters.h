#pragma once

#include "load/mitsuba/object.h"
#include "scene/host_scene.h"

namespace winnow {

/// Adds an <emitter> that is on no shape.
void add_mitsuba_emitter(const MitsubaObject& emitter, HostScene& scene);

}  // namespace winnow
