// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/ext/vector_double3.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "bvh/bvh_intrinsics.h"
#include "bvh/offset_origin.h"
#include "math/ray.h"
#include "math/rounded.h"

namespace winnow {

/// Returns v[k] without indexed access, which would go through memory if k differs between threads.
SIMT_HOST_DEVICE inline float chosen(glm::vec3 v, uint32_t k) {
  return k == 0 ? v.x : (k == 1 ? v.y : v.z);
}

/// Returns the longest axis of a direction: 0, 1 or 2.
SIMT_HOST_DEVICE inline uint32_t longest_axis(glm::vec3 direction) {
  // glm::abs() would branch, and signs cannot be predicted.
  const float x = std::abs(direction.x), y = std::abs(direction.y), z = std::abs(direction.z);
  const uint32_t of_two = x > y ? 0 : 1;
  return larger(x, y) > z ? of_two : 2;
}

/// A ray prepared for watertight intersection: the axes permuted so that z is the longest axis of
/// its direction, and the shear that maps the direction to the unit z axis.
struct ShearedRay {
  uint32_t x_axis, y_axis, z_axis;  ///< 0, 1 or 2: axes of the scene
  glm::vec3 origin;                 ///< m, permuted
  float sx, sy, sz;

  ShearedRay() = default;
  SIMT_HOST_DEVICE explicit ShearedRay(const Ray& ray) {
    z_axis = longest_axis(ray.direction);
    x_axis = axis_after(z_axis);
    y_axis = axis_after(x_axis);
    origin = permuted(ray.origin);
    set_shear(permuted(ray.direction));
  }

  SIMT_HOST_DEVICE void set_shear(glm::vec3 permuted_direction) {
    sz = rounded_reciprocal(permuted_direction.z);
    sx = permuted_direction.x * sz;
    sy = permuted_direction.y * sz;
  }

  SIMT_HOST_DEVICE static constexpr uint32_t axis_after(uint32_t axis) {
    return axis == 2 ? 0 : axis + 1;
  }

  /// Returns the direction of the ray, permuted; of unit length up to a few roundings.
  SIMT_HOST_DEVICE glm::vec3 direction() const {
    return rounded_reciprocal(sz) * glm::vec3(sx, sy, 1.0f);
  }

  SIMT_HOST_DEVICE glm::vec3 permuted(glm::vec3 v) const {
    return {chosen(v, x_axis), chosen(v, y_axis), chosen(v, z_axis)};
  }
};

/// The vertices of a triangle along the axes of a ShearedRay.
struct PermutedTriangle {
  glm::vec3 x, y, z;  ///< m, [vertex]

  SIMT_HOST_DEVICE PermutedTriangle(glm::vec3 x, glm::vec3 y, glm::vec3 z) : x(x), y(y), z(z) {}
  /// Permutes three vertices.
  SIMT_HOST_DEVICE PermutedTriangle(const ShearedRay& ray, glm::vec3 p0, glm::vec3 p1, glm::vec3 p2)
      : x(chosen(p0, ray.x_axis), chosen(p1, ray.x_axis), chosen(p2, ray.x_axis)),
        y(chosen(p0, ray.y_axis), chosen(p1, ray.y_axis), chosen(p2, ray.y_axis)),
        z(chosen(p0, ray.z_axis), chosen(p1, ray.z_axis), chosen(p2, ray.z_axis)) {}
};

/// Returns a b - c d with an error of at most 1.5 ulps and the correct sign: Kahan's algorithm.
SIMT_HOST_DEVICE inline float difference_of_products(float a, float b, float c, float d) {
  const float cd = c * d;
  return std::fma(a, b, -cd) + std::fma(-c, d, cd);
}

/// Two-sided, watertight intersection of a ray with a triangle: no ray passes between triangles
/// that share an edge or a vertex. A transformed vertex depends on the vertex and the ray alone,
/// and the signed area of an edge is the negative of that in the adjacent triangle; 0 counts as a
/// hit in both. Woop, Benthin & Wald, "Watertight Ray/Triangle Intersection", JCGT 2013.
class TriangleIntersection {
 public:
  SIMT_HOST_DEVICE TriangleIntersection(const ShearedRay& ray, const PermutedTriangle& triangle)
      : x_(triangle.x - ray.origin.x),
        y_(triangle.y - ray.origin.y),
        z_(triangle.z - ray.origin.z) {
    glm::vec3 x, y;  // sheared
    for (int vertex = 0; vertex < 3; ++vertex) {
      x[vertex] = std::fma(-ray.sx, z_[vertex], x_[vertex]);
      y[vertex] = std::fma(-ray.sy, z_[vertex], y_[vertex]);
    }
    area_ = {difference_of_products(x.z, y.y, y.z, x.y), difference_of_products(x.x, y.z, y.x, x.z),
             difference_of_products(x.y, y.x, y.y, x.x)};
  }

