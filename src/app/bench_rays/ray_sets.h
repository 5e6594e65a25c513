// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <string>

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

}  // namespace winnow
