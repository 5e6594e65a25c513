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

struct BadInput {
  std::string text;
  std::string message;  ///< without the file's name
};

void PrintTo(const BadInput& input, std::ostream* stream) {
  *stream << input.message;
}

class WinnowJsonBadInput : public SceneFiles, public testing::WithParamInterface<BadInput> {};

TEST_P(WinnowJsonBadInput, IsRefusedInOneLine) {
  EXPECT_EQ(error_of("s.json", GetParam().text), "s.json: " + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Film, WinnowJsonBadInput,
    testing::ValuesIn(std::vector<BadInput>{
        {scene_with(R"("flim": {})"), "top level: unknown key \"flim\"; did you mean \"film\"?"},
        {scene_with(R"("film": 3)"), "/film: expected an object, found 3"},
        {scene_with(R"("film": {"hight": 3})"),
         "/film: unknown key \"hight\"; did you mean \"height\"?"},
        {scene_with(R"("film": {"width": 0})"),
         "/film/width: expected a whole number in [1, 32768], found 0"},
        {scene_with(R"("film": {"width": -5})"),
         "/film/width: expected a whole number in [1, 32768], found -5"},
        {scene_with(R"("film": {"height": 32769})"),
         "/film/height: expected a whole number in [1, 32768], found 32769"},
        {scene_with(R"("film": {"height": 1.5})"),
         "/film/height: expected a whole number in [1, 32768], found 1.5"},
        {scene_with(R"("film": {"width": "512"})"),
         "/film/width: expected a whole number in [1, 32768], found \"512\""},
        {scene_with(R"("film": {"filter": "lanczos"})"),
         "/film/filter: expected one of box, tent, gaussian, blackman-harris, found \"lanczos\"; "
         "known are box, tent, gaussian, blackman-harris"},
        {scene_with(R"("film": {"filter_radius": 0})"),
         "/film/filter_radius: expected a number in (0, 32], found 0"},
        {scene_with(R"("render": {"spp": 0})"),
         "/render/spp: expected a whole number in [1, 2147483647], found 0"},
        {scene_with(R"("render": {"spp": 1e30})"),
         "/render/spp: expected a whole number in [1, 2147483647], found 1e+30"},
        {scene_with(R"("render": {"spp": 2147483648})"),
         "/render/spp: expected a whole number in [1, 2147483647], found 2147483648"},
        {scene_with(R"("render": {"max_bounces": 1001})"),
         "/render/max_bounces: expected a whole number in [0, 1000], found 1001"},
        {scene_with(R"("render": {"max_bounces": -1})"),
         "/render/max_bounces: expected a whole number in [0, 1000], found -1"},
        {scene_with(R"("description": 5)"), "/description: expected a text in quotes, found 5"}}));

INSTANTIATE_TEST_SUITE_P(
    Camera, WinnowJsonBadInput,
    testing::ValuesIn(std::vector<BadInput>{
        {scene_with(R"("camera": {"look_at": [0, 0, 0]})"),
         "/camera: the key \"position\" is missing"},
        {scene_with(R"("camera": {"position": [0, 0, 0], "lookat": [0, 0, 1]})"),
         "/camera: unknown key \"lookat\"; did you mean \"look_at\"?"},
        {scene_with(R"("camera": {"position": [0, 0], "look_at": [0, 0, 1]})"),
         "/camera/position: expected three numbers [x, y, z], found an array of 2"},
        {scene_with(R"("camera": {"position": [0, "a", 0], "look_at": [0, 0, 1]})"),
         "/camera/position/1: expected a number in [-1e+09, 1e+09], found \"a\""},
        {scene_with(R"("camera": {"position": [0, 1e10, 0], "look_at": [0, 0, 1]})"),
         "/camera/position/1: expected a number in [-1e+09, 1e+09], found 10000000000.0"},
        {scene_with(R"("camera": {"position": [0, 0, 1], "look_at": [0, 0, 1]})"),
         "/camera/look_at: expected a point other than position, to define a view direction"},
        {scene_with(R"("camera": {"position": [0, 5, 0], "look_at": [0, 0, 0]})"),
         "/camera: up is parallel to the view from position to look_at; expected another "
         "direction"},
        {scene_with(R"("camera": {"position": [0, 5, 0], "look_at": [0, 0, 0], "up": [0, 0, 0]})"),
         "/camera/up: expected a direction, found a vector of length 0"},
        {scene_with(
             R"("camera": {"position": [0, 0, 5], "look_at": [0, 0, 0], "vertical_fov": 0})"),
         "/camera/vertical_fov: expected a number in (0, 180), found 0"},
        {scene_with(
             R"("camera": {"position": [0, 0, 5], "look_at": [0, 0, 0], "vertical_fov": 180})"),
         "/camera/vertical_fov: expected a number in (0, 180), found 180"},
        {scene_with(
             R"("camera": {"position": [0, 0, 5], "look_at": [0, 0, 0], "lens_radius": -1})"),
         "/camera/lens_radius: expected a number in [0, 1e+09], found -1"},
        {scene_with(
             R"("camera": {"position": [0, 0, 5], "look_at": [0, 0, 0], "focus_distance": 0})"),
         "/camera/focus_distance: expected a number in (0, 1e+09], found 0"},
        {scene_with(R"("camera": {"type": "ortho", "position": [0, 0, 5], "look_at": [0, 0, 0]})"),
         "/camera/type: expected one of perspective, orthographic, found \"ortho\"; known are "
         "perspective, orthographic"},
        {scene_with(
             R"("camera": {"type": "orthographic", "position": [0, 0, 5], "look_at": [0, 0, 0]})"),
         "/camera: the key \"view_height\" is missing"},
        {scene_with(
             R"("camera": {"type": "orthographic", "position": [0, 0, 5], "look_at": [0, 0, 0],
                "view_height": 0})"),
         "/camera/view_height: expected a number in (0, 1e+09], found 0"},
        {scene_with(
             R"("camera": {"type": "orthographic", "position": [0, 0, 5], "look_at": [0, 0, 0],
                "view_height": 2, "vertical_fov": 30})"),
         "/camera/vertical_fov: a camera of the type orthographic has no such key; expected "
         "\"view_height\""},
        {scene_with(R"("camera": {"position": [0, 0, 5], "look_at": [0, 0, 0], "view_height": 2})"),
         "/camera/view_height: a camera of the type perspective has no such key; expected "
         "\"vertical_fov\""},
        {scene_with(R"("camera": {"position": [0, 0, 5], "look_at": [0, 0, 0], "blades": 2})"),
         "/camera/blades: expected 0 for a disk, or 3 to 64 blades, found 2"},
        {scene_with(R"("camera": {"position": [0, 0, 5], "look_at": [0, 0, 0], "blades": 65})"),
         "/camera/blades: expected a whole number in [0, 64], found 65"}}));

