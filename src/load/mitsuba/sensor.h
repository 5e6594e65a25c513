#pragma once

#include "load/mitsuba/object.h"
#include "scene/host_scene.h"

namespace winnow {

/// Reads camera, film and number of samples of a <sensor> into `scene`.
void read_mitsuba_sensor(const MitsubaObject& sensor, HostScene& scene);

/// Reads how often paths may scatter.
void read_mitsuba_integrator(const MitsubaObject& integrator, HostScene& scene);

}  // namespace winnow
