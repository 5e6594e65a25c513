#pragma once

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace winnow {

/// Fails unless two points or directions are as near to each other as `tolerance`.
inline void expect_near(glm::vec3 value, glm::vec3 expected, float tolerance = 1e-5f) {
  EXPECT_LT(glm::length(value - expected), tolerance)
      << value.x << " " << value.y << " " << value.z << " instead of " << expected.x << " "
      << expected.y << " " << expected.z;
}

}  // namespace winnow
