#include "bvh/build/split_bvh_primitive.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/ext/vector_double3.hpp>

namespace winnow {
namespace {

/// A box around the point where the edge from `a` to `b` crosses the plane, which holds it whatever
/// the rounding.
BvhBox crossing(glm::vec3 a, glm::vec3 b, int axis, float position) {
  constexpr double kDoubleError = 0x1p-50;  // 8 half ulps of a double; there are 5 roundings
  constexpr double kFloatError = 0x1p-23;   // 2 half ulps of a float; there is one, of this sum
  const glm::dvec3 from(a), to(b);
  const double along = (double(position) - from[axis]) / (to[axis] - from[axis]);
  const glm::dvec3 at = from + along * (to - from);
  const glm::dvec3 error =
      kDoubleError * (glm::abs(from) + glm::abs(to)) + kFloatError * glm::abs(at);
  BvhBox box{glm::vec3(at - error), glm::vec3(at + error)};
  box.lower[axis] = box.upper[axis] = position;
  return box;
}

/// The part of `inner` that lies in `outer`; a box without size where there is none.
BvhBox clamped(const BvhBox& inner, const BvhBox& outer) {
  const glm::vec3 lower = glm::clamp(inner.lower, outer.lower, outer.upper);
  return {lower, glm::max(lower, glm::clamp(inner.upper, outer.lower, outer.upper))};
}

}  // namespace

BvhSplit split_triangle(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2, const BvhBox& box, int axis,
                        float position) {
  const glm::vec3 corners[3] = {p0, p1, p2};
  BvhSplit split;
  for (int i = 0; i < 3; ++i) {
    const glm::vec3 a = corners[i], b = corners[(i + 1) % 3];
    if (a[axis] <= position) split.below.add(a);
    if (a[axis] >= position) split.above.add(a);
    if ((a[axis] < position && position < b[axis]) || (b[axis] < position && position < a[axis])) {
      const BvhBox point = crossing(a, b, axis, position);
      split.below.add(point);
      split.above.add(point);
    }
  }
  const BvhSplit halves = split_box(box, axis, position);
  return {clamped(split.below, halves.below), clamped(split.above, halves.above)};
}

BvhSplit split_box(const BvhBox& box, int axis, float position) {
  BvhSplit split{box, box};
  split.below.upper[axis] = std::min(box.upper[axis], position);
  split.above.lower[axis] = std::max(box.lower[axis], position);
  return split;
}

}  // namespace winnow
