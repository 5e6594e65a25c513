// SPDX-License-Identifier: MIT
#include "image/agx.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "image/srgb.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

struct AgxValue {
  glm::vec3 radiance, shown;  ///< shown: encoded for an sRGB display
};

/// Measured with Blender 5.3.0: a float image, saved through the view transform AgX as a PNG of 16
/// bits. Blender 4.5.15 gives the same values.
const std::vector<AgxValue> kOfBlender = {
    {{0.0f, 0.0f, 0.0f}, {0.0000f, 0.0000f, 0.0000f}},
    {{0.001f, 0.001f, 0.001f}, {0.0033f, 0.0033f, 0.0033f}},
    {{0.01f, 0.01f, 0.01f}, {0.0725f, 0.0725f, 0.0725f}},
    {{0.05f, 0.05f, 0.05f}, {0.2272f, 0.2272f, 0.2272f}},
    {{0.18f, 0.18f, 0.18f}, {0.4613f, 0.4613f, 0.4614f}},
    {{0.5f, 0.5f, 0.5f}, {0.6652f, 0.6652f, 0.6652f}},
    {{1.0f, 1.0f, 1.0f}, {0.7710f, 0.7710f, 0.7710f}},
    {{4.0f, 4.0f, 4.0f}, {0.9137f, 0.9137f, 0.9137f}},
    {{16.0f, 16.0f, 16.0f}, {0.9986f, 0.9986f, 0.9986f}},
    {{1.0f, 0.0f, 0.0f}, {0.8580f, 0.2241f, 0.1292f}},
    {{0.0f, 1.0f, 0.0f}, {0.4325f, 0.7726f, 0.3184f}},
    {{0.0f, 0.0f, 1.0f}, {0.0791f, 0.3376f, 0.8215f}},
    {{1.0f, 1.0f, 0.0f}, {0.7821f, 0.7566f, 0.4238f}},
    {{0.0f, 1.0f, 1.0f}, {0.5260f, 0.7742f, 0.7763f}},
    {{1.0f, 0.0f, 1.0f}, {0.7904f, 0.4578f, 0.7914f}},
    {{0.05f, 0.0f, 0.0f}, {0.2032f, 0.0035f, 0.0000f}},
    {{0.0f, 0.05f, 0.0f}, {0.0240f, 0.2083f, 0.0000f}},
    {{0.0f, 0.0f, 0.05f}, {0.0000f, 0.0467f, 0.2084f}},
    {{8.0f, 0.0f, 0.0f}, {1.0000f, 0.7093f, 0.6710f}},
    {{0.0f, 8.0f, 0.0f}, {0.8127f, 0.9666f, 0.7700f}},
    {{0.0f, 0.0f, 8.0f}, {0.6615f, 0.7340f, 0.9980f}},
    {{0.2f, 0.5f, 2.0f}, {0.5901f, 0.6936f, 0.8780f}},
    {{8.0f, 1.0f, 0.1f}, {1.0000f, 0.7917f, 0.7193f}},
    {{0.8f, 0.05f, 0.05f}, {0.8022f, 0.3117f, 0.2716f}},
    {{0.3f, 0.6f, 0.2f}, {0.5847f, 0.6868f, 0.5108f}},
    {{0.02f, 0.3f, 0.11f}, {0.1899f, 0.5585f, 0.3636f}},
    {{100.0f, 100.0f, 100.0f}, {1.0f, 1.0f, 1.0f}},
    {{65536.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}},
};

TEST(AgxCurve, IsThatOfBlender) {
  constexpr float kError = 1.5e-4f;  // a twenty-fifth of 1/255; the values have four digits
  for (const AgxValue& value : kOfBlender) {
    const glm::vec3 shown = agx_curve(value.radiance);
    const glm::vec3 encoded(srgb_from_linear(shown.x), srgb_from_linear(shown.y),
                            srgb_from_linear(shown.z));
    SCOPED_TRACE(testing::Message()
                 << value.radiance.x << " " << value.radiance.y << " " << value.radiance.z);
    expect_near(encoded, value.shown, kError);
  }
}

TEST(AgxCurve, StaysWithinTheDisplay) {
  for (float stops = -20.0f; stops <= 16.0f; stops += 0.37f)
    for (glm::vec3 color : {glm::vec3(1, 0, 0), glm::vec3(0, 1, 0.2f), glm::vec3(0.5f, 0.5f, 1)}) {
      const glm::vec3 shown = agx_curve(std::exp2(stops) * color);
      for (int channel = 0; channel < 3; ++channel) {
        EXPECT_GE(shown[channel], 0.0f);
        EXPECT_LE(shown[channel], 1.0f + 1e-5f);
      }
    }
}

}  // namespace
}  // namespace winnow
