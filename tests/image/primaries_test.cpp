// SPDX-License-Identifier: MIT
#include "image/primaries.h"

#include <gtest/gtest.h>

#include "tests/support/expect_near.h"

namespace winnow {
namespace {

constexpr Primaries kRec2020{{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, {0.3127, 0.3290}};
constexpr Primaries kAces{{0.7347, 0.2653}, {0.0, 1.0}, {0.0001, -0.077}, {0.32168, 0.33767}};

TEST(Primaries, OfRec709ChangeNothing) {
  for (int i = 0; i < 3; ++i) {
    glm::vec3 unit(0.0f);
    unit[i] = 1.0f;
    expect_near(*to_rec709(kRec709) * unit, unit, 1e-6f);
  }
}

// ITU-R BT.2407 gives the matrix from Rec. 2020.
TEST(Primaries, OfRec2020BecomeThoseOfItsReport) {
  const glm::mat3 matrix = *to_rec709(kRec2020);
  expect_near(matrix[0], {1.6605f, -0.1246f, -0.0182f}, 2e-4f);
  expect_near(matrix[1], {-0.5876f, 1.1329f, -0.1006f}, 2e-4f);
  expect_near(matrix[2], {-0.0728f, -0.0083f, 1.1187f}, 2e-4f);
}

TEST(Primaries, KeepWhite) {
  for (const Primaries& space : {kRec2020, kAces})
    expect_near(*to_rec709(space) * glm::vec3(1.0f), glm::vec3(1.0f), 1e-5f);
}

TEST(Primaries, OnALineAreNone) {
  EXPECT_FALSE(to_rec709({{0.1, 0.1}, {0.2, 0.2}, {0.3, 0.3}, {0.3127, 0.3290}}));
  EXPECT_FALSE(to_rec709({{0, 0}, {0, 0}, {0, 0}, {0, 0}}));
  EXPECT_FALSE(to_rec709({{0.64, 0.33}, {0.3, 0.6}, {0.15, 0.06}, {NAN, 0.3}}));
}

}  // namespace
}  // namespace winnow
