// SPDX-License-Identifier: MIT
#include "load/winnow/winnow_json.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

/// A scene with one more top-level member.
std::string scene_with(const std::string& member) {
  return R"({"materials": {"white": {"type": "diffuse"}},
             "shapes": [{"type": "sphere", "material": "white", "radius": 1}],
             "sky": {"radiance": 1}, )" +
         member + "}";
}

/// A part of a scene with a mistake.
struct BadPart {
  std::string part, message;
};

class WinnowJsonErrors : public SceneFiles {
 protected:
  /// Expects an error of one line for each part, in the place of "$" in `scene`.
  /// @param pointer  what all the messages begin with, after the file's name
  void expect_errors(const std::string& scene, const std::string& pointer,
                     const std::vector<BadPart>& bad_parts) const {
    const size_t place = scene.find('$');
    for (const auto& [part, message] : bad_parts)
      EXPECT_EQ(error_of("s.json", std::string(scene).replace(place, 1, part)),
                "s.json: " + pointer + message);
  }
};

TEST_F(WinnowJsonErrors, OfTheAttributesOfVertices) {
  expect_errors(
      scene_of(
          R"({"type": "mesh", "material": "white", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
                   "faces": [[0, 1, 2]], $})"),
      "/shapes/0/",
      {{R"("colors": [[1, 1, 1]])", "colors: expected as many as vertices, 3, found 1"},
       {R"("colors": [[1, 1], [1, 1, 1], [1, 1, 1]])",
        "colors/0: expected [r, g, b] or [r, g, b, alpha], found 2 numbers"},
       {R"("colors": [[1, 1, 2], [1, 1, 1], [1, 1, 1]])",
        "colors/0/2: expected a number in [0, 1], found 2"},
       {R"("second_uvs": [[0, 0], [0, 0], [0]])", "second_uvs/2: expected a pair [u, v]"}});
}

TEST_F(WinnowJsonErrors, OfTheTopLevel) {
  expect_errors(
      "$", "",
      {{scene_with(R"("flim": {})"), "top level: unknown key \"flim\"; did you mean \"film\"?"},
       {scene_of("", R"(, "skye": 1)"), "top level: unknown key \"skye\"; did you mean \"sky\"?"},
       {scene_with(R"("film": 3)"), "/film: expected an object, found 3"},
       {scene_with(R"("description": 5)"), "/description: expected a text in quotes, found 5"},
       {R"({"shapes": {}})", "/shapes: expected a list of shapes, found an object"}});
}

TEST_F(WinnowJsonErrors, OfTheFilm) {
  expect_errors(
      scene_with(R"("film": {$})"), "/film",
      {{R"("hight": 3)", ": unknown key \"hight\"; did you mean \"height\"?"},
       {R"("width": 0)", "/width: expected a whole number in [1, 32768], found 0"},
       {R"("width": -5)", "/width: expected a whole number in [1, 32768], found -5"},
       {R"("height": 32769)", "/height: expected a whole number in [1, 32768], found 32769"},
       {R"("height": 1.5)", "/height: expected a whole number in [1, 32768], found 1.5"},
       {R"("width": "512")", "/width: expected a whole number in [1, 32768], found \"512\""},
       {R"("filter": "lanczos")",
        "/filter: expected one of box, tent, gaussian, blackman-harris, found \"lanczos\"; known "
        "are box, tent, gaussian, blackman-harris"},
       {R"("filter_radius": 0)", "/filter_radius: expected a number in (0, 32], found 0"}});
}

TEST_F(WinnowJsonErrors, OfTheSamplesAndBounces) {
  expect_errors(
      scene_with(R"("render": {$})"), "/render",
      {{R"("spp": 0)", "/spp: expected a whole number in [1, 2147483647], found 0"},
       {R"("spp": 1e30)", "/spp: expected a whole number in [1, 2147483647], found 1e+30"},
       {R"("spp": 2147483648)",
        "/spp: expected a whole number in [1, 2147483647], found 2147483648"},
       {R"("max_bounces": 1001)", "/max_bounces: expected a whole number in [0, 1000], found 1001"},
       {R"("max_bounces": -1)", "/max_bounces: expected a whole number in [0, 1000], found -1"}});
}

