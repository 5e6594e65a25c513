// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <glm/gtc/matrix_transform.hpp>
#include <type_traits>

#include "image/image_io.h"
#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"
#include "load/winnow/winnow_json.h"
#include "scene/vertex_attributes.h"
#include "tests/load/support/same_material.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using WriteWinnowJson = SceneFiles;

template <class T>
void expect_same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Expects equal scenes, except for the order of the materials, which JSON does not preserve.
void expect_same(const HostScene& a, const HostScene& b) {
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  EXPECT_EQ(a.spp, b.spp);
  EXPECT_EQ(a.max_bounces, b.max_bounces);
  EXPECT_EQ(a.filter.type, b.filter.type);
  EXPECT_EQ(a.filter.radius, b.filter.radius);
  EXPECT_EQ(std::memcmp(&a.camera, &b.camera, offsetof(CameraDescription, pixel_aspect)), 0);
  EXPECT_EQ(a.camera.pixel_aspect, b.camera.pixel_aspect);
  expect_same_bits(a.camera.motion, b.camera.motion);
  EXPECT_EQ(std::memcmp(&a.sky, &b.sky, sizeof(a.sky)), 0);
  for (const auto& [mesh_a, mesh_b] :
       {std::pair<const Mesh&, const Mesh&>{a, b}, {a.shared, b.shared}}) {
    expect_same_bits(mesh_a.positions, mesh_b.positions);
    expect_same_bits(mesh_a.normals, mesh_b.normals);
    expect_same_bits(mesh_a.triangles, mesh_b.triangles);
    ASSERT_EQ(mesh_a.triangle_materials.size(), mesh_b.triangle_materials.size());
    for (size_t i = 0; i < mesh_a.triangle_materials.size(); ++i)
      EXPECT_TRUE(are_same(a.materials[mesh_a.triangle_materials[i]],
                           b.materials[mesh_b.triangle_materials[i]]));
  }
  ASSERT_EQ(a.spheres.size(), b.spheres.size());
  for (size_t i = 0; i < a.spheres.size(); ++i) {
    EXPECT_EQ(a.spheres[i].center, b.spheres[i].center);
    EXPECT_EQ(a.spheres[i].radius, b.spheres[i].radius);
    EXPECT_TRUE(are_same(a.materials[a.spheres[i].material], b.materials[b.spheres[i].material]));
  }
  expect_same_bits(a.meshes, b.meshes);
  ASSERT_EQ(a.instances.size(), b.instances.size());
  for (size_t i = 0; i < a.instances.size(); ++i) {
    EXPECT_EQ(a.instances[i].mesh, b.instances[i].mesh);
    EXPECT_EQ(a.instances[i].to_world, b.instances[i].to_world);
    const bool own = a.instances[i].material == MeshInstance::kOwnMaterials;
    EXPECT_EQ(own, b.instances[i].material == MeshInstance::kOwnMaterials);
    if (!own) {
      EXPECT_TRUE(
          are_same(a.materials[a.instances[i].material], b.materials[b.instances[i].material]));
    }
  }
}

void expect_same_lights(const HostScene& a, const HostScene& b) {
  expect_same_bits(a.delta_lights, b.delta_lights);
  expect_same_bits(a.environment.image.pixels, b.environment.image.pixels);
  EXPECT_EQ(a.environment.image.width, b.environment.image.width);
  EXPECT_EQ(a.environment.scale, b.environment.scale);
  EXPECT_EQ(a.environment.to_world, b.environment.to_world);
}

