// SPDX-License-Identifier: MIT
#include "scene/triangulate_polygon.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <numeric>
#include <optional>
#include <utility>

namespace winnow {
namespace {

/// Returns twice the polygon's area times its normal, by Newell's method.
glm::dvec3 area_vector(const std::vector<glm::vec3>& corners) {
  glm::dvec3 origin(corners[0]), sum(0.0);
  for (size_t i = 0; i < corners.size(); ++i)
    sum += glm::cross(glm::dvec3(corners[i]) - origin,
                      glm::dvec3(corners[(i + 1) % corners.size()]) - origin);
  return sum;
}

/// Returns the corners projected along the axis of the largest projected area, counter-clockwise.
std::vector<glm::dvec2> project(const std::vector<glm::vec3>& corners) {
  glm::dvec3 n = area_vector(corners);
  glm::dvec3 size = glm::abs(n);
  int axis = size.x > size.y && size.x > size.z ? 0 : size.y > size.z ? 1 : 2;
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  if (n[axis] < 0.0) std::swap(u, v);

  std::vector<glm::dvec2> flat;
  for (glm::vec3 p : corners) flat.emplace_back(p[u], p[v]);
  return flat;
}

/// Returns twice the signed area of a triangle; positive if counter-clockwise.
double cross(glm::dvec2 a, glm::dvec2 b, glm::dvec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool is_inside(glm::dvec2 p, glm::dvec2 a, glm::dvec2 b, glm::dvec2 c) {
  if (p == a || p == b || p == c) return false;  // an outline may touch itself at a corner
  return cross(a, b, p) >= 0.0 && cross(b, c, p) >= 0.0 && cross(c, a, p) >= 0.0;
}

/// The corners that are left, in the cells of a grid with about one corner per cell.
class CornerGrid {
 public:
  explicit CornerGrid(const std::vector<glm::dvec2>& points)
      : points_(points), is_left_(points.size(), true), cells_(points.size()) {
    min_ = max_ = points[0];
    for (const glm::dvec2 p : points) {
      min_ = glm::min(min_, p);
      max_ = glm::max(max_, p);
    }
    const glm::dvec2 extent = max_ - min_;
    const double count = double(points.size());
    columns_ = 1 + size_t(extent.y > 0.0 ? std::min(std::sqrt(count * extent.x / extent.y), count)
                                         : count);
    rows_ = 1 + points.size() / columns_;
    std::iota(cells_.begin(), cells_.end(), 0u);
    std::sort(cells_.begin(), cells_.end(), [&](uint32_t a, uint32_t b) {
      const size_t cell_a = cell_of(points_[a]), cell_b = cell_of(points_[b]);
      return cell_a != cell_b ? cell_a < cell_b : a < b;
    });
    ranges_.assign(columns_ * rows_, {0, 0});
    for (uint32_t i = 0; i < cells_.size(); ++i) {
      Range& range = ranges_[cell_of(points_[cells_[i]])];
      if (range.size++ == 0) range.first = i;
    }
  }

  void remove(uint32_t corner) { is_left_[corner] = false; }

  /// Returns true if no corner that is left lies in the triangle.
  /// @param steps  grows by the cells and corners that were looked at
  bool is_empty(glm::dvec2 a, glm::dvec2 b, glm::dvec2 c, uint64_t& steps) {
    const size_t first_row = row_of(std::min({a.y, b.y, c.y}));
    const size_t last_row = row_of(std::max({a.y, b.y, c.y}));
    for (size_t row = first_row; row <= last_row; ++row) {
      const auto [left, right] = extent_in_row(row, {a, b, c});
      const size_t last_column = column_of(right);
      for (size_t column = column_of(left); column <= last_column; ++column) {
        Range& range = ranges_[row * columns_ + column];
        steps += 1 + range.size;
        for (uint32_t i = 0; i < range.size;) {
          uint32_t& corner = cells_[range.first + i];
          if (!is_left_[corner]) {
            std::swap(corner, cells_[range.first + --range.size]);
            continue;
          }
          if (is_inside(points_[corner], a, b, c)) return false;
          ++i;
        }
      }
    }
    return true;
  }

 private:
  struct Range {
    uint32_t first, size;
  };

  static size_t cell_along(double x, double min, double max, size_t count) {
    if (!(max > min)) return 0;
    return std::min(size_t(std::max((x - min) / (max - min), 0.0) * double(count)), count - 1);
  }
  size_t column_of(double x) const { return cell_along(x, min_.x, max_.x, columns_); }
  size_t row_of(double y) const { return cell_along(y, min_.y, max_.y, rows_); }
  size_t cell_of(glm::dvec2 p) const { return row_of(p.y) * columns_ + column_of(p.x); }

  /// Returns the range of x of a triangle in a row of cells, and a little more.
  std::pair<double, double> extent_in_row(size_t row, const glm::dvec2 (&corners)[3]) const {
    constexpr double kMargin = 0.01;  // share of a cell, for rounding
    const double height = (max_.y - min_.y) / double(rows_);
    const double low = min_.y + height * (double(row) - kMargin);
    const double high = min_.y + height * (double(row) + 1.0 + kMargin);
    double left = max_.x, right = min_.x;
    auto add = [&](double x) {
      left = std::min(left, x);
      right = std::max(right, x);
    };
    for (int k = 0; k < 3; ++k) {
      const glm::dvec2 p = corners[k], q = corners[(k + 1) % 3];
      if (p.y >= low && p.y <= high) add(p.x);
      for (const double y : {low, high})
        if ((p.y < y) != (q.y < y)) add(p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y)));
    }
    const double margin = kMargin * (max_.x - min_.x) / double(columns_);
    return {left - margin, right + margin};
  }

