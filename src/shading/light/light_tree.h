// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/bounds.h"
#include "math/constants.h"

namespace winnow {

// A tree over all local lights. Sampling descends from the root and chooses between two children by
// their importance for a point: a bound on the light that reaches it, from intensity, distance,
// angle of emission and angle of incidence.
// Conty Estevez & Kulla, "Importance Sampling of Many Lights with Adaptive Tree Splitting", 2018;
// without the splitting.

/// A light, or a cluster of them, bounded by a sphere and a cone of normals.
struct LightNode {
  static constexpr uint32_t kLeaf = 1u << 31, kTwoSided = 1u << 30;

  glm::vec3 center{0.0f};            ///< m
  float radius = 0.0f;               ///< m
  glm::vec3 axis{0.0f, 0.0f, 1.0f};  ///< unit length
  float intensity = 0.0f;            ///< W sr^-1 of luminance, in the brightest direction
  float cos_spread = -1.0f;          ///< cosine of the largest angle from axis to normals; -1: any
  float cos_emission = 0.0f;         ///< cosine of the largest angle between a normal and its light
  uint32_t child_or_light = 0;  ///< index of the first of two children or of the light, and flags

  SIMT_HOST_DEVICE bool is_leaf() const { return child_or_light & kLeaf; }
  SIMT_HOST_DEVICE bool is_two_sided() const { return child_or_light & kTwoSided; }
  SIMT_HOST_DEVICE uint32_t index() const { return child_or_light & ~(kLeaf | kTwoSided); }
};

/// An angle in [0, pi].
struct Angle {
  float cosine = 1.0f, sine = 0.0f;

  SIMT_HOST_DEVICE static Angle of_cosine(float cosine) {
    return {cosine, std::sqrt(glm::max(1.0f - cosine * cosine, 0.0f))};
  }
};

/// Returns max(a - b, 0).
SIMT_HOST_DEVICE inline Angle minus(Angle a, Angle b) {
  if (a.cosine >= b.cosine) return {};
  return {a.cosine * b.cosine + a.sine * b.sine, a.sine * b.cosine - a.cosine * b.sine};
}

/// m^2, lower bound of the squared distance that intensity is divided by.
inline constexpr float kMinLightDistance2 = 1e-12f;

struct LightImportance {
  float unoriented = 0.0f;  ///< importance for a surface of any orientation
  float oriented = 0.0f;    ///< importance for the surface with its normal
};

/// @param from  m, the point for which light is sampled
/// @param n     see choose_light()
SIMT_HOST_DEVICE inline LightImportance light_importance(const LightNode& node, glm::vec3 from,
                                                         glm::vec3 n) {
  const glm::vec3 to_center = node.center - from;
  const float distance2 = glm::dot(to_center, to_center), radius2 = node.radius * node.radius;
  const bool has_no_normal = n == glm::vec3(0.0f);
  if (!(distance2 > radius2)) {  // the point is inside the bounds
    const float importance = node.intensity / glm::max(radius2, kMinLightDistance2);
    return {importance, importance};
  }
  const glm::vec3 wi = to_center / std::sqrt(distance2);
  const float sine2 = radius2 / distance2;
  const Angle half_width{std::sqrt(1.0f - sine2), std::sqrt(sine2)};

  float cos_at_light = -glm::dot(node.axis, wi);
  if (node.is_two_sided()) cos_at_light = std::abs(cos_at_light);
  const Angle off_axis =
      minus(minus(Angle::of_cosine(cos_at_light), Angle::of_cosine(node.cos_spread)), half_width);
  if (off_axis.cosine <= node.cos_emission) return {};
  LightImportance importance;
  importance.unoriented = node.intensity * off_axis.cosine / distance2;
  if (has_no_normal) {
    importance.oriented = importance.unoriented;
  } else {
    const Angle incidence = minus(Angle::of_cosine(glm::dot(n, wi)), half_width);
    importance.oriented = importance.unoriented * glm::max(incidence.cosine, 0.0f);
  }
  return importance;
}

struct ChosenLight {
  uint32_t light = 0;
  float pmf = 0.0f;      ///< 0: no light
  float mis_pmf = 0.0f;  ///< probability of the same choice without the normal
  float rest = 0.0f;     ///< remainder of the uniforms after the choices, uniform in [0, 1)
};

/// Chooses a light of the tree. Takes O(depth).
///
/// @param tree  at least one node; the first is the root
/// @param from  m, the point for which light is sampled
/// @param n     geometric normal there, on the side that receives light; zero for both sides
/// @param u     two independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline ChosenLight choose_light(simt::Span<const LightNode> tree, glm::vec3 from,
                                                 glm::vec3 n, glm::vec2 u) {
  // Each choice consumes bits of a uniform. After half of its 24, the second uniform is used.
  constexpr float kHalfOfBits = 0x1p-12f;
  ChosenLight choice{.pmf = 1.0f, .mis_pmf = 1.0f};
  float rest = u.x;
  bool is_second = false;
  uint32_t node = 0;
  while (!tree[node].is_leaf()) {
    const uint32_t first = tree[node].index();
    const LightImportance a = light_importance(tree[first], from, n);
    const LightImportance b = light_importance(tree[first + 1], from, n);
    const float sum = a.oriented + b.oriented, unoriented = a.unoriented + b.unoriented;
    if (!(sum > 0.0f && sum <= kMaxFloat && unoriented <= kMaxFloat)) return {};
    const float p_first = a.oriented / sum;
    const bool is_first = rest < p_first;
    rest = is_first ? rest / p_first : (rest - p_first) / (1.0f - p_first);
    rest = glm::min(rest, kOneMinusEpsilon);
    choice.pmf *= is_first ? p_first : 1.0f - p_first;
    choice.mis_pmf *= (is_first ? a.unoriented : b.unoriented) / unoriented;
    node = is_first ? first : first + 1;
    if (!is_second && choice.pmf < kHalfOfBits) {
      rest = u.y;
      is_second = true;
    }
  }
  choice.light = tree[node].index();
  choice.rest = rest;
  return choice;
}