std::string scene_with_material(const std::string& material) {
  return R"({"materials": {"a/b": )" + material +
         R"(}, "shapes": [{"type": "sphere", "material": "a/b", "radius": 1}]})";
}

INSTANTIATE_TEST_SUITE_P(
    Materials, WinnowJsonBadInput,
    testing::ValuesIn(std::vector<BadInput>{
        {scene_with_material("{}"), "/materials/a~1b: the key \"type\" is missing"},
        {scene_with_material(R"({"type": "mirrow"})"),
         "/materials/a~1b/type: expected one of diffuse, mirror, conductor, dielectric, "
         "rough-dielectric, thin-dielectric, plastic, principled, found \"mirrow\"; did you mean "
         "\"mirror\"?"},
        {scene_with_material(R"({"type": "diffuse", "reflectence": 1})"),
         "/materials/a~1b: unknown key \"reflectence\"; did you mean \"reflectance\"?"},
        {scene_with_material(R"({"type": "diffuse", "roughness": 1})"),
         "/materials/a~1b: unknown key \"roughness\"; known are type, reflectance, emission, "
         "alpha, "
         "alpha_cutoff, textures"},
        {scene_with_material(R"({"type": "diffuse", "reflectance": 1.01})"),
         "/materials/a~1b/reflectance: expected a number in [0, 1], found 1.01"},
        {scene_with_material(R"({"type": "diffuse", "reflectance": [0.5, -0.1, 0]})"),
         "/materials/a~1b/reflectance/1: expected a number in [0, 1], found -0.1"},
        {scene_with_material(R"({"type": "diffuse", "reflectance": "red"})"),
         "/materials/a~1b/reflectance: expected a number or [r, g, b], found \"red\""},
        {scene_with_material(R"({"type": "diffuse", "emission": -1})"),
         "/materials/a~1b/emission: expected a number in [0, 1e+09], found -1"},
        {scene_with_material(R"({"type": "conductor", "roughness": 2})"),
         "/materials/a~1b/roughness: expected a number in [0, 1], found 2"},
        {scene_with_material(R"({"type": "dielectric", "ior": 1})"),
         "/materials/a~1b/ior: expected a number in (1, 100], found 1"},
        {scene_with_material(R"({"type": "dielectric", "ior": 1.00000000001})"),
         "/materials/a~1b/ior: expected a number in (1, 100], found 1.00000000001"}}));

