// SPDX-License-Identifier: MIT
// Motion blur of one image: moving parts of files.

#include "app/render/motion.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "image/compare.h"
#include "image/image_io.h"
#include "load/load_scene.h"
#include "scene/scene_hash.h"
#include "tests/app/support/render_fixture.h"
#include "tests/load/gltf/support/animated_camera.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using testing::HasSubstr;

/// Returns a PLY file of a square that glows between two places along x.
std::string square_of_ply(const std::string& left, const std::string& right) {
  const std::string header =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
  return header + left + " -1 0\n" + right + " -1 0\n" + right + " 1 0\n" + left +
         " 1 0\n4 0 1 2 3\n";
}

struct NeverStops : StopRequest {
  bool requested() const override { return false; }
};

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

/// A point light that moves from x = -1 to 1 at height 1: the mean of cos / distance^2 is
/// 1 / sqrt(2). Half of its motion, by TransformTimes: the mean of x from -1 to 0 is the same.
TEST_F(MotionBlur, OfALightOfPbrtIsTheMeanOfItsIrradiance) {
  for (const char* times : {"", "TransformTimes 0 2"}) {
    const std::string scene = std::string(times) + R"(
      Film "rgb" "integer xresolution" 2 "integer yresolution" 2 Sampler "independent" "integer pixelsamples" 128
      Integrator "path" "integer maxdepth" 2
      LookAt 0 0 1  0 0 0  0 1 0
      Camera "orthographic" "float screenwindow" [-0.0001 0.0001 -0.0001 0.0001]
      WorldBegin
      AttributeBegin
      ActiveTransform StartTime Translate -1 0 1 ActiveTransform EndTime Translate 1 0 1 ActiveTransform All
      LightSource "point" "rgb I" [1 1 1]
      AttributeEnd
      Material "diffuse" "rgb reflectance" [0.5 0.5 0.5]
      Shape "trianglemesh" "integer indices" [0 1 2 0 2 3] "point3 P" [-9 -9 0  9 -9 0  9 9 0  -9 9 0])";
    const Image image = image_of(write("s.pbrt", scene), {});
    EXPECT_NEAR(image.pixels[0].x, 0.5 / M_PI * std::sqrt(0.5), 1e-5) << times;
  }
}

