#include "app/convert.h"

#include <nlohmann/json.hpp>

#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

class Convert : public WinnowTest {
 protected:
  std::string film_hash(const std::string& scene) const {
    Outcome outcome = run({"render", scene, "--size", "32x24", "--spp", "2", "--max-bounces", "5",
                           "--device", "cpu", "--quiet", "--stats", "stats.json", "-o", "x.pfm"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(read_text(file("stats.json"))).at("film_hash");
  }

  void expect_same_film(const std::string& scene) const {
    SCOPED_TRACE(scene);
    Outcome outcome = run({"convert", scene, "converted.json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
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
  Outcome outcome = run({"convert", kCornellBox, "b.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "b-world.ply\nb.json\n");
  EXPECT_EQ(expect_failure(2, {"convert", "b.json", "b.json"}),
            "winnow: b.json: is an input; write to another file\n");
  EXPECT_EQ(expect_failure(2, {"convert", "b.json", "b.xml"}),
            "winnow: b.xml: expected a file of the type .json to write\n");
  EXPECT_EQ(expect_failure(2, {"convert", "b-world.ply", "b.json"}),
            "winnow: b-world.ply: is an input; write to another file\n");
  expect_failure(2, {"convert", "b.json"});
  EXPECT_EQ(expect_failure(1, {"convert", "none.json", "c.json"}),
            "winnow: none.json: there is no such file\n");
}

}  // namespace
}  // namespace winnow
