#include "app/diff.h"

#include "film/image_io.h"
#include "tests/app/run_winnow.h"

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
}

}  // namespace
}  // namespace winnow