  const std::vector<glm::dvec2>& points_;
  std::vector<bool> is_left_;    ///< [corner]
  std::vector<uint32_t> cells_;  ///< corners, by cell
  std::vector<Range> ranges_;    ///< [cell], its part of `cells_`
  glm::dvec2 min_, max_;
  size_t columns_, rows_;
};

/// Returns whether triangles cover more than the polygon. Corners that lie in no common plane may
/// seem to: their projection crosses itself.
bool do_overlap(const std::vector<glm::uvec3>& triangles, const std::vector<glm::dvec2>& flat,
                const std::vector<glm::vec3>& corners) {
  constexpr double kTolerance = 1e-3;
  double covered = 0.0, area = 0.0, largest = 0.0;
  glm::dvec3 n(0.0);  // normal of the largest triangle, as long as twice its area
  for (const glm::uvec3 t : triangles) {
    const double part = cross(flat[t.x], flat[t.y], flat[t.z]);
    covered += std::abs(part);
    area += part;
    if (std::abs(part) <= largest) continue;
    largest = std::abs(part);
    const glm::dvec3 a(corners[t.x]);
    n = glm::cross(glm::dvec3(corners[t.y]) - a, glm::dvec3(corners[t.z]) - a);
  }
  if (covered <= (1.0 + kTolerance) * std::abs(area)) return false;
  const double twice_area = glm::length(n), max_distance = kTolerance * std::sqrt(twice_area);
  return std::ranges::all_of(corners, [&](const glm::vec3& corner) {
    return std::abs(glm::dot(n, glm::dvec3(corner) - glm::dvec3(corners[triangles[0].x]))) <=
           max_distance * twice_area;
  });
}

}  // namespace

PolygonTriangles triangulate_polygon(const std::vector<glm::vec3>& corners) {
  assert(corners.size() >= 3);
  PolygonTriangles result;
  std::vector<glm::uvec3>& triangles = result.triangles;
  const std::vector<glm::dvec2> flat = project(corners);
  const auto count = uint32_t(corners.size());
  struct Neighbours {
    uint32_t before, next;
  };
  std::vector<Neighbours> links(count);  // [corner], those that are left
  for (uint32_t i = 0; i < count; ++i) links[i] = {(i + count - 1) % count, (i + 1) % count};
  uint32_t left = count, first = 0;  // `first`: the first corner that is left
  uint64_t steps = 0;

  constexpr uint32_t kMaxWithoutGrid = 32;
  std::optional<CornerGrid> grid;
  if (count > kMaxWithoutGrid) grid.emplace(flat);
  auto is_ear = [&](uint32_t corner) {
    const glm::dvec2 a = flat[links[corner].before], b = flat[corner];
    const glm::dvec2 c = flat[links[corner].next];
    if (cross(a, b, c) <= 0.0) return false;
    if (grid) return grid->is_empty(a, b, c, steps);
    for (uint32_t i = 0, other = first; i < left; ++i, other = links[other].next)
      if (is_inside(flat[other], a, b, c)) return false;
    return true;
  };
  auto clip = [&](uint32_t corner) {
    const auto [before, next] = links[corner];
    triangles.emplace_back(before, corner, next);
    links[before].next = next;
    links[next].before = before;
    if (corner == first) first = next;
    if (grid) grid->remove(corner);
    --left;
  };

  // Limits the time for each corner, as outlines exist in which most ears touch all cells.
  constexpr uint64_t kMaxStepsPerCorner = 16384, kMaxSteps = uint64_t{1} << 30;
  const uint64_t max_steps = std::min(kMaxStepsPerCorner * count, kMaxSteps);
  uint32_t corner = 1, refused = 0;
  while (left > 3 && refused < left && ++steps < max_steps) {
    const uint32_t next = links[corner].next;
    if (is_ear(corner)) {
      clip(corner);
      refused = 0;
      corner = links[next].next;  // skips one: ears in a row would form a fan of slivers
    } else {
      ++refused;
      corner = next;
    }
  }
  for (uint32_t k = links[first].next; links[k].next != first; k = links[k].next)
    triangles.emplace_back(first, k, links[k].next);
  result.overlap = do_overlap(triangles, flat, corners);
  return result;
}

std::string overlap_warning(size_t faces) {
  return fmt::format("{}: {} into triangles that overlap",
                     faces == 1 ? "the outline of a face crosses itself"
                                : fmt::format("the outlines of {} faces cross themselves", faces),
                     faces == 1 ? "it is cut" : "they are cut");
}

}  // namespace winnow
