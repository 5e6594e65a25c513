// SPDX-License-Identifier: MIT
#include "scene/vertex_attributes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <utility>

#include "image/srgb.h"

namespace winnow {
namespace {

constexpr int kCoverageChannel = 3;

template <class Item>
std::vector<Item> items_of_corners(const std::vector<Item>& from,
                                   const std::vector<glm::uvec3>& triangles) {
  std::vector<Item> items;
  if (from.empty()) return items;
  items.reserve(3 * triangles.size());
  for (const glm::uvec3& triangle : triangles)
    for (int corner = 0; corner < 3; ++corner) items.push_back(from[triangle[corner]]);
  return items;
}

/// Returns the value that stands for 1 in some channels: 255 if a number is above 2, else 1.
float max_of_channels(const std::vector<glm::vec4>& colors, int first, int last) {
  constexpr float kByteMax = 255.0f, kMaxFraction = 2.0f;
  for (const glm::vec4& color : colors)
    for (int channel = first; channel <= last; ++channel)
      if (color[channel] > kMaxFraction) return kByteMax;
  return 1.0f;
}

glm::vec4 decode_color(glm::vec4 color, glm::vec4 max, ColorEncoding encoding) {
  for (int channel = 0; channel < 4; ++channel) {
    float& value = color[channel];
    value = std::isfinite(value) ? glm::clamp(value / max[channel], 0.0f, 1.0f) : 0.0f;
    if (encoding == ColorEncoding::kSrgb && channel != kCoverageChannel)
      value = linear_from_srgb(value);
  }
  return color;
}

/// Keeps only the vertices that are corners of triangles, in their order.
void drop_unused_vertices(Mesh& mesh) {
  std::vector<uint32_t> place(mesh.positions.size(), 0), kept;
  for (const glm::uvec3& triangle : mesh.triangles)
    for (int corner = 0; corner < 3; ++corner) place[triangle[corner]] = 1;
  for (uint32_t i = 0; i < place.size(); ++i)
    if (std::exchange(place[i], uint32_t(kept.size()))) kept.push_back(i);
  const auto keep = [&](auto& values) {
    if (values.empty()) return;
    for (size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
    values.resize(kept.size());
  };
  keep(mesh.positions);
  keep(mesh.normals);
  keep(mesh.uvs);
  keep(mesh.second_uvs);
  keep(mesh.colors);
  for (glm::uvec3& triangle : mesh.triangles)
    triangle = {place[triangle.x], place[triangle.y], place[triangle.z]};
}

/// Gives each triangle its own vertices.
void separate_triangles(Mesh& mesh) {
  mesh.positions = items_of_corners(mesh.positions, mesh.triangles);
  mesh.normals = items_of_corners(mesh.normals, mesh.triangles);
  mesh.uvs = items_of_corners(mesh.uvs, mesh.triangles);
  mesh.second_uvs = items_of_corners(mesh.second_uvs, mesh.triangles);
  mesh.colors = items_of_corners(mesh.colors, mesh.triangles);
  for (uint32_t i = 0; i < mesh.triangles.size(); ++i)
    mesh.triangles[i] = {3 * i, 3 * i + 1, 3 * i + 2};
}

}  // namespace

void finish_vertex_colors(std::vector<glm::vec4>& colors, ColorEncoding encoding) {
  glm::vec4 max(1.0f);
  if (encoding == ColorEncoding::kSrgb) {
    max = glm::vec4(max_of_channels(colors, 0, kCoverageChannel - 1));
    max.w = max_of_channels(colors, kCoverageChannel, kCoverageChannel);
  }
  const bool has_coverage =
      encoding == ColorEncoding::kLinear ||
      std::ranges::any_of(colors, [](const glm::vec4& color) { return color.w > 0.0f; });
  for (glm::vec4& color : colors) {
    if (!has_coverage) color.w = max.w;
    color = decode_color(color, max, encoding);
  }
  auto is_white = [](const glm::vec4& color) { return color == glm::vec4(1.0f); };
  if (std::ranges::all_of(colors, is_white)) colors.clear();
}

bool has_vertex_alpha(const std::vector<glm::vec4>& colors) {
  return std::ranges::any_of(colors, [](const glm::vec4& color) { return color.w < 1.0f; });
}

UvLayout uv_layout_of(const Mesh& mesh, const glm::mat3& to_world) {
  if (mesh.uvs.empty()) return {};
  int left = 0;
  glm::dvec2 size(0.0);
  double weights = 0.0;
  for (glm::uvec3 triangle : mesh.triangles) {
    const glm::vec2 a = mesh.uvs[triangle.y] - mesh.uvs[triangle.x],
                    b = mesh.uvs[triangle.z] - mesh.uvs[triangle.x];
    const glm::vec3 p = to_world * (mesh.positions[triangle.y] - mesh.positions[triangle.x]),
                    q = to_world * (mesh.positions[triangle.z] - mesh.positions[triangle.x]);
    const float uv_area = a.x * b.y - a.y * b.x;
    const double weight = glm::length(glm::cross(p, q));
    if (uv_area == 0.0f || !std::isfinite(weight)) continue;
    left += uv_area > 0.0f ? 1 : -1;
    size += weight * glm::dvec2(glm::length(b.y * p - a.y * q), glm::length(a.x * q - b.x * p)) /
            double(std::abs(uv_area));
    weights += weight;
  }
  if (!(weights > 0.0) || !std::isfinite(size.x + size.y)) return {};
  return {(left > 0) != (glm::determinant(to_world) < 0.0f), glm::vec2(size / weights)};
}

std::optional<Mesh> take_mirrored_uvs(Mesh& mesh) {
  if (mesh.uvs.empty()) return {};
  const auto uv_area = [&](const glm::uvec3& triangle) {
    const glm::vec2 a = mesh.uvs[triangle.y] - mesh.uvs[triangle.x],
                    b = mesh.uvs[triangle.z] - mesh.uvs[triangle.x];
    return a.x * b.y - a.y * b.x;
  };
  const auto is_positive = [&](const glm::uvec3& triangle) { return uv_area(triangle) > 0.0f; };
  const auto is_negative = [&](const glm::uvec3& triangle) { return uv_area(triangle) < 0.0f; };
  const auto positive = std::ranges::count_if(mesh.triangles, is_positive),
             negative = std::ranges::count_if(mesh.triangles, is_negative);
  if (positive == 0 || negative == 0) return {};
  Mesh mirrored = mesh;
  if (positive > negative) {
    std::erase_if(mirrored.triangles, std::not_fn(is_negative));
    std::erase_if(mesh.triangles, is_negative);
  } else {
    std::erase_if(mirrored.triangles, std::not_fn(is_positive));
    std::erase_if(mesh.triangles, is_positive);
  }
  drop_unused_vertices(mirrored);
  drop_unused_vertices(mesh);
  return mirrored;
}

void color_triangles(Mesh& mesh, const std::vector<glm::vec4>& colors) {
  separate_triangles(mesh);
  mesh.colors.clear();
  for (size_t i = 0; i < mesh.triangles.size(); ++i)
    mesh.colors.insert(mesh.colors.end(), 3, colors[i]);
}

void give_uvs_to_triangles(Mesh& mesh, const glm::vec2 (&corners)[3]) {
  separate_triangles(mesh);
  mesh.uvs.clear();
  for (size_t i = 0; i < mesh.triangles.size(); ++i)
    mesh.uvs.insert(mesh.uvs.end(), std::begin(corners), std::end(corners));
}

}  // namespace winnow
