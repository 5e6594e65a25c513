// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <glm/vec3.hpp>
#include <type_traits>

#include "base/render_defaults.h"
#include "compaction/simt/span.h"
#include "film/termination.h"
#include "math/packed.h"
#include "math/ray.h"
#include "scene/material.h"

namespace winnow {

using simt::Span;
using PathId = uint32_t;

/// The state of a path between two bounces, in registers.
struct Path {
  Ray ray = {};                ///< the next segment; t_max is infinite
  float bsdf_pdf = 0.0f;       ///< sr^-1, density of `ray.direction`; 0 marks a ray that light
                               ///< sampling cannot generate: from the camera or a specular surface
  glm::vec3 throughput{1.0f};  ///< product of f cos / pdf so far
  float eta_scale = 1.0f;      ///< cancels the radiance scaling of refraction in Russian roulette;
                               ///< bfloat16
  float travelled = 0.0f;      ///< m, from the camera to the ray's origin; bfloat16
  glm::vec3 radiance{0.0f};    ///< W sr^-1 m^-2, gathered since the path was loaded
};

/// A path in a scene with Features::media. Where paths are in memory, as in the megakernel's loop,
/// paths of other scenes do not carry the field.
struct PathInMedia : Path {
  uint32_t medium = kNoMedium;  ///< medium in which the ray starts
};
template <bool kMedia>
using PathOf = std::conditional_t<kMedia, PathInMedia, Path>;

/// The state of all active paths in columns (structure of arrays): a stage reads only the columns
/// that it needs, and the accesses of a warp coalesce. Culling may move a path to another slot.
struct PathColumns {
  Span<Packed> origin_pdf;      ///< [slot], ray origin and bsdf_pdf
  Span<Packed> direction_id;    ///< [slot], ray direction; the bits of w are the path's id
  Span<Packed> throughput_eta;  ///< [slot], throughput; the bits of w are eta_scale and travelled
  Span<uint32_t> bounces;       ///< [slot], scatterings so far; empty if all paths have the same
  Span<uint32_t> media = {};    ///< [slot], PathInMedia::medium; empty without media

  SIMT_HOST_DEVICE Ray ray(uint32_t slot) const {
    return {.origin = origin_pdf[slot].xyz, .direction = direction_id[slot].xyz};
  }

  SIMT_HOST_DEVICE float travelled(uint32_t slot) const {
    return second_bfloat16(std::bit_cast<uint32_t>(throughput_eta[slot].w));
  }

  SIMT_HOST_DEVICE PathId id(uint32_t slot) const {
    return std::bit_cast<PathId>(direction_id[slot].w);
  }

  SIMT_HOST_DEVICE uint32_t medium(uint32_t slot) const {
    return media.data ? media[slot] : kNoMedium;
  }

  /// Returns the scatterings of a path so far.
  /// @param common  those of all paths, if they have the same
  SIMT_HOST_DEVICE uint32_t bounce(uint32_t slot, uint32_t common) const {
    return bounces.data ? bounces[slot] : common;
  }

  /// Returns a path as it was stored; its radiance is 0.
  SIMT_HOST_DEVICE PathInMedia load(uint32_t slot) const {
    const Packed origin = origin_pdf[slot], carried = throughput_eta[slot];
    const auto packed = std::bit_cast<uint32_t>(carried.w);
    return {{.ray = {.origin = origin.xyz, .direction = direction_id[slot].xyz},
             .bsdf_pdf = origin.w,
             .throughput = carried.xyz,
             .eta_scale = first_bfloat16(packed),
             .travelled = second_bfloat16(packed)},
            medium(slot)};
  }

