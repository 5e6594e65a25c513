// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "bvh/shapes.h"
#include "device_scene/device_scene.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// The closest hit of a ray as OptiX finds it. Only the primitive is used: its distance has other
/// roundings than Winnow's.
struct FoundHit {
  uint32_t instance = 0;          ///< see OptixGeometry
  uint32_t index = kNoPrimitive;  ///< index of the primitive in its mesh

  /// Returns the hit in the place of the one that CompleteHits will compute.
  SIMT_HOST_DEVICE Hit packed() const {
    return {.u = std::bit_cast<float>(instance), .primitive = index};
  }
  SIMT_HOST_DEVICE static FoundHit unpacked(const Hit& hit) {
    return {std::bit_cast<uint32_t>(hit.u), hit.primitive};
  }
};

/// Returns the distance to a sphere with the bits of the traversal, m; without a hit a value not
/// above 0, or NaN.
SIMT_HOST_DEVICE inline float traversal_distance(const Ray& ray, const Sphere& sphere) {
  const ShearedRay sheared(ray);
  return distance_to_sphere({sheared.origin, sheared.direction()}, sheared.permuted(sphere.center),
                            sphere.radius, [&] { return sheared.permuted(ray.direction); });
}

/// The primitives of a scene as OptiX counts them. Instance i of OptiX is instance i of the scene.
/// Two more instances follow: the scene's own triangles, and its spheres.
struct OptixGeometry {
  DeviceMesh mesh;             ///< the scene's own triangles
  Span<const Sphere> spheres;  ///< [sphere]
  DeviceInstances instanced;
  bool has_instances = false;              ///< whether Winnow's tree has two levels
  Span<const uint32_t> twins = {};         ///< twins_of() `mesh`
  Span<const uint32_t> shared_twins = {};  ///< twins_of() each of the shared meshes, one by one

  template <Features kFeatures>
  static OptixGeometry of(const DeviceScene<kFeatures>& scene) {
    OptixGeometry geometry{.mesh = scene.mesh, .spheres = scene.spheres, .instanced = {}};
    if constexpr (kFeatures.instances) geometry.instanced = scene.instanced;
    geometry.has_instances = kFeatures.instances;
    return geometry;
  }

  SIMT_HOST_DEVICE uint32_t triangles_id() const { return uint32_t(instanced.instances.size); }
  SIMT_HOST_DEVICE uint32_t spheres_id() const { return triangles_id() + 1; }

  /// Returns the hit of a ray with the primitive that was found, with the bits of Winnow's own
  /// traversal; none if Winnow's test of the primitive finds no hit.
  SIMT_HOST_DEVICE Hit complete(const Ray& ray, FoundHit found) const {
    if (found.instance < triangles_id()) {
      const Instance& instance = instanced.instances[found.instance];
      return triangle_hit(instance.to_object.ray(ray), instanced.mesh, shared_twins,
                          instance.first_triangle + found.index,
                          instanced.first_primitives[found.instance] - instance.first_triangle);
    }
    // A tree of two levels holds the scene's own geometry as an instance.
    const Ray own = has_instances ? ToObject().ray(ray) : ray;
    if (found.instance == triangles_id()) return triangle_hit(own, mesh, twins, found.index, 0);
    const float t = traversal_distance(own, spheres[found.index]);
    return checked({.t = t, .primitive = uint32_t(mesh.triangles.size) + found.index}, t, ray);
  }

 private:
  SIMT_HOST_DEVICE static PermutedTriangle permuted(const ShearedRay& ray, const DeviceMesh& mesh,
                                                    uint32_t triangle) {
    const glm::uvec3 vertices = mesh.triangles[triangle];
    return {ray, mesh.positions[vertices.x], mesh.positions[vertices.y],
            mesh.positions[vertices.z]};
  }

  /// Returns the distance to a triangle, m; infinite without a hit.
  SIMT_HOST_DEVICE static float distance_to(const ShearedRay& ray, const DeviceMesh& mesh,
                                            uint32_t triangle) {
    const TriangleIntersection intersection(ray, permuted(ray, mesh, triangle));
    const float t = intersection.exists() ? intersection.distance(ray) : 0.0f;
    return t > 0.0f ? t : INFINITY;
  }

