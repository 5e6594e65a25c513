// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include "math/ray.h"

namespace winnow {

/// An acceleration structure: finds intersections of rays. A small handle that is passed to stages
/// by value and does not own the geometry.
template <class A>
concept Accel = std::copyable<A> && requires(const A accel, Ray ray) {
  { accel.intersect(ray) } -> std::same_as<Hit>;  // closest hit; kNoPrimitive if none
  { accel.occluded(ray) } -> std::same_as<bool>;  // any hit
};

}  // namespace winnow
