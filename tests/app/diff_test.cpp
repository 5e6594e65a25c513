#include "app/diff.h"

#include "image/color_map.h"
#include "image/image_io.h"
#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

class Diff : public WinnowTest {
 protected:
  void SetUp() override {
    WinnowTest::SetUp();
    write_image(file("a.pfm"), {2, 1, {glm::vec3(1.0f), glm::vec3(2.0f)}});
    write_image(file("b.exr"), {2, 1, {glm::vec3(1.0f), glm::vec3(3.0f)}});
    write_image(file("small.png"), {1, 1, {glm::vec3(1.0f)}});
  }
};

TEST_F(Diff, PrintsTheTable) {
  Outcome outcome = run({"diff", "a.pfm", "b.exr"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "MSE     0.5\nrelMSE  0.0554939\nPSNR    3.01 dB\nmax     1\n");
}

TEST_F(Diff, EqualImagesDifferByNothing) {
  EXPECT_EQ(run({"diff", "a.pfm", "a.pfm"}).out,
            "MSE     0\nrelMSE  0\nPSNR    inf dB\nmax     0\n");
}

TEST_F(Diff, WritesTheDifferencePicture) {
  Outcome outcome = run({"diff", "a.pfm", "b.exr", "-o", "d.exr", "-o", "d.png"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_image(file("d.exr")).pixels,
            (std::vector<glm::vec3>{glm::vec3(0.0f), glm::vec3(1.0f)}));
  EXPECT_EQ(read_image(file("d.png")).pixels,
            (std::vector<glm::vec3>{glm::vec3(0.0f), glm::vec3(1.0f)}));
}

TEST_F(Diff, WritesAPictureOfFlipInFalseColours) {
  Outcome outcome = run({"diff", "a.pfm", "b.exr", "--flip", "f.png"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nFLIP    0\n"), std::string::npos) << outcome.out;  // both white
  EXPECT_EQ(read_image(file("f.png")).pixels,
            (std::vector<glm::vec3>{false_color(0.0f), false_color(0.0f)}));
}

TEST_F(Diff, RefusesBadInput) {
  put("broken.exr", "not an image");
  std::string sizes = expect_failure(1, {"diff", "a.pfm", "small.png"});
  EXPECT_NE(sizes.find("a.pfm is 2x1, small.png is 1x1"), std::string::npos) << sizes;
  expect_failure(1, {"diff", "a.pfm", "missing.exr"});
  expect_failure(1, {"diff", "a.pfm", "broken.exr"});
  expect_failure(1, {"diff", "a.pfm", "b.exr", "-o", "none/d.exr"});
  expect_failure(2, {"diff", "a.pfm", "b.bmp"});
  expect_failure(2, {"diff", "a.pfm", "b.exr", "-o", "d.bmp"});
  expect_failure(2, {"diff", "a.pfm", "b.exr", "-o", "b.exr"});
  expect_failure(2, {"diff", "a.pfm", "b.exr", "--flip", "b.exr"});
  expect_failure(2, {"diff", "a.pfm", "b.exr", "-o", "d.exr", "--flip", "d.exr"});
}

}  // namespace
}  // namespace winnow