  /// Returns whether the line of the ray intersects the triangle.
  SIMT_HOST_DEVICE bool exists() const {
    const float least = smaller(area_.x, smaller(area_.y, area_.z));
    const float most = larger(area_.x, larger(area_.y, area_.z));
    return !(least < 0.0f && most > 0.0f) && area() != 0.0f;
  }

  /// Returns the distance along the ray, m, accurate enough to order hits.
  SIMT_HOST_DEVICE float distance(const ShearedRay& ray) const {
    return std::fma(area_.z, z_.z, std::fma(area_.y, z_.y, area_.x * z_.x)) * ray.sz *
           rounded_reciprocal(area());
  }

  /// A distance in single precision, and whether its relative error is below 10^-4.
  struct PlaneDistance {
    float t;            ///< m, along the ray
    glm::vec2 margins;  ///< margins of the errors of quotient and divisor to their limits
    SIMT_HOST_DEVICE bool is_accurate() const { return margins.x > 0.0f && margins.y > 0.0f; }
  };

  /// Returns the distance with smaller errors than distance(), from the plane through the vertex of
  /// largest weight: distance() amplifies the rounding of the areas where the depths of the
  /// vertices differ much.
  ///
  /// Let u = 2^-24, and let |n|, m and E be the sums of absolute components of the normal, of that
  /// vertex and of the longer edge. The distance from the plane is off by 7 u times the sum of its
  /// terms, by rounding of products, and by 2 u |n| (m + 3 E), by rounding of vertices and edges.
  /// The part of the normal along the ray is off by 8 u |n|.
  SIMT_HOST_DEVICE PlaneDistance plane_distance(const ShearedRay& ray) const {
    const glm::vec3 weight = glm::abs(area_);
    const uint32_t of_two = weight.x >= weight.y ? 0 : 1;
    const uint32_t k = larger(weight.x, weight.y) >= weight.z ? of_two : 2;
    const glm::vec3 u(x_.y - x_.x, y_.y - y_.x, z_.y - z_.x);
    const glm::vec3 v(x_.z - x_.x, y_.z - y_.x, z_.z - z_.x);
    const glm::vec3 normal(difference_of_products(u.y, v.z, u.z, v.y),
                           difference_of_products(u.z, v.x, u.x, v.z),
                           difference_of_products(u.x, v.y, u.y, v.x));
    const glm::vec3 vertex(chosen(x_, k), chosen(y_, k), chosen(z_, k));
    const float above =
        std::fma(normal.x, vertex.x, std::fma(normal.y, vertex.y, normal.z * vertex.z));
    const float along = std::fma(normal.x, ray.sx, std::fma(normal.y, ray.sy, normal.z));

    constexpr float kMaxError = 1e-4f, kLimit = kMaxError / kHalfUlp;
    const float terms = std::abs(normal.x * vertex.x) + std::abs(normal.y * vertex.y) +
                        std::abs(normal.z * vertex.z);
    const float reach = sum_of_sizes(vertex) + 3.0f * larger(sum_of_sizes(u), sum_of_sizes(v));
    return {
        .t = rounded_quotient(above, along) * ray.sz,
        .margins = {kLimit * std::abs(above) - (7.0f * terms + 2.0f * sum_of_sizes(normal) * reach),
                    kLimit * std::abs(along) - 8.0f * sum_of_sizes(normal)}};
  }

