// SPDX-License-Identifier: MIT
#pragma once

// Embree 3 (Debian 12) and Embree 4 (Ubuntu 24.04) pass the context of a ray query differently.
// These functions hide the difference.

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/lanes.h"

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

/// The nearest hits so far of a packet of 16 rays. note() compares each new hit with them, to find
/// the rays that hit two surfaces at the same distance, up to rounding: which of the two is the hit
/// depends on the other rays of the packet.
struct EmbreeTies {
#if RTC_VERSION_MAJOR >= 4
  using Context = RTCRayQueryContext;
  static constexpr RTCSceneFlags kSceneFlag = RTC_SCENE_FLAG_FILTER_FUNCTION_IN_ARGUMENTS;
#else
  using Context = RTCIntersectContext;
  static constexpr RTCSceneFlags kSceneFlag = RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION;
#endif
  static constexpr uint32_t kRays = 16;
  static constexpr float kTie = 0x1p-18f;  ///< relative length by which rays go on beyond a hit

  Context context;  ///< first, since Embree passes its address to note()
  float nearest[kRays] = {};
  uint32_t tied[kRays] = {};  ///< whether each ray hits two surfaces at the same distance, 0 or 1

  /// Receives each hit that is not farther than the nearest one before it. Rays go on slightly
  /// beyond it, so that Embree neither drops nor culls surfaces at the same distance.
  static void note(const RTCFilterFunctionNArguments* args) {
    auto& ties = *reinterpret_cast<EmbreeTies*>(args->context);
    if (args->N != kRays) {  // rays one by one
      std::ranges::fill(ties.tied, 1);
      return;
    }
    float* distances = &RTCRayN_tfar(args->ray, kRays, 0);
    const int* valid = args->valid;
    WINNOW_LANES
    for (uint32_t i = 0; i < kRays; ++i) {
      const auto mask = uint32_t(valid[i]);  // all bits of a lane with a hit, so it has no branches
      const auto choose = [mask](float if_hit, float other) {
        return std::bit_cast<float>((std::bit_cast<uint32_t>(if_hit) & mask) |
                                    (std::bit_cast<uint32_t>(other) & ~mask));
      };
      const float t = distances[i], before = ties.nearest[i];
      // Embree rounds the end of the ray, and accepts hits slightly beyond it.
      const uint32_t is_tied = std::abs(t - before) <= 2.0f * kTie * t ? 1 : 0;
      ties.tied[i] |= is_tied & mask;
      ties.nearest[i] = choose(t, before);
      distances[i] = choose(t + kTie * t, t);
    }
  }
};

/// Finds the closest hits of a packet of 16 rays.
///
/// @param valid     [16], aligned to 64 bytes; -1 for active rays, 0 for others
/// @param scene     committed, with triangles only: our user geometries support single rays
/// @param coherent  whether the rays have similar origins and directions
/// @param ties      null, or receives which rays have ties; then, the scene has
///                  EmbreeTies::kSceneFlag
inline void embree_intersect(const int* valid, RTCScene scene, RTCRayHit16& ray_hits, bool coherent,
                             EmbreeTies* ties = nullptr) {
#if RTC_VERSION_MAJOR >= 4
  RTCIntersectArguments arguments;
  rtcInitIntersectArguments(&arguments);
  unsigned flags = coherent ? RTC_RAY_QUERY_FLAG_COHERENT : RTC_RAY_QUERY_FLAG_INCOHERENT;
  if (ties) {
    rtcInitRayQueryContext(&ties->context);
    flags |= RTC_RAY_QUERY_FLAG_INVOKE_ARGUMENT_FILTER;
    arguments.context = &ties->context;
    arguments.filter = EmbreeTies::note;
  }
  arguments.flags = RTCRayQueryFlags(flags);
  rtcIntersect16(valid, scene, &ray_hits, &arguments);
#else
  RTCIntersectContext plain;
  RTCIntersectContext& context = ties ? ties->context : plain;
  rtcInitIntersectContext(&context);
  if (coherent) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  if (ties) context.filter = EmbreeTies::note;
  rtcIntersect16(valid, scene, &context, &ray_hits);
#endif
  if (!ties) return;
  for (uint32_t i = 0; i < EmbreeTies::kRays; ++i)
    if (ties->nearest[i] > 0.0f) ray_hits.ray.tfar[i] = ties->nearest[i];
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
