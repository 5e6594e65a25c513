// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "bvh/offset_origin.h"
#include "device_scene/device_scene.h"
#include "math/ray.h"
#include "scene/vertex_attributes.h"

namespace winnow {

/// Texture coordinates at a point of a surface, and their derivatives.
struct TextureFrame {
  glm::vec2 uv;
  glm::vec3 dpdu, dpdv;  ///< m, derivatives of the point; zero where unknown
  float uv_per_meter;    ///< geometric mean of the change of uv over all directions
  // For Mesh::second_uvs, if the material uses them.
  glm::vec2 second_uv;
  float second_uv_per_meter;
};

struct SurfacePoint {
  glm::vec3 p;        ///< m
  glm::vec3 p_error;  ///< m, bound of the rounding error of `p`, per axis
  glm::vec3 n;        ///< geometric normal, unit length, on the outside
  glm::vec3 ns;       ///< shading normal, unit length, on the side of `n`
};

/// A point of a surface and what scattering there requires.
template <Features kFeatures>
struct Surface : SurfacePoint {
  uint32_t material;
  FieldIf<kFeatures.extended, TextureFrame> texture;
  FieldIf<kFeatures.layers, glm::vec4> color;  ///< interpolated vertex colour, if used
};

/// Number of consecutive roundings from a triangle's vertices to the distance of a ray test.
inline constexpr int kTestSteps = 16;
/// Number of consecutive roundings from a direction to a point of a sphere: a sum of squares, a
/// root and a quotient with errors of up to two ulps each, and two products.
inline constexpr int kSphereSteps = 12;

struct TrianglePoint {
  glm::vec3 p;      ///< m
  glm::vec3 error;  ///< m, per axis: bound of the distance from the triangle as the ray test
                    ///< computes it
};

struct TriangleWeights {
  float w0, w1, w2;  ///< barycentric weights of the vertices; their sum is 1 up to rounding
};

SIMT_HOST_DEVICE inline TriangleWeights weights_of(const Hit& hit) {
  return {1.0f - hit.u - hit.v, hit.u, hit.v};
}

/// Interpolates a point from its barycentric weights, with a smaller error than a point along the
/// ray has. The error bound includes the error of testing a leaving ray against this triangle, some
/// ulps of the triangle's size.
SIMT_HOST_DEVICE inline TrianglePoint triangle_point(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2,
                                                     TriangleWeights w) {
  TrianglePoint point;
  point.p = w.w0 * p0 + w.w1 * p1 + w.w2 * p2;
  glm::vec3 size = glm::max(glm::abs(p1 - p0), glm::abs(p2 - p0));
  point.error = error_bound(7) * (glm::abs(w.w0 * p0) + glm::abs(w.w1 * p1) + glm::abs(w.w2 * p2)) +
                error_bound(kTestSteps) * glm::max(size.x, glm::max(size.y, size.z));
  return point;
}

/// Returns the distance that a point must keep from an edge: as far as a ray is offset from a
/// surface there, whatever its normal.
///
/// @param error  m, TrianglePoint::error
SIMT_HOST_DEVICE inline float edge_margin(glm::vec3 error) {
  return error.x + error.y + error.z;
}

/// Returns the squared length of the longest edge; edge1 and edge2 start at the first vertex.
SIMT_HOST_DEVICE inline float longest_edge_squared(glm::vec3 edge1, glm::vec3 edge2) {
  const glm::vec3 edge3 = edge2 - edge1;
  return glm::max(glm::dot(edge1, edge1), glm::max(glm::dot(edge2, edge2), glm::dot(edge3, edge3)));
}

/// Returns whether a point may be closer than `margin` to an edge of its triangle, or beyond it. A
/// weight is the distance from an edge divided by the height over that edge; the height is twice
/// the area divided by the edge's length.
///
/// @param edge1, edge2  edges from the first vertex
/// @param margin        distance, in the unit of the edges
SIMT_HOST_DEVICE inline bool is_near_edge(TriangleWeights w, glm::vec3 edge1, glm::vec3 edge2,
                                          float margin) {
  const glm::vec3 area = glm::cross(edge1, edge2);
  const float least = glm::min(w.w0, glm::min(w.w1, w.w2));
  const float limit = margin * margin * longest_edge_squared(edge1, edge2);
  return !(least > 0.0f && least * least * glm::dot(area, area) >= limit);
}

/// Moves a point that is near an edge inwards: rounding may have put it beyond the edge, from where
/// a leaving ray could pass behind the adjacent surface.
SIMT_HOST_DEVICE inline TriangleWeights inside_edges(TriangleWeights w, glm::vec3 edge1,
                                                     glm::vec3 edge2, float margin) {
  constexpr float kMaxInset = 0.25f;  // limit in a triangle that is hardly larger than the margin
  const glm::vec3 area = glm::cross(edge1, edge2);
  const float over_height = std::sqrt(longest_edge_squared(edge1, edge2) / glm::dot(area, area));
  const float inset = glm::min(margin * over_height, kMaxInset);
  if (w.w0 >= inset && w.w1 >= inset && w.w2 >= inset) return w;
  w.w1 = glm::max(w.w1, inset);
  w.w2 = glm::max(w.w2, inset);
  w.w0 = 1.0f - w.w1 - w.w2;
  if (w.w0 >= inset) return w;
  const float excess = inset - w.w0;  // taken from the larger of the two
  if (w.w1 > w.w2)
    w.w1 = glm::max(w.w1 - excess, inset);
  else
    w.w2 = glm::max(w.w2 - excess, inset);
  w.w0 = 1.0f - w.w1 - w.w2;
  return w;
}

/// Returns a point of a triangle from which rays may leave: inside its edges. A point that is not
/// near an edge keeps all of its bits.
SIMT_HOST_DEVICE inline TrianglePoint inner_point(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2,
                                                  TriangleWeights w) {
  const TrianglePoint point = triangle_point(p0, p1, p2, w);
  const float margin = edge_margin(point.error);
  if (!is_near_edge(w, p1 - p0, p2 - p0, margin)) return point;
  return triangle_point(p0, p1, p2, inside_edges(w, p1 - p0, p2 - p0, margin));
}

/// Normalizes a shading normal and flips it to the side of `n`. Returns `n` if it is zero.
SIMT_HOST_DEVICE inline glm::vec3 shading_normal(glm::vec3 ns, glm::vec3 n) {
  float length = glm::length(ns);
  glm::vec3 unit = length > 0.0f ? ns / length : n;
  if (glm::dot(unit, n) < 0.0f) unit = -unit;
  return unit;
}

/// Returns the texture coordinates of a hit on a triangle.
///
/// @param edge1, edge2  m, edges from its first vertex, in world space
/// @param uvs           [vertex], not empty
SIMT_HOST_DEVICE inline TextureFrame triangle_texture_frame(const Hit& hit, glm::uvec3 vertices,
                                                            glm::vec3 edge1, glm::vec3 edge2,
                                                            Span<const glm::vec2> uvs) {
  const glm::vec2 uv = uvs[vertices.x], a = uvs[vertices.y] - uv, b = uvs[vertices.z] - uv;
  TextureFrame frame{};
  frame.uv = uv + hit.u * a + hit.v * b;
  const float uv_area = a.x * b.y - a.y * b.x;
  if (uv_area == 0.0f) return frame;
  frame.dpdu = (b.y * edge1 - a.y * edge2) / uv_area;
  frame.dpdv = (a.x * edge2 - b.x * edge1) / uv_area;
  const float area = glm::length(glm::cross(edge1, edge2));
  frame.uv_per_meter = std::sqrt(std::abs(uv_area) / area);
  return frame;
}

/// Returns the texture coordinates of a hit on a mesh in both UV sets, as far as `textures` use
/// them. The tangents are those of the UV set of the normal map.
///
/// @param edge1, edge2  m, edges from the first vertex, in world space
template <Features kFeatures>
SIMT_HOST_DEVICE TextureFrame mesh_texture_frame(const DeviceMesh& mesh,
                                                 [[maybe_unused]] const MaterialTextures& textures,
                                                 const Hit& hit, glm::uvec3 vertices,
                                                 glm::vec3 edge1, glm::vec3 edge2) {
  TextureFrame frame{};
  if (mesh.uvs.size > 0) frame = triangle_texture_frame(hit, vertices, edge1, edge2, mesh.uvs);
  if constexpr (kFeatures.layers) {
    if (textures.on_second_uvs == 0 || mesh.second_uvs.size == 0) return frame;
    const TextureFrame second =
        triangle_texture_frame(hit, vertices, edge1, edge2, mesh.second_uvs);
    frame.second_uv = second.uv;
    frame.second_uv_per_meter = second.uv_per_meter;
    if (has_second_tangents(textures)) {
      frame.dpdu = second.dpdu;
      frame.dpdv = second.dpdv;
    }
  }
  return frame;
}

/// Returns the interpolated vertex colour of a hit; white if the mesh has no colours.
SIMT_HOST_DEVICE inline glm::vec4 vertex_color(const DeviceMesh& mesh, const Hit& hit,
                                               glm::uvec3 vertices) {
  if (mesh.colors.size == 0) return glm::vec4(1.0f);
  return (1.0f - hit.u - hit.v) * mesh.colors[vertices.x] + hit.u * mesh.colors[vertices.y] +
         hit.v * mesh.colors[vertices.z];
}

/// Returns the texture coordinates of a point of a sphere, alike in both UV sets: u is the azimuth
/// about z, v increases from the upper pole to the lower.
SIMT_HOST_DEVICE inline TextureFrame sphere_texture_frame(glm::vec3 n, float radius) {
  const float sin_theta = std::sqrt(n.x * n.x + n.y * n.y);
  const float phi = std::atan2(n.y, n.x);
  TextureFrame frame{};
  frame.uv = {phi * kInvTwoPi + (phi < 0.0f ? 1.0f : 0.0f), std::acos(n.z) * kInvPi};
  frame.second_uv = frame.uv;
  frame.dpdu = kTwoPi * radius * glm::vec3(-n.y, n.x, 0.0f);
  if (!(sin_theta > 0.0f)) return frame;
  frame.dpdv = kPi * radius * glm::vec3(n.x * n.z / sin_theta, n.y * n.z / sin_theta, -sin_theta);
  // The mean over the sphere, since it diverges at the poles.
  frame.uv_per_meter = 1.0f / (std::sqrt(4.0f * kPi) * radius);
  frame.second_uv_per_meter = frame.uv_per_meter;
  return frame;
}

SIMT_HOST_DEVICE inline bool has_layer_textures(const MaterialTextures& textures) {
  // kNoTexture has all bits set.
  return (textures.specular & textures.coat & textures.sheen & textures.anisotropy &
          textures.iridescence & textures.specular_tint & textures.diffuse_transmission) !=
         kNoTexture;
}

/// Returns whether shading reads the texture frame of a point: whether the material has a texture,
/// or highlights that follow the tangent.
template <Features kFeatures>
SIMT_HOST_DEVICE bool uses_texture_frame(const Material& material) {
  const MaterialTextures& textures = material.textures;
  if constexpr (kFeatures.layers)
    if (has_layer_textures(textures)) return true;
  return material.anisotropy != 0.0f ||
         (textures.reflectance & textures.emission & textures.roughness_metallic & textures.normal &
          textures.alpha & textures.transmission) != kNoTexture;
}

struct MeshTriangle {
  glm::vec3 p0, p1, p2;  ///< m
  glm::vec3 n0, n1, n2;  ///< as DeviceMesh::normals
};

SIMT_HOST_DEVICE inline MeshTriangle mesh_triangle(const DeviceMesh& mesh, uint32_t triangle) {
  const glm::uvec3 v = mesh.triangles[triangle];
  return {mesh.positions[v.x], mesh.positions[v.y], mesh.positions[v.z],
          mesh.normals[v.x],   mesh.normals[v.y],   mesh.normals[v.z]};
}

SIMT_HOST_DEVICE inline glm::vec3 geometric_normal(const MeshTriangle& triangle) {
  return glm::normalize(glm::cross(triangle.p1 - triangle.p0, triangle.p2 - triangle.p0));
}

/// @param w  weights of the hit, from which `point` may have moved
SIMT_HOST_DEVICE inline void set_triangle(const MeshTriangle& triangle, TriangleWeights w,
                                          const TrianglePoint& point, SurfacePoint& surface) {
  const auto& [p0, p1, p2, n0, n1, n2] = triangle;
  surface.p = point.p;
  surface.p_error = point.error;
  surface.n = geometric_normal(triangle);
  surface.ns = shading_normal(w.w0 * n0 + w.w1 * n1 + w.w2 * n2, surface.n);
}

template <Features kFeatures>
SIMT_HOST_DEVICE Surface<kFeatures> triangle_surface(const DeviceScene<kFeatures>& scene,
                                                     const Hit& hit) {
  const DeviceMesh& mesh = scene.mesh;
  const MeshTriangle triangle = mesh_triangle(mesh, hit.primitive);
  const TriangleWeights w = weights_of(hit);
  Surface<kFeatures> surface;
  set_triangle(triangle, w, inner_point(triangle.p0, triangle.p1, triangle.p2, w), surface);
  surface.material = mesh.triangle_materials[hit.primitive];
  return surface;
}

template <Features kFeatures>
SIMT_HOST_DEVICE Surface<kFeatures> sphere_surface(const DeviceScene<kFeatures>& scene,
                                                   const Ray& ray, const Hit& hit) {
  const Sphere sphere = scene.spheres[hit.primitive - scene.mesh.triangles.size];
  Surface<kFeatures> surface;
  surface.n = glm::normalize(ray.origin + hit.t * ray.direction - sphere.center);
  // Projects the point back to the sphere, which removes the error along the ray.
  const glm::vec3 local = sphere.radius * surface.n;
  surface.p = sphere.center + local;
  surface.p_error =
      error_bound(kSphereSteps) * glm::abs(local) + error_bound(1) * glm::abs(surface.p);
  surface.ns = surface.n;
  surface.material = sphere.material;
  return surface;
}

/// Transforms a mesh's normal to world space and normalizes it; zero stays zero. Normals of
/// mirrored meshes stay on the outside.
SIMT_HOST_DEVICE inline glm::vec3 normal_to_world(const Instance& instance, glm::vec3 n) {
  glm::vec3 world = glm::transpose(instance.to_object.inverse) * n;
  float length = glm::length(world);
  return length > 0.0f ? world / length : glm::vec3(0.0f);
}

template <Features kFeatures>
SIMT_HOST_DEVICE Surface<kFeatures> instanced_surface(const DeviceScene<kFeatures>& scene,
                                                      const Hit& hit) {
  const DeviceMesh& mesh = scene.instanced.mesh;
  const uint32_t index = scene.instanced.instance_of(hit.primitive);
  const Instance& instance = scene.instanced.instances[index];
  const uint32_t triangle =
      instance.first_triangle + (hit.primitive - scene.instanced.first_primitives[index]);
  const glm::uvec3 vertices = mesh.triangles[triangle];
  const glm::vec3 p0 = mesh.positions[vertices.x];
  const glm::vec3 p1 = mesh.positions[vertices.y];
  const glm::vec3 p2 = mesh.positions[vertices.z];
  const float w0 = 1.0f - hit.u - hit.v;
  const glm::vec3 translation = instance.to_object.translation;

  // Rounding errors of the point in the mesh, of its transformation to world space, and of the
  // transformation back that a leaving ray undergoes.
  const glm::mat3 size = abs_of(instance.linear), inverse_size = abs_of(instance.to_object.inverse);
  Surface<kFeatures> surface;
  auto place = [&](const TriangleWeights& w) {
    const TrianglePoint local = triangle_point(p0, p1, p2, w);
    const glm::vec3 turned = instance.linear * local.p;
    surface.p = turned + translation;
    const glm::vec3 back = inverse_size * glm::abs(surface.p - translation);
    surface.p_error = size * (local.error + error_bound(4) * glm::abs(local.p) +
                              error_bound(kToObjectSteps) * back) +
                      error_bound(1) * glm::abs(surface.p);
  };
  const TriangleWeights w = weights_of(hit);
  place(w);
  const float margin = edge_margin(inverse_size * surface.p_error);
  if (is_near_edge(w, p1 - p0, p2 - p0, margin)) place(inside_edges(w, p1 - p0, p2 - p0, margin));

  surface.n = normal_to_world(instance, glm::cross(p1 - p0, p2 - p0));
  const glm::vec3 ns = w0 * normal_to_world(instance, mesh.normals[vertices.x]) +
                       hit.u * normal_to_world(instance, mesh.normals[vertices.y]) +
                       hit.v * normal_to_world(instance, mesh.normals[vertices.z]);
  surface.ns = shading_normal(ns, surface.n);
  surface.material = instance.material == MeshInstance::kOwnMaterials
                         ? mesh.triangle_materials[triangle]
                         : instance.material;
  const Material& material = scene.materials[surface.material];
  if constexpr (kFeatures.layers) {
    surface.color = glm::vec4(1.0f);
    if (uses_vertex_colors(material)) surface.color = vertex_color(mesh, hit, vertices);
  }
  surface.texture =
      mesh_texture_frame<kFeatures>(mesh, material.textures, hit, vertices,
                                    instance.linear * (p1 - p0), instance.linear * (p2 - p0));
  return surface;
}

template <Features kFeatures>
SIMT_HOST_DEVICE uint32_t material_of(const DeviceScene<kFeatures>& scene, uint32_t primitive) {
  if constexpr (kFeatures.instances)
    if (scene.is_instanced(primitive)) {
      const uint32_t index = scene.instanced.instance_of(primitive);
      const Instance& instance = scene.instanced.instances[index];
      if (instance.material != MeshInstance::kOwnMaterials) return instance.material;
      return scene.instanced.mesh.triangle_materials[instance.first_triangle + primitive -
                                                     scene.instanced.first_primitives[index]];
    }
  const uint32_t triangles = uint32_t(scene.mesh.triangles.size);
  return primitive < triangles ? scene.mesh.triangle_materials[primitive]
                               : scene.spheres[primitive - triangles].material;
}

/// Returns the surface at a hit of `ray` in `scene`; `hit` is not a miss.
template <Features kFeatures>
SIMT_HOST_DEVICE Surface<kFeatures> surface_at(const DeviceScene<kFeatures>& scene, const Ray& ray,
                                               const Hit& hit) {
  if constexpr (kFeatures.instances)
    if (scene.is_instanced(hit.primitive)) return instanced_surface(scene, hit);
  const DeviceMesh& mesh = scene.mesh;
  const bool is_triangle = hit.primitive < mesh.triangles.size;
  Surface<kFeatures> surface =
      is_triangle ? triangle_surface(scene, hit) : sphere_surface(scene, ray, hit);
  surface.texture = {};
  if constexpr (kFeatures.extended) {
    const Material& material = scene.materials[surface.material];
    if constexpr (kFeatures.layers) {
      surface.color = glm::vec4(1.0f);
      if (is_triangle && uses_vertex_colors(material))
        surface.color = vertex_color(mesh, hit, mesh.triangles[hit.primitive]);
    }
    if (!uses_texture_frame<kFeatures>(material)) return surface;
    if (!is_triangle) {
      surface.texture = sphere_texture_frame(
          surface.n, scene.spheres[hit.primitive - mesh.triangles.size].radius);
    } else if (mesh.uvs.size > 0 || (kFeatures.layers && mesh.second_uvs.size > 0)) {
      const glm::uvec3 vertices = mesh.triangles[hit.primitive];
      const glm::vec3 p0 = mesh.positions[vertices.x];
      surface.texture = mesh_texture_frame<kFeatures>(mesh, material.textures, hit, vertices,
                                                      mesh.positions[vertices.y] - p0,
                                                      mesh.positions[vertices.z] - p0);
    }
  }
  return surface;
}

/// Returns whether shading needs the origin of a ray that hit this primitive (or kNoPrimitive):
/// only for lights and spheres. Instances do not emit.
template <Features kFeatures>
SIMT_HOST_DEVICE bool needs_origin(const DeviceScene<kFeatures>& scene, uint32_t primitive) {
  if (scene.is_instanced(primitive)) return false;
  return primitive >= scene.mesh.triangles.size ||
         emits(scene.materials[scene.mesh.triangle_materials[primitive]]);
}

}  // namespace winnow
