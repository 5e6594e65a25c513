#pragma once

#include "bvh/bvh_box.h"

namespace winnow {

/// Boxes of what a plane leaves of something, below and above.
struct BvhSplit {
  BvhBox below, above;
};

/// Splits the part of a triangle that lies in `box` by the plane where coordinate `axis` is
/// `position`. Both boxes lie in `box`, and together they cover that part.
BvhSplit split_triangle(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2, const BvhBox& box, int axis,
                        float position);

/// Splits a box likewise.
BvhSplit split_box(const BvhBox& box, int axis, float position);

}  // namespace winnow
