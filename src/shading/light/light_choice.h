#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace winnow {

struct HostScene;

/// How light sampling chooses among the lights at finite positions.
enum class LightChoice : uint32_t {
  kUniform,  ///< all with the same probability
  /// In proportion to power, the default. On an H200 a tree reduces the error of a sample by up to
  /// a fifth among the 504 lights of many-lights.json, but samples take three times as long.
  kPower,
  kBvh,  ///< by a light BVH, for each shading point
};

/// [LightChoice], the values of --lights.
inline const std::vector<std::string>& light_choice_names() {
  static const std::vector<std::string> kNames = {"uniform", "power", "bvh"};
  return kNames;
}

/// True if lights are chosen by a light BVH.
///
/// @param lights  number of lights at finite positions
inline bool uses_light_tree(size_t lights, LightChoice by) {
  return by == LightChoice::kBvh && lights > 1;  // a single light needs no choice
}

/// True if a scene whose lights are all shapes needs a FullScene for this choice.
bool needs_full_lights(const HostScene& scene, LightChoice by);

}  // namespace winnow
