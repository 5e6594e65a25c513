// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

/// Hash of what describes the motion of a scene, and for some formats of more than that. A
/// HostScene shows one moment, which can be the same for two different motions.
class MotionHash {
 public:
  void add(std::string_view bytes);
  /// @param value  without padding
  template <class T>
  void add_value(const T& value) {
    add({reinterpret_cast<const char*>(&value), sizeof value});
  }
  uint32_t value() const { return uint32_t(value_); }

 private:
  uint64_t value_ = 0;  ///< XXH3
};

}  // namespace winnow
