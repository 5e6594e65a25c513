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

/// Animated values that replace members of a node.
struct GltfNodePose {
  std::optional<glm::dvec3> translation;  ///< m
  std::optional<glm::dquat> rotation;     ///< unit length
  std::optional<glm::dvec3> scale;
  std::vector<double> weights;  ///< [morph target]; empty to keep those of the node
};

/// Animations of a glTF file at one time. In their order, each applies unless an earlier one moves
/// the same parts of the scene. Broken channels are left out with a warning. Khronos Group, "glTF
/// 2.0 Specification", 2021, section 3.11 and appendix C.
class GltfPose {
 public:
  /// @param time  s, clamped to the range of each channel; nothing for the rest pose
  GltfPose(GltfDocument& document, std::optional<double> time);

  /// Returns the pose of a node; nullptr if no animation moves it.
  const GltfNodePose* find(uint32_t node) const;

 private:
  std::map<uint32_t, GltfNodePose> nodes_;
};

}  // namespace winnow
