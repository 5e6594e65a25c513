// SPDX-License-Identifier: MIT
#pragma once

// Embree 3 (Debian 12) and Embree 4 (Ubuntu 24.04) pass the context of a ray query differently.
// These functions hide the difference.

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <string>

#include "base/error.h"

namespace winnow {

/// Calls `query`, one of Embree's functions for rays, with `where`, the arguments before the rays.
template <class Query, class Rays, class... Where>
void query_embree(Query query, Rays& rays, Where... where) {
#if RTC_VERSION_MAJOR >= 4
  query(where..., &rays, nullptr);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  query(where..., &context, &rays);
#endif
}

/// Finds the closest hit of one ray.
///
/// @param scene    committed
/// @param ray_hit  the ray, with hit.geomID RTC_INVALID_GEOMETRY_ID, which stays without a hit
inline void embree_intersect(RTCScene scene, RTCRayHit& ray_hit) {
  query_embree(rtcIntersect1, ray_hit, scene);
}

/// Tests whether one ray has any hit in a committed scene: sets ray.tfar to -infinity if it has.
inline void embree_occluded(RTCScene scene, RTCRay& ray) {
  query_embree(rtcOccluded1, ray, scene);
}

/// Finds the closest hits of a packet of 16 rays.
///
/// @param valid     [16], aligned to 64 bytes; -1 for active rays, 0 for others
/// @param scene     committed, with triangles only: our user geometries support single rays
/// @param coherent  whether the rays have similar origins and directions
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

/// Tests whether each ray of a packet of 16 has any hit: sets its tfar to -infinity if it has. For
/// `valid` and `scene` see embree_intersect().
inline void embree_occluded(const int* valid, RTCScene scene, RTCRay16& rays) {
  query_embree(rtcOccluded16, rays, valid, scene);
}

/// Embree's message for the last error of this thread.
inline thread_local std::string embree_message;

/// Starts Embree. Throws Error.
inline RTCDevice new_embree_device() {
  RTCDevice device = rtcNewDevice(nullptr);
  if (!device && rtcGetDeviceError(nullptr) == RTC_ERROR_UNSUPPORTED_CPU)
    throw Error("Embree does not support this processor");
  if (!device) throw Error("Embree cannot be started: not enough memory, or no more threads");
  const auto note = [](void*, RTCError, const char* message) {
    embree_message = message ? message : "";
  };
  rtcSetDeviceErrorFunction(device, note, nullptr);
  return device;
}

/// Throws Error if an error has occurred on `device` since the last call.
///
/// @param doing  what failed, for the message: "building the tree"
inline void check_embree(RTCDevice device, const char* doing) {
  RTCError error = rtcGetDeviceError(device);
  if (error == RTC_ERROR_NONE) return;
  if (error == RTC_ERROR_OUT_OF_MEMORY)
    throw Error(std::string(doing) + " needs more memory than this machine has");
  if (embree_message.empty()) embree_message = "Embree error " + std::to_string(int(error));
  throw Error(std::string(doing) + " failed: " + embree_message);
}

}  // namespace winnow
