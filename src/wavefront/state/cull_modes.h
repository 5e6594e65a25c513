// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/names.h"

namespace winnow {

/// How terminated paths are removed from the work queue after a bounce. Each mode has a row in
/// kCullModes; the passes are in wavefront/cull/cull.h.
enum class Cull {
  kNone,
  kAppend,
  kScan,
  kBallot,
  kLookBack,
  kLookAhead,
  kMove,
  kThrust,
  kCub,
  kAuto
};

enum class CulledBy {
  kNothing,  ///< terminated entries stay; their threads return at once
  kShading,  ///< the shading stage appends the survivors: wavefront/kernels/append.h
  kPass,     ///< a pass after the stages of an iteration
};

enum class CullEffect {
  kNothing,    ///< terminated entries stay
  kLists,      ///< the slots of the survivors are written to a new list
  kMovesState  ///< the state of the survivors moves to the other columns, densely packed
};

/// Properties of a mode for code that does not cull.
struct CullMode {
  const char* name;
  const char* about;  ///< explanation on the page of winnow see
  CulledBy by = CulledBy::kPass;
  CullEffect effect = CullEffect::kLists;
  bool needs_gpu = false;
};

/// The modes, [Cull].
inline constexpr std::array<CullMode, 10> kCullModes = {{
    {.name = "none",
     .about = "Nothing is removed. The lanes of ended paths do nothing while the others of their "
              "warp work; a warp whose 32 paths have all ended returns at once.",
     .by = CulledBy::kNothing,
     .effect = CullEffect::kNothing},
    {.name = "append",
     .about = "The shading stage stores the state of survivors side by side: ballots in a warp, "
              "one atomic for a block. It needs no pass of its own. On a GPU, blocks arrive in any "
              "order; here they arrive in theirs.",
     .by = CulledBy::kShading,
     .effect = CullEffect::kMovesState},
    {.name = "scan",
     .about = "A flag for each entry, a work-efficient exclusive scan of the flags, and a scatter "
              "of the survivors' slots: 3 to 7 kernels. The order stays; the state of a path stays "
              "in its slot."},
    {.name = "ballot",
     .about = "Survivors are counted by tiles, the counts are scanned, and ballots scatter the "
              "slots: 3 or 5 kernels. The order stays; the state of a path stays in its slot."},
    {.name = "look-back",
     .about = "One kernel: each tile counts its survivors and finds the sum of the tiles before "
              "it by decoupled look-back. The order stays; the state of a path stays in its slot."},
    {.name = "look-ahead",
     .about = "One kernel, the library's single-pass select: blocks add up what others counted "
              "between two of their tiles. The order stays; the state of a path stays in its "
              "slot."},
    {.name = "move",
     .about = "The same single pass, but it moves the state of the survivors, so that later "
              "stages read it side by side. The order stays.",
     .effect = CullEffect::kMovesState},
    {.name = "thrust", .about = "", .needs_gpu = true},
    {.name = "cub", .about = "", .needs_gpu = true},
    {.name = "auto",
     .about = "append in the bounces where it is expected to pay. This is a first wave, which "
              "always culls.",
     .by = CulledBy::kShading,
     .effect = CullEffect::kMovesState},
}};

template <>
inline constexpr std::array<const char*, kCullModes.size()> kEnumNames<Cull> = [] {
  std::array<const char*, kCullModes.size()> names{};
  for (size_t mode = 0; mode < names.size(); ++mode) names[mode] = kCullModes[mode].name;
  return names;
}();

constexpr const CullMode& mode_of(Cull cull) {
  return kCullModes[size_t(cull)];
}

/// Returns whether a culling pass moves the path state, which leaves grouping no list.
constexpr bool moves_in_pass(Cull cull) {
  return mode_of(cull).by == CulledBy::kPass && mode_of(cull).effect == CullEffect::kMovesState;
}

/// Returns the modes that a device supports, in the order of Cull.
inline std::vector<Cull> available_culls(bool on_gpu) {
  std::vector<Cull> culls;
  for (size_t cull = 0; cull < kCullModes.size(); ++cull)
    if (on_gpu || !kCullModes[cull].needs_gpu) culls.push_back(Cull(cull));
  return culls;
}

}  // namespace winnow
