// SPDX-License-Identifier: MIT
#pragma once

#include "film/film.h"
#include "scene/host_scene.h"
#include "shading/features.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// Renders one wave on the CPU with the tree of GPUs, stage by stage.
///
/// @param set  kBasic; or kLayered or kMedia, with two levels of trees
HostFilm film_of_own_tree(const HostScene& scene, const RenderSettings& settings,
                          uint32_t sample_count, Features set);

}  // namespace winnow
