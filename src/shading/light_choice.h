// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/names.h"

namespace winnow {

/// How light sampling chooses among the lights that have a position.
enum class LightChoice : uint32_t {
  kUniform,  ///< all with the same probability
  /// By power, among a few spheres also by the inverse squared distance: the default. On an H200 a
  /// tree reduces the error of a sample by up to a fifth with the 504 lights of many-lights.json,
  /// but samples take three times as long.
  kPower,
  kBvh,  ///< light tree, descended for each shaded point
};

template <>
inline constexpr std::array<const char*, 3> kEnumNames<LightChoice> = {"uniform", "power", "bvh"};

}  // namespace winnow
