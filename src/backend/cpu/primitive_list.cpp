// SPDX-License-Identifier: MIT
#include "backend/cpu/primitive_list.h"

#include <algorithm>
#include <limits>

namespace winnow {
namespace {

glm::vec3 permuted(const RayBatch& batch, const Column<float> (&vectors)[3], uint32_t i) {
  return {vectors[batch.x_axis][i], vectors[batch.y_axis][i], vectors[batch.z_axis][i]};
}

ShearedRay sheared_ray(const RayBatch& batch, uint32_t i) {
  ShearedRay ray;
  ray.origin = permuted(batch, batch.origin, i);
  ray.sx = batch.sx[i];
  ray.sy = batch.sy[i];
  ray.sz = batch.sz[i];
  return ray;
}

float positive_or_infinity(float t) {
  return t > 0.0f ? t : INFINITY;
}

/// Returns the distance to a triangle, m; infinite without a hit.
float distance_or_infinity(const ShearedRay& ray, const PermutedTriangle& triangle) {
  const TriangleIntersection intersection(ray, triangle);
  const float positive = positive_or_infinity(intersection.distance(ray));
  return intersection.exists() ? positive : INFINITY;
}

/// A ray and a sphere, both permuted.
struct RayAndSphere {
  Ray ray;  ///< its direction is that of the shear
  glm::vec3 center;
  float radius;

  SphereIntersection intersection() const { return {ray, center, radius}; }

  /// Returns the distance if it is certain, m; infinite if it is not, or without a hit.
  float certain_distance() const {
    const SphereIntersection sphere = intersection();
    const float positive = positive_or_infinity(sphere.distance());
    const float certain = sphere.is_uncertain() ? INFINITY : positive;
    return sphere.exists() ? certain : INFINITY;
  }