/// All features of the format, with numbers that have no short decimal form.
const char* const kEverything = R"({
  "description": "all of it", "film": {"width": 33, "height": 21, "filter": "gaussian", "filter_radius": 1.7},
  "render": {"spp": 3, "max_bounces": 5},
  "camera": {"position": [0.1, 2.3, 7.7], "look_at": [0.3, 0.7, 0.1], "up": [0.1, 1, 0.2],
             "vertical_fov": 33.3, "lens_radius": 0.07, "focus_distance": 6.1, "blades": 5,
             "blade_rotation": 17.3, "shift": [0.13, -0.07], "near_clip": 0.1, "far_clip": 33.3},
  "materials": {"b": {"type": "mirror", "reflectance": 0.9},
                "a": {"type": "diffuse", "reflectance": [0.1, 0.2, 0.7], "emission": 0.3},
                "d": {"type": "conductor", "roughness": 0.37}, "c": {"type": "dielectric", "ior": 1.33},
                "e": {"type": "diffuse"}},
  "meshes": {
    "m": {"type": "mesh", "material": "d", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
          "normals": [[1, 1, 1], [1, 0.1, 0], [0.3, 1, 0], [-0.1, 0, 1]],
          "faces": [[0, 1, 2], [0, 2, 3]]},
    "n": {"type": "box", "material": "e", "min": [0, 0, 0], "max": [0.1, 0.2, 0.3]}},
  "shapes": [
    {"type": "box", "material": "b", "min": [-1, -1, -1], "max": [1, 0.1, 1],
     "transform": [{"rotate": {"axis": [1, 2, 3], "angle": 17}}, {"scale": [1, -1.1, 0.3]}]},
    {"type": "mesh", "material": "a", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
     "normals": [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [-0.7, 0.1, 0]], "faces": [[0, 1, 2]],
     "transform": [{"rotate": {"axis": [1, 2, 3], "angle": 71}}, {"scale": [3, 1.1, 0.3]}]},
    {"type": "sphere", "material": "c", "center": [0.1, 0.7, 3.3], "radius": 0.21},
    {"type": "instances", "mesh": "n", "transforms": [[], [{"translate": [3, 0, 0.7]}]]},
    {"type": "instances", "mesh": "m", "transforms": [
      [{"rotate": {"axis": [1, 2, 3], "angle": 5}}, {"translate": [1.1, 0, 0]}],
      [{"scale": 0.3}], [{"translate": [0, 7.7, 0]}]]},
    {"type": "instances", "mesh": "m", "material": "b", "transforms": [[], [{"scale": 1.7}]]},
    {"type": "instances", "mesh": "m", "material": "a", "transforms": [[{"scale": 0.7}]]}],
  "lights": [{"type": "sphere", "power": 33, "center": [0, 9.1, 0], "radius": 0.3},
             {"type": "rectangle", "radiance": [3, 2, 1], "corner": [0, 5, 0], "edge_u": [1, 0, 0.1],
              "edge_v": [0, 0.1, 1]}],
  "sky": {"zenith": [0.1, 0.2, 0.7], "horizon": 0.3, "ground": 0.1, "up": [0.3, 1, 0.1]}})";

TEST_F(WriteWinnowJson, WritesWhatReadsAsTheSameScene) {
  HostScene scene = load("a.json", kEverything);
  ASSERT_EQ(scene.meshes.size(), 2u);
  ASSERT_EQ(scene.instances.size(), 7u);
  write_winnow_json(folder_ / "b.json", scene);
  HostScene again = load_scene(folder_ / "b.json");
  EXPECT_EQ(again.warnings, std::vector<std::string>{});
  EXPECT_EQ(again.description, scene.description);
  expect_same(scene, again);
  write_winnow_json(folder_ / "c.json", again);
  expect_same(scene, load_scene(folder_ / "c.json"));
}

TEST_F(WriteWinnowJson, WritesAnOrthographicCamera) {
  HostScene scene = load("a.json", kEverything);
  scene.camera.projection = Projection::kOrthographic;
  scene.camera.view_height = 3.3f;
  scene.camera.vertical_fov = CameraDescription().vertical_fov;
  write_winnow_json(folder_ / "b.json", scene);
  expect_same(scene, load_scene(folder_ / "b.json"));
}

// A rotation by a quarter has -0 in its matrix, and the hash of a scene is that of its bits.
TEST_F(WriteWinnowJson, KeepsTheSignsOfZerosInTheOrientationOfASky) {
  HostScene scene = load("a.json", kEverything);
  scene.environment.image = {2, 1, {{1, 0.1f, 3}, {1e-7f, 5, 6}}};
  scene.environment.to_world = {{-0.0f, 0.0f, -1.0f}, {0.0f, 1.0f, -0.0f}, {1.0f, -0.0f, 0.0f}};
  write_winnow_json(folder_ / "b.json", scene);
  const glm::mat3 again = load_scene(folder_ / "b.json").environment.to_world;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row)
      EXPECT_EQ(std::signbit(again[column][row]),
                std::signbit(scene.environment.to_world[column][row]));
}

