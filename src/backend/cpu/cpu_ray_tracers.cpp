// SPDX-License-Identifier: MIT
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <limits>

#include "backend/ray_set_stages.h"
#include "backend/ray_tracer.h"
#include "base/nanoseconds.h"
#include "bvh/embree.h"

namespace winnow {
namespace {

/// Rays per task: scheduling costs little, and all threads finish at about the same time.
constexpr uint32_t kPiece = 512;

struct LoadedRays {
  RayColumns rays;
  Span<Hit> hits;           ///< empty for shadow rays
  Span<uint32_t> occluded;  ///< empty for closest hits
  bool coherent = false;    ///< neighbouring rays stay close together
};

/// Distributes pieces of the set to threads. `Way` traces a piece.
template <class Way>
class CpuRayTracer : public RayTracer {
 public:
  CpuRayTracer(std::string name, Way way) : name_(std::move(name)), way_(std::move(way)) {}

  void load(const RaySet& rays) override {
    rays_ = rays.columns();
    coherent_ = rays.kind == RayKind::kPrimary;
    results_.hits.assign(is_shadow(rays.kind) ? 0 : rays.size(), {});
    results_.occluded.assign(is_shadow(rays.kind) ? rays.size() : 0, 0);
  }

  double trace() override {
    const double start = steady_seconds();
    const auto count = uint32_t(rays_.origins.size);
    oneapi::tbb::parallel_for(0u, simt::ceil_div(count, kPiece), [&](uint32_t piece) {
      const uint32_t first = piece * kPiece, size = std::min(kPiece, count - first);
      way_(LoadedRays{.rays = {.origins = rays_.origins.subspan(first, size),
                               .directions = rays_.directions.subspan(first, size)},
                      .hits = part(results_.hits, first, size),
                      .occluded = part(results_.occluded, first, size),
                      .coherent = coherent_});
    });
    return (steady_seconds() - start) * 1e3;
  }

  RayResults results() override { return results_; }
  std::string name() const override { return name_; }

 private:
  template <class T>
  static Span<T> part(std::vector<T>& items, size_t first, size_t count) {
    return items.empty() ? Span<T>() : Span<T>(items.data() + first, count);
  }

  std::string name_;
  Way way_;
  RayColumns rays_;
  bool coherent_ = false;
  RayResults results_;
};

template <class Way>
std::unique_ptr<RayTracer> make_cpu_ray_tracer(const char* name, Way way) {
  return std::make_unique<CpuRayTracer<Way>>(name, std::move(way));
}

RTCRay plain_ray(const Ray& ray) {
  const glm::vec3 from = ray.origin, along = ray.direction;
  constexpr float kNear = std::numeric_limits<float>::min(), kTime = 0.0f;
  return {from.x,  from.y, from.z,    kNear,          along.x,    along.y,
          along.z, kTime,  ray.t_max, ~0u /* mask */, 0 /* id */, 0 /* flags */};
}

/// Traces one ray at a time with Embree, as in its tutorials.
struct EmbreeLoop {
  EmbreeAccel accel;

  void operator()(const LoadedRays& piece) const {
    const size_t count = piece.rays.origins.size;
    for (size_t i = 0; i < count; ++i) {
      RTCRayHit ray_hit;
      ray_hit.ray = plain_ray(piece.rays.ray(i));
      if (piece.occluded.data) {
        embree_occluded(accel.scene, ray_hit.ray);
        piece.occluded.data[i] = ray_hit.ray.tfar < 0.0f;
        continue;
      }
      ray_hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      embree_intersect(accel.scene, ray_hit);
      const RTCHit& hit = ray_hit.hit;
      if (hit.geomID == RTC_INVALID_GEOMETRY_ID)
        piece.hits.data[i] = {};
      else
        piece.hits.data[i] = {ray_hit.ray.tfar, hit.u, hit.v,
                              hit.primID + (hit.geomID == 0 ? 0 : accel.triangle_count)};
    }
  }
};

struct EmbreePackets {
  static constexpr size_t kWidth = 16;
  EmbreeAccel accel;

  void operator()(const LoadedRays& piece) const {
    const size_t count = piece.rays.origins.size;
    for (size_t first = 0; first < count; first += kWidth)
      trace(piece, first, std::min(kWidth, count - first));
  }

 private:
  void trace(const LoadedRays& piece, size_t first, size_t count) const {
    RTCRayHit16 packet;
    alignas(64) int valid[kWidth];
    for (size_t i = 0; i < kWidth; ++i) {
      valid[i] = i < count ? -1 : 0;
      put(plain_ray(piece.rays.ray(first + std::min(i, count - 1))), i, packet.ray);
      packet.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    }
    if (piece.occluded.data) {
      embree_occluded(valid, accel.scene, packet.ray);
      for (size_t i = 0; i < count; ++i) piece.occluded.data[first + i] = packet.ray.tfar[i] < 0.0f;
      return;
    }
    embree_intersect(valid, accel.scene, packet, piece.coherent);
    for (size_t i = 0; i < count; ++i) {
      Hit& hit = piece.hits.data[first + i];
      hit = {};
      if (packet.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID)
        hit = {packet.ray.tfar[i], packet.hit.u[i], packet.hit.v[i], packet.hit.primID[i]};
    }
  }

  static void put(const RTCRay& ray, size_t i, RTCRay16& packet) {
    packet.org_x[i] = ray.org_x, packet.org_y[i] = ray.org_y, packet.org_z[i] = ray.org_z;
    packet.dir_x[i] = ray.dir_x, packet.dir_y[i] = ray.dir_y, packet.dir_z[i] = ray.dir_z;
    packet.tnear[i] = ray.tnear, packet.tfar[i] = ray.tfar, packet.time[i] = ray.time;
    packet.mask[i] = ray.mask, packet.id[i] = ray.id, packet.flags[i] = ray.flags;
  }
};

/// Traces one ray at a time with any acceleration structure, by the stages of the renderer.
template <Accel A>
struct RayByRay {
  A accel;

  void operator()(const LoadedRays& piece) const {
    const auto count = uint32_t(piece.rays.origins.size);
    for (uint32_t i = 0; i < count; ++i)
      if (piece.occluded.data)
        TraceAny<A>{accel, piece.rays, piece.occluded}(i);
      else
        TraceClosest<A>{accel, piece.rays, piece.hits, piece.coherent}(i);
  }
};

}  // namespace

std::unique_ptr<RayTracer> make_embree_loop(const EmbreeScene& scene, const char* name) {
  return make_cpu_ray_tracer(name, EmbreeLoop{scene.accel()});
}

std::unique_ptr<RayTracer> make_embree_packets(const EmbreeScene& scene) {
  return make_cpu_ray_tracer("packets", EmbreePackets{scene.accel()});
}

std::unique_ptr<RayTracer> make_embree_stages(const EmbreeScene& scene) {
  return make_cpu_ray_tracer("stages", RayByRay<EmbreeAccel>{scene.accel()});
}

std::unique_ptr<RayTracer> make_host_wide_bvh(const WideBvhArrays& bvh) {
  return make_cpu_ray_tracer(kWideBvhTracer, RayByRay<WideBvh>{bvh.view()});
}

}  // namespace winnow