  /// Returns the barycentric weights of the second and third vertex.
  SIMT_HOST_DEVICE glm::vec2 weights() const {
    const float inverse = rounded_reciprocal(area());
    return {area_.y * inverse, area_.z * inverse};
  }

 private:
  SIMT_HOST_DEVICE static float sum_of_sizes(glm::vec3 v) {
    return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
  }
  SIMT_HOST_DEVICE float area() const { return area_.x + area_.y + area_.z; }

  glm::vec3 x_, y_, z_;  ///< vertices relative to the ray's origin, permuted, m
  glm::vec3 area_;       ///< [vertex], scaled signed area spanned by the ray and the opposite edge
};

/// Computes TriangleIntersection::plane_distance() in double precision, for planes that are
/// much nearer than the vertices and for slivers. Differences of coordinates are exact
/// unless floats of very different size cancel.
SIMT_HOST_DEVICE inline float precise_plane_distance(const ShearedRay& ray,
                                                     const PermutedTriangle& triangle) {
  const auto vertex = [&](int i) {
    return glm::dvec3(triangle.x[i], triangle.y[i], triangle.z[i]) - glm::dvec3(ray.origin);
  };
  const glm::dvec3 p = vertex(0), normal = glm::cross(vertex(1) - p, vertex(2) - p);
  const double along = normal.x * double(ray.sx) + normal.y * double(ray.sy) + normal.z;
  return float(glm::dot(normal, p) / along * double(ray.sz));
}

/// Returns the hit of a ray with a triangle, with an accurate distance.
SIMT_HOST_DEVICE inline Hit hit_of(const TriangleIntersection& intersection, const ShearedRay& ray,
                                   const PermutedTriangle& triangle, uint32_t primitive) {
  const TriangleIntersection::PlaneDistance distance = intersection.plane_distance(ray);
  const glm::vec2 weights = intersection.weights();
  return {.t = distance.is_accurate() ? distance.t : precise_plane_distance(ray, triangle),
          .u = weights.x,
          .v = weights.y,
          .primitive = primitive};
}

/// Intersection of a ray with a sphere. The discriminant is computed from the closest approach of
/// the ray, which stays accurate for small or distant spheres: Haines et al., "Precision
/// Improvements for Ray/Sphere Intersection", 2019. Where single precision is not enough, refine()
/// computes it in double precision.
///
/// Let u = 2^-24, r be the radius and b the distance to the closest approach. The point of closest
/// approach is off by at most 4 u |b| + 2 u r across the ray, by rounding of the direction, the
/// origin and their products. With its own rounding the discriminant is then off by 8 u r (|b| +
/// r), and by (10 u b)^2 for spheres that are smaller than this error. The power of an origin at
/// the sphere is off by 6 u r^2.
class SphereIntersection {
 public:
  /// @param ray  its direction has unit length up to a few roundings
  SIMT_HOST_DEVICE SphereIntersection(const Ray& ray, glm::vec3 center, float radius)
      : radius_(radius) {
    const glm::vec3 from_center = ray.origin - center;
    to_closest_ = -glm::dot(from_center, ray.direction);
    const glm::vec3 closest = from_center + to_closest_ * ray.direction;
    discriminant_ = radius * radius - glm::dot(closest, closest);
    power_ = glm::dot(from_center, from_center) - radius * radius;
  }

  /// Returns whether the exact line of the ray may intersect the sphere.
  SIMT_HOST_DEVICE bool may_exist() const { return discriminant_ >= -discriminant_error(); }