TEST_F(WinnowJsonErrors, OfTheCamera) {
  expect_errors(
      scene_with(R"("camera": {$})"), "/camera",
      {{R"("look_at": [0, 0, 0])", ": the key \"position\" is missing"},
       {R"("position": [0, 0, 0], "lookat": [0, 0, 1])",
        ": unknown key \"lookat\"; did you mean \"look_at\"?"},
       {R"("position": [0, 0], "look_at": [0, 0, 1])",
        "/position: expected three numbers [x, y, z], found an array of 2"},
       {R"("position": [0, "a", 0], "look_at": [0, 0, 1])",
        "/position/1: expected a number in [-1e+09, 1e+09], found \"a\""},
       {R"("position": [0, 1e10, 0], "look_at": [0, 0, 1])",
        "/position/1: expected a number in [-1e+09, 1e+09], found 10000000000.0"},
       {R"("position": [0, 0, 1], "look_at": [0, 0, 1])",
        "/look_at: expected a point other than position, to define a view direction"},
       {R"("position": [0, 5, 0], "look_at": [0, 0, 0])",
        ": up is parallel to the view from position to look_at; expected another direction"},
       {R"("position": [0, 5, 0], "look_at": [0, 0, 0], "up": [0, 0, 0])",
        "/up: expected a direction, found a vector of length 0"}});
}

TEST_F(WinnowJsonErrors, OfTheView) {
  expect_errors(
      scene_with(R"("camera": {"position": [0, 0, 5], "look_at": [0, 0, 0], $})"), "/camera",
      {{R"("vertical_fov": 0)", "/vertical_fov: expected a number in (0, 180), found 0"},
       {R"("vertical_fov": 180)", "/vertical_fov: expected a number in (0, 180), found 180"},
       {R"("lens_radius": -1)", "/lens_radius: expected a number in [0, 1e+09], found -1"},
       {R"("focus_distance": 0)", "/focus_distance: expected a number in (0, 1e+09], found 0"},
       {R"("type": "ortho")",
        "/type: expected one of perspective, orthographic, found \"ortho\"; known are perspective, "
        "orthographic"},
       {R"("type": "orthographic")", ": the key \"view_height\" is missing"},
       {R"("type": "orthographic", "view_height": 0)",
        "/view_height: expected a number in (0, 1e+09], found 0"},
       {R"("type": "orthographic", "view_height": 2, "vertical_fov": 30)",
        "/vertical_fov: a camera of the type orthographic has no such key; expected "
        "\"view_height\""},
       {R"("view_height": 2)",
        "/view_height: a camera of the type perspective has no such key; expected "
        "\"vertical_fov\""},
       {R"("blades": 2)", "/blades: expected 0 for a disk, or 3 to 64 blades, found 2"},
       {R"("blades": 65)", "/blades: expected a whole number in [0, 64], found 65"}});
}

TEST_F(WinnowJsonErrors, OfMaterials) {
  expect_errors(
      R"({"materials": {"a/b": $}, "shapes": [{"type": "sphere", "material": "a/b", "radius": 1}]})",
      "/materials/a~1b",
      {{R"({})", ": the key \"type\" is missing"},
       {R"({"type": "mirrow"})",
        "/type: expected one of diffuse, mirror, conductor, dielectric, rough-dielectric, "
        "thin-dielectric, plastic, principled, null, found \"mirrow\"; did you mean \"mirror\"?"},
       {R"({"type": "diffuse", "reflectence": 1})",
        ": unknown key \"reflectence\"; did you mean \"reflectance\"?"},
       {R"({"type": "diffuse", "roughness": 1})",
        ": unknown key \"roughness\"; known are type, reflectance, emission, alpha, alpha_cutoff, "
        "textures, two_sided, black_back, vertex_colors, vertex_alpha, interior, exterior"},
       {R"({"type": "diffuse", "reflectance": 1.01})",
        "/reflectance: expected a number in [0, 1], found 1.01"},
       {R"({"type": "diffuse", "reflectance": [0.5, -0.1, 0]})",
        "/reflectance/1: expected a number in [0, 1], found -0.1"},
       {R"({"type": "diffuse", "reflectance": "red"})",
        "/reflectance: expected a number or [r, g, b], found \"red\""},
       {R"({"type": "diffuse", "emission": -1})",
        "/emission: expected a number in [0, 1e+09], found -1"},
       {R"({"type": "conductor", "roughness": 2})",
        "/roughness: expected a number in [0, 1], found 2"},
       {R"({"type": "dielectric", "ior": 0})",
        "/ior: expected a number in [0.0001, 10000], found 0"},
       {R"({"type": "principled", "ior": 1})", "/ior: expected a number in (1, 10000], found 1"},
       {R"({"type": "principled", "ior": 1.00000000001})",
        "/ior: expected a number in (1, 10000], found 1.00000000001"}});
}