  /// Returns the hit of the triangle that was found, or of the one that coincides with it and which
  /// Winnow's tree would find: the nearest, and of equally near ones the lowest.
  ///
  /// @param offset  primitive index of triangle 0, modulo 2^32
  SIMT_HOST_DEVICE static Hit triangle_hit(const Ray& ray, const DeviceMesh& mesh,
                                           Span<const uint32_t> twins, uint32_t found,
                                           uint32_t offset) {
    const ShearedRay sheared(ray);
    uint32_t triangle = found;
    if (twins.size > 0)
      for (uint32_t other = twins[found]; other != found; other = twins[other]) {
        const float t = distance_to(sheared, mesh, other),
                    nearest = distance_to(sheared, mesh, triangle);
        if (t < nearest || (t == nearest && other < triangle)) triangle = other;
      }
    const PermutedTriangle vertices = permuted(sheared, mesh, triangle);
    const TriangleIntersection intersection(sheared, vertices);
    if (!intersection.exists()) return {};
    return checked(hit_of(intersection, sheared, vertices, offset + triangle),
                   intersection.distance(sheared), ray);
  }

  /// Returns `hit` if its distance by the test is within the ray, else none.
  SIMT_HOST_DEVICE static Hit checked(const Hit& hit, float t, const Ray& ray) {
    return t > 0.0f && t < ray.t_max ? hit : Hit{};
  }
};

/// Returns, for each triangle, the next one with the same three vertices, of which OptiX finds any;
/// such triangles form rings. Empty if no two triangles have the same vertices.
///
/// @param part  range of the triangles of `mesh`
std::vector<uint32_t> twins_of(const Mesh& mesh, const SharedMesh& part);

/// Returns the origin of coordinates in which OptiX traces geometry within `bounds`: it tests rays
/// in single precision, far from the origin without regard to the rounding of coordinates. On each
/// axis this is the centre of the bounds if the difference of any two coordinates is exact, as no
/// coordinate is more than twice another one (Sterbenz 1974), else 0.
glm::vec3 optix_center(const Bounds& bounds);

/// Replaces what OptiX has found by hits with the bits of Winnow's tracer. Where Winnow's test does
/// not confirm a hit, for example at an edge, traces the ray itself.
///
/// @tparam Rays  a stage that traces rays to their closest hits
template <class Rays>
struct CompleteHits {
  static constexpr Stage kStage = Stage::kIntersect;
  static constexpr bool kContinuesStage = true;
  static constexpr bool kUniformCost = true;

  Rays rays;
  OptixGeometry geometry;

  SIMT_HOST_DEVICE void operator()(uint32_t item) const {
    const FoundHit found = FoundHit::unpacked(rays.hits[item]);
    if (found.index == kNoPrimitive) return;
    const Ray ray = rays.ray(item);
    const Hit hit = geometry.complete(ray, found);
    rays.store(item, hit.primitive != kNoPrimitive ? hit : rays.accel.intersect(ray));
  }
};

/// Adds the contributions of the shadow rays that OptiX found unoccluded. Where Winnow's test does
/// not confirm the occluder, and in scenes with alpha cutouts, which rays may pass, traces the ray
/// itself.
///
/// @tparam Rays  TraceShadowRays
template <class Rays>
struct ConfirmOccluders {
  static constexpr Stage kStage = Stage::kShadow;
  static constexpr bool kContinuesStage = true;

  Rays rays;
  Span<const FoundHit> occluders;  ///< [ray]
  OptixGeometry geometry;
  bool may_be_passed = false;

  SIMT_HOST_DEVICE bool operator()(uint32_t item) const {
    const FoundHit found = occluders[item];
    if (found.index == kNoPrimitive) return rays.store(item, false);
    const bool is_occluded =
        !may_be_passed && geometry.complete(rays.ray(item), found).primitive != kNoPrimitive;
    return !is_occluded && rays(item);
  }

  SIMT_HOST_DEVICE static uint32_t& counter(Iteration& iteration) {
    return Rays::counter(iteration);
  }
};

}  // namespace winnow
