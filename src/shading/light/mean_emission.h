#pragma once

#include <vector>

#include "scene/host_scene.h"
#include "shading/texture/texture.h"

namespace winnow {

/// Whether what the material emits depends on where: by its texture, or by holes.
bool emits_unevenly(const Material& material);

/// What a triangle emits on average in W sr^-1 m^-2, seen through its texture at some points of it.
glm::vec3 mean_emission(const HostScene& scene, const std::vector<Texture>& textures,
                        uint32_t triangle);

}  // namespace winnow
