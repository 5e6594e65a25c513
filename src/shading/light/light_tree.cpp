// SPDX-License-Identifier: MIT
#include "shading/light/light_tree.h"

#include <oneapi/tbb/parallel_invoke.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <span>

#include "shading/light/light.h"

namespace winnow {
namespace {

constexpr int kBuckets = 12;
constexpr uint32_t kTrailBits = 32;
constexpr size_t kMinTaskSize = 1024;  // lights; such a task takes about ten milliseconds

struct Cone {
  glm::vec3 axis;
  float spread;  // radians
};

/// Returns a narrow cone that contains both.
Cone cone_around(Cone a, Cone b) {
  const float apart = std::acos(glm::clamp(glm::dot(a.axis, b.axis), -1.0f, 1.0f));
  if (std::min(apart + b.spread, kPi) <= a.spread) return a;
  if (std::min(apart + a.spread, kPi) <= b.spread) return b;
  const float spread = 0.5f * (a.spread + apart + b.spread);
  const glm::vec3 across = b.axis - glm::dot(a.axis, b.axis) * a.axis;
  const float length = glm::length(across);
  if (spread >= kPi || !(length > 0.0f)) return {a.axis, kPi};
  const float turn = spread - a.spread;  // from the axis of a towards that of b
  return {glm::normalize(std::cos(turn) * a.axis + std::sin(turn) * (across / length)), spread};
}

/// Returns the bounds of both. Bounds without lights have no intensity.
LightBounds bounds_of_both(const LightBounds& a, const LightBounds& b) {
  if (a.intensity == 0.0f) return b;
  if (b.intensity == 0.0f) return a;
  LightBounds both = a;
  both.box.extend(b.box.min);
  both.box.extend(b.box.max);
  // The normal of a two-sided light may be reversed.
  const bool turned = b.two_sided && glm::dot(a.axis, b.axis) < 0.0f;
  const Cone cone = cone_around({a.axis, a.spread}, {turned ? -b.axis : b.axis, b.spread});
  both.axis = cone.axis;
  both.spread = cone.spread;
  both.emission = std::max(a.emission, b.emission);
  both.intensity = a.intensity + b.intensity;
  both.two_sided = a.two_sided || b.two_sided;
  return both;
}

/// Returns the solid angle of emission, weighted by the cosine to the nearest normal; M_Omega of
/// the paper.
double orientation_measure(const LightBounds& bounds) {
  const double spread = bounds.spread, end = std::min(spread + bounds.emission, double(kPi));
  return kTwoPi * (1.0 - std::cos(spread)) +
         0.5 * kPi *
             (2.0 * end * std::sin(spread) - std::cos(spread - 2.0 * end) -
              2.0 * spread * std::sin(spread) + std::cos(spread));
}

double half_area(const Bounds& box) {
  const glm::dvec3 size(box.size());
  return 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
}

class LightTreeBuilder {
 public:
  LightTreeBuilder(const std::vector<LightBounds>& bounds, std::vector<Light>& lights)
      : bounds_(bounds), lights_(lights) {}

  std::vector<LightNode> build() {
    std::vector<uint32_t> all(bounds_.size());
    std::iota(all.begin(), all.end(), 0u);
    nodes_.resize(2 * all.size() - 1);
    build_node({.node = 0, .free = 1, .depth = 0, .trail = 0}, all);
    return std::move(nodes_);
  }

 private:
  using Lights = std::span<uint32_t>;

  /// Position of a subtree in `nodes_`: its root, and 2 n - 2 nodes below it for n lights.
  struct Subtree {
    uint32_t node, free;  // index of the root, and of the first node below it
    uint32_t depth, trail;
  };

  LightBounds build_node(Subtree subtree, Lights lights) {
    if (lights.size() == 1) {
      lights_[lights[0]].trail = subtree.trail;
      const LightBounds& bounds = bounds_[lights[0]];
      nodes_[subtree.node] = make_node(bounds, LightNode::kLeaf | lights[0]);
      return bounds;
    }
    const size_t middle = split(lights, subtree.depth);
    const uint32_t first = subtree.free;
    LightBounds a, b;
    auto build_first = [&] {
      a = build_node({first, first + 2, subtree.depth + 1, subtree.trail}, lights.first(middle));
    };
    auto build_second = [&] {
      b = build_node({first + 1, first + 2 * uint32_t(middle), subtree.depth + 1,
                      subtree.trail | 1u << subtree.depth},
                     lights.subspan(middle));
    };
    if (lights.size() >= kMinTaskSize) {
      oneapi::tbb::parallel_invoke(build_first, build_second);
    } else {
      build_first();
      build_second();
    }
    const LightBounds both = bounds_of_both(a, b);
    nodes_[subtree.node] = make_node(both, first);
    return both;
  }