  /// Returns whether rounding can decide if there is a hit, or shift it by more than 10^-4 of its
  /// distance: near the outline of the sphere, and if the ray starts at it. Requires may_exist().
  SIMT_HOST_DEVICE bool is_uncertain() const {
    // The error of the root relative to the root furthest from the origin is at most 4 u / kLimit,
    // that of the power relative to the power 6 u / kLimit.
    constexpr float kLimit = 0x1p-7f;
    const float r2 = radius_ * radius_, reach = std::abs(to_closest_) + radius_;
    const bool is_near_outline = (discriminant_ <= discriminant_error()) |
                                 (discriminant_ * (to_closest_ * to_closest_ + discriminant_) <=
                                  kLimit * kLimit * r2 * (reach * reach));  // no branch
    // Above 0 if the distance is the quotient of the power and the root furthest from the origin.
    // Otherwise there is no hit, or the hit is at that root, and only the sign of the power
    // matters.
    const float toward = to_closest_ > 0.0f ? power_ : -power_;
    const bool has_known_side = toward < -kRounding * r2;
    const bool is_behind = has_known_side & (to_closest_ <= 0.0f);
    return (!has_known_side & (toward <= kLimit * r2)) | (is_near_outline & !is_behind);
  }

  /// Computes the intersection in double precision. Differences of coordinates are exact unless
  /// floats of very different size cancel.
  ///
  /// @param ray, center  those of the constructor, but the direction is not rounded
  SIMT_HOST_DEVICE void refine(const Ray& ray, glm::vec3 center) {
    // Sums over axes, in this order: a kernel has few registers left.
    const double r2 = double(radius_) * double(radius_);
    double squared_length = 0.0, along = 0.0, power = -r2;
    for (int axis = 0; axis < 3; ++axis) {
      const double from_center = double(ray.origin[axis]) - double(center[axis]);
      const double direction = ray.direction[axis];
      squared_length += direction * direction;
      along += from_center * direction;
      power += from_center * from_center;
    }
    double discriminant = r2 * (squared_length * squared_length);
    for (int axis = 0; axis < 3; ++axis) {
      const double from_center = double(ray.origin[axis]) - double(center[axis]);
      const double closest = from_center * squared_length - along * double(ray.direction[axis]);
      discriminant -= closest * closest;
    }
    // The direction's length is 1 up to rounding, which can change the sign of the discriminant,
    // but hardly the distances.
    to_closest_ = float(-along);
    discriminant_ = float(discriminant);
    power_ = float(power);
  }

  SIMT_HOST_DEVICE bool exists() const { return discriminant_ >= 0.0f; }

  /// Returns the distance to the nearest intersection at positive distance, from outside or inside,
  /// m, if the line has any; not above 0, or NaN, if the sphere is behind the ray.
  SIMT_HOST_DEVICE float distance() const {
    const float half_chord = rounded_sqrt(discriminant_);
    const float far = to_closest_ + std::copysign(half_chord, to_closest_);
    const float near = rounded_quotient(power_, far);
    const float t0 = near < far ? near : far, t1 = near < far ? far : near;
    return t0 > 0.0f ? t0 : t1;
  }

 private:
  static constexpr float kRounding = 16.0f * kHalfUlp;  ///< above the error bounds

  SIMT_HOST_DEVICE float discriminant_error() const {
    const float size = kRounding * (std::abs(to_closest_) + radius_);
    return size * (radius_ + size);
  }

