// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "load/pbrt/convert.h"
#include "math/constants.h"
#include "math/frame.h"

namespace winnow {
namespace {

/// A chain of quadratic or cubic polynomials.
struct CurveChain {
  std::vector<glm::vec3> control;
  int degree = 3;
  bool is_bspline = false;  ///< true for B-spline, false for Bezier

  size_t segments() const {
    return is_bspline ? control.size() - size_t(degree) : (control.size() - 1) / size_t(degree);
  }
  const glm::vec3* segment(size_t index) const {
    return &control[index * size_t(is_bspline ? 1 : degree)];
  }

  /// @param t  [0, 1]
  glm::vec3 point(size_t index, float t) const {
    const glm::vec3* p = segment(index);
    const float s = 1.0f - t;
    if (degree == 2)
      return is_bspline ? 0.5f * (s * s * p[0] + (1.0f + 2.0f * s * t) * p[1] + t * t * p[2])
                        : s * s * p[0] + 2.0f * s * t * p[1] + t * t * p[2];
    if (!is_bspline)
      return s * s * s * p[0] + 3.0f * s * t * (s * p[1] + t * p[2]) + t * t * t * p[3];
    auto inner = [](float x) { return (3.0f * x * x * x - 6.0f * x * x + 4.0f) / 6.0f; };
    return s * s * s / 6.0f * p[0] + inner(t) * p[1] + inner(s) * p[2] + t * t * t / 6.0f * p[3];
  }

  /// Returns the number of straight pieces for a segment, from the turning angle of its control
  /// polygon.
  int steps(size_t index) const {
    constexpr float kTurnOfStep = 0.3f;  // rad
    constexpr int kMaxSteps = 8;
    const glm::vec3* p = segment(index);
    float turn = 0.0f;
    for (int i = 0; i + 2 <= degree; ++i) {
      const glm::vec3 a = p[i + 1] - p[i], b = p[i + 2] - p[i + 1];
      turn += std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
    }
    return std::isfinite(turn) ? std::clamp(int(std::ceil(turn / kTurnOfStep)), 1, kMaxSteps) : 1;
  }
};

struct TubePoint {
  glm::vec3 center;
  float radius;
  float u;  ///< position along the tube, [0, 1]
};

/// Reads the control points of a curve; nothing, with a warning, if there are too few or too many.
std::optional<CurveChain> read_chain(const PbrtObject& shape) {
  CurveChain chain;
  chain.control = shape.vectors<glm::vec3>("P");
  chain.degree = shape.integer("degree", 3);
  chain.is_bspline = shape.text("basis", "bezier") == "bspline";
  const bool has_degree = chain.degree == 2 || chain.degree == 3;
  const bool is_valid =
      has_degree && chain.control.size() > size_t(chain.degree) &&
      (chain.is_bspline || (chain.control.size() - 1) % size_t(chain.degree) == 0);
  if (is_valid) return chain;
  return shape.leave_out(
      "a curve of an unknown degree, or with a wrong number of points, is left out");
}

std::vector<TubePoint> sample_axis(const CurveChain& chain, float width0, float width1) {
  const size_t segments = chain.segments();
  std::vector<TubePoint> points;
  for (size_t segment = 0; segment < segments; ++segment) {
    const int steps = chain.steps(segment);
    for (int step = segment == 0 ? 0 : 1; step <= steps; ++step) {
      const float t = float(step) / float(steps), u = (float(segment) + t) / float(segments);
      points.push_back({chain.point(segment, t), 0.5f * glm::mix(width0, width1, u), u});
    }
  }
  return points;
}

/// Returns a tube of four sides, without twist, with the normals of a round tube.
Mesh make_tube(const std::vector<TubePoint>& points) {
  constexpr uint32_t kSides = 4;
  Mesh mesh;
  glm::vec3 side(0.0f);
  for (size_t i = 0; i < points.size(); ++i) {
    const glm::vec3 along =
        points[std::min(i + 1, points.size() - 1)].center - points[i > 0 ? i - 1 : 0].center;
    const float length = glm::length(along);
    if (!(length > 0.0f)) continue;  // the next point is at the same place
    const glm::vec3 n = along / length;
    side -= glm::dot(side, n) * n;
    side = glm::dot(side, side) > 0.0f ? glm::normalize(side) : Frame(n).s;
    const glm::vec3 other = glm::cross(n, side);
    const auto first = uint32_t(mesh.positions.size());
    for (uint32_t k = 0; k < kSides; ++k) {
      const float angle = 2.0f * kPi * float(k) / float(kSides);
      const glm::vec3 outward = std::cos(angle) * side + std::sin(angle) * other;
      mesh.positions.push_back(points[i].center + points[i].radius * outward);
      mesh.normals.push_back(outward);
      mesh.uvs.emplace_back(points[i].u, 1.0f - float(k) / float(kSides));
      if (first == 0) continue;
      const uint32_t a = first - kSides + k, b = first - kSides + (k + 1) % kSides;
      mesh.triangles.emplace_back(a, b, b + kSides);
      mesh.triangles.emplace_back(a, b + kSides, a + kSides);
    }
  }
  return mesh;
}

}  // namespace

std::optional<Mesh> make_pbrt_curve(const PbrtObject& shape) {
  const float width = shape.number("width", 1.0f);
  const float width0 = shape.number("width0", width), width1 = shape.number("width1", width);
  const std::optional<CurveChain> chain = read_chain(shape);
  if (!chain) return {};
  shape.warn("a curve becomes a tube of four sides");
  Mesh mesh = make_tube(sample_axis(*chain, width0, width1));
  size_t& triangles = shape.context->curve_triangles;
  triangles += mesh.triangles.size();
  if (triangles > kMaxCurveTriangles)
    return shape.leave_out("curves beyond 2^25 triangles are left out");
  return mesh;
}

}  // namespace winnow