  SIMT_HOST_DEVICE void store(uint32_t slot, PathId id, uint32_t bounce, const Path& path) const {
    origin_pdf[slot] = {path.ray.origin, path.bsdf_pdf};
    direction_id[slot] = {path.ray.direction, std::bit_cast<float>(id)};
    throughput_eta[slot] = {path.throughput,
                            std::bit_cast<float>(pack_bfloat16(path.eta_scale, path.travelled))};
    if (bounces.data) bounces[slot] = bounce;
  }
};

/// The radiance of a path, and how the path ended.
struct alignas(16) PathResult {
  glm::vec3 radiance{0.0f};  ///< W sr^-1 m^-2
  TerminationRecord termination;
};

/// The paths of a wave: 48 bytes in a slot while a path is active, and 16 bytes at its id.
struct Paths {
  PathColumns columns[2];    ///< ping-pong buffers; the second is empty unless culling
                             ///< moves the path state
  Span<PathResult> results;  ///< [path]
  /// [path], W sr^-1 m^-2, light that was scattered more than once, if it is to be clamped;
  /// otherwise empty, and `results` include it.
  Span<glm::vec3> indirect = {};

  SIMT_HOST_DEVICE void clear(PathId id) const {
    results[id] = {};
    if (indirect.data) indirect[id] = glm::vec3(0.0f);
  }

  /// Returns the sum to which a path adds light that was scattered `scatterings` times.
  SIMT_HOST_DEVICE glm::vec3& gathered(PathId id, uint32_t scatterings) const {
    return indirect.data && scatterings > 1 ? indirect[id] : results[id].radiance;
  }
};

/// A light sample before its visibility test.
struct ShadowRay {
  Ray ray;                       ///< t_max 0: there is no shadow ray
  glm::vec3 contribution{0.0f};  ///< W sr^-1 m^-2, added to the path if the ray is unoccluded
  uint32_t scatterings = 0;      ///< scatterings of this light on its way to the camera, and
                                 ///< the medium that emits it: see from_medium()
};

/// Bits of ShadowRay::scatterings that count. The others are 0 unless a medium emits the light.
inline constexpr uint32_t kScatteringBits = 10;
static_assert(kMaxBounces < 1u << kScatteringBits);

/// Packs the scatterings of a light with the medium that emits it.
SIMT_HOST_DEVICE constexpr uint32_t from_medium(uint32_t scatterings, uint32_t medium) {
  return (medium + 1) << kScatteringBits | scatterings;
}
SIMT_HOST_DEVICE constexpr uint32_t scatterings_of(uint32_t packed) {
  return packed & ((1u << kScatteringBits) - 1);
}
/// Returns the medium that emits a light, or kNoMedium.
SIMT_HOST_DEVICE constexpr uint32_t emitting_medium(uint32_t packed) {
  return (packed >> kScatteringBits) - 1;
}

struct ShadowRayInMedia : ShadowRay {
  uint32_t medium = kNoMedium;  ///< medium in which the ray starts
};
template <bool kMedia>
using ShadowRayOf = std::conditional_t<kMedia, ShadowRayInMedia, ShadowRay>;

/// The shadow rays of an iteration in columns, densely packed. At most one for each path.
struct ShadowRays {
  Span<Packed> origin_t_max;  ///< [ray]
  Span<Packed> direction_id;  ///< [ray]; the bits of w are the path's id
  Span<Packed> contribution;  ///< [ray]; the bits of w are the scatterings
  Span<uint32_t> media = {};  ///< [ray], ShadowRayInMedia::medium; empty without media

  SIMT_HOST_DEVICE ShadowRay load(uint32_t i) const {
    Packed origin = origin_t_max[i], light = contribution[i];
    return {.ray = {.origin = origin.xyz, .direction = direction_id[i].xyz, .t_max = origin.w},
            .contribution = light.xyz,
            .scatterings = std::bit_cast<uint32_t>(light.w)};
  }

  SIMT_HOST_DEVICE PathId id(uint32_t i) const { return std::bit_cast<PathId>(direction_id[i].w); }

  SIMT_HOST_DEVICE uint32_t medium(uint32_t i) const { return media.data ? media[i] : kNoMedium; }

  SIMT_HOST_DEVICE void store(uint32_t i, PathId id, const ShadowRay& shadow) const {
    origin_t_max[i] = {shadow.ray.origin, shadow.ray.t_max};
    direction_id[i] = {shadow.ray.direction, std::bit_cast<float>(id)};
    contribution[i] = {shadow.contribution, std::bit_cast<float>(shadow.scatterings)};
  }
};

}  // namespace winnow