  /// Returns the distance, m; infinite without a hit.
  ///
  /// @param direction  from which the shear was computed
  float distance(glm::vec3 direction) const {
    return positive_or_infinity(distance_to_sphere(ray, center, radius, [&] { return direction; }));
  }
};

uint32_t is_uncertain(const SphereIntersection& sphere) {
  const uint32_t is_near = sphere.is_uncertain() ? 1 : 0;
  return sphere.may_exist() ? is_near : 0;
}

/// Returns a value above 0 if a ray cannot hit any triangle in a box before `t`, m.
/// TriangleIntersection shears vertices in the same steps, and the rounding of each step is
/// monotonic, so no hit is lost even without a margin.
///
/// @param min, max  corners of the box, permuted, m
float outside_box(const ShearedRay& ray, glm::vec3 min, glm::vec3 max, float t) {
  const glm::vec3 low = min - ray.origin, high = max - ray.origin;
  const auto aside = [&](float shear, float low_side, float high_side) {
    const float above =
        smaller(std::fma(-shear, low.z, low_side), std::fma(-shear, high.z, low_side));
    const float below =
        larger(std::fma(-shear, low.z, high_side), std::fma(-shear, high.z, high_side));
    return larger(above, -below);
  };
  constexpr float kTolerance = 1.0f + 0x1p-20f;  // rounding of the distance to a triangle
  const float t_low = low.z * ray.sz, t_high = high.z * ray.sz;
  const float beyond = larger(smaller(t_low, t_high) - t * kTolerance, -larger(t_low, t_high));
  return larger(beyond, larger(aside(ray.sx, low.x, high.x), aside(ray.sy, low.y, high.y)));
}

void take_nearer(RayBatch& batch, uint32_t i, float t, uint32_t primitive) {
  const float nearest = batch.t[i];
  const uint32_t of_nearest = batch.primitive[i];
  batch.t[i] = t < nearest ? t : nearest;
  batch.primitive[i] = t < nearest ? primitive : of_nearest;
}

}  // namespace

PrimitiveList::PrimitiveList(const HostScene& scene)
    : triangle_count_(uint32_t(scene.triangles.size())),
      sphere_count_(uint32_t(scene.spheres.size())) {
  // Vectors are padded with triangles without area and spheres whose radius is NaN, which no ray
  // hits. Rays do not hit primitives that are not finite either, because the distance is not.
  const BvhGeometry geometry = geometry_of(scene);
  const Sphere none{.center = glm::vec3(0.0f), .radius = std::numeric_limits<float>::quiet_NaN()};
  for (uint32_t i = 0; i < kMaxSize; ++i) {
    const Sphere& sphere = i < sphere_count_ ? scene.spheres[i] : none;
    for (int axis = 0; axis < 3; ++axis) {
      for (int vertex = 0; vertex < 3; ++vertex)
        vertices_[axis][vertex][i] = i < triangle_count_ ? geometry.vertex(i, vertex)[axis] : 0.0f;
      centers_[axis][i] = sphere.center[axis];
    }
    radii_[i] = sphere.radius;
  }
  divide_into_runs(geometry);
}

/// Divides the triangles into runs of the least expected cost. The unit of the cost is a test of
/// one triangle with all rays of a batch.
void PrimitiveList::divide_into_runs(const BvhGeometry& geometry) {
  // Cost of a test of a box, and of copying the rays that come near it.
  constexpr float kBoxCost = 1.5f;
  // Cost of a test of a triangle with these rays: more than their share, as vectors are not full.
  constexpr float kTestsPerShare = 1.5f;
  Bounds scene;
  for (uint32_t i = 0; i < geometry.primitive_count(); ++i) scene.extend(geometry.bounds(i));

  float costs[kMaxSize + 1] = {};  // [triangle], cost of the triangles before it
  Run last[kMaxSize + 1];          // [triangle], the run that ends there
  for (uint32_t end = 1; end <= triangle_count_; ++end) {
    costs[end] = std::numeric_limits<float>::infinity();
    Bounds box;
    for (uint32_t first = end; first-- > 0;) {
      box.extend(geometry.bounds(first));
      const float untested = float(end - first);
      const float share = box.half_area() / scene.half_area();
      const float tested = kBoxCost + smaller(kTestsPerShare * share, 1.0f) * untested;
      const bool is_tested = tested < untested;
      const float cost = costs[first] + (is_tested ? tested : untested);
      if (!(cost <= costs[end])) continue;
      costs[end] = cost;
      last[end] = {first, end, is_tested, box};
    }
  }
  for (uint32_t end = triangle_count_; end > 0; end = last[end].first)
    runs_[run_count_++] = last[end];
  std::reverse(runs_, runs_ + run_count_);
}

PermutedTriangle PrimitiveList::triangle(uint32_t i, const uint32_t (&axes)[3]) const {
  const auto row = [&](uint32_t axis) {
    return glm::vec3(vertices_[axis][0][i], vertices_[axis][1][i], vertices_[axis][2][i]);
  };
  return {row(axes[0]), row(axes[1]), row(axes[2])};
}

void PrimitiveList::find_nearest(InstructionSet set, RayBatch& batch) const {
  Column<uint32_t> near_box;   // 1 for the rays that come near the box of a run
  Column<uint32_t> uncertain;  // 1 for the rays whose intersection with a sphere is uncertain
  RayBatch some;               // the rays that come near a box
  some.x_axis = batch.x_axis;
  some.y_axis = batch.y_axis;
  some.z_axis = batch.z_axis;
  run_with(set, [&] {
    RayBatch* columns = &batch;
    const uint32_t count = batch.count, end = full_vectors(count);
    const uint32_t axes[3] = {batch.x_axis, batch.y_axis, batch.z_axis};
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      ShearedRay ray;
      ray.set_shear(permuted(*columns, columns->direction, i));
      columns->sx[i] = ray.sx;
      columns->sy[i] = ray.sy;
      columns->sz[i] = ray.sz;
      columns->along.set(i, ray.direction());
      columns->primitive[i] = kNoPrimitive;
    }
    const auto test_triangles = [&](RayBatch* rays, const Run& run) {
      const uint32_t rays_end = full_vectors(rays->count);
      for (uint32_t k = run.first; k < run.end; ++k) {
        const PermutedTriangle corners = triangle(k, axes);
        WINNOW_LANES
        for (uint32_t i = 0; i < rays_end; ++i)
          take_nearer(*rays, i, distance_or_infinity(sheared_ray(*rays, i), corners), k);
      }
    };
    for (uint32_t r = 0; r < run_count_; ++r) {
      const Run& run = runs_[r];
      if (!run.is_tested) {
        test_triangles(columns, run);
        continue;
      }
      const glm::vec3 min(run.box.min[axes[0]], run.box.min[axes[1]], run.box.min[axes[2]]);
      const glm::vec3 max(run.box.max[axes[0]], run.box.max[axes[1]], run.box.max[axes[2]]);
      Column<uint32_t>* pass = &near_box;
      WINNOW_LANES
      for (uint32_t i = 0; i < end; ++i) {
        const float outside = outside_box(sheared_ray(*columns, i), min, max, columns->t[i]);
        pass->values[i] = outside > 0.0f ? 0 : 1;
      }
      some.count = 0;
      for (uint32_t i = 0; i < count; ++i) {
        some.ids[some.count] = i;  // overwritten by the next ray unless this one comes near
        some.count += near_box[i];
      }
      if (some.count == 0) continue;
      if (full_vectors(some.count) == end) {
        test_triangles(columns, run);
        continue;
      }
      for (uint32_t i = 0; i < some.count; ++i) some.copy(i, batch, some.ids[i]);
      test_triangles(&some, run);
      for (uint32_t i = 0; i < some.count; ++i) {
        batch.t[some.ids[i]] = some.t[i];
        batch.primitive[some.ids[i]] = some.primitive[i];
      }
    }
    // Few rays come near a sphere, and root and quotient take most of the time.
    for (uint32_t first = 0; first < end && sphere_count_ > 0; first += kLanes)
      for (uint32_t k = 0; k < sphere_count_; ++k) {
        const glm::vec3 center(centers_[axes[0]][k], centers_[axes[1]][k], centers_[axes[2]][k]);
        const float radius = radii_[k];
        const auto test_of = [&](uint32_t i) {
          return RayAndSphere{
              {permuted(*columns, columns->origin, i), columns->along[i]}, center, radius};
        };
        uint32_t any = 0, any_uncertain = 0;
        Column<uint32_t>* flags = &uncertain;
        WINNOW_LANES
        for (uint32_t i = first; i < first + kLanes; ++i) {
          const SphereIntersection sphere = test_of(i).intersection();
          flags->values[i] = is_uncertain(sphere);
          any_uncertain |= flags->values[i];
          any |= sphere.exists() ? 1 : 0;
        }
        const uint32_t primitive = triangle_count_ + k;
        if (any_uncertain != 0)
          for (uint32_t i = first; i < std::min(first + kLanes, count); ++i)
            if (uncertain[i] != 0)
              take_nearer(batch, i, test_of(i).distance(permuted(batch, batch.direction, i)),
                          primitive);
        if (any == 0) continue;
        WINNOW_LANES
        for (uint32_t i = first; i < first + kLanes; ++i)
          take_nearer(*columns, i, test_of(i).certain_distance(), primitive);
      }
  });
}