TEST_F(WinnowJsonErrors, OfShapes) {
  expect_errors(
      scene_of(R"({"type": $})"), "/shapes/0",
      {{R"("spere")",
        "/type: expected one of rectangle, box, disk, sphere, mesh, obj, ply, instances, found "
        "\"spere\"; did you mean \"sphere\"?"},
       {R"("sphere", "radius": 1)", ": the key \"material\" is missing"},
       {R"("sphere", "material": "whte", "radius": 1)",
        "/material: unknown material \"whte\"; did you mean \"white\"?"},
       {R"("sphere", "material": "chrome", "radius": 1)",
        "/material: unknown material \"chrome\"; known are white, wood"},
       {R"("sphere", "material": "white", "radius": 0)",
        "/radius: expected a number in (0, 1e+09], found 0"},
       {R"("sphere", "material": "white", "radius": 1e-60)",
        "/radius: expected a number in (0, 1e+09], found 1e-60"},
       {R"("sphere", "material": "white", "raduis": 1)",
        ": unknown key \"raduis\"; did you mean \"radius\"?"},
       {R"("sphere", "material": "white", "radius": 1, "transform": [{"scale": [1, 2, 1]}])",
        "/transform: expected the same scale along all axes, so that the sphere stays a sphere"},
       {R"("box", "material": "white", "min": [0, 0, 0], "max": [1, 0, 1])",
        "/max: expected each coordinate above that of min"},
       {R"("rectangle", "material": "white", "corner": [0, 0, 0], "edge_u": [1, 0, 0], "edge_v": [2, 0, 0])",
        ": the shape has no area, or lies beyond 1e9 m; expected a visible one"},
       {R"("mesh", "material": "white", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 3]])",
        "/faces/0/2: expected a whole number in [0, 2], found 3"},
       {R"("mesh", "material": "white", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, -1]])",
        "/faces/0/2: expected a whole number in [0, 2], found -1"},
       {R"("mesh", "material": "white", "vertices": [], "faces": [[0, 1, 2]])",
        "/faces/0: expected vertices before faces"},
       {R"("mesh", "material": "white", "vertices": [[0, 0, 0]], "faces": [])",
        "/faces: expected at least one face"},
       {R"("mesh", "material": "white", "vertices": [[0, 0, 0]], "faces": [[0, 0]])",
        "/faces/0: expected 3 to 255 vertex indices, found 2"},
       {R"("mesh", "material": "white", "vertices": [[0, 0, 0]], "normals": [], "faces": [[0, 0, 0]])",
        "/normals: expected as many as vertices, 1, found 0"},
       {R"("obj", "file": 1)", "/file: expected a text in quotes, found 1"},
       {R"("obj", "file": "no.obj", "material": "white")", "/file: there is no file no.obj"},
       {R"("obj", "file": "no.obj", "made_by": "scenes/make-no")",
        "/file: there is no file no.obj; make it with scenes/make-no"}});
}

