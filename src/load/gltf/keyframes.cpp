// SPDX-License-Identifier: MIT
#include "load/gltf/keyframes.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>

namespace winnow {
namespace {

constexpr size_t kInTangent = 0, kOutTangent = 2;

using Numbers = std::vector<double>;

Numbers value_at_key(const GltfKeyframes& keys, size_t key) {
  Numbers value(keys.components);
  for (size_t i = 0; i < keys.components; ++i) value[i] = keys.number(key, i);
  return value;
}

/// Returns a quaternion of unit length; glTF has w last.
glm::dquat unit_quaternion(const Numbers& numbers) {
  const glm::dquat rotation(numbers[3], numbers[0], numbers[1], numbers[2]);
  return rotation / glm::length(rotation);
}

Numbers slerp(const Numbers& from, const Numbers& to, double s) {
  const glm::dquat between = glm::slerp(unit_quaternion(from), unit_quaternion(to), s);
  return {between.x, between.y, between.z, between.w};
}

/// @param s       position between `key` and the next one, [0, 1)
/// @param length  time between them, s
Numbers hermite(const GltfKeyframes& keys, size_t key, double s, double length) {
  const double s2 = s * s, s3 = s2 * s;
  Numbers value(keys.components);
  for (size_t i = 0; i < keys.components; ++i)
    value[i] = (2.0 * s3 - 3.0 * s2 + 1.0) * keys.number(key, i) +
               length * (s3 - 2.0 * s2 + s) * keys.number(key, i, kOutTangent) +
               (3.0 * s2 - 2.0 * s3) * keys.number(key + 1, i) +
               length * (s3 - s2) * keys.number(key + 1, i, kInTangent);
  return value;
}

}  // namespace

std::vector<double> GltfKeyframes::at(double time) const {
  const auto next = std::upper_bound(times.begin(), times.end(), time);
  if (next == times.begin()) return value_at_key(*this, 0);
  const auto key = size_t(next - times.begin()) - 1;
  if (next == times.end() || interpolation == GltfInterpolation::kStep)
    return value_at_key(*this, key);
  const double length = double(times[key + 1]) - double(times[key]);
  const double s = (time - double(times[key])) / length;
  if (interpolation == GltfInterpolation::kCubicSpline) return hermite(*this, key, s, length);
  Numbers value = value_at_key(*this, key);
  const Numbers to = value_at_key(*this, key + 1);
  if (are_rotations) return slerp(value, to, s);
  for (size_t i = 0; i < value.size(); ++i) value[i] = glm::mix(value[i], to[i], s);
  return value;
}

bool GltfKeyframes::change() const {
  const bool is_cubic = interpolation == GltfInterpolation::kCubicSpline;
  for (size_t key = 0; key < times.size(); ++key)
    for (size_t i = 0; i < components; ++i) {
      if (number(key, i) != number(0, i)) return true;
      // Tangents before the first key and after the last one have no effect.
      if (is_cubic && ((key > 0 && number(key, i, kInTangent) != 0.0) ||
                       (key + 1 < times.size() && number(key, i, kOutTangent) != 0.0)))
        return true;
    }
  return false;
}

}  // namespace winnow