/// Returns ChosenLight::mis_pmf of a light. Takes O(depth).
///
/// @param trail  bit i is the child, 0 or 1, that leads to the light at depth i
SIMT_HOST_DEVICE inline float light_choice_pmf(simt::Span<const LightNode> tree, uint32_t trail,
                                               glm::vec3 from) {
  float pmf = 1.0f;
  uint32_t node = 0;
  for (; !tree[node].is_leaf(); trail >>= 1) {
    const uint32_t first = tree[node].index();
    const float a = light_importance(tree[first], from, glm::vec3(0.0f)).unoriented;
    const float b = light_importance(tree[first + 1], from, glm::vec3(0.0f)).unoriented;
    if (!(a + b > 0.0f && a + b <= kMaxFloat)) return 0.0f;
    pmf *= (trail & 1 ? b : a) / (a + b);
    node = first + (trail & 1);
  }
  return pmf;
}

/// Bounds of the positions and directions of emission of some lights.
struct LightBounds {
  Bounds box;
  glm::vec3 axis{0.0f, 0.0f, 1.0f};  ///< unit length
  float spread = kPi;                ///< radians, largest angle between axis and normals
  float emission = 0.5f * kPi;       ///< radians, largest angle between a normal and emitted light
  float intensity = 0.0f;            ///< W sr^-1 of luminance
  bool two_sided = false;            ///< whether the lights also emit about -axis
};

struct Light;

/// Builds the tree over lights and writes Light::trail. Takes O(n log n).
///
/// @param bounds  [light]
std::vector<LightNode> build_light_tree(const std::vector<LightBounds>& bounds,
                                        std::vector<Light>& lights);

}  // namespace winnow