  static LightNode make_node(const LightBounds& bounds, uint32_t child_or_light) {
    // Rounding must not move a light out of its sphere.
    constexpr float kMargin = 1.0f + 1e-5f;
    return {.center = bounds.box.center(),
            .radius = kMargin * 0.5f * glm::length(bounds.box.size()),
            .axis = bounds.axis,
            .intensity = bounds.intensity,
            .cos_spread = std::cos(bounds.spread),
            .cos_emission = std::cos(std::min(bounds.emission, kPi)),
            .child_or_light = child_or_light | (bounds.two_sided ? LightNode::kTwoSided : 0u)};
  }

  /// Partitions the lights and returns the size of the first part.
  size_t split(Lights lights, uint32_t depth) {
    // Trails have kTrailBits bits: close to that depth, only halving is safe.
    const auto halvings = uint32_t(std::bit_width(lights.size()));
    if (depth + halvings + 1 < kTrailBits)
      if (const size_t middle = split_at_least_cost(lights)) return middle;
    return split_in_halves(lights);
  }

  /// Partitions the lights by the plane of least cost. Returns 0 if no plane separates them.
  size_t split_at_least_cost(Lights lights) {
    Bounds centers;
    Bounds box;
    for (uint32_t light : lights) {
      centers.extend(bounds_[light].box.center());
      box.extend(bounds_[light].box.min);
      box.extend(bounds_[light].box.max);
    }
    const glm::vec3 size = centers.size(), whole = box.size();
    const float longest = std::max({whole.x, whole.y, whole.z});
    double least = std::numeric_limits<double>::infinity();
    int best_axis = -1, best_bucket = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(size[axis] > 0.0f)) continue;
      std::array<LightBounds, kBuckets> buckets;
      for (uint32_t light : lights) {
        LightBounds& bucket = buckets[size_t(bucket_of(light, centers, axis))];
        bucket = bounds_of_both(bucket, bounds_[light]);
      }
      // Favors splits across the longest axis.
      const double shape = whole[axis] > 0.0f ? longest / whole[axis] : 1.0;
      std::array<double, kBuckets> below{};
      LightBounds sum;
      for (int i = 0; i + 1 < kBuckets; ++i) {
        sum = bounds_of_both(sum, buckets[size_t(i)]);
        below[size_t(i)] = cost(sum);
      }
      sum = {};
      for (int i = kBuckets - 1; i > 0; --i) {
        sum = bounds_of_both(sum, buckets[size_t(i)]);
        const double total = shape * (below[size_t(i - 1)] + cost(sum));
        if (total < least) {
          least = total;
          best_axis = axis;
          best_bucket = i;
        }
      }
    }
    if (best_axis < 0) return 0;
    const auto middle = std::partition(lights.begin(), lights.end(), [&](uint32_t light) {
      return bucket_of(light, centers, best_axis) < best_bucket;
    });
    const auto count = size_t(middle - lights.begin());
    return count == lights.size() ? 0 : count;
  }

  int bucket_of(uint32_t light, const Bounds& centers, int axis) const {
    const float share =
        (bounds_[light].box.center()[axis] - centers.min[axis]) / centers.size()[axis];
    return std::clamp(int(share * float(kBuckets)), 0, kBuckets - 1);
  }

  /// Returns the cost of a cluster by the paper's orientation heuristic: intensity, directions and
  /// surface area.
  static double cost(const LightBounds& bounds) {
    if (bounds.intensity == 0.0f) return 0.0;
    return bounds.intensity * orientation_measure(bounds) * half_area(bounds.box);
  }

  size_t split_in_halves(Lights lights) {
    Bounds centers;
    for (uint32_t light : lights) centers.extend(bounds_[light].box.center());
    const glm::vec3 size = centers.size();
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const auto middle = lights.begin() + std::ptrdiff_t(lights.size() / 2);
    std::nth_element(lights.begin(), middle, lights.end(), [&](uint32_t a, uint32_t b) {
      return bounds_[a].box.center()[axis] < bounds_[b].box.center()[axis];
    });
    return lights.size() / 2;
  }

  const std::vector<LightBounds>& bounds_;
  std::vector<Light>& lights_;
  std::vector<LightNode> nodes_;
};

}  // namespace

std::vector<LightNode> build_light_tree(const std::vector<LightBounds>& bounds,
                                        std::vector<Light>& lights) {
  return bounds.empty() ? std::vector<LightNode>{} : LightTreeBuilder(bounds, lights).build();
}

}  // namespace winnow
