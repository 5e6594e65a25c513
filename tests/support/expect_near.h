// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace winnow {

/// Expects the distance between two points or directions to be below `tolerance`.
inline void expect_near(glm::vec3 value, glm::vec3 expected, float tolerance = 1e-5f) {
  EXPECT_LT(glm::length(value - expected), tolerance)
      << value.x << " " << value.y << " " << value.z << ", expected " << expected.x << " "
      << expected.y << " " << expected.z;
}

}  // namespace winnow
