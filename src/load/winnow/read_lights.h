#pragma once

#include "load/json/json_reader.h"
#include "scene/host_scene.h"

namespace winnow {

/// Adds the items of "lights" to `scene`: shapes that emit and reflect nothing, and lights without
/// a size.
///
/// The strength of shapes is "radiance", or "power" in W for each colour channel, all directions
/// and the whole surface together. A Lambertian emitter of radiance L and area A sends out pi A L
/// on a side: a rectangle, which emits from both, has L = power / (2 pi A), a sphere L = power / (4
/// pi^2 r^2).
void read_lights(const JsonReader& lights, HostScene& scene);

}  // namespace winnow