TEST_F(WriteWinnowJson, NamesItsMeshFiles) {
  HostScene scene = load("a.json", kEverything);
  std::vector<std::filesystem::path> files = {"x/b-world.ply", "x/b-mesh-0.ply", "x/b-mesh-1.ply"};
  EXPECT_EQ(winnow_json_meshes("x/b.json", scene), files);
  EXPECT_TRUE(winnow_json_meshes("x/b.json", HostScene{}).empty());
}

TEST_F(WriteWinnowJson, GivesMaterialsOfOneNameTwo) {
  HostScene scene = load("a.json", kEverything);
  for (std::string& name : scene.material_names) name = "same \"\xff\"";
  write_winnow_json(folder_ / "b.json", scene);
  HostScene again = load_scene(folder_ / "b.json");
  EXPECT_EQ(again.materials.size(), scene.materials.size());
  expect_same(scene, again);
}

TEST_F(WriteWinnowJson, RefusesWhatTheFormatCannotHold) {
  HostScene scene = load("a.json", kEverything);
  scene.materials[0].emission = glm::vec3(2e9f);
  try {
    write_winnow_json(folder_ / "b.json", scene);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("b.json: the scene has the number 2000000000"),
              std::string::npos)
        << error.what();
  }
}

/// Without a texture, too, they say in which direction a metal is brushed. Found by winnow_soak.
TEST_F(WriteWinnowJson, KeepsTheTextureCoordinatesThatAnisotropyFollows) {
  const HostScene scene = load("a.json", R"({
    "materials": {"m": {"type": "conductor", "anisotropy": 0.9}},
    "shapes": [{"type": "mesh", "material": "m", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
                "uvs": [[0.1, 0.7], [0.3, 0.9], [1e-5, 123.4]], "faces": [[0, 1, 2]]}],
    "sky": {"radiance": 1}})");
  write_winnow_json(folder_ / "b.json", scene);
  expect_same_bits(load_scene(folder_ / "b.json").uvs, scene.uvs);
}

TEST_F(WriteWinnowJson, KeepsTexturesAndWhereTheyLie) {
  write("map.pfm", std::string("PF\n1 1\n-1.0\n") + std::string(12, '@'));
  const HostScene scene = load("a.json", R"({
    "textures": {
      "chess": {"checkerboard": [0.8, [0.1, 0.2, 0.3]], "scale": [3, 0.1], "wrap": "mirror"},
      "map": {"file": "map.pfm", "uv_transform": [[0.5, 0.25, 0.1], [0, 2, 0.3]], "wrap": "clamp"}},
    "materials": {
      "m": {"type": "diffuse", "alpha": 0.75, "alpha_cutoff": 0.5, "textures": {
        "reflectance": "chess", "normal": "map", "normal_scale": 0.3, "emission": "chess"}}},
    "shapes": [{"type": "mesh", "material": "m", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
                "uvs": [[0.1, 0.7], [0.3, 0.9], [1e-5, 123.4]], "faces": [[0, 1, 2]]}],
    "sky": {"radiance": 1}})");
  write_winnow_json(folder_ / "b.json", scene);
  const HostScene read = load_scene(folder_ / "b.json");
  expect_same_bits(read.uvs, scene.uvs);
  const Material &a = scene.materials[0], &b = read.materials[0];
  EXPECT_TRUE(are_same(a, b));
  for (const TextureSlot& slot : texture_slots()) {
    SCOPED_TRACE(slot.key);
    const uint32_t of_a = a.textures.*slot.texture, of_b = b.textures.*slot.texture;
    ASSERT_EQ(of_b == kNoTexture, of_a == kNoTexture);
    if (of_a == kNoTexture) continue;
    const TextureDescription &texture_a = scene.textures[of_a], &texture_b = read.textures[of_b];
    TextureDescription moved = texture_b;
    moved.image = texture_a.image;
    EXPECT_TRUE(moved == texture_a);
    const TextureImage &image_a = scene.images[texture_a.image],
                       &image_b = read.images[texture_b.image];
    EXPECT_EQ(image_b.width, image_a.width);
    EXPECT_EQ(image_b.format, image_a.format);
    expect_same_bits(image_b.texels, image_a.texels);
  }
}

