// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cmath>
#include <glm/vec3.hpp>

#include "load/winnow/read_parts.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

glm::vec3 moved(const std::string& steps, glm::vec3 p, SceneMoment moment = {}) {
  nlohmann::json document = nlohmann::json::parse("{\"transform\": " + steps + "}");
  const std::string file = "s.json";
  return glm::vec3(read_transform(JsonReader(document, file), moment) * glm::vec4(p, 1.0f));
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

TEST(ReadTransform, MovesBetweenKeys) {
  const std::string slide = R"([{"motion": [[], [{"translate": [8, 0, 0]}], []]}])";
  for (const auto& [at, x] :
       {std::pair(0.0, 0.0f), {0.25, 4.0f}, {0.5, 8.0f}, {0.875, 2.0f}, {1.0, 0.0f}})
    expect_near(moved(slide, {0, 1, 2}, {.at = at}), {x, 1, 2});
  // A turn by 120 degrees keeps the distance, and steps apply in their order.
  const std::string turn = R"([{"translate": [1, 0, 0]},
      {"motion": [[], [{"rotate": {"axis": [0, 0, 1], "angle": 120}}]]}, {"scale": 2}])";
  expect_near(moved(turn, {0, 0, 0}, {.at = 0.25}), {std::sqrt(3.0f), 1, 0});
  // A rotation and a scale of different axes are interpolated by themselves.
  const std::string grow = R"([{"motion": [[], [{"scale": [3, 1, 1]},
      {"rotate": {"axis": [0, 0, 1], "angle": 90}}]]}])";
  expect_near(moved(grow, {1, 0, 0}, {.at = 0.5}), {std::sqrt(2.0f), std::sqrt(2.0f), 0});
}

std::string message_of_motion(const std::string& keys) {
  return message_of<Error>([&] { moved("[{\"motion\": " + keys + "}]", {}); });
}

TEST(ReadTransform, RefusesKeysBetweenWhichThereIsNoOneWay) {
  using testing::HasSubstr;
  const std::string path = "s.json: /transform/0/motion";
  EXPECT_THAT(message_of_motion("[[]]"), HasSubstr(path + ": expected 2 to 1025 keys"));
  std::string many = "[[]";
  for (int i = 0; i < 1'000'000; ++i) many += ",[]";
  EXPECT_THAT(message_of_motion(many + "]"), HasSubstr("found 1000001"));
  EXPECT_THAT(message_of_motion("[[], 3]"), HasSubstr(path + "/1: expected a list of steps"));
  EXPECT_THAT(message_of_motion(R"([[], [{"rotate": {"axis": [1, 2, 3], "angle": 180}}]])"),
              HasSubstr(path + "/1: turns by half a circle"));
  EXPECT_THAT(message_of_motion(R"([[], [{"scale": [1, -1, 1]}]])"), HasSubstr("or mirrors"));
  EXPECT_THAT(message_of_motion(R"([[{"scale": 1e-20}], []])"),
              HasSubstr(path + "/0: the combined matrix is singular"));
  EXPECT_THAT(message_of_motion(R"([[], [{"motion": [[], []]}]])"),
              HasSubstr(path + "/1/0/motion: nothing moves here"));
}

}  // namespace
}  // namespace winnow
