#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "geometry/ray.h"

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
    sz = 1.0f / d.z;
    sx = d.x * sz;
    sy = d.y * sz;
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

/// Tests one triangle, from both sides. On a hit it writes t, u and v and returns true; the caller
/// looks whether t is in its range. No ray slips between triangles that share an edge or a vertex:
/// what a vertex becomes depends on it and the ray alone, and an edge's area has the opposite sign
/// in the neighbour. Woop, Benthin & Wald, "Watertight Ray/Triangle Intersection", JCGT 2013.
SIMT_HOST_DEVICE inline bool intersect_triangle(const ShearedRay& ray,
                                                const RotatedTriangle& triangle, Hit& hit) {
  const glm::vec3 x = triangle.x - ray.origin.x, y = triangle.y - ray.origin.y;
  const glm::vec3 z = triangle.z - ray.origin.z;
  glm::vec3 a, b;  // x and y, sheared
  for (int vertex = 0; vertex < 3; ++vertex) {
    a[vertex] = std::fma(-ray.sx, z[vertex], x[vertex]);
    b[vertex] = std::fma(-ray.sy, z[vertex], y[vertex]);
  }

  // Signed areas, scaled: how the ray passes the edge across from each vertex. Rounding can make
  // one 0, but cannot turn its sign.
  float e0 = a[2] * b[1] - b[2] * a[1];
  float e1 = a[0] * b[2] - b[0] * a[2];
  float e2 = a[1] * b[0] - b[1] * a[0];
  const float least = std::fmin(e0, std::fmin(e1, e2)), most = std::fmax(e0, std::fmax(e1, e2));
  if (least < 0.0f && most > 0.0f) return false;
  if (least == 0.0f || most == 0.0f) {  // on an edge, as far as floats tell
    e0 = float(double(a[2]) * b[1] - double(b[2]) * a[1]);
    e1 = float(double(a[0]) * b[2] - double(b[0]) * a[2]);
    e2 = float(double(a[1]) * b[0] - double(b[1]) * a[0]);
    if (std::fmin(e0, std::fmin(e1, e2)) < 0.0f && std::fmax(e0, std::fmax(e1, e2)) > 0.0f)
      return false;
  }
  const float determinant = e0 + e1 + e2;
  if (determinant == 0.0f) return false;

  // The distance comes from the plane and its nearest vertex, as the areas say: their own rounding
  // would show in a sum of depths that lie far apart.
  const float w0 = std::abs(e0), w1 = std::abs(e1), w2 = std::abs(e2);
  const uint32_t k = w0 >= w1 && w0 >= w2 ? 0 : w1 >= w2 ? 1 : 2;
  const float ux = x[1] - x[0], uy = y[1] - y[0], uz = z[1] - z[0];
  const float vx = x[2] - x[0], vy = y[2] - y[0], vz = z[2] - z[0];
  const float nx = std::fma(uy, vz, -(uz * vy)), ny = std::fma(uz, vx, -(ux * vz));
  const float nz = std::fma(ux, vy, -(uy * vx));
  const float above = std::fma(nx, chosen(x, k), std::fma(ny, chosen(y, k), nz * chosen(z, k)));
  const float slope = std::fma(nx, ray.sx, std::fma(ny, ray.sy, nz));
  hit.t = above / slope * ray.sz;
  const float inverse = 1.0f / determinant;
  hit.u = e1 * inverse;
  hit.v = e2 * inverse;
  return true;
}

}  // namespace winnow
