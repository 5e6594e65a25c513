// SPDX-License-Identifier: MIT
#include "math/between_transforms.h"

#include <cmath>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

namespace winnow {
namespace {

/// A linear map as a rotation and a scale, which may shear and mirror: linear = rotation * scale.
struct TurnAndScale {
  glm::dquat turn;
  glm::dmat3 scale;

  explicit TurnAndScale(const glm::dmat3& linear) {
    constexpr int kMaxSteps = 100;
    constexpr double kEnough = 1e-14;
    // The mean of a matrix and its inverse transpose, which a rotation equals, approaches the
    // nearest rotation.
    glm::dmat3 rotation = linear;
    for (int i = 0; i < kMaxSteps; ++i) {
      const glm::dmat3 next = 0.5 * (rotation + glm::inverse(glm::transpose(rotation)));
      const glm::dmat3 change = next - rotation;
      rotation = next;
      if (glm::dot(change[0], change[0]) + glm::dot(change[1], change[1]) +
              glm::dot(change[2], change[2]) <
          kEnough)
        break;
    }
    if (glm::determinant(rotation) < 0.0) rotation = -rotation;
    turn = glm::normalize(glm::quat_cast(rotation));
    scale = glm::transpose(glm::mat3_cast(turn)) * linear;
  }
};

double determinant_of(const glm::dmat4& transform) {
  return glm::determinant(glm::dmat3(transform));
}

}  // namespace

glm::dmat4 between_transforms(const glm::dmat4& from, const glm::dmat4& to, double t) {
  if (from == to || t == 0.0) return from;
  if (t == 1.0 || determinant_of(from) == 0.0 || determinant_of(to) == 0.0) return to;
  const TurnAndScale first((glm::dmat3(from))), last((glm::dmat3(to)));
  const glm::dmat3 scale = (1.0 - t) * first.scale + t * last.scale;
  glm::dmat4 between(glm::mat3_cast(glm::slerp(first.turn, last.turn, t)) * scale);
  between[3] = glm::mix(from[3], to[3], t);
  return between;
}

bool is_ambiguous_motion(const glm::dmat4& from, const glm::dmat4& to) {
  constexpr double kHalfTurn = 1e-4;  // cosine of half of the angle, which is within 0.012 degrees
  if (!(determinant_of(from) * determinant_of(to) > 0.0)) return true;
  const TurnAndScale first((glm::dmat3(from))), last((glm::dmat3(to)));
  return std::abs(glm::dot(first.turn, last.turn)) < kHalfTurn;
}

}  // namespace winnow
