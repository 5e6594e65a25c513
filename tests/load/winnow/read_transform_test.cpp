// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <glm/vec3.hpp>

#include "load/winnow/read_parts.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

glm::vec3 moved(const std::string& steps, glm::vec3 p) {
  nlohmann::json document = nlohmann::json::parse("{\"transform\": " + steps + "}");
  std::string file = "s.json";
  return glm::vec3(read_transform(JsonReader(document, file)) * glm::vec4(p, 1.0f));
}

TEST(ReadTransform, AppliesOneStep) {
  expect_near(moved("[]", {1, 2, 3}), {1, 2, 3});
  expect_near(moved(R"([{"translate": [1, -2, 3]}])", {1, 1, 1}), {2, -1, 4});
  expect_near(moved(R"([{"scale": 2}])", {1, 2, 3}), {2, 4, 6});
  expect_near(moved(R"([{"scale": [1, -2, 3]}])", {1, 1, 1}), {1, -2, 3});
  // A quarter turn about +y takes +z to +x.
  expect_near(moved(R"([{"rotate": {"axis": [0, 5, 0], "angle": 90}}])", {0, 7, 1}), {1, 7, 0});
  expect_near(moved(R"([{"rotate": {"axis": [1, 1, 1], "angle": 120}}])", {1, 2, 3}), {3, 1, 2});
  expect_near(
      moved(R"([{"matrix": [[1, 2, 3, 4], [0, 1, 0, 5], [0, 0, 1, 6], [0, 0, 0, 1]]}])", {1, 1, 1}),
      {10, 6, 7});
}

TEST(ReadTransform, AppliesTheStepsInTheirOrder) {
  expect_near(moved(R"([{"scale": 2}, {"translate": [1, 0, 0]}])", {1, 0, 0}), {3, 0, 0});
  expect_near(moved(R"([{"translate": [1, 0, 0]}, {"scale": 2}])", {1, 0, 0}), {4, 0, 0});
  expect_near(moved(R"([{"translate": [0, 0, 1]}, {"rotate": {"axis": [0, 1, 0], "angle": 90}},
                        {"scale": [3, 1, 1]}])",
                    {0, 0, 0}),
              {3, 0, 0});
}

}  // namespace
}  // namespace winnow