void PrimitiveList::intersect(InstructionSet set, RayBatch& batch) const {
  find_nearest(set, batch);
  // Corners of the triangles hit; misses and spheres also read a triangle. [axis][vertex][ray]
  Column<float> corners[3][3];
  const uint32_t axes[3] = {batch.x_axis, batch.y_axis, batch.z_axis};
  for (uint32_t i = 0; i < batch.count; ++i) {
    const uint32_t k = batch.primitive[i] < triangle_count_ ? batch.primitive[i] : 0;
    for (int axis = 0; axis < 3; ++axis)
      for (int vertex = 0; vertex < 3; ++vertex)
        corners[axis][vertex][i] = vertices_[axes[axis]][vertex][k];
  }
  Column<float> margins[2];
  run_with(set, [&] {
    RayBatch* columns = &batch;
    const Column<float>(*rows)[3] = corners;
    Column<float>* margin = margins;
    const uint32_t end = full_vectors(batch.count), triangle_count = triangle_count_;
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const auto row = [&](int axis) {
        return glm::vec3(rows[axis][0][i], rows[axis][1][i], rows[axis][2][i]);
      };
      const ShearedRay ray = sheared_ray(*columns, i);
      const TriangleIntersection intersection(ray, {row(0), row(1), row(2)});
      const TriangleIntersection::PlaneDistance distance = intersection.plane_distance(ray);
      const glm::vec2 weights = intersection.weights();
      const float t = columns->t[i];
      const bool is_triangle = columns->primitive[i] < triangle_count;
      columns->t[i] = is_triangle ? distance.t : t;
      columns->u[i] = is_triangle ? weights.x : 0.0f;
      columns->v[i] = is_triangle ? weights.y : 0.0f;
      margin[0][i] = distance.margins.x;
      margin[1][i] = distance.margins.y;
    }
  });
  for (uint32_t i = 0; i < batch.count; ++i) {
    const uint32_t primitive = batch.primitive[i];
    const TriangleIntersection::PlaneDistance distance{batch.t[i], {margins[0][i], margins[1][i]}};
    if (primitive < triangle_count_ && !distance.is_accurate())
      batch.t[i] = precise_plane_distance(sheared_ray(batch, i), triangle(primitive, axes));
  }
}

