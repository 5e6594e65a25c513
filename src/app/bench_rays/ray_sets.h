// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <string>

#include "backend/ray_tracer.h"
#include "bvh/embree_accel.h"
#include "bvh/ray_set.h"
#include "scene/host_scene.h"

namespace winnow {

/// The target of shadow rays: the points center + a u + b v with a and b in [-1, 1].
struct LightRectangle {
  glm::vec3 center{0.0f};          ///< m
  glm::vec3 u{0.0f}, v{0.0f};      ///< m, half the sides
  std::string origin = "--light";  ///< where the light comes from, for the reader
};

/// Returns the first emitting shape: the rectangle that a triangle is half of, or a horizontal
/// square inside a sphere. Without emitters, a horizontal rectangle of half the extent of the
/// scene's bounds at nine tenths of their height.
LightRectangle default_light(const HostScene& scene);

struct RaySetSettings {
  CameraDescription camera;  ///< its lens is treated as a pinhole
  LightRectangle light;
  uint32_t width = 1920, height = 1080;  ///< pixels
  uint32_t spp = 1;                      ///< camera rays per pixel
  uint64_t seed = 0;
};

/// Generates one set of each kind. Camera rays are ordered by sample and 8x4 pixel tile, so that
/// those of a warp are coherent. Secondary rays keep the order of the rays that they continue; rays
/// without a hit have none. Origins are offset as in the renderer, to the side from which the hit
/// was seen. Uses all threads of oneTBB; the result does not depend on their number.
///
/// @param accel  acceleration structure of `scene`; width * height * spp must be below 2^32
std::array<RaySet, kRayKindCount> make_ray_sets(const HostScene& scene, const EmbreeAccel& accel,
                                                const RaySetSettings& settings);

/// Returns the rays sorted by RayOrder::key(). The sort is stable.
RaySet sorted_rays(const RaySet& rays, const RayOrder& order);

struct RayCheck {
  uint64_t differ = 0;  ///< rays whose results disagree
  // Results of a brute-force test in double precision for these rays, and for hits of spheres whose
  // distance is wrong:
  uint64_t wrong = 0;            ///< refuted
  uint64_t reference_wrong = 0;  ///< the reference is refuted
  /// Rays so close to an edge or a vertex that double precision cannot determine the side. A hit
  /// and a miss of such a triangle are both right.
  uint64_t on_edge = 0;
};

/// A tracer fails if a larger fraction of its rays is wrong.
inline constexpr double kMaxWrong = 1e-5;

/// Two closest hits agree if both or none exist and their distances have at most this relative
/// difference. Coincident surfaces are interchangeable.
inline constexpr float kDistanceTolerance = 1e-4f;

/// Compares `results` with `reference`, ray by ray. Tests the first rays that differ against every
/// primitive, with all threads of oneTBB.
RayCheck check_rays(const HostScene& scene, const RaySet& rays, const RayResults& results,
                    const RayResults& reference);

}  // namespace winnow
