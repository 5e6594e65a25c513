#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "geometry/ray.h"

namespace winnow {

/// A ray prepared for watertight tests: the axes permuted so that z is its longest direction, and
/// the shear that turns it into the unit z axis.
struct ShearedRay {
  glm::vec3 origin;
  int kx, ky, kz;
  float sx, sy, sz;

  SIMT_HOST_DEVICE explicit ShearedRay(const Ray& ray) : origin(ray.origin) {
    glm::vec3 d = ray.direction, size = glm::abs(d);
    kz = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    kx = (kz + 1) % 3;
    ky = (kx + 1) % 3;
    if (d[kz] < 0.0f) {  // keeps the winding
      int swapped = kx;
      kx = ky;
      ky = swapped;
    }
    sx = d[kx] / d[kz];
    sy = d[ky] / d[kz];
    sz = 1.0f / d[kz];
  }
};

/// Tests one triangle, from both sides. On a hit nearer than `hit.t` and before `t_max` it writes
/// t, u and v and returns true. No ray slips between triangles that share an edge or a vertex.
/// Woop, Benthin & Wald, "Watertight Ray/Triangle Intersection", JCGT 2013.
SIMT_HOST_DEVICE inline bool intersect_triangle(const ShearedRay& ray, glm::vec3 p0, glm::vec3 p1,
                                                glm::vec3 p2, float t_max, Hit& hit) {
  glm::vec3 a = p0 - ray.origin, b = p1 - ray.origin, c = p2 - ray.origin;
  float ax = a[ray.kx] - ray.sx * a[ray.kz], ay = a[ray.ky] - ray.sy * a[ray.kz];
  float bx = b[ray.kx] - ray.sx * b[ray.kz], by = b[ray.ky] - ray.sy * b[ray.kz];
  float cx = c[ray.kx] - ray.sx * c[ray.kz], cy = c[ray.ky] - ray.sy * c[ray.kz];

  // Signed areas, scaled: how the ray passes each edge.
  float e0 = cx * by - cy * bx;
  float e1 = ax * cy - ay * cx;
  float e2 = bx * ay - by * ax;
  if (e0 == 0.0f || e1 == 0.0f || e2 == 0.0f) {  // on an edge: the sign needs more digits
    e0 = float(double(cx) * by - double(cy) * bx);
    e1 = float(double(ax) * cy - double(ay) * cx);
    e2 = float(double(bx) * ay - double(by) * ax);
  }
  if ((e0 < 0.0f || e1 < 0.0f || e2 < 0.0f) && (e0 > 0.0f || e1 > 0.0f || e2 > 0.0f)) return false;
  float determinant = e0 + e1 + e2;
  if (determinant == 0.0f) return false;

  float z = e0 * (ray.sz * a[ray.kz]) + e1 * (ray.sz * b[ray.kz]) + e2 * (ray.sz * c[ray.kz]);
  float inverse = 1.0f / determinant;
  float t = z * inverse;
  if (!(t > 0.0f && t < t_max)) return false;
  hit.t = t;
  hit.u = e1 * inverse;
  hit.v = e2 * inverse;
  return true;
}

}  // namespace winnow
