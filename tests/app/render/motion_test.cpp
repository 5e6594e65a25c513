// SPDX-License-Identifier: MIT
// Motion blur of one image: moving parts of files.

#include "app/render/motion.h"

#include <gmock/gmock.h>

#include <cmath>

#include "image/compare.h"
#include "image/image_io.h"
#include "load/load_scene.h"
#include "tests/app/support/render_fixture.h"
#include "tests/load/gltf/support/animated_camera.h"

namespace winnow {
namespace {

using testing::HasSubstr;

class MotionBlur : public WinnowTest {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    put(name, text);
    return name;
  }
  nlohmann::json render(const std::string& scene, const std::vector<std::string>& more) const {
    succeed(joined(
        {"render", scene, "--device", "cpu", "--quiet", "--stats", "stats.json", "-o", "a.pfm"},
        more));
    return json("stats.json");
  }
  Image image_of(const std::string& scene, const std::vector<std::string>& more) const {
    render(scene, more);
    return read_image(file("a.pfm"));
  }
};

/// A glowing square of 1 m that moves by its width: the point at x of the film's plane is covered
/// for the share 1 - |x| of the time.
constexpr const char* kMovingSquare = R"(
  Film "rgb" "integer xresolution" 16 "integer yresolution" 4 Sampler "independent" "integer pixelsamples" 256
  PixelFilter "box" "float xradius" 0.5 "float yradius" 0.5
  Integrator "path" "integer maxdepth" 1
  Camera "orthographic" "float screenwindow" [-1 1 -0.25 0.25]
  WorldBegin
  LightSource "point" "rgb I" [0 0 0]
  ActiveTransform EndTime Translate 1 0 0 ActiveTransform All
  AreaLightSource "diffuse" "rgb L" [2 2 2] "bool twosided" true
  Shape "trianglemesh" "integer indices" [0 1 2 0 2 3] "point3 P" [-1 -1 3  0 -1 3  0 1 3  -1 1 3])";

TEST_F(MotionBlur, OfAPbrtSceneIsTheShareOfTimeForWhichAPointIsCovered) {
  const Image image = image_of(write("s.pbrt", kMovingSquare), {});
  ASSERT_EQ(image.width, 16u);
  for (uint32_t x = 0; x < image.width; ++x) {
    double column = 0.0;
    for (uint32_t y = 0; y < image.height; ++y) column += image.pixels[y * 16 + x].x / 4.0;
    const double place = (x + 0.5) / 8.0 - 1.0;
    // Slices of 1/128 of the time, and the noise of 1,024 samples of an edge of which a slice has
    // a part.
    EXPECT_NEAR(column, 2.0 * (1.0 - std::abs(place)), 0.03) << x;
  }
  EXPECT_EQ(image_of("s.pbrt", {"--time", "0"}).pixels[2].x, 2.0f);
  EXPECT_EQ(image_of("s.pbrt", {"--time", "1"}).pixels[2].x, 0.0f);
}

TEST_F(MotionBlur, HasTheSameBitsInEveryWay) {
  write("s.pbrt", kMovingSquare);
  const std::vector<std::string> small = {"--size", "20x18", "--spp", "16"};
  auto hash_with = [&](const std::vector<std::string>& more) {
    return render("s.pbrt", joined(small, more))["film_hash"];
  };
  const nlohmann::json hash = hash_with({});
  for (const std::vector<std::string>& way : {std::vector<std::string>{"--loop", "path"},
                                              {"--cull", "look-ahead"},
                                              {"--threads", "1"},
                                              {"--wave-size", "100"},
                                              {"--regenerate"}})
    EXPECT_EQ(hash_with(way), hash) << way.front();
  for (const char* share : {"0/2", "1/2"})
    succeed(joined({"render", "s.pbrt", "--device", "cpu", "--quiet", "--share", share, "-o",
                    std::string("s") + share[0] + ".film"},
                   small));
  succeed({"merge", "s0.film", "s1.film", "-o", "merged.pfm"});
  render("s.pbrt", small);
  EXPECT_EQ(image_hash(read_image(file("merged.pfm"))), image_hash(read_image(file("a.pfm"))));
}

