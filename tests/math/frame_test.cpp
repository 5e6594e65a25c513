// SPDX-License-Identifier: MIT
#include "math/frame.h"

#include <gtest/gtest.h>

#include "math/sampler.h"
#include "tests/support/expect_near.h"
#include "tests/support/sample_directions.h"

namespace winnow {
namespace {

std::vector<glm::vec3> unit_vectors() {
  std::vector<glm::vec3> vectors = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, -1, 0}, {1, 0, -0.0f}};
  vectors.push_back(glm::normalize(glm::vec3{1e-4f, -1e-4f, -1.0f}));
  vectors.push_back(glm::normalize(glm::vec3{1e-20f, 0.0f, -1.0f}));
  for (uint32_t i = 0; i < 1000; ++i)
    vectors.push_back(sample_uniform_sphere(Sampler{.sample = i}.sample4(0)));
  return vectors;
}

TEST(Frame, IsOrthonormalAndRightHanded) {
  for (glm::vec3 n : unit_vectors()) {
    SCOPED_TRACE(testing::Message() << n.x << " " << n.y << " " << n.z);
    Frame frame(n);
    EXPECT_EQ(frame.n, n);
    EXPECT_NEAR(glm::length(frame.s), 1.0f, 1e-6f);
    EXPECT_NEAR(glm::length(frame.t), 1.0f, 1e-6f);
    EXPECT_NEAR(glm::dot(frame.s, frame.t), 0.0f, 1e-6f);
    expect_near(glm::cross(frame.s, frame.t), n, 1e-6f);  // both are perpendicular to n
  }
}

TEST(Frame, ToWorldUndoesToLocal) {
  glm::vec3 w = glm::normalize(glm::vec3{0.3f, -0.8f, 0.2f});
  for (glm::vec3 n : unit_vectors()) {
    Frame frame(n);
    expect_near(frame.to_world(frame.to_local(w)), w, 1e-6f);
    expect_near(frame.to_local(n), {0.0f, 0.0f, 1.0f}, 1e-6f);
  }
}

}  // namespace
}  // namespace winnow
