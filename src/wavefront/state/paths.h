#pragma once

#include <bit>
#include <cstdint>
#include <glm/vec3.hpp>

#include "compaction/simt/span.h"
#include "math/packed.h"
#include "math/ray.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

using simt::Span;
using PathId = uint32_t;

/// What one path carries from one bounce to the next, in registers.
struct Path {
  Ray ray = {};                ///< the next segment; t_max is infinite
  float bsdf_pdf = 0.0f;       ///< sr^-1, density of `ray.direction`; 0 marks a ray that light
                               ///< sampling cannot find: from the camera or a specular surface
  glm::vec3 throughput{1.0f};  ///< product of f cos / pdf so far
  float eta_scale = 1.0f;    ///< undoes refraction's scaling of radiance in the roulette; bfloat16
  float travelled = 0.0f;    ///< m, from the camera to the ray's origin; bfloat16
  glm::vec3 radiance{0.0f};  ///< W sr^-1 m^-2, gathered since it was loaded
};

/// How and when a path ended, in one word.
struct TerminationRecord {
  static constexpr uint32_t kDeathBits = 3;

  uint32_t bits = 0;  ///< 0 while the path lives

  SIMT_HOST_DEVICE static TerminationRecord of(Death death, uint32_t bounce) {
    return {bounce << kDeathBits | uint32_t(death)};
  }
  SIMT_HOST_DEVICE bool alive() const { return bits == 0; }
  SIMT_HOST_DEVICE Death death() const { return Death(bits % (1u << kDeathBits)); }
  SIMT_HOST_DEVICE uint32_t bounce() const { return bits >> kDeathBits; }
};

/// The state of every living path, in columns, so that a stage reads only what it needs and a warp
/// reads it in one piece. A path's slot may change when finished paths are culled.
struct PathColumns {
  Span<Packed> origin_pdf;      ///< [slot], ray origin and bsdf_pdf
  Span<Packed> direction_id;    ///< [slot], ray direction; the bits of w are the path's id
  Span<Packed> throughput_eta;  ///< [slot], throughput; the bits of w are eta_scale and travelled
  Span<uint32_t> bounces;       ///< [slot], behind the path; empty where all have as many

  SIMT_HOST_DEVICE Ray ray(uint32_t slot) const {
    return {.origin = origin_pdf[slot].xyz, .direction = direction_id[slot].xyz};
  }

  SIMT_HOST_DEVICE void store(uint32_t slot, PathId id, uint32_t bounce, const Path& path) const {
    origin_pdf[slot] = {path.ray.origin, path.bsdf_pdf};
    direction_id[slot] = {path.ray.direction, std::bit_cast<float>(id)};
    throughput_eta[slot] = {path.throughput,
                            std::bit_cast<float>(pack_bfloat16(path.eta_scale, path.travelled))};
    if (bounces.data) bounces[slot] = bounce;
  }
};

/// What a path has gathered, and how it ended.
struct alignas(16) PathResult {
  glm::vec3 radiance{0.0f};  ///< W sr^-1 m^-2
  TerminationRecord certificate;
};

/// Every path of a wave: 48 bytes in its slot while it lives, 16 bytes that stay in their place.
struct Paths {
  PathColumns columns[2];    ///< the second: where culling moves the state to, or empty
  Span<PathResult> results;  ///< [path]
  /// [path], W sr^-1 m^-2, of the light that was scattered more than once, where that is to be
  /// clamped; else empty, and it is part of the results.
  Span<glm::vec3> indirect = {};

  /// A new path has gathered nothing.
  SIMT_HOST_DEVICE void clear(PathId id) const {
    results[id] = {};
    if (indirect.data) indirect[id] = glm::vec3(0.0f);
  }

  /// Where a path gathers light that was scattered so many times on its way.
  SIMT_HOST_DEVICE glm::vec3& gathered(PathId id, uint32_t scatterings) const {
    return indirect.data && scatterings > 1 ? indirect[id] : results[id].radiance;
  }
};

/// Bytes of state of one path.
inline constexpr size_t kPathBytes = 3 * sizeof(Packed) + sizeof(PathResult);

/// A light sample that waits for its visibility test.
struct ShadowRay {
  Ray ray;                       ///< t_max 0: there is none
  glm::vec3 contribution{0.0f};  ///< W sr^-1 m^-2, what the path gains if nothing is in between
  uint32_t scatterings = 0;      ///< of this light on its way to the camera
};

/// The shadow rays of a round, side by side, in columns. At most one of each path.
struct ShadowRays {
  Span<Packed> origin_t_max;  ///< [ray]
  Span<Packed> direction_id;  ///< [ray]; the bits of w are the path's id
  Span<Packed> contribution;  ///< [ray]; the bits of w are the scatterings

  SIMT_HOST_DEVICE ShadowRay load(uint32_t i) const {
    Packed origin = origin_t_max[i], light = contribution[i];
    return {.ray = {.origin = origin.xyz, .direction = direction_id[i].xyz, .t_max = origin.w},
            .contribution = light.xyz,
            .scatterings = std::bit_cast<uint32_t>(light.w)};
  }

  SIMT_HOST_DEVICE PathId id(uint32_t i) const { return std::bit_cast<PathId>(direction_id[i].w); }

  SIMT_HOST_DEVICE void store(uint32_t i, PathId id, const ShadowRay& shadow) const {
    origin_t_max[i] = {shadow.ray.origin, shadow.ray.t_max};
    direction_id[i] = {shadow.ray.direction, std::bit_cast<float>(id)};
    contribution[i] = {shadow.contribution, std::bit_cast<float>(shadow.scatterings)};
  }
};

}  // namespace winnow