TEST_F(MotionBlur, ContinuesAFilmOfTheSameShutterOnly) {
  write("s.pbrt", kMovingSquare);
  const std::vector<std::string> command = {"render", "s.pbrt", "--device", "cpu",
                                            "--size", "20x18",  "--quiet"};
  succeed(joined(command, {"--spp", "32", "-o", "whole.film", "-o", "whole.pfm"}));
  succeed(joined(command, {"--resume", "whole.film", "--spp", "40", "-o", "more.pfm"}));
  std::string other = kMovingSquare;
  other.insert(other.find("\"float screenwindow"), "\"float shutterclose\" 0.5 ");
  write("s.pbrt", other);
  expect_failure(1, joined(command, {"--resume", "whole.film", "--spp", "40", "-o", "no.pfm"}),
                 "the time of the shutter is 0 to 1 s, not 0 to 0.5 s");
}

TEST_F(MotionBlur, OfAGltfBlursWhatItsAnimationsMove) {
  GltfFile moving = gltf_with_moving_camera("LINEAR");  // moves the triangle
  for (nlohmann::json& channel : moving.json["animations"][0]["channels"])
    channel["target"]["node"] = 0;
  moving.json["nodes"][1]["translation"] = {0.5, 0.2, 8};
  write("s.gltf", moving.text());
  const std::vector<std::string> small = {"--size", "24x16", "--spp", "512"};
  const Image blurred = image_of("s.gltf", joined(small, {"--time", "1", "--shutter", "-0.5:0.5"}));
  Image mean = blurred;
  std::ranges::fill(mean.pixels, glm::vec3(0.0f));
  constexpr int kMoments = 16;
  for (int i = 0; i < kMoments; ++i) {
    const Image still = image_of(
        "s.gltf",
        joined(small, {"--time", std::to_string(0.5 + (i + 0.5) / kMoments), "--seed", "7"}));
    for (size_t p = 0; p < mean.pixels.size(); ++p)
      mean.pixels[p] += still.pixels[p] / float(kMoments);
  }
  for (size_t p = 0; p < mean.pixels.size(); ++p)
    EXPECT_NEAR(blurred.pixels[p].x, mean.pixels[p].x, 0.1f) << p;
  const Image still = image_of("s.gltf", joined(small, {"--time", "1"}));
  EXPECT_GT(compare(still, blurred).mse, 16.0 * compare(mean, blurred).mse);
}

TEST_F(MotionBlur, OfAGltfMovesTheCamera) {
  write("s.gltf", gltf_with_moving_camera("LINEAR").text());
  HostScene scene = load_scene(file("s.gltf"), {}, 1.0);
  RenderOptions options;
  options.scene = file("s.gltf");
  options.time = 1.0;
  options.shutter = Shutter{-0.5, 0.25};
  const std::optional<Shutter> shutter = blur_motion(options, scene);
  ASSERT_TRUE(shutter);
  EXPECT_EQ(shutter->open, 0.5);
  EXPECT_EQ(shutter->close, 1.25);
  EXPECT_FALSE(scene.is_animated);
  ASSERT_GT(scene.camera.motion.size(), 2u);
  EXPECT_EQ(scene.camera.motion.front().position,
            load_scene(options.scene, {}, 0.5).camera.position);
  EXPECT_EQ(scene.camera.motion.back().position,
            load_scene(options.scene, {}, 1.25).camera.position);
}

TEST_F(MotionBlur, NeedsAMomentAndSomethingThatMoves) {
  write("s.gltf", GltfFile::triangle().text());
  expect_failure(2, {"render", "s.gltf", "--shutter", "0:1"}, "--shutter: opens around a moment");
  const Outcome still = run({"render", "s.gltf", "--time", "0", "--shutter", "0:1", "--strict"});
  EXPECT_EQ(still.exit_code, 1);
  EXPECT_THAT(still.err, HasSubstr("--shutter: nothing in the scene moves"));
}

}  // namespace
}  // namespace winnow
