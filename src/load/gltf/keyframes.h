// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace winnow {

enum class GltfInterpolation { kLinear, kStep, kCubicSpline };

/// Values of a member over time. Khronos Group, "glTF 2.0 Specification", 2021, appendix C.
struct GltfKeyframes {
  std::vector<float> times;  ///< [key], s, ascending, at least one
  /// [key][component]; for a cubic spline [key][in-tangent, value, out-tangent][component]
  std::vector<float> values;
  size_t components = 0;
  GltfInterpolation interpolation = GltfInterpolation::kLinear;
  bool are_rotations = false;  ///< quaternions, which linear interpolation keeps at unit length

  /// Returns the value at a time, clamped to the range of the keys: [component].
  std::vector<double> at(double time) const;

  /// True if the value is not the same at all times.
  bool change() const;

  /// Numbers of a key.
  size_t key_size() const {
    return components * (interpolation == GltfInterpolation::kCubicSpline ? 3 : 1);
  }

  /// @param part  part of a cubic spline: 0 is the in-tangent, 1 the value, 2 the out-tangent
  double number(size_t key, size_t component, size_t part = 1) const {
    const bool is_cubic = interpolation == GltfInterpolation::kCubicSpline;
    return double(values[key * key_size() + (is_cubic ? part * components : 0) + component]);
  }
};

}  // namespace winnow
