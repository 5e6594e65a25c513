#pragma once

#include "geometry/accel.h"
#include "wavefront/paths.h"

namespace winnow {

/// Finds what the ray of each living path meets.
///
/// reads  ray, certificate    writes  hit
template <Accel A>
struct IntersectClosest {
  static constexpr Stage kStage = Stage::kIntersect;

  A accel;
  Paths paths;
  Span<Hit> hits;  ///< [path]

  SIMT_HOST_DEVICE void operator()(PathId path) const {
    if (!paths.certificate[path].alive()) return;
    hits[path] = accel.intersect(paths.ray(path));
  }
};

}  // namespace winnow
