// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "app/cli/scene_changes.h"
#include "image/image_io.h"
#include "shading/camera.h"
#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

TEST(View, HasTheHorizontalFieldOfViewThatIsAskedFor) {
  const View view{{1, 2, 3}, {0, 0, -2}, 90.0f};
  const Camera camera = make_camera(camera_of(view, {200, 100}), 200, 100);
  EXPECT_EQ(camera.position, glm::vec3(1, 2, 3));
  const glm::vec3 left = glm::normalize(camera.top_left + 50.0f * camera.pixel_y);
  const glm::vec3 right = glm::normalize(left + 200.0f * camera.pixel_x / std::sqrt(2.0f));
  EXPECT_NEAR(glm::dot(left, right), 0.0f, 1e-5f);
  EXPECT_NEAR(left.x, -std::sqrt(0.5f), 1e-5f);
}

class RenderWithAView : public WinnowTest {
 protected:
  /// Mean colour of what a camera in the middle of the Cornell box sees.
  glm::vec3 mean_color(const std::string& direction) {
    succeed({"render", kCornellBox, "--device", "cpu", "--quiet", "--size", "8x8", "--spp", "4",
             "--camera=0,1,0," + direction + ",40", "-o", "view.pfm"});
    glm::vec3 sum(0.0f);
    for (glm::vec3 pixel : read_image(file("view.pfm")).pixels) sum += pixel;
    return sum / 64.0f;
  }
};

TEST_F(RenderWithAView, SeesWhatLiesThere) {
  const glm::vec3 left = mean_color("-1,0,0"), right = mean_color("1,0,0");
  EXPECT_GT(left.r, 2.0f * left.g);  // the red wall
  EXPECT_GT(right.g, 2.0f * right.r);
}

}  // namespace
}  // namespace winnow