TEST_F(WriteWinnowJson, KeepsColoursOfVerticesAndTheSecondParametrization) {
  const HostScene scene = load("a.json", R"({
    "textures": {"chess": {"checkerboard": [0.8, [0.1, 0.2, 0.3]]}},
    "materials": {
      "m": {"type": "diffuse", "vertex_colors": true, "vertex_alpha": true, "textures": {
        "reflectance": "chess", "alpha": "chess", "on_second_uvs": ["alpha"]}}},
    "meshes": {
      "t": {"type": "mesh", "material": "m", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
            "colors": [[1, 0, 0], [0.1, 0.2, 0.3, 0.4], [0, 0, 1]],
            "uvs": [[0, 0], [1, 0], [0, 1]], "second_uvs": [[0.1, 0.7], [0.3, 0.9], [1e-5, 123.4]],
            "faces": [[0, 1, 2]]}},
    "shapes": [
      {"type": "mesh", "material": "m", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
       "colors": [[0.5, 0.5, 0.5], [0.1, 0.2, 0.3], [0, 0, 1]], "faces": [[0, 1, 2]]},
      {"type": "instances", "mesh": "t", "transforms": [[], [{"translate": [3, 0, 0]}]]}],
    "sky": {"radiance": 1}})");
  EXPECT_EQ(scene.colors.at(1), glm::vec4(0.1f, 0.2f, 0.3f, 1.0f));
  EXPECT_EQ(scene.shared.colors.at(1), glm::vec4(0.1f, 0.2f, 0.3f, 0.4f));
  write_winnow_json(folder_ / "b.json", scene);
  const HostScene read = load_scene(folder_ / "b.json");
  EXPECT_EQ(read.warnings, std::vector<std::string>{});
  expect_same_bits(read.colors, scene.colors);
  expect_same_bits(read.shared.colors, scene.shared.colors);
  expect_same_bits(read.shared.second_uvs, scene.shared.second_uvs);
  for (const HostScene* of : {&scene, &read}) {
    const Material& material = of->materials.at(0);
    EXPECT_TRUE(material.vertex_colors);
    EXPECT_TRUE(material.vertex_alpha);
    EXPECT_TRUE(is_on_second_uvs(material.textures, TextureUse::kAlpha));
    EXPECT_FALSE(is_on_second_uvs(material.textures, TextureUse::kReflectance));
  }
}

TEST_F(WriteWinnowJson, KeepsLightsWithoutASizeAndTheEnvironment) {
  write_image(folder_ / "sky.pfm", {2, 1, {{1, 0.1f, 3}, {1e-7f, 5, 6}}});
  const HostScene scene = load("a.json", R"({
    "materials": {"m": {"type": "diffuse"}},
    "shapes": [{"type": "sphere", "material": "m", "radius": 1}],
    "lights": [
      {"type": "point", "position": [0.1, 2, 3], "intensity": [4.1, 5, 6]},
      {"type": "spot", "position": [0, 3.1, 0], "look_at": [0.3, 1, 0], "intensity": 2, "cone_angle": 33.3, "falloff": "fourth"},
      {"type": "directional", "direction": [0.1, 0.2, -2], "irradiance": 3.3, "angle": 0.53}],
    "sky": {"file": "sky.pfm", "scale": 1.7, "transform": [
      {"rotate": {"axis": [1, 2, 3], "angle": 17}}, {"scale": [1, -1, 1]}]}})");
  ASSERT_EQ(scene.delta_lights.size(), 3u);
  ASSERT_FALSE(scene.environment.image.pixels.empty());
  write_winnow_json(folder_ / "b.json", scene);
  EXPECT_EQ(winnow_json_images(folder_ / "b.json", scene).back(), folder_ / "b-sky.exr");
  expect_same_lights(scene, load_scene(folder_ / "b.json"));
}

/// The smallest or largest value in a range.
float bound_of(const Range& range, bool is_upper) {
  const auto min = float(range.min), max = float(range.max);
  if (is_upper) return range.max_excluded ? std::nextafter(max, min) : max;
  return range.min_excluded ? std::nextafter(min, max) : min;
}

/// All numbers are at a bound of their range.
Material material_at_bounds(MaterialType type, bool is_upper) {
  Material material;
  material.type = type;
  for (const MaterialField& field : material_fields())
    std::visit(
        [&](auto member) {
          using Value = std::remove_reference_t<decltype(material.*member)>;
          material.*member = Value(bound_of(field.range, is_upper));
        },
        field.member);
  if (type == MaterialType::kPrincipled) material.ior = bound_of({1.0, 100.0, true}, is_upper);
  material.normal_scale = is_upper ? 1e9f : -1e9f;
  material.anisotropy_rotation = radians_of_degrees(is_upper ? 36000.0 : -36000.0);
  material.film_thickness = glm::vec2(is_upper ? 1e6f : 0.0f);
  if (is_upper) material.metal_n = material.metal_k = glm::vec3(1000.0f);
  return material;
}