/// A box of fog moves by its width before a light: its share of the time dims by exp(-1).
TEST_F(MotionBlur, OfAMediumOfPbrtIsTheShareOfTimeForWhichItDims) {
  std::string scene = kMovingSquare;
  scene.replace(scene.find("AreaLightSource"), std::string::npos, R"(
    MakeNamedMedium "fog" "string type" "homogeneous" "rgb sigma_a" [1 1 1] "rgb sigma_s" [0 0 0]
    MediumInterface "fog" "" Material "interface"
    Shape "trianglemesh" "point3 P" [-1 -1 3  0 -1 3  0 1 3  -1 1 3  -1 -1 4  0 -1 4  0 1 4  -1 1 4]
      "integer indices" [0 2 1 0 3 2  4 5 6 4 6 7  0 1 5 0 5 4  1 2 6 1 6 5  2 3 7 2 7 6  3 0 4 3 4 7]
    Identity MediumInterface "" ""
    AreaLightSource "diffuse" "rgb L" [2 2 2] "bool twosided" true Material "diffuse"
    Shape "trianglemesh" "integer indices" [0 1 2 0 2 3] "point3 P" [-9 -9 6  9 -9 6  9 9 6  -9 9 6])");
  scene.replace(scene.find("maxdepth\" 1"), 11, "maxdepth\" 9");
  const Image image = image_of(write("s.pbrt", scene), {});
  for (uint32_t x = 0; x < image.width; ++x) {
    const double share = 1.0 - std::abs((x + 0.5) / 8.0 - 1.0);
    EXPECT_NEAR(image.pixels[x].x, 2.0 * (1.0 - share * (1.0 - std::exp(-1.0))), 0.05) << x;
  }
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

TEST_F(MotionBlur, InMemoryHasTheBitsOfTheCommand) {
  write("s.pbrt", kMovingSquare);
  const nlohmann::json stats = render("s.pbrt", {"--spp", "16", "--size", "20x18"});
  RenderOptions options;
  options.scene = file("s.pbrt");
  options.spp = 16;
  options.size = Size{20, 18};
  options.quiet = true;
  options.device.kind = DeviceRequest::Kind::kCpu;
  const HostScene scene = load_scene(options.scene);
  const MemoryRender blurred =
      render_in_memory(scene, options, NeverStops(), scenes_of_file(options, scene.shutter, 0.0));
  EXPECT_EQ(stats["film_hash"], image_hash(blurred.renderer->film()));
  const MemoryRender still = render_in_memory(scene, options, NeverStops());
  EXPECT_NE(stats["film_hash"], image_hash(still.renderer->film()));
}

TEST_F(MotionBlur, ContinuesAFilmOfTheSameShutterOnly) {
  write("s.pbrt", kMovingSquare);
  const std::vector<std::string> command = {"render", "s.pbrt", "--device", "cpu",
                                            "--size", "20x18",  "--quiet"};
  succeed(joined(command, {"--spp", "32", "-o", "whole.film", "-o", "whole.pfm"}));
  EXPECT_THAT(succeed({"info", "whole.film"}).out, HasSubstr("shutter   0 to 1 s\n"));
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

/// Pictures of a sequence are those of single images at their times.
TEST_F(MotionBlur, OfEachPictureOfASequenceIsThatOfItsMoment) {
  GltfFile moving = gltf_with_moving_camera("LINEAR");
  nlohmann::json& channels = moving.json["animations"][0]["channels"];
  channels.push_back({{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}});
  for (const bool camera_moves : {true, false}) {
    if (!camera_moves) {
      channels = nlohmann::json::array({channels.back()});
      moving.json["nodes"][1]["translation"] = {0.5, 0.2, 8};
    }
    write("s.gltf", moving.text());
    const std::vector<std::string> small = {"render", "s.gltf",     "--device", "cpu", "--quiet",
                                            "--size", "24x16",      "--spp",    "8",   "--stats",
                                            "a.json", "--exposure", "0"};
    for (const std::vector<std::string>& shutter :
         {std::vector<std::string>{}, {"--shutter", "-0.25:0.25"}}) {
      succeed(joined(joined(small, shutter), {"--frames", "0:2", "--fps", "2", "-o", "f.pfm"}));
      const nlohmann::json frames = json("a.json");
      ASSERT_EQ(frames.size(), 3u);
      for (int i = 0; i < 3; ++i) {
        succeed(joined(joined(small, shutter), {"--time", std::to_string(0.5 * i), "-o", "s.pfm"}));
        EXPECT_EQ(frames[i]["film_hash"], json("a.json")["film_hash"]) << i << shutter.size();
      }
      EXPECT_NE(frames[0]["film_hash"], frames[1]["film_hash"]);
    }
  }
}

TEST_F(MotionBlur, OfASequenceAroundARestingMomentBlursWhatMoves) {
  write("s.pbrt", kMovingSquare);
  const std::vector<std::string> small = {"render", "s.pbrt", "--device", "cpu",   "--quiet",
                                          "--spp",  "32",     "--stats",  "a.json"};
  succeed(joined(small, {"--turntable", "2", "--frames", "0:0", "-o", "f.pfm"}));
  const nlohmann::json of_sequence = json("a.json")[0]["film_hash"];
  succeed(joined(small, {"-o", "s.pfm"}));
  EXPECT_EQ(of_sequence, json("a.json")["film_hash"]);
}

/// A glowing square of 1 m that moves by its width: see kMovingSquare.
constexpr const char* kMovingSquareOfJson = R"({
  "film": {"width": 16, "height": 4, "filter": "box"}, "render": {"spp": 256, "max_bounces": 0},
  "camera": {"type": "orthographic", "position": [0, 0, 5], "look_at": [0, 0, 0], "view_height": 0.5},
  "materials": {"glow": {"type": "diffuse", "reflectance": 0, "emission": 2}},
  "meshes": {"square": {"type": "mesh", "material": "glow", "faces": [[0, 1, 2, 3]],
                        "vertices": [[-1, -1, 0], [0, -1, 0], [0, 1, 0], [-1, 1, 0]]}},
  "shapes": [SHAPE]})";

