#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "math/ray.h"
#include "math/rounded.h"

namespace winnow {

/// One of three numbers, without reading at an index that differs between threads.
SIMT_HOST_DEVICE inline float chosen(glm::vec3 v, uint32_t k) {
  return k == 0 ? v.x : (k == 1 ? v.y : v.z);
}

/// A ray prepared for watertight tests: the axes rotated so that z is its longest direction, and
/// the shear that turns it into the unit z axis.
struct ShearedRay {
  uint32_t x_axis, y_axis, z_axis;  ///< of the scene, by number
  glm::vec3 origin;                 ///< m, rotated
  float sx, sy, sz;

  ShearedRay() = default;
  SIMT_HOST_DEVICE explicit ShearedRay(const Ray& ray) {
    const glm::vec3 size = glm::abs(ray.direction);
    z_axis = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    x_axis = z_axis == 2 ? 0 : z_axis + 1;
    y_axis = x_axis == 2 ? 0 : x_axis + 1;
    const glm::vec3 d = rotated(ray.direction);
    origin = rotated(ray.origin);
    sz = rounded_reciprocal(d.z);
    sx = d.x * sz;
    sy = d.y * sz;
  }

  /// Of the ray, rotated; of length 1 to within a few roundings.
  SIMT_HOST_DEVICE glm::vec3 direction() const {
    return rounded_reciprocal(sz) * glm::vec3(sx, sy, 1.0f);
  }

 private:
  /// Reads no coordinate by a number that differs between threads.
  SIMT_HOST_DEVICE glm::vec3 rotated(glm::vec3 v) const {
    return {chosen(v, x_axis), chosen(v, y_axis), chosen(v, z_axis)};
  }
};

/// A triangle's vertices along the axes of a ray.
struct RotatedTriangle {
  glm::vec3 x, y, z;  ///< m, [vertex]
};

/// a b - c d to an ulp and a half, and of the right sign: Kahan's algorithm.
SIMT_HOST_DEVICE inline float difference_of_products(float a, float b, float c, float d) {
  const float cd = c * d;
  return std::fma(a, b, -cd) + std::fma(-c, d, cd);
}

/// How a ray passes a triangle, from either side. No ray slips between triangles that share an edge
/// or a vertex: what a vertex becomes depends on it and the ray alone, and an edge's area has the
/// opposite sign in the neighbour, or is 0 in both, which both count as theirs.
/// Woop, Benthin & Wald, "Watertight Ray/Triangle Intersection", JCGT 2013.
class TrianglePassage {
 public:
  SIMT_HOST_DEVICE TrianglePassage(const ShearedRay& ray, const RotatedTriangle& triangle)
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

  /// Whether the line of the ray meets the triangle.
  SIMT_HOST_DEVICE bool meets() const {
    const float least = std::fmin(area_.x, std::fmin(area_.y, area_.z));
    const float most = std::fmax(area_.x, std::fmax(area_.y, area_.z));
    return !(least < 0.0f && most > 0.0f) && area() != 0.0f;
  }

  /// Where it does so, m along the ray, well enough to tell before from behind.
  SIMT_HOST_DEVICE float distance(const ShearedRay& ray) const {
    return std::fma(area_.z, z_.z, std::fma(area_.y, z_.y, area_.x * z_.x)) * ray.sz *
           rounded_reciprocal(area());
  }

  /// The same with smaller errors, from the plane and, of its vertices, the one that weighs most:
  /// the sum of depths shows the rounding of the areas where the depths lie far apart.
  SIMT_HOST_DEVICE float plane_distance(const ShearedRay& ray) const {
    const glm::vec3 weight = glm::abs(area_);
    const uint32_t k = weight.x >= weight.y && weight.x >= weight.z ? 0
                       : weight.y >= weight.z                       ? 1
                                                                    : 2;
    const glm::vec3 u(x_.y - x_.x, y_.y - y_.x, z_.y - z_.x);
    const glm::vec3 v(x_.z - x_.x, y_.z - y_.x, z_.z - z_.x);
    const glm::vec3 normal(difference_of_products(u.y, v.z, u.z, v.y),
                           difference_of_products(u.z, v.x, u.x, v.z),
                           difference_of_products(u.x, v.y, u.y, v.x));
    const float above = std::fma(normal.x, chosen(x_, k),
                                 std::fma(normal.y, chosen(y_, k), normal.z * chosen(z_, k)));
    const float along = std::fma(normal.x, ray.sx, std::fma(normal.y, ray.sy, normal.z));
    return rounded_quotient(above, along) * ray.sz;
  }

  /// Barycentric weights there of the second and the third vertex.
  SIMT_HOST_DEVICE glm::vec2 weights() const {
    const float inverse = rounded_reciprocal(area());
    return {area_.y * inverse, area_.z * inverse};
  }

 private:
  SIMT_HOST_DEVICE float area() const { return area_.x + area_.y + area_.z; }

  glm::vec3 x_, y_, z_;  ///< vertices, m from the ray's origin, rotated
  glm::vec3 area_;  ///< signed and scaled, [vertex]: between the ray and the edge across from it
};

}  // namespace winnow
