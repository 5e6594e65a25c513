// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <optional>
#include <vector>

#include "load/gltf/document.h"

namespace winnow {

/// What animations give a node instead of its own members.
struct GltfNodePose {
  std::optional<glm::dvec3> translation;  ///< m
  std::optional<glm::dquat> rotation;     ///< unit length
  std::optional<glm::dvec3> scale;
  std::vector<double> weights;  ///< [morph target]; empty: its own
};

/// The animations of a glTF file at one moment: those that move different parts of the scene, in
/// their order. Channels that are broken are left out with a warning.
/// Khronos Group, "glTF 2.0 Specification", 2021, section 3.11 and appendix C.
class GltfPose {
 public:
  /// @param time  s, clamped to the range of each channel; nothing moves without one
  GltfPose(GltfDocument& document, std::optional<double> time);

  /// The pose of a node; nullptr if no animation moves it.
  const GltfNodePose* find(uint32_t node) const;

 private:
  std::map<uint32_t, GltfNodePose> nodes_;
};

}  // namespace winnow
