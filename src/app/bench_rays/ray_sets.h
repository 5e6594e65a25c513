#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <string>

#include "bvh/embree_accel.h"
#include "bvh/ray_set.h"
#include "scene/host_scene.h"

namespace winnow {

/// A rectangle that shadow rays go to: the points center + a u + b v with a and b in [-1, 1].
struct LightRectangle {
  glm::vec3 center{0.0f};          ///< m
  glm::vec3 u{0.0f}, v{0.0f};      ///< m, half the sides
  std::string origin = "--light";  ///< for the person: who chose it
};

/// The first emitting shape: the rectangle that a triangle is half of, or a level square within a
/// sphere. Without one, a level rectangle of half the size of the scene's bounds, at nine tenths of
/// their height.
LightRectangle default_light(const HostScene& scene);

struct RaySetSettings {
  CameraDescription camera;  ///< the lens is taken for a pinhole
  LightRectangle light;
  uint32_t width = 1920, height = 1080;  ///< pixels
  uint32_t spp = 1;                      ///< camera rays of a pixel
  uint64_t seed = 0;
};

/// One set of each kind. Camera rays are numbered sample by sample and in tiles of 8x4 pixels, so
/// that those of a warp stay close together; a ray from a hit keeps the place of the ray that found
/// it, and one that met nothing leaves none. Rays start where the renderer's would, outside of the
/// rounding error of their hit, on the side that the hit was seen from. The same for any number of
/// threads; uses all of oneTBB's.
///
/// @param accel  of `scene`; width * height * spp must be below 2^32
std::array<RaySet, kRayKindCount> make_ray_sets(const HostScene& scene, const EmbreeAccel& accel,
                                                const RaySetSettings& settings);

/// The same rays in that order, and in their old one among equals.
RaySet sorted_rays(const RaySet& rays, const RayOrder& order);

}  // namespace winnow
