// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "load/gltf/document.h"
#include "load/gltf/keyframes.h"

namespace winnow {

/// A member of an object of a file, such as the translation of a node, that animations change.
struct GltfAnimatedMember {
  std::string owner, name;  ///< see gltf_keys()
  nlohmann::json::json_pointer pointer;
  size_t components = 0;  ///< numbers of its value; 0: one for each morph target
};

/// Returns how many numbers a member of an object has that animations can change; 0 for other
/// members and for weights of morph targets.
size_t gltf_number_count(std::string_view owner, std::string_view name);

/// Animations of a glTF file: of nodes and, by KHR_animation_pointer, of all numbers that are read.
/// In their order, each applies unless an earlier one moves the same parts of the scene. Broken
/// channels are left out with a warning. Khronos Group, "glTF 2.0 Specification", 2021, section
/// 3.11 and appendix C; "KHR_animation_pointer" and "glTF 2.0 Asset Object Model", 2025.
class GltfAnimations {
 public:
  explicit GltfAnimations(GltfDocument& document);

  /// Sets the animated members of the document to their values at a time on the clock of the file.
  /// @param time  s, clamped to the range of each channel
  void set_time(GltfDocument& document, double time) const;

  /// True if a member with this property changes over time.
  bool change(const std::function<bool(const GltfAnimatedMember&)>& property) const;

 private:
  struct Channel {
    GltfAnimatedMember member;
    GltfKeyframes keys;
  };
  std::vector<Channel> channels_;
};

}  // namespace winnow
