// SPDX-License-Identifier: MIT
#include "app/commands.h"

#include <gmock/gmock.h>

#include "image/color_map.h"
#include "image/image_io.h"
#include "tests/app/support/run_winnow.h"
#include "tests/image/support/exr_files.h"

namespace winnow {
namespace {

class Info : public WinnowTest {};

TEST_F(Info, PrintsWhatIsInAScene) {
  Outcome outcome = succeed({"info", kCornellBox});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* key : {"cornell-box", "triangles", "materials", "bounds", "memory"})
    EXPECT_NE(outcome.out.find(key), std::string::npos) << key;
}

TEST_F(Info, PrintsWarningsOnStderr) {
  put("bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nnonsense 1 2 3\n");
  Outcome outcome = succeed({"info", "bare.obj"});
  EXPECT_EQ(outcome.err.rfind("warning: ", 0), 0u) << outcome.err;
}

TEST_F(Info, GivesValuesToTheParametersOfAScene) {
  put("s.xml",
      "<scene version='3.0.0'><default name='kind' value='cube'/><shape type='$kind'/></scene>");
  EXPECT_NE(succeed({"info", "s.xml", "-D", "kind=sphere"}).out.find("spheres     1,"),
            std::string::npos);
  const Outcome unknown = run({"info", "-Dkin=sphere", "s.xml"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_NE(unknown.err.find("did you mean \"kind\"?"), std::string::npos) << unknown.err;
  EXPECT_EQ(run({"info", "-D", "kind", "s.xml"}).exit_code, 2);
}

TEST_F(Info, ReadsNoFileOutsideOfTheFolderIfConfined) {
  std::filesystem::create_directory(file("in"));
  put("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  put("in/s.json", R"({"materials": {"a": {"type": "diffuse"}}, "sky": {"radiance": 1},
    "shapes": [{"type": "obj", "material": "a", "file": "../m.obj"}]})");
  EXPECT_NE(succeed({"info", "in/s.json"}).err.find("--confine refuses it"), std::string::npos);
  expect_failure(1, {"info", "--confine", "in/s.json"}, "is outside of the scene's folder");
}

/// A triangle in two variants, seen by two cameras, with a key that glTF does not define.
const char* const kGltfWithChoices = R"({"asset": {"version": "2.0"},
  "extensions": {"KHR_materials_variants": {"variants": [{"name": "Day"}, {"name": "Night"}]}},
  "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,)"
                                     R"(AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
  "bufferViews": [{"buffer": 0, "byteLength": 36}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
  "cameras": [{"type": "perspective", "perspective": {"yfov": 0.5}}],
  "nodes": [{"mesh": 0, "glow": 1}, {"camera": 0, "name": "Front", "translation": [0, 0, 5]},
            {"camera": 0, "name": "Far", "translation": [0, 0, 50]}]})";

TEST_F(Info, ListsTheCamerasAndVariantsOfAGltf) {
  put("s.gltf", kGltfWithChoices);
  const std::string text = succeed({"info", "s.gltf"}).out;
  EXPECT_NE(text.find("cameras     \"Front\" (default), \"Far\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("variants    \"Day\", \"Night\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("at (0, 0, 5)"), std::string::npos) << text;
  const std::string far = succeed({"info", "s.gltf", "--camera-name", "Far"}).out;
  EXPECT_NE(far.find("at (0, 0, 50)"), std::string::npos) << far;
}

TEST_F(Info, CountsTheTrianglesOfInstances) {
  const std::string text = succeed({"info", std::string(WINNOW_SCENES_DIR) + "/forest.json"}).out;
  EXPECT_NE(text.find("triangles   364628, 0 of them emit\n"), std::string::npos) << text;
}

class Strict : public WinnowTest {
 protected:
  void SetUp() override {
    WinnowTest::SetUp();
    put("s.gltf", kGltfWithChoices);
    std::string clean = kGltfWithChoices;
    clean.erase(clean.find(R"(, "glow": 1)"), std::string(R"(, "glow": 1)").size());
    put("clean.gltf", clean);
  }
};

TEST_F(Strict, EndsEachCommandThatLoadsASceneWithWarnings) {
  const std::vector<std::vector<std::string>> commands = {
      {"info", "s.gltf"},
      {"convert", "s.gltf", "s.json"},
      {"render", "s.gltf", "--device", "cpu", "--spp", "1", "--size", "8x8", "-o", "s.pfm"},
      {"see", "s.gltf", "--size", "8x8", "-o", "s.html"},
      {"bench-rays", "s.gltf", "--device", "cpu"}};
  for (std::vector<std::string> command : commands) {
    SCOPED_TRACE(command.front());
    command.emplace_back("--strict");
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err,
              "warning: s.gltf: /nodes/0/glow: the key \"glow\" is ignored\n"
              "winnow: s.gltf: loading has 1 warning, which --strict refuses\n");
    EXPECT_EQ(file_count(), 2u) << "nothing is written";
  }
}

TEST_F(Strict, PrintsTheWarningsEvenOfAQuietCommand) {
  const Outcome outcome = run({"render", "s.gltf", "--quiet", "--strict", "-o", "s.pfm"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("\"glow\""), std::string::npos);
}

TEST_F(Strict, ChangesNothingForAFileWithoutWarnings) {
  EXPECT_EQ(succeed({"info", "clean.gltf", "--strict"}).err, "");
}

class Convert : public WinnowTest {
 protected:
  /// Renders with the shape of the scenes' own pictures, for which convert frames models.
  std::string film_hash(const std::string& scene) const {
    Outcome outcome = run({"render", scene, "--size", "32x32", "--spp", "2", "--max-bounces", "5",
                           "--device", "cpu", "--quiet", "--stats", "stats.json", "-o", "x.pfm"});
    return json("stats.json").at("film_hash");
  }

  void expect_same_film(const std::string& scene) const {
    SCOPED_TRACE(scene);
    succeed({"convert", scene, "converted.json"});
    EXPECT_EQ(film_hash("converted.json"), film_hash(scene));
  }
};

const std::string kSceneFolder = WINNOW_SCENES_DIR;

TEST_F(Convert, KeepsEveryBitOfTheFilm) {
  for (const char* name : {"cornell-box", "glass-and-metal", "forest", "many-lights", "open"})
    expect_same_film(kSceneFolder + "/" + name + ".json");
}

TEST_F(Convert, KeepsEveryBitOfOtherFormats) {
  put("m.mtl", "newmtl a\nKd 0.7 0.1 0.3\nnewmtl b\nKe 3 2 1\n");
  put("s.obj",
      "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0.2\nv 1 1 0.7\nvn 0.1 0.2 1\nvn 0 -0.3 1\nusemtl a\n"
      "f 1//1 2//2 3//1\nusemtl b\nf 2 4 3\n");
  expect_same_film("s.obj");
  put("s.ply",
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
      "z\n"
      "property float nx\nproperty float ny\nproperty float nz\nelement face 1\n"
      "property list uchar int vertex_indices\nend_header\n"
      "0 0 0 .1 .2 1\n1 0 .1 0 .3 1\n1 1 .3 .1 0 1\n0 1 .2 0 -.1 1\n4 0 1 2 3\n");
  expect_same_film("s.ply");
  put("s.xml", R"(<scene version="3.0.0">
    <sensor type="thinlens"><float name="fov" value="47"/><float name="aperture_radius" value="0.1"/>
      <float name="focus_distance" value="7"/><transform name="to_world">
      <lookat origin="1, 2, 9" target="0.1, 0.3, 0" up="0.1, 1, 0"/></transform></sensor>
    <shape type="shapegroup" id="g"><shape type="cylinder"/><shape type="sphere">
      <bsdf type="roughconductor"><string name="material" value="Au"/></bsdf></shape></shape>
    <shape type="instance"><ref id="g"/></shape>
    <shape type="instance"><ref id="g"/><transform name="to_world"><rotate y="1" angle="33"/>
      <translate x="2.2" z="-0.3"/></transform></shape>
    <shape type="disk"><transform name="to_world"><scale value="0.7"/><rotate x="1" angle="80"/>
      <translate y="3.1"/></transform><emitter type="area"><rgb name="radiance" value="9, 8, 7"/>
      </emitter></shape>
    <emitter type="constant"><rgb name="radiance" value="0.1, 0.2, 0.3"/></emitter></scene>)");
  expect_same_film("s.xml");
}

TEST_F(Convert, SaysWhatItWroteAndOverwritesNoInput) {
  Outcome outcome = succeed({"convert", kCornellBox, "b.json"});
  EXPECT_EQ(outcome.out, "b-world.ply\nb.json\n");
  expect_failure(2, {"convert", "b.json", "b.json"},
                 "winnow: b.json: is an input; write to another file\n");
  expect_failure(2, {"convert", "b.json", "b.xml"},
                 "winnow: b.xml: expected a file of the type .json or .glb to write\n");
  put("b-world.ply",
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  expect_failure(2, {"convert", "b-world.ply", "b.json"},
                 "winnow: b-world.ply: is an input; write to another file\n");
  expect_failure(2, {"convert", "b.json"});
  expect_failure(1, {"convert", "none.json", "c.json"},
                 "winnow: none.json: there is no such file\n");
}

TEST_F(Convert, SaysOnceWhatGltfHasNoFormFor) {
  Outcome outcome = succeed({"convert", kSceneFolder + "/glass-and-metal.json", "b.glb"});
  EXPECT_EQ(outcome.out, "b.glb\n");
  EXPECT_EQ(outcome.err.find("exact spheres"), outcome.err.rfind("exact spheres")) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: b.glb: glTF has no form for "), std::string::npos);
  expect_failure(2, {"convert", "b.glb", "b.glb"}, "is an input");
}

class Devices : public WinnowTest {};

TEST_F(Devices, ListsTheCpuAndTheGpusOrWhyThereAreNone) {
  Outcome outcome = succeed({"devices"});
  EXPECT_EQ(outcome.out.rfind("cpu ", 0), 0u) << outcome.out;
  EXPECT_NE(outcome.out.find("\ncuda"), std::string::npos) << outcome.out;
}

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
  Outcome outcome = succeed({"diff", "a.pfm", "b.exr"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "MSE     0.5\nrelMSE  0.0554939\nPSNR    3.01 dB\nmax     1\nFLIP    0\n");
}

TEST_F(Diff, ComparesExrImagesInRec709AndTheirDisplayWindow) {
  ExrPart aces = exr_part(1, 1, {{"R", 1}, {"G", 1}, {"B", 1}});
  aces.data = {1, 0, 1, 0};
  aces.display = {0, 0, 1, 0};
  aces.chromaticities = {0.713f, 0.293f, 0.165f, 0.83f, 0.128f, 0.044f, 0.32168f, 0.33767f};
  aces.strings["planted"] = "x";
  put("aces.exr", exr_bytes({aces}));
  write_image(file("c.pfm"), {2, 1, {glm::vec3(0.0f), glm::vec3(1.0f)}});
  const Outcome outcome = succeed({"diff", "aces.exr", "c.pfm"});
  EXPECT_NE(outcome.err.find("aces.exr: its attributes \"planted\" are not known"),
            std::string::npos);
  EXPECT_LT(std::stod(outcome.out.substr(3)), 1e-6) << outcome.out;
}

TEST_F(Diff, EqualImagesDifferByNothing) {
  EXPECT_EQ(run({"diff", "a.pfm", "a.pfm"}).out,
            "MSE     0\nrelMSE  0\nPSNR    inf dB\nmax     0\nFLIP    0\n");
}

TEST_F(Diff, PrintsFlipUnlessAValueIsNan) {
  write_image(file("green.pfm"), {2, 1, {glm::vec3(0, 1, 0), glm::vec3(0, 1, 0)}});
  write_image(file("blue.pfm"), {2, 1, {glm::vec3(0, 0, 1), glm::vec3(0, 0, 1)}});
  write_image(file("nan.pfm"), {2, 1, {glm::vec3(0, NAN, 1), glm::vec3(0, 0, 1)}});
  EXPECT_THAT(succeed({"diff", "green.pfm", "blue.pfm"}).out, testing::HasSubstr("\nFLIP    1\n"));
  EXPECT_THAT(succeed({"diff", "nan.pfm", "blue.pfm"}).out,
              testing::Not(testing::HasSubstr("FLIP")));
  EXPECT_EQ(run({"diff", "nan.pfm", "blue.pfm", "--flip", "f.png"}).exit_code, 1);
}

TEST_F(Diff, WritesTheDifferencePicture) {
  succeed({"diff", "a.pfm", "b.exr", "-o", "d.exr", "-o", "d.png"});
  EXPECT_EQ(read_image(file("d.exr")).pixels,
            (std::vector<glm::vec3>{glm::vec3(0.0f), glm::vec3(1.0f)}));
  EXPECT_EQ(read_image(file("d.png")).pixels,
            (std::vector<glm::vec3>{glm::vec3(0.0f), glm::vec3(1.0f)}));
}

TEST_F(Diff, WritesAPictureOfFlipInFalseColours) {
  Outcome outcome = succeed({"diff", "a.pfm", "b.exr", "--flip", "f.png"});
  EXPECT_NE(outcome.out.find("\nFLIP    0\n"), std::string::npos) << outcome.out;  // both white
  EXPECT_EQ(read_image(file("f.png")).pixels,
            (std::vector<glm::vec3>{false_color(0.0f), false_color(0.0f)}));
}

TEST_F(Diff, RefusesBadInput) {
  put("broken.exr", "not an image");
  expect_failure(1, {"diff", "a.pfm", "small.png"}, "a.pfm is 2x1, small.png is 1x1");
  expect_failure(1, {"diff", "a.pfm", "missing.exr"});
  expect_failure(1, {"diff", "a.pfm", "broken.exr"});
  expect_failure(1, {"diff", "a.pfm", "b.exr", "-o", "none/d.exr"});
  expect_failure(2, {"diff", "a.pfm", "b.bmp"});
  expect_failure(2, {"diff", "a.pfm", "b.exr", "-o", "d.bmp"});
  expect_failure(2, {"diff", "a.pfm", "b.exr", "-o", "b.exr"});
  expect_failure(2, {"diff", "a.pfm", "b.exr", "--flip", "b.exr"});
  expect_failure(2, {"diff", "a.pfm", "b.exr", "-o", "d.exr", "--flip", "d.exr"});
}

class Version : public WinnowTest {};

TEST_F(Version, NamesCommitCompilerAndCuda) {
  const Outcome outcome = succeed({"--version"});
  EXPECT_THAT(outcome.out, testing::MatchesRegex("winnow [0-9]+\\.[0-9]+\\.[0-9]+\n"
                                                 "commit    ([0-9a-f]{7,40}(-dirty)?|unknown)\n"
                                                 "compiler  .+ [0-9.]+, .+\n"
                                                 "CUDA      (off|[0-9.]+, architectures .+)\n"));
}

}  // namespace
}  // namespace winnow