TEST_F(MotionBlur, OfShapesOfJsonIsTheShareOfTimeForWhichAPointIsCovered) {
  const std::string motion = R"([{"motion": [[], [{"translate": [1, 0, 0]}]]}])";
  put("a.ply", square_of_ply("-1", "0"));
  put("b.ply", square_of_ply("0", "1"));
  for (const std::string& shape :
       {R"({"type": "instances", "mesh": "square", "transforms": [)" + motion + "]}",
        R"({"type": "rectangle", "material": "glow", "corner": [-1, -1, 0], "edge_u": [1, 0, 0],
            "edge_v": [0, 2, 0], "transform": )" +
            motion + "}",
        std::string(R"({"type": "ply", "material": "glow", "files": ["a.ply", "b.ply"]})")}) {
    SCOPED_TRACE(shape);
    std::string text = kMovingSquareOfJson;
    text.replace(text.find("SHAPE"), 5, shape);
    const Image image = image_of(write("s.json", text), {});
    ASSERT_EQ(image.width, 16u);
    for (uint32_t x = 0; x < image.width; ++x) {
      double column = 0.0;
      for (uint32_t y = 0; y < image.height; ++y) column += image.pixels[y * 16 + x].x / 4.0;
      EXPECT_NEAR(column, 2.0 * (1.0 - std::abs((x + 0.5) / 8.0 - 1.0)), 0.03) << x;
    }
    EXPECT_EQ(image_of("s.json", {"--time", "0"}).pixels[2].x, 2.0f);
    EXPECT_EQ(image_of("s.json", {"--time", "1"}).pixels[2].x, 0.0f);
    EXPECT_EQ(image_of("s.json", {"--time", "1"}).pixels[13].x, 2.0f);
    expect_failure(2, {"render", "s.json", "--shutter", "0:1", "--time", "0"},
                   "states itself when its shutter is open");
  }
  put("b.ply",
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
      "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  expect_failure(1, {"render", "s.json"},
                 "/shapes/0/files/1: expected the vertices and faces of the file before it, with "
                 "other positions: 4 vertices and 2 triangles, found 3 and 1");
}

/// Replaces a text within another one.
std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string moving_shape_of_json(const std::string& shape) {
  return with(kMovingSquareOfJson, "SHAPE", shape);
}

