#pragma once

#include <cstdint>

#include "bvh/bvh_box.h"
#include "compaction/simt/simt.h"

namespace winnow {

using simt::Span;

/// A primitive, or a part of one that spatial splits have cut up.
struct BvhReference {
  BvhBox box;
  uint32_t primitive;

  glm::vec3 twice_center() const { return box.lower + box.upper; }
};

/// What all references of a subtree share out.
struct BvhReferenceBounds {
  BvhBox box, twice_centers;

  void add(const BvhReference& reference) {
    box.add(reference.box);
    twice_centers.add(reference.twice_center());
  }
  void add(const BvhReferenceBounds& other) {
    box.add(other.box);
    twice_centers.add(other.twice_centers);
  }
};

/// The surface area that two boxes share, 0 where they are apart.
inline float shared_area(const BvhBox& a, const BvhBox& b) {
  const BvhBox both{glm::max(a.lower, b.lower), glm::min(a.upper, b.upper)};
  const bool apart =
      both.lower.x > both.upper.x || both.lower.y > both.upper.y || both.lower.z > both.upper.z;
  return apart ? 0.0f : both.half_area();
}

}  // namespace winnow
