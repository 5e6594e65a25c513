#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace winnow {

struct HostScene;

/// How light sampling chooses among the lights that have a place.
enum class LightChoice : uint32_t {
  kAuto,     ///< what pays: by power where they are few, else by a tree
  kUniform,  ///< each as often as any other
  kPower,    ///< in proportion to power
  kBvh,      ///< by a tree, for each point to be lit
};

/// As --lights calls them.
inline const std::vector<std::string>& light_choice_names() {
  static const std::vector<std::string> kNames = {"auto", "uniform", "power", "bvh"};
  return kNames;
}

/// So many lights that have a place make a tree pay. At equal time on a CPU, among small triangles
/// that light a floor with boxes, its error is that of a table by power with 8 of them, 0.4 of it
/// with 16, and 0.3 with 32 and more. Fewer are often the parts of one or two lamps, which a table
/// chooses among as well, and for less.
inline constexpr size_t kLightsWorthATree = 32;

/// Whether lights are chosen by a tree.
///
/// @param lights  that have a place
inline bool uses_light_tree(size_t lights, LightChoice by) {
  if (lights < 2) return false;  // no choice to make
  return by == LightChoice::kBvh || (by == LightChoice::kAuto && lights >= kLightsWorthATree);
}

/// Whether a scene whose lights are all shapes needs a FullScene to choose among them so.
bool needs_full_lights(const HostScene& scene, LightChoice by);

}  // namespace winnow