  float radius_, to_closest_;  ///< m
  float discriminant_;         ///< m^2, square of half the chord
  float power_;                ///< m^2, of the origin: the product of the distances to both
                               ///< intersections
};

/// Returns the distance to the nearest intersection with a sphere, m, from outside or inside; not
/// above 0, or NaN, if there is none.
///
/// @param ray              its direction has unit length up to a few roundings
/// @param exact_direction  returns the direction of the ray before these roundings; called only
///                         where they matter
template <class Direction>
SIMT_HOST_DEVICE float distance_to_sphere(const Ray& ray, glm::vec3 center, float radius,
                                          const Direction& exact_direction) {
  SphereIntersection intersection(ray, center, radius);
  if (!intersection.may_exist()) return 0.0f;
  if (intersection.is_uncertain())
    intersection.refine({.origin = ray.origin, .direction = exact_direction()}, center);
  return intersection.exists() ? intersection.distance() : 0.0f;
}

/// Returns the distance to the nearest intersection with a sphere in (0, t_max), m, from outside or
/// inside; 0 if there is none.
SIMT_HOST_DEVICE inline float intersect_sphere(const Ray& ray, glm::vec3 center, float radius) {
  const float t = distance_to_sphere(ray, center, radius, [&] { return ray.direction; });
  return t > 0.0f && t < ray.t_max ? t : 0.0f;
}

/// The vertices of a triangle, or the center and radius of a sphere, in the layout of the
/// traversal: a row per axis. Rays with different longest axes read the rows in different order,
/// instead of permuting coordinates in registers.
struct alignas(16) BvhPrimitive {
  static constexpr uint32_t kSphereBit = 1u << 31;

  struct Row {
    glm::vec3 along;  ///< m, coordinate of each vertex; or of the center, then the radius
    uint32_t index;   ///< index in the scene, with kSphereBit for spheres
  };
  Row rows[3];  ///< [axis]

  SIMT_HOST_DEVICE static BvhPrimitive triangle(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2,
                                                uint32_t index) {
    BvhPrimitive primitive;
    for (int axis = 0; axis < 3; ++axis)
      primitive.rows[axis] = {{p0[axis], p1[axis], p2[axis]}, index};
    return primitive;
  }

  SIMT_HOST_DEVICE static BvhPrimitive sphere(glm::vec3 center, float radius, uint32_t index) {
    BvhPrimitive primitive;
    for (int axis = 0; axis < 3; ++axis)
      primitive.rows[axis] = {{center[axis], radius, 0.0f}, index | kSphereBit};
    return primitive;
  }

  SIMT_HOST_DEVICE uint32_t index() const { return rows[0].index & ~kSphereBit; }
};
static_assert(sizeof(BvhPrimitive) == 48);

/// A primitive in registers, its rows permuted to the axes of a ray.
struct PermutedPrimitive {
  glm::uvec4 x, y, z;

  SIMT_HOST_DEVICE PermutedPrimitive(const BvhPrimitive& primitive, const ShearedRay& ray)
      : x(load_16_bytes(&primitive.rows[ray.x_axis])),
        y(load_16_bytes(&primitive.rows[ray.y_axis])),
        z(load_16_bytes(&primitive.rows[ray.z_axis])) {}

  SIMT_HOST_DEVICE bool is_sphere() const { return z.w & BvhPrimitive::kSphereBit; }
  SIMT_HOST_DEVICE uint32_t index() const { return z.w & ~BvhPrimitive::kSphereBit; }
  SIMT_HOST_DEVICE PermutedTriangle triangle() const {
    return {xyz_as_floats(x), xyz_as_floats(y), xyz_as_floats(z)};
  }
  SIMT_HOST_DEVICE glm::vec3 center() const {
    return {xyz_as_floats(x).x, xyz_as_floats(y).x, xyz_as_floats(z).x};
  }
  SIMT_HOST_DEVICE float radius() const { return xyz_as_floats(z).y; }
};

/// Returns the distance along `ray` to a primitive, m; without a hit a value not above 0, or NaN.
///
/// @param direction  returns the direction from which `ray` was made; called only where the
///                   rounding of its shear matters
template <class Direction>
SIMT_HOST_DEVICE float distance_to(const PermutedPrimitive& primitive, const ShearedRay& ray,
                                   const Direction& direction) {
  if (primitive.is_sphere())
    return distance_to_sphere({ray.origin, ray.direction()}, primitive.center(), primitive.radius(),
                              [&] { return ray.permuted(direction()); });
  const TriangleIntersection intersection(ray, primitive.triangle());
  return intersection.exists() ? intersection.distance(ray) : 0.0f;
}

}  // namespace winnow
