#pragma once

// Embree 3 (Debian 12) and Embree 4 (Ubuntu 24.04) differ in how a ray query takes its context; the
// rest of the code sees only these.

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <string>

#include "error.h"

namespace winnow {

inline void embree_intersect(RTCScene scene, RTCRayHit& ray_hit) {
#if RTC_VERSION_MAJOR >= 4
  rtcIntersect1(scene, &ray_hit);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &ray_hit);
#endif
}

inline void embree_occluded(RTCScene scene, RTCRay& ray) {
#if RTC_VERSION_MAJOR >= 4
  rtcOccluded1(scene, &ray);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(scene, &context, &ray);
#endif
}

/// Throws Error with Embree's own words if `device` has met an error since the last call.
inline void check_embree(RTCDevice device, const char* doing) {
  RTCError error = rtcGetDeviceError(device);
  if (error == RTC_ERROR_NONE) return;
  if (error == RTC_ERROR_OUT_OF_MEMORY)
    throw Error(std::string(doing) + " needs more memory than this machine has");
  throw Error(std::string(doing) + " failed: Embree error " + std::to_string(int(error)));
}

}  // namespace winnow
