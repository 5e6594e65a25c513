// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "image/image.h"

namespace winnow {

/// Expects a PNG and an EXR of one white object, where light is 1 everywhere, to hold the same
/// coverage: straight alpha in the PNG, colours multiplied by it in the EXR. The object covers the
/// middle and leaves the first pixel free.
inline void expect_same_coverage(const Image& png, const Image& exr) {
  const size_t pixels = size_t(exr.width) * exr.height;
  ASSERT_EQ(exr.alpha.size(), pixels);
  ASSERT_EQ(png.alpha.size(), pixels);
  size_t partly = 0;
  double light = 0.0, covered = 0.0;
  for (size_t i = 0; i < pixels; ++i) {
    EXPECT_NEAR(png.alpha[i], exr.alpha[i], 0.501f / 255.0f);
    light += exr.pixels[i].x, covered += exr.alpha[i];
    partly += exr.alpha[i] > 0.0f && exr.alpha[i] < 1.0f;
    if (exr.alpha[i] == 0.0f) {
      EXPECT_EQ(exr.pixels[i], glm::vec3(0.0f));
    } else {
      EXPECT_NEAR(png.pixels[i].x, std::min(exr.pixels[i].x / exr.alpha[i], 1.0f), 0.01f);
    }
  }
  EXPECT_NEAR(light / covered, 1.0, 0.05) << "light is 1 everywhere";
  EXPECT_EQ(exr.alpha.front(), 0.0f);
  EXPECT_EQ(exr.alpha[pixels / 2 + exr.width / 2], 1.0f);
  EXPECT_GT(partly, 4u);
}

}  // namespace winnow
