#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/constants.h"

namespace winnow {

// A tree over all lights that have a place. From its root down, one of two children is chosen by
// how much light it may send to the point at most: by intensity, distance, and the angles at which
// it shines and at which the surface sees it.
// Conty Estevez & Kulla, "Importance Sampling of Many Lights with Adaptive Tree Splitting", 2018;
// without the splitting.

/// A light, or some that lie together: in a sphere, shining into a cone about an axis.
struct LightNode {
  static constexpr uint32_t kLeaf = 1u << 31, kTwoSided = 1u << 30;

  glm::vec3 center{0.0f};            ///< m
  float radius = 0.0f;               ///< m
  glm::vec3 axis{0.0f, 0.0f, 1.0f};  ///< unit length
  float intensity = 0.0f;            ///< W sr^-1 of luminance, in the brightest direction
  float cos_spread = -1.0f;          ///< of the normals about the axis; -1: any
  float cos_emission = 0.0f;         ///< of the angle about each normal up to which there is light
  uint32_t child_or_light =
      0;  ///< first of two children, or number of the light; and kLeaf, kTwoSided

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

/// a - b, at least 0.
SIMT_HOST_DEVICE inline Angle minus(Angle a, Angle b) {
  if (a.cosine >= b.cosine) return {};
  return {a.cosine * b.cosine + a.sine * b.sine, a.sine * b.cosine - a.cosine * b.sine};
}

/// The least square of a distance, m^2, that intensity is divided by: no light is nearer.
inline constexpr float kMinSquare = 1e-12f;

/// How much light may come from a node.
struct LightImportance {
  float anywhere = 0.0f;  ///< to a surface that faces it
  float here = 0.0f;      ///< to the surface
};

/// @param from  m, the point to be lit
/// @param n     see choose_light
SIMT_HOST_DEVICE inline LightImportance light_importance(const LightNode& node, glm::vec3 from,
                                                         glm::vec3 n) {
  const glm::vec3 to_center = node.center - from;
  const float distance2 = glm::dot(to_center, to_center), radius2 = node.radius * node.radius;
  const bool faces_any_way = n == glm::vec3(0.0f);
  if (!(distance2 > radius2)) {  // it may be anywhere
    const float importance = node.intensity / glm::max(radius2, kMinSquare);
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
  importance.anywhere = node.intensity * off_axis.cosine / distance2;
  if (faces_any_way) {
    importance.here = importance.anywhere;
  } else {
    const Angle incidence = minus(Angle::of_cosine(glm::dot(n, wi)), half_width);
    importance.here = importance.anywhere * glm::max(incidence.cosine, 0.0f);
  }
  return importance;
}

/// A light, and how likely it was to be chosen.
struct ChosenLight {
  uint32_t light = 0;
  float pmf = 0.0f;      ///< 0: none
  float mis_pmf = 0.0f;  ///< had the surface not been known, only the point
};

/// Chooses a light of the tree.
///
/// @param tree  at least one node; the first is the root
/// @param from  m, the point to be lit
/// @param n     geometric normal there, on the side that light comes from; zero if it comes from
///              both
/// @param u     two independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline ChosenLight choose_light(simt::Span<const LightNode> tree, glm::vec3 from,
                                                 glm::vec3 n, glm::vec2 u) {
  // Each choice uses up digits of its uniform. When half of its 24 are gone, the other one follows.
  constexpr float kHalfGone = 0x1p-12f;
  ChosenLight choice{.pmf = 1.0f, .mis_pmf = 1.0f};
  float rest = u.x;
  bool is_second = false;
  uint32_t node = 0;
  while (!tree[node].is_leaf()) {
    const uint32_t first = tree[node].index();
    const LightImportance a = light_importance(tree[first], from, n);
    const LightImportance b = light_importance(tree[first + 1], from, n);
    const float here = a.here + b.here, anywhere = a.anywhere + b.anywhere;
    if (!(here > 0.0f && here <= kMaxFloat && anywhere <= kMaxFloat)) return {};
    const float chance = a.here / here;
    const bool is_first = rest < chance;
    rest = is_first ? rest / chance : (rest - chance) / (1.0f - chance);
    rest = glm::min(rest, kOneMinusEpsilon);
    choice.pmf *= is_first ? chance : 1.0f - chance;
    choice.mis_pmf *= (is_first ? a.anywhere : b.anywhere) / anywhere;
    node = is_first ? first : first + 1;
    if (!is_second && choice.pmf < kHalfGone) {
      rest = u.y;
      is_second = true;
    }
  }
  choice.light = tree[node].index();
  return choice;
}

/// ChosenLight::mis_pmf of a light.
///
/// @param trail  bit i says which child is the way to it on level i
SIMT_HOST_DEVICE inline float light_choice_pmf(simt::Span<const LightNode> tree, uint32_t trail,
                                               glm::vec3 from) {
  float pmf = 1.0f;
  uint32_t node = 0;
  for (; !tree[node].is_leaf(); trail >>= 1) {
    const uint32_t first = tree[node].index();
    const float a = light_importance(tree[first], from, glm::vec3(0.0f)).anywhere;
    const float b = light_importance(tree[first + 1], from, glm::vec3(0.0f)).anywhere;
    if (!(a + b > 0.0f && a + b <= kMaxFloat)) return 0.0f;
    pmf *= (trail & 1 ? b : a) / (a + b);
    node = first + (trail & 1);
  }
  return pmf;
}

}  // namespace winnow
