#pragma once

#include "scene/host_scene.h"

namespace winnow {

/// Points the camera at a scene that has none, so that all of it is in the picture and fills it.
///
/// A room (three walls with a floor or a ceiling, and one side open) is seen straight through the
/// open side, any other scene in three-quarter view from its front and a little from above. +y is
/// up and +z the front, unless it is a long body with its head at -z. Uses the film's aspect ratio.
/// Needs geometry.
void frame_scene(HostScene& scene);

/// Bright overhead, darker below: shapes a lone object without a hard shadow.
Sky soft_sky();

}  // namespace winnow