uint32_t PrimitiveList::nearest(InstructionSet set, const ShearedRay& sheared, const Ray& ray,
                                float& t) const {
  PrimitiveColumn triangle_t, sphere_t;
  Column<uint32_t, kMaxSize> uncertain;
  const auto test_of = [this](const ShearedRay& r, uint32_t k) {
    return RayAndSphere{{r.origin, r.direction()},
                        {centers_[r.x_axis][k], centers_[r.y_axis][k], centers_[r.z_axis][k]},
                        radii_[k]};
  };
  run_with(set, [&] {
    const ShearedRay r = sheared;
    const uint32_t triangles = full_vectors(triangle_count_);
    const uint32_t spheres = full_vectors(sphere_count_);
    const PrimitiveColumn *x = vertices_[r.x_axis], *y = vertices_[r.y_axis],
                          *z = vertices_[r.z_axis];
    WINNOW_LANES
    for (uint32_t k = 0; k < triangles; ++k)
      triangle_t[k] = distance_or_infinity(
          r,
          {{x[0][k], x[1][k], x[2][k]}, {y[0][k], y[1][k], y[2][k]}, {z[0][k], z[1][k], z[2][k]}});
    WINNOW_LANES
    for (uint32_t k = 0; k < spheres; ++k) {
      const RayAndSphere test = test_of(r, k);
      sphere_t[k] = test.certain_distance();
      uncertain[k] = is_uncertain(test.intersection());
    }
  });
  for (uint32_t k = 0; k < sphere_count_; ++k)
    if (uncertain[k] != 0)
      sphere_t[k] = test_of(sheared, k).distance(sheared.permuted(ray.direction));
  uint32_t nearest = kNoPrimitive;
  t = ray.t_max;
  for (uint32_t k = 0; k < triangle_count_; ++k)
    if (triangle_t[k] < t) t = triangle_t[k], nearest = k;
  for (uint32_t k = 0; k < sphere_count_; ++k)
    if (sphere_t[k] < t) t = sphere_t[k], nearest = triangle_count_ + k;
  return nearest;
}

Hit PrimitiveList::intersect(InstructionSet set, const Ray& ray) const {
  const ShearedRay sheared(ray);
  Hit hit;
  const uint32_t primitive = nearest(set, sheared, ray, hit.t);
  if (primitive == kNoPrimitive) return {};
  hit.primitive = primitive;
  if (primitive >= triangle_count_) return hit;
  const PermutedTriangle corners =
      triangle(primitive, {sheared.x_axis, sheared.y_axis, sheared.z_axis});
  run_with(set, [&] {
    const TriangleIntersection intersection(sheared, corners);
    const TriangleIntersection::PlaneDistance distance = intersection.plane_distance(sheared);
    hit.t = distance.is_accurate() ? distance.t : precise_plane_distance(sheared, corners);
    hit.u = intersection.weights().x;
    hit.v = intersection.weights().y;
  });
  return hit;
}

bool PrimitiveList::occluded(InstructionSet set, const Ray& ray) const {
  float t;
  return nearest(set, ShearedRay(ray), ray, t) != kNoPrimitive;
}

}  // namespace winnow