INSTANTIATE_TEST_SUITE_P(
    Shapes, WinnowJsonBadInput,
    testing::ValuesIn(std::vector<BadInput>{
        {R"({"shapes": {}})", "/shapes: expected a list of shapes, found an object"},
        {scene_of(R"({"type": "spere"})"),
         "/shapes/0/type: expected one of rectangle, box, disk, sphere, mesh, obj, ply, "
         "instances, found \"spere\"; did you mean \"sphere\"?"},
        {scene_of(R"({"type": "sphere", "radius": 1})"),
         "/shapes/0: the key \"material\" is missing"},
        {scene_of(R"({"type": "sphere", "material": "whte", "radius": 1})"),
         "/shapes/0/material: unknown material \"whte\"; did you mean \"white\"?"},
        {scene_of(R"({"type": "sphere", "material": "chrome", "radius": 1})"),
         "/shapes/0/material: unknown material \"chrome\"; known are white, wood"},
        {scene_of(R"({"type": "sphere", "material": "white", "radius": 0})"),
         "/shapes/0/radius: expected a number in (0, 1e+09], found 0"},
        {scene_of(R"({"type": "sphere", "material": "white", "radius": 1e-60})"),
         "/shapes/0/radius: expected a number in (0, 1e+09], found 1e-60"},
        {scene_of(R"({"type": "sphere", "material": "white", "raduis": 1})"),
         "/shapes/0: unknown key \"raduis\"; did you mean \"radius\"?"},
        {scene_of(
             R"({"type": "sphere", "material": "white", "radius": 1, "transform": [{"scale": [1, 2, 1]}]})"),
         "/shapes/0/transform: expected the same scale along all axes, so that the sphere stays a "
         "sphere"},
        {scene_of(R"({"type": "box", "material": "white", "min": [0, 0, 0], "max": [1, 0, 1]})"),
         "/shapes/0/max: expected each coordinate above that of min"},
        {scene_of(
             R"({"type": "rectangle", "material": "white", "corner": [0, 0, 0], "edge_u": [1, 0, 0], "edge_v": [2, 0, 0]})"),
         "/shapes/0: the shape has no area, or lies beyond 1e9 m; expected a visible one"},
        {scene_of(
             R"({"type": "mesh", "material": "white", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 3]]})"),
         "/shapes/0/faces/0/2: expected a whole number in [0, 2], found 3"},
        {scene_of(
             R"({"type": "mesh", "material": "white", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, -1]]})"),
         "/shapes/0/faces/0/2: expected a whole number in [0, 2], found -1"},
        {scene_of(R"({"type": "mesh", "material": "white", "vertices": [], "faces": [[0, 1, 2]]})"),
         "/shapes/0/faces/0: expected vertices before faces"},
        {scene_of(R"({"type": "mesh", "material": "white", "vertices": [[0, 0, 0]], "faces": []})"),
         "/shapes/0/faces: expected at least one face"},
        {scene_of(
             R"({"type": "mesh", "material": "white", "vertices": [[0, 0, 0]], "faces": [[0, 0]]})"),
         "/shapes/0/faces/0: expected 3 to 255 vertex indices, found 2"},
        {scene_of(
             R"({"type": "mesh", "material": "white", "vertices": [[0, 0, 0]], "normals": [], "faces": [[0, 0, 0]]})"),
         "/shapes/0/normals: expected as many as vertices, 1, found 0"},
        {scene_of(R"({"type": "obj", "file": 1})"),
         "/shapes/0/file: expected a text in quotes, found 1"},
        {scene_of(R"({"type": "obj", "file": "no.obj", "material": "white"})"),
         "/shapes/0/file: there is no file no.obj"},
        {scene_of(R"({"type": "obj", "file": "no.obj", "made_by": "scripts/make-no"})"),
         "/shapes/0/file: there is no file no.obj; make it with scripts/make-no"}}));

std::string scene_with_step(const std::string& step) {
  return scene_of(R"({"type": "sphere", "material": "white", "radius": 1, "transform": )" + step +
                  "}");
}

