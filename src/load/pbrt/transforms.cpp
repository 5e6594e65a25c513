// SPDX-License-Identifier: MIT
#include "load/pbrt/transforms.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <optional>

#include "base/one_line.h"

namespace winnow {
namespace {

glm::dvec3 numbers_at(const PbrtStatement& statement, size_t first) {
  const auto& n = statement.numbers;
  return {n[first], n[first + 1], n[first + 2]};
}

/// Returns the transform from the world to a camera at `eye`, with x to the right, y up and z in
/// front.
glm::dmat4 look_at(const PbrtStatement& statement) {
  const glm::dvec3 eye = numbers_at(statement, 0), target = numbers_at(statement, 3),
                   up = numbers_at(statement, 6);
  const glm::dvec3 forward = glm::normalize(target - eye);
  const glm::dvec3 right = glm::normalize(glm::cross(glm::normalize(up), forward));
  if (!std::isfinite(right.x + right.y + right.z))
    fail_at(statement.place, "expected a LookAt of two points and another direction upward");
  const glm::dvec3 above = glm::cross(forward, right);
  return glm::inverse(glm::dmat4(glm::dvec4(right, 0.0), glm::dvec4(above, 0.0),
                                 glm::dvec4(forward, 0.0), glm::dvec4(eye, 1.0)));
}

/// Reads sixteen numbers, columns first.
glm::dmat4 matrix_of(const PbrtStatement& statement) {
  glm::dmat4 matrix;
  for (int i = 0; i < 16; ++i) matrix[i / 4][i % 4] = double(statement.numbers[size_t(i)]);
  const double w = matrix[3].w;
  if (matrix[0].w != 0.0 || matrix[1].w != 0.0 || matrix[2].w != 0.0 || w == 0.0)
    fail_at(statement.place, "expected an affine matrix: its fourth row is 0 0 0 1");
  if (w != 1.0) matrix = glm::dmat4(matrix[0] / w, matrix[1] / w, matrix[2] / w, matrix[3] / w);
  return matrix;
}

glm::dmat4 rotation_of(const PbrtStatement& statement) {
  const glm::dvec3 axis = numbers_at(statement, 1);
  if (!(glm::length(axis) > 0.0)) fail_at(statement.place, "expected an axis of a length above 0");
  return glm::rotate(glm::dmat4(1.0), glm::radians(double(statement.numbers[0])),
                     glm::normalize(axis));
}

/// Returns the current transformation matrix after a statement; nothing for other kinds of
/// statements.
std::optional<glm::dmat4> transformed(const PbrtStatement& statement, const glm::dmat4& ctm,
                                      const PbrtSystems& systems) {
  const std::string_view directive = statement.directive;
  if (directive == "Identity") return glm::dmat4(1.0);
  if (directive == "Translate") return glm::translate(ctm, numbers_at(statement, 0));
  if (directive == "Scale") return glm::scale(ctm, numbers_at(statement, 0));
  if (directive == "Rotate") return ctm * rotation_of(statement);
  if (directive == "LookAt") return ctm * look_at(statement);
  if (directive == "Transform") return matrix_of(statement);
  if (directive == "ConcatTransform") return ctm * matrix_of(statement);
  if (directive != "CoordSysTransform") return {};
  const auto known = systems.find(statement.strings[0]);
  if (known == systems.end())
    fail_at(statement.place,
            fmt::format("the coordinate system {} is unknown", in_quotes(statement.strings[0])));
  return known->second;
}

}  // namespace

bool apply_pbrt_transform(const PbrtStatement& statement, PbrtState& state, PbrtSystems& systems) {
  if (statement.directive == "CoordinateSystem") {
    systems[statement.strings[0]] = state.ctm;
    return true;
  }
  const std::optional<glm::dmat4> changed = transformed(statement, state.ctm, systems);
  if (!changed) return false;
  if (state.is_start_active) state.ctm = *changed;
  return true;
}

}  // namespace winnow
