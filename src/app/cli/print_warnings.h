#pragma once

#include "scene/host_scene.h"

namespace winnow {

/// Puts each of a scene's warnings on stderr once.
void print_warnings(const HostScene& scene);

}  // namespace winnow