TEST_F(WinnowJsonErrors, OfTransforms) {
  expect_errors(
      scene_of(R"({"type": "sphere", "material": "white", "radius": 1, "transform": $})"),
      "/shapes/0/transform",
      {{R"({})", ": expected a list of steps, found an object"},
       {R"([{}])",
        "/0: expected exactly one of translate, rotate, scale, matrix, motion in each step"},
       {R"([{"scale": 2, "translate": [0, 0, 0]}])",
        "/0: expected exactly one of translate, rotate, scale, matrix, motion in each step"},
       {R"([{"translat": [0, 0, 0]}])",
        "/0: unknown key \"translat\"; did you mean \"translate\"?"},
       {R"([{"scale": 0}])", "/0/scale: expected factors other than zero"},
       {R"([{"rotate": {"axis": [0, 0, 0], "angle": 1}}])",
        "/0/rotate/axis: expected a direction, found a vector of length 0"},
       {R"([{"rotate": {"axis": [0, 0, 1]}}])", "/0/rotate: the key \"angle\" is missing"},
       {R"([{"matrix": [1, 2, 3]}])", "/0/matrix: expected four rows of four numbers"},
       {R"([{"matrix": [[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]]}])",
        ": the combined matrix is singular; expected one with an inverse"},
       {R"([{"matrix": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]]}])",
        "/0/matrix/3: expected the last row [0, 0, 0, 1]; shapes cannot have a perspective "
        "transform"}});
}

TEST_F(WinnowJsonErrors, OfLights) {
  expect_errors(
      R"({"lights": [{$}]})", "/lights/0",
      {{R"("type": "dot")",
        "/type: expected one of rectangle, sphere, point, spot, directional, found \"dot\"; did "
        "you mean \"spot\"?"},
       {R"("type": "point", "position": [0, 0, 0])", ": the key \"intensity\" is missing"},
       {R"("type": "spot", "position": [0, 0, 0], "intensity": 1)",
        ": expected either \"direction\" or \"look_at\""},
       {R"("type": "spot", "position": [0, 0, 0], "look_at": [0, 0, 0], "intensity": 1)",
        "/look_at: expected a point other than position, to define a direction"},
       {R"("type": "spot", "position": [0, 0, 0], "direction": [0, 1, 0], "intensity": 1, "cone_angle": 20, "falloff_start": 21)",
        "/falloff_start: expected a number in [0, 20], found 21"},
       {R"("type": "directional", "direction": [0, 1, 0], "irradiance": 1, "angle": 90)",
        "/angle: expected a number in [0, 90), found 90"},
       {R"("type": "sphere", "radius": 1)", ": expected either \"radiance\" or \"power\""},
       {R"("type": "sphere", "radius": 1, "power": 1, "radiance": 1)",
        ": expected either \"radiance\" or \"power\""},
       {R"("type": "sphere", "radius": 1, "power": -1)",
        "/power: expected a number in [0, 1e+09], found -1"},
       {R"("type": "sphere", "radius": 1, "material": "a")",
        ": unknown key \"material\"; known are type, radiance, power, transform, center, radius"}});
}

TEST_F(WinnowJsonErrors, OfTheSky) {
  expect_errors(
      R"({"sky": {$}})", "/sky",
      {{R"("radiance": 1, "ground": 1)",
        ": expected either \"radiance\" or \"ground\", found both"},
       {R"("file": "a.hdr", "ground": 1)", ": expected either \"file\" or \"ground\", found both"},
       {R"("radiance": 1, "rotation": 1)", "/rotation: expected it together with \"file\" only"},
       {R"("file": "a.hdr", "transform": [{"scale": 2}])",
        "/transform: expected only rotations and mirroring"},
       {R"("sun": [0, -1, 0])", "/sun: expected a direction above the horizon"},
       {R"("radiance": 1, "turbidity": 3)", "/turbidity: expected it together with \"sun\" only"},
       {R"("sun": [0, 1, 0], "turbidity": 1)", "/turbidity: expected a number in [2, 10], found 1"},
       {R"("zenith": 1, "horizon": 1)", ": the key \"ground\" is missing"},
       {R"("radiance": [1, 2])",
        "/radiance: expected a number or [r, g, b], found an array of 2"}});
}

}  // namespace
}  // namespace winnow