std::string moved_from_to_json(const char* from, const char* to) {
  return moving_shape_of_json(std::string(R"({"type": "instances", "mesh": "square", "transforms": [
      [{"motion": [[{"translate": [)") +
                              from + R"(, 0, 0]}], [{"translate": [)" + to + R"(, 0, 0]}]]}]]})");
}

/// A triangle that moves by 2 m in two seconds, on either side of its place after one second.
GltfFile gltf_with_moving_triangle(float from) {
  GltfFile moving = GltfFile::triangle();
  const int times = moving.add_floats({0, 2}, "SCALAR");
  const int places = moving.add_floats({from, 0, -4, -from, 0, -4}, "VEC3");
  nlohmann::json& animation = moving.json["animations"][0];
  animation["samplers"] = {{{"input", times}, {"output", places}}};
  animation["channels"] = {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}};
  return moving;
}

/// Two motions with the same middle. The hash of a scene at rest covers the middle only.
TEST_F(MotionBlur, OfAnotherMotionWithTheSameMiddleIsRefusedByMergeAndResume) {
  const std::string moves = "ActiveTransform EndTime Translate 1 0 0 ";
  put("a.ply", square_of_ply("-1", "0"));
  put("middle.ply", square_of_ply("-0.5", "0.5"));
  put("b.ply", square_of_ply("0", "1"));
  put("c.ply", square_of_ply("0", "0.5"));
  const auto with_files = [](const char* first, const char* last) {
    return moving_shape_of_json(
        fmt::format(R"({{"type": "ply", "material": "glow", "files": ["{}", "middle.ply", "{}"]}})",
                    first, last));
  };
  struct Pair {
    std::string scene, first, second;
    std::vector<std::string> options = {};
  };
  for (const auto& [scene, first, second, options] : {
           Pair{"s.pbrt", kMovingSquare,
                with(kMovingSquare, moves,
                     "ActiveTransform StartTime Translate 0.25 0 0 ActiveTransform EndTime "
                     "Translate 0.75 0 0 ")},
           Pair{"s.pbrt", kMovingSquare, "TransformTimes -1 2" + std::string(kMovingSquare)},
           Pair{"s.json", moved_from_to_json("0", "1"), moved_from_to_json("-1", "2")},
           Pair{"s.json", with_files("a.ply", "b.ply"), with_files("c.ply", "b.ply")},
           Pair{"s.gltf",
                gltf_with_moving_triangle(-1.0f).text(),
                gltf_with_moving_triangle(0.5f).text(),
                {"--time", "1", "--shutter", "-0.5:0.5"}},
       }) {
    SCOPED_TRACE(scene + second);
    const std::vector<std::string> command = joined(
        {"render", scene, "--device", "cpu", "--size", "20x18", "--spp", "4", "--quiet"}, options);
    write(scene, first);
    succeed(joined(command, {"--share", "0/2", "-o", "first-0.film"}));
    succeed(joined(command, {"--share", "1/2", "-o", "first-1.film"}));
    succeed({"merge", "first-0.film", "first-1.film", "-o", "both.pfm"});
    const HostScene before =
        load_scene(file(scene), {}, options.empty() ? std::nullopt : std::optional(1.0));
    write(scene, second);
    const HostScene after =
        load_scene(file(scene), {}, options.empty() ? std::nullopt : std::optional(1.0));
    EXPECT_EQ(scene_hash(before), scene_hash(after)) << "the middle is another one";
    succeed(joined(command, {"--share", "1/2", "-o", "second-1.film"}));
    const std::string message = "the motion of the scene " + scene + " differs";
    expect_failure(1, {"merge", "first-0.film", "second-1.film", "-o", "no.pfm"}, message);
    expect_failure(1, joined(command, {"--resume", "first-0.film", "-o", "no.film"}), message);
  }
}

TEST_F(MotionBlur, OfTheCameraOfAFileEndsAtAMoment) {
  std::string text = kMovingSquareOfJson;
  text.replace(text.find("SHAPE"), 5,
               R"({"type": "instances", "mesh": "square", "transforms": [[]]})");
  const std::string still = text;
  const std::string places = R"("view_height": 0.5, "motion": [{"position": [0, 0, 5], "look_at":
      [0, 0, 0]}, {"position": [-1, 0, 5], "look_at": [-1, 0, 0]}])";
  text.replace(text.find(R"("view_height": 0.5)"), 18, places);
  write("s.json", text);
  EXPECT_EQ(image_of("s.json", {"--time", "0"}).pixels,
            image_of(write("t.json", still), {}).pixels);
  EXPECT_EQ(image_of("s.json", {"--time", "1"}).pixels[2].x, 0.0f);
  EXPECT_NEAR(image_of("s.json", {}).pixels[2].x, 2.0f * 0.3125f, 0.3f);
}

/// The second file of a moving mesh is gone by the time that a later slice reads it.
TEST_F(MotionBlur, KeepsTheImageSoFarIfASliceCannotBeRead) {
  put("a.ply", square_of_ply("-1", "0"));
  put("b.ply", square_of_ply("0", "1"));
  std::string text = kMovingSquareOfJson;
  text.replace(text.find("SHAPE"), 5,
               R"({"type": "ply", "material": "glow", "files": ["a.ply", "b.ply"]})");
  write("s.json", text);
  HostScene scene = load_scene(file("s.json"));
  RenderOptions options;
  options.scene = file("s.json");
  const MovingRenderer::SceneAt scene_at = scenes_of_file(options, scene.shutter, 0.0);
  EXPECT_EQ(scene_at(0.25).positions[0].x, -0.75f);
  std::filesystem::remove(file("b.ply"));
  EXPECT_THAT(message_of<Error>([&] { scene_at(0.75); }), HasSubstr("there is no file"));
}

/// A step of a glTF is not blurred: the image shows two poses, each for its share of the time.
TEST_F(MotionBlur, OfAStepShowsBothPosesOnly) {
  GltfFile moving = gltf_with_moving_camera("STEP");
  for (nlohmann::json& channel : moving.json["animations"][0]["channels"])
    channel["target"]["node"] = 0;
  moving.json["nodes"][1]["translation"] = {0.5, 0.2, 8};
  write("s.gltf", moving.text());
  const std::vector<std::string> small = {"--size", "24x16", "--spp", "512"};
  // The key at 2 s is passed after three quarters of the time.
  const Image blurred =
      image_of("s.gltf", joined(small, {"--time", "2", "--shutter", "-0.75:0.25"}));
  const Image before = image_of("s.gltf", joined(small, {"--time", "0.5"})),
              after = image_of("s.gltf", joined(small, {"--time", "2.1"}));
  EXPECT_GT(compare(before, after).mse, 1e-3);
  for (size_t p = 0; p < blurred.pixels.size(); ++p)
    EXPECT_NEAR(blurred.pixels[p].x, 0.75f * before.pixels[p].x + 0.25f * after.pixels[p].x, 0.1f)
        << p;
}

TEST_F(MotionBlur, OfAGltfMovesTheCamera) {
  write("s.gltf", gltf_with_moving_camera("LINEAR").text());
  HostScene scene = load_scene(file("s.gltf"), {}, 1.0);
  RenderOptions options;
  options.scene = file("s.gltf");
  options.time = 1.0;
  options.shutter = Shutter{-0.5, 0.25};
  const std::optional<Shutter> shutter = shutter_of_objects(options, scene.shutter, 0.0);
  ASSERT_TRUE(shutter);
  blur_camera(options, shutter, scene);
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