INSTANTIATE_TEST_SUITE_P(
    Transforms, WinnowJsonBadInput,
    testing::ValuesIn(std::vector<BadInput>{
        {scene_with_step("{}"), "/shapes/0/transform: expected a list of steps, found an object"},
        {scene_with_step("[{}]"),
         "/shapes/0/transform/0: expected exactly one of translate, rotate, scale, matrix in each "
         "step"},
        {scene_with_step(R"([{"scale": 2, "translate": [0, 0, 0]}])"),
         "/shapes/0/transform/0: expected exactly one of translate, rotate, scale, matrix in each "
         "step"},
        {scene_with_step(R"([{"translat": [0, 0, 0]}])"),
         "/shapes/0/transform/0: unknown key \"translat\"; did you mean \"translate\"?"},
        {scene_with_step(R"([{"scale": 0}])"),
         "/shapes/0/transform/0/scale: expected factors other than zero"},
        {scene_with_step(R"([{"rotate": {"axis": [0, 0, 0], "angle": 1}}])"),
         "/shapes/0/transform/0/rotate/axis: expected a direction, found a vector of length 0"},
        {scene_with_step(R"([{"rotate": {"axis": [0, 0, 1]}}])"),
         "/shapes/0/transform/0/rotate: the key \"angle\" is missing"},
        {scene_with_step(R"([{"matrix": [1, 2, 3]}])"),
         "/shapes/0/transform/0/matrix: expected four rows of four numbers"},
        {scene_with_step(
             R"([{"matrix": [[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]]}])"),
         "/shapes/0/transform: the combined matrix is singular; expected one with an inverse"},
        {scene_with_step(
             R"([{"matrix": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]]}])"),
         "/shapes/0/transform/0/matrix/3: expected the last row [0, 0, 0, 1]; shapes "
         "cannot have a perspective transform"}}));

INSTANTIATE_TEST_SUITE_P(
    Light, WinnowJsonBadInput,
    testing::ValuesIn(std::vector<BadInput>{
        {R"({"lights": [{"type": "dot"}]})",
         "/lights/0/type: expected one of rectangle, sphere, point, spot, directional, found "
         "\"dot\"; did you mean \"spot\"?"},
        {R"({"lights": [{"type": "point", "position": [0, 0, 0]}]})",
         "/lights/0: the key \"intensity\" is missing"},
        {R"({"lights": [{"type": "spot", "position": [0, 0, 0], "intensity": 1}]})",
         "/lights/0: expected either \"direction\" or \"look_at\""},
        {R"({"lights": [{"type": "spot", "position": [0, 0, 0], "look_at": [0, 0, 0], "intensity": 1}]})",
         "/lights/0/look_at: expected a point other than position, to define a direction"},
        {R"({"lights": [{"type": "spot", "position": [0, 0, 0], "direction": [0, 1, 0],
                         "intensity": 1, "cone_angle": 20, "falloff_start": 21}]})",
         "/lights/0/falloff_start: expected a number in [0, 20], found 21"},
        {R"({"lights": [{"type": "directional", "direction": [0, 1, 0], "irradiance": 1, "angle": 90}]})",
         "/lights/0/angle: expected a number in [0, 90), found 90"},
        {R"({"lights": [{"type": "sphere", "radius": 1}]})",
         "/lights/0: expected either \"radiance\" or \"power\""},
        {R"({"lights": [{"type": "sphere", "radius": 1, "power": 1, "radiance": 1}]})",
         "/lights/0: expected either \"radiance\" or \"power\""},
        {R"({"lights": [{"type": "sphere", "radius": 1, "power": -1}]})",
         "/lights/0/power: expected a number in [0, 1e+09], found -1"},
        {R"({"lights": [{"type": "sphere", "radius": 1, "material": "a"}]})",
         "/lights/0: unknown key \"material\"; known are type, radiance, power, transform, center, "
         "radius"},
        {scene_of("", R"(, "skye": 1)"), "top level: unknown key \"skye\"; did you mean \"sky\"?"},
        {R"({"sky": {"radiance": 1, "ground": 1}})",
         "/sky: expected either \"radiance\" or \"ground\", found both"},
        {R"({"sky": {"file": "a.hdr", "ground": 1}})",
         "/sky: expected either \"file\" or \"ground\", found both"},
        {R"({"sky": {"radiance": 1, "rotation": 1}})",
         "/sky/rotation: expected it together with \"file\" only"},
        {R"({"sky": {"file": "a.hdr", "transform": [{"scale": 2}]}})",
         "/sky/transform: expected only rotations and mirroring"},
        {R"({"sky": {"sun": [0, -1, 0]}})", "/sky/sun: expected a direction above the horizon"},
        {R"({"sky": {"radiance": 1, "turbidity": 3}})",
         "/sky/turbidity: expected it together with \"sun\" only"},
        {R"({"sky": {"sun": [0, 1, 0], "turbidity": 1}})",
         "/sky/turbidity: expected a number in [2, 10], found 1"},
        {R"({"sky": {"zenith": 1, "horizon": 1}})", "/sky: the key \"ground\" is missing"},
        {R"({"sky": {"radiance": [1, 2]}})",
         "/sky/radiance: expected a number or [r, g, b], found an array of 2"}}));

}  // namespace
}  // namespace winnow
