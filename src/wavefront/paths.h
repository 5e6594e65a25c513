#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "compaction/simt/span.h"
#include "geometry/ray.h"
#include "wavefront/render_stats.h"

namespace winnow {

using simt::Span;
using PathId = uint32_t;

/// What one path carries from one bounce to the next, in registers.
struct Path {
  Ray ray;                     ///< the next segment; t_max is infinite
  float bsdf_pdf = 0.0f;       ///< sr^-1, density of `ray.direction`; 0 marks a ray that light
                               ///< sampling cannot find: from the camera or a specular surface
  glm::vec3 throughput{1.0f};  ///< product of f cos / pdf so far
  float eta_scale = 1.0f;      ///< undoes refraction's scaling of radiance in the roulette
  glm::vec3 radiance{0.0f};    ///< W sr^-1 m^-2, gathered so far
};

/// How and when a path ended, in one word.
struct Certificate {
  static constexpr uint32_t kDeathBits = 3;

  uint32_t bits = 0;  ///< 0 while the path lives

  SIMT_HOST_DEVICE static Certificate of(Death death, uint32_t bounce) {
    return {bounce << kDeathBits | uint32_t(death)};
  }
  SIMT_HOST_DEVICE bool alive() const { return bits == 0; }
  SIMT_HOST_DEVICE Death death() const { return Death(bits % (1u << kDeathBits)); }
  SIMT_HOST_DEVICE uint32_t bounce() const { return bits >> kDeathBits; }
};

/// Every path of a wave: 64 bytes each in columns, so that a stage reads only what it needs and a
/// warp reads it in one piece.
struct Paths {
  Span<glm::vec4> origin_pdf;      ///< [path], ray origin and bsdf_pdf
  Span<glm::vec4> direction;       ///< [path], ray direction; w is spare
  Span<glm::vec4> throughput_eta;  ///< [path], throughput and eta_scale
  Span<glm::vec3> radiance;        ///< [path]
  Span<Certificate> certificate;   ///< [path]

  SIMT_HOST_DEVICE Ray ray(PathId path) const {
    return {.origin = glm::vec3(origin_pdf[path]), .direction = glm::vec3(direction[path])};
  }

  SIMT_HOST_DEVICE Path load(PathId path) const {
    return {.ray = ray(path),
            .bsdf_pdf = origin_pdf[path].w,
            .throughput = glm::vec3(throughput_eta[path]),
            .eta_scale = throughput_eta[path].w,
            .radiance = radiance[path]};
  }

  SIMT_HOST_DEVICE void store(PathId path, const Path& p) const {
    origin_pdf[path] = glm::vec4(p.ray.origin, p.bsdf_pdf);
    direction[path] = glm::vec4(p.ray.direction, 0.0f);
    throughput_eta[path] = glm::vec4(p.throughput, p.eta_scale);
    radiance[path] = p.radiance;
  }
};

/// A light sample that waits for its visibility test.
struct ShadowRay {
  Ray ray;                       ///< t_max 0: there is none
  glm::vec3 contribution{0.0f};  ///< W sr^-1 m^-2, what the path gains if nothing is in between
};

/// At most one shadow ray of each path, in columns.
struct ShadowRays {
  Span<glm::vec4> origin_t_max;  ///< [path]
  Span<glm::vec4> direction;     ///< [path]; w is spare
  Span<glm::vec4> contribution;  ///< [path]; w is spare

  SIMT_HOST_DEVICE ShadowRay load(PathId path) const {
    return {.ray = {.origin = glm::vec3(origin_t_max[path]),
                    .direction = glm::vec3(direction[path]),
                    .t_max = origin_t_max[path].w},
            .contribution = glm::vec3(contribution[path])};
  }

  SIMT_HOST_DEVICE void store(PathId path, const ShadowRay& s) const {
    origin_t_max[path] = glm::vec4(s.ray.origin, s.ray.t_max);
    direction[path] = glm::vec4(s.ray.direction, 0.0f);
    contribution[path] = glm::vec4(s.contribution, 0.0f);
  }
};

}  // namespace winnow
