// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backend/cpu/columns.h"
#include "base/instruction_set.h"
#include "bvh/bvh_geometry.h"
#include "bvh/shapes.h"
#include "math/bounds.h"
#include "math/ray.h"
#include "scene/host_scene.h"

namespace winnow {

/// Rays whose directions have the same longest axis, and their nearest hits.
struct RayBatch {
  uint32_t x_axis, y_axis, z_axis;  ///< axes of these rays, as in ShearedRay
  uint32_t count = 0;
  uint32_t ids[kBatchSize];               ///< [ray], id given by the caller that added it
  Column<float> origin[3], direction[3];  ///< [axis of the scene]
  Column<float> sx, sy, sz;               ///< as ShearedRay
  VectorColumn along;                     ///< ShearedRay::direction()
  Column<float> t;                        ///< m, distance of the nearest hit so far; t_max without
                                          ///< a hit
  Column<uint32_t> primitive;             ///< primitive of that hit; kNoPrimitive without a hit
  Column<float> u, v;                     ///< as Hit

  void add(uint32_t id, const Ray& ray) {
    const uint32_t i = count++;
    ids[i] = id;
    for (int axis = 0; axis < 3; ++axis) {
      origin[axis][i] = ray.origin[axis];
      direction[axis][i] = ray.direction[axis];
    }
    t[i] = ray.t_max;
  }

  /// Copies the fields that find_nearest() reads of a ray from another batch.
  void copy(uint32_t i, const RayBatch& from, uint32_t k) {
    for (int axis = 0; axis < 3; ++axis) origin[axis][i] = from.origin[axis][k];
    sx[i] = from.sx[k];
    sy[i] = from.sy[k];
    sz[i] = from.sz[k];
    t[i] = from.t[k];
    primitive[i] = from.primitive[k];
  }

  Hit hit(uint32_t i) const {
    return primitive[i] == kNoPrimitive ? Hit{} : Hit{t[i], u[i], v[i], primitive[i]};
  }
};

/// Collects rays in batches by the longest axis of their directions; calls `Trace` with each one.
template <class Trace>
class RayBatcher {
 public:
  explicit RayBatcher(const Trace& trace) : trace_(trace) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
      batches_[axis].z_axis = axis;
      batches_[axis].x_axis = ShearedRay::axis_after(axis);
      batches_[axis].y_axis = ShearedRay::axis_after(batches_[axis].x_axis);
    }
  }

  void add(uint32_t id, const Ray& ray) {
    RayBatch& batch = batches_[longest_axis(ray.direction)];
    batch.add(id, ray);
    if (batch.count == kBatchSize) trace(batch);
  }

  /// Traces the remaining rays.
  void finish() {
    for (RayBatch& batch : batches_)
      if (batch.count > 0) trace(batch);
  }

 private:
  void trace(RayBatch& batch) {
    trace_(batch);
    batch.count = 0;
  }

  const Trace& trace_;
  RayBatch batches_[3];
};

/// A few triangles and spheres. Each ray is tested with all of them in vector lanes, except for
/// runs of triangles whose box it misses. This takes less time than a tree. Distances and the
/// resolution of ties are those of WideBvh.
class PrimitiveList {
 public:
  /// Maximum number of primitives. 64 triangles take 72 ns per ray in 16 lanes, 103 in 8, and 155
  /// with Embree (one core of a Xeon, rays in a room). With 8 lanes, a room of 78 triangles renders
  /// in 0.86 of the time that it takes with Embree.
  static constexpr uint32_t kMaxSize = 96;

  /// Returns whether the scene has few primitives and the processor has vector lanes and fused
  /// multiply-add instructions; without these, fma() is a function call.
  static bool suits(const HostScene& scene) {
    return best_instruction_set() != InstructionSet::kBase && scene.instances.empty() &&
           scene.triangles.size() + scene.spheres.size() <= kMaxSize;
  }

  /// @param scene  a scene for which suits() is true
  explicit PrimitiveList(const HostScene& scene);

  Hit intersect(InstructionSet set, const Ray& ray) const;
  bool occluded(InstructionSet set, const Ray& ray) const;

  /// Sets the nearest `primitive` of each ray, and its `t` accurately enough to order hits.
  void find_nearest(InstructionSet set, RayBatch& batch) const;
  /// Like find_nearest(), with an accurate `t`, and with `u` and `v`.
  void intersect(InstructionSet set, RayBatch& batch) const;

 private:
  /// Returns the nearest primitive of one ray. Each vector lane tests another primitive.
  uint32_t nearest(InstructionSet set, const ShearedRay& sheared, const Ray& ray, float& t) const;
  PermutedTriangle triangle(uint32_t i, const uint32_t (&axes)[3]) const;

  using PrimitiveColumn = Column<float, kMaxSize>;

  struct Run {
    uint32_t first, end;  ///< triangles [first, end)
    bool is_tested;       ///< whether testing the box is likely to save time
    Bounds box;           ///< m
  };
  void divide_into_runs(const BvhGeometry& geometry);

  uint32_t triangle_count_, sphere_count_, run_count_ = 0;
  Run runs_[kMaxSize];
  PrimitiveColumn vertices_[3][3];      ///< [axis][vertex][triangle], m
  PrimitiveColumn centers_[3], radii_;  ///< [axis][sphere], m
};

}  // namespace winnow
