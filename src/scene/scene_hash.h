// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "base/names.h"
#include "scene/host_scene.h"

namespace winnow {

/// Parts of a scene with hashes of their own, so that a message can name what differs.
enum class ScenePart { kGeometry, kMaterials, kTextures, kLights, kCamera, kFilter };
inline constexpr size_t kScenePartCount = 6;
template <>
inline constexpr std::array<const char*, kScenePartCount> kEnumNames<ScenePart> = {
    "geometry", "materials", "textures", "lights", "camera", "filter"};

/// [ScenePart], 64-bit XXH3 hashes of everything that an image depends on: the numbers, but no
/// names, paths or defaults of the command line such as the size of the film.
using SceneHash = std::array<uint64_t, kScenePartCount>;

SceneHash scene_hash(const HostScene& scene);

}  // namespace winnow
