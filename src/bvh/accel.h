#pragma once

#include <concepts>

#include "math/ray.h"

namespace winnow {

/// Finds what rays meet. A small handle, passed to stages by value; the geometry stays elsewhere.
template <class A>
concept Accel = std::copyable<A> && requires(const A accel, Ray ray) {
  { accel.intersect(ray) } -> std::same_as<Hit>;  // closest hit; kNoPrimitive where there is none
  { accel.occluded(ray) } -> std::same_as<bool>;  // whether there is any hit
};

}  // namespace winnow
