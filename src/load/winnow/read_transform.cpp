// SPDX-License-Identifier: MIT
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"

namespace winnow {
namespace {

glm::mat4 read_rotation(const JsonReader& step) {
  constexpr Range kDegrees{-36000.0, 36000.0};
  step.expect_keys(scene_keys::kRotate);
  return glm::rotate(glm::mat4(1.0f), glm::radians(step.at("angle").number(kDegrees)),
                     step.at("axis").direction());
}

glm::mat4 read_matrix(const JsonReader& rows) {
  const char* kExpected = "four rows of four numbers";
  rows.expect_size(4, kExpected);
  glm::mat4 matrix(1.0f);
  for (int row = 0; row < 4; ++row) {
    JsonReader numbers = rows[size_t(row)];
    if (numbers.size(kExpected) != 4) numbers.fail("expected a row of four numbers");
    for (int column = 0; column < 4; ++column)
      matrix[column][row] = numbers[size_t(column)].number(kCoordinate);
  }
  if (glm::vec4(matrix[0][3], matrix[1][3], matrix[2][3], matrix[3][3]) != glm::vec4(0, 0, 0, 1))
    rows[3].fail("expected the last row [0, 0, 0, 1]; shapes cannot have a perspective transform");
  return matrix;
}

glm::mat4 read_step(const JsonReader& step) {
  step.expect_keys(scene_keys::kTransformSteps);
  if (step.keys().size() != 1)
    step.fail("expected exactly one of translate, rotate, scale, matrix in each step");
  if (auto by = step.find("translate")) return glm::translate(glm::mat4(1.0f), by->vector());
  if (auto by = step.find("rotate")) return read_rotation(*by);
  if (auto by = step.find("scale")) {
    glm::vec3 scale = by->color(kCoordinate);
    if (scale.x == 0.0f || scale.y == 0.0f || scale.z == 0.0f)
      by->fail("expected factors other than zero");
    return glm::scale(glm::mat4(1.0f), scale);
  }
  return read_matrix(step.at("matrix"));
}

}  // namespace

glm::mat4 read_transform(const JsonReader& shape) {
  std::optional<JsonReader> steps = shape.find("transform");
  return steps ? read_transform_steps(*steps) : glm::mat4(1.0f);
}

glm::mat4 read_transform_steps(const JsonReader& steps) {
  glm::mat4 transform(1.0f);
  for (size_t i = 0; i < steps.size("a list of steps"); ++i) {
    const glm::mat4 step = read_step(steps[i]);
    // A product with the identity would turn -0 into 0 and change the hash of a written scene.
    transform = i == 0 && steps[i].find("matrix") ? step : step * transform;
  }

  float determinant = glm::determinant(glm::mat3(transform));
  if (!std::isfinite(determinant) || std::abs(determinant) < 1e-30f)
    steps.fail("the combined matrix is singular; expected one with an inverse");
  return transform;
}

}  // namespace winnow