TEST_F(WriteWinnowJson, KeepsTheMotionOfACamera) {
  HostScene scene = load("moving.json", R"({"camera": {"position": [1, 2, 4], "look_at": [0, 0, 0],
    "motion": [{"position": [1, 2, 4], "look_at": [0, 0, 0]},
               {"position": [2, 2, 3], "look_at": [0, 1, 0], "up": [1, 1, 0]},
               {"position": [3, 2, 0], "look_at": [0, 1, 1]}]},
    "sky": {"radiance": 1},
    "shapes": [{"type": "sphere", "radius": 1, "material": "m"}],
    "materials": {"m": {"type": "diffuse"}}})");
  write_winnow_json(folder_ / "copy.json", scene);
  expect_same(load_scene(folder_ / "copy.json"), scene);
}

/// Each texture that a material named copied the names of all, and each member that was written was
/// compared with all before it: 60,000 of both took minutes, and the copies of one name longer.
TEST_F(WriteWinnowJson, OfSixtyThousandMaterialsAndTexturesTakesASecond) {
  constexpr size_t kCount = 60'000;
  write_texel("t.png", {1, 2, 3, 255});
  std::string textures, materials, shapes;
  for (size_t i = 0; i < kCount; ++i) {
    const std::string number = std::to_string(i), comma = i ? "," : "";
    textures += comma + "\"t" + number + "\": {\"file\": \"t.png\", \"scale\": " + number + ".5}";
    materials += comma + "\"m" + number +
                 "\": {\"type\": \"diffuse\", \"textures\": {\"reflectance\": \"t" + number +
                 "\"}}";
    shapes += comma + "{\"type\": \"sphere\", \"radius\": 1, \"material\": \"m" + number + "\"}";
  }
  const std::clock_t start = std::clock();
  HostScene scene = load("many.json", R"({"camera": {"position": [0, 0, 4], "look_at": [0, 0, 0]},
    "sky": {"radiance": 1}, "textures": {)" +
                                          textures + R"(}, "materials": {)" + materials +
                                          R"(}, "shapes": [)" + shapes + "]}");
  EXPECT_EQ(scene.textures.size(), kCount);
  scene.material_names.clear();
  write_winnow_json(folder_ / "copy.json", scene);
  constexpr double kMaxSeconds = 20.0;  // CPU time under sanitizers
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, kMaxSeconds);
  const HostScene copy = load_scene(folder_ / "copy.json");
  EXPECT_EQ(copy.materials.size(), kCount);
  EXPECT_EQ(copy.textures.size(), kCount);
}

// The float nearest to a bound may be larger than it, and is written with its digits.
TEST_F(WriteWinnowJson, KeepsNumbersAtTheBoundsOfTheirRanges) {
  HostScene scene = load("a.json", kEverything);
  scene.camera.vertical_fov = std::nextafter(180.0f, 0.0f);
  for (const float asymmetry : {-0.999f, 0.999f})
    scene.media.push_back({.scattering = glm::vec3(1e9f), .asymmetry = asymmetry});
  for (const float angle : {0.0f, std::nextafter(90.0f, 0.0f)})
    scene.delta_lights.push_back({.type = DeltaLightType::kDirectional,
                                  .direction = {0, 1, 0},
                                  .intensity = glm::vec3(1e9f),
                                  .disk_angle = angle});
  for (const float angle : {180.0f, 33.3f})
    scene.delta_lights.push_back({.type = DeltaLightType::kSpot,
                                  .position = glm::vec3(-1e9f),
                                  .direction = {0, 1, 0},
                                  .intensity = glm::vec3(1),
                                  .cone_angle = angle,
                                  .falloff_start = angle});
  for (size_t type = 0; type < scene_keys::kMaterialTypes.size(); ++type)
    for (const bool is_upper : {false, true})
      scene.materials.push_back(material_at_bounds(MaterialType(type), is_upper));
  write_winnow_json(folder_ / "b.json", scene);
  ASSERT_EQ(error_of_file(folder_ / "b.json"), "");
  const HostScene again = load_scene(folder_ / "b.json");
  expect_same(scene, again);
  expect_same_lights(scene, again);
  EXPECT_EQ(again.media, scene.media);
}

}  // namespace
}  // namespace winnow
