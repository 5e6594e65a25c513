#pragma once

// Embree 3 (Debian 12) and Embree 4 (Ubuntu 24.04) differ in how a ray query takes its context; the
// rest of the code sees only these.

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <string>

#include "base/error.h"

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

/// 16 rays together; those with valid[ray] = -1. Without the user geometries that we define for
/// single rays.
inline void embree_intersect(const int* valid, RTCScene scene, RTCRayHit16& ray_hits,
                             bool coherent) {
#if RTC_VERSION_MAJOR >= 4
  RTCIntersectArguments arguments;
  rtcInitIntersectArguments(&arguments);
  if (coherent) arguments.flags = RTC_RAY_QUERY_FLAG_COHERENT;
  rtcIntersect16(valid, scene, &ray_hits, &arguments);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  if (coherent) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  rtcIntersect16(valid, scene, &context, &ray_hits);
#endif
}

inline void embree_occluded(const int* valid, RTCScene scene, RTCRay16& rays) {
#if RTC_VERSION_MAJOR >= 4
  rtcOccluded16(valid, scene, &rays);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded16(valid, scene, &context, &rays);
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
