#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/enum_names.h"

namespace winnow {

struct HostScene;

/// How light sampling chooses among the lights that have a place.
enum class LightChoice : uint32_t {
  kUniform,  ///< each as often as any other
  /// In proportion to power: the default. On an H200 a tree makes the error of a sample up to a
  /// fifth smaller among the 504 lights of many-lights.json, but samples take three times as long.
  kPower,
  kBvh,  ///< by a tree, for each point to be lit
};

template <>
inline constexpr std::array<const char*, 3> kEnumNames<LightChoice> = {"uniform", "power", "bvh"};

/// Whether lights are chosen by a tree.
///
/// @param lights  that have a place
inline bool uses_light_tree(size_t lights, LightChoice by) {
  return by == LightChoice::kBvh && lights > 1;  // else there is no choice to make
}

/// Whether a scene whose lights are all shapes needs a FullScene to choose among them so.
bool needs_full_lights(const HostScene& scene, LightChoice by);

}  // namespace winnow
