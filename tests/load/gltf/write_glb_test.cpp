// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>

#include "load/gltf/gltf.h"
#include "scene/shapes.h"
#include "scene/soft_sky.h"
#include "tests/support/expect_near.h"
#include "tests/support/folder_test.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WriteGlb : public FolderTest {
 protected:
  /// A square of one material.
  static HostScene square(const Material& material) {
    HostScene scene;
    scene.materials = {material};
    scene.material_names = {"paint"};
    Mesh mesh = make_rectangle({-1, -1, 0}, {2, 0, 0}, {0, 2, 0});
    mesh.uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    mesh.uvs.resize(mesh.positions.size());
    add_mesh(scene, mesh, glm::mat4(1.0f), 0);
    scene.camera = {.position = {1, 2, 5}, .look_at = {0, 0.5f, 0}, .vertical_fov = 33.0f};
    scene.width = 320, scene.height = 200;
    return scene;
  }

  /// Writes a scene and reads it again.
  HostScene read_again(const HostScene& scene) {
    left_out_ = write_glb(folder_ / "a.glb", scene);
    return load_gltf(folder_ / "a.glb");
  }
  Material read_again(const Material& material) {
    return read_again(square(material)).materials.at(0);
  }

  std::vector<std::string> left_out_;
};

TEST_F(WriteGlb, KeepsEveryValueOfAPrincipledMaterial) {
  const Material material{.type = MaterialType::kPrincipled,
                          .reflectance = {0.1f, 0.5f, 0.9f},
                          .emission = {3.0f, 0.5f, 0.0f},
                          .roughness = 0.4f,
                          .ior = 1.3f,
                          .anisotropy = -0.5f,
                          .specular = glm::vec3(0.6f),
                          .metallic = 0.25f,
                          .transmission = 0.75f,
                          .specular_tint = {0.2f, 3.0f, 1.0f},
                          .diffuse_transmission = 0.4f,
                          .diffuse_transmission_color = {0.3f, 0.2f, 0.1f},
                          .coat = 0.5f,
                          .coat_roughness = 0.2f,
                          .sheen = {0.1f, 0.2f, 0.3f},
                          .sheen_roughness = 0.6f,
                          .alpha = 0.7f,
                          .alpha_cutoff = 0.3f,
                          .anisotropy_rotation = 0.4f,
                          .iridescence = 0.8f,
                          .iridescence_ior = 1.6f,
                          .film_thickness = {200.0f, 500.0f},
                          .dispersion = 0.3f};
  const Material read = read_again(material);
  EXPECT_THAT(left_out_, IsEmpty());
  EXPECT_EQ(read.type, MaterialType::kPrincipled);
  expect_near(read.reflectance, material.reflectance);
  expect_near(read.emission, material.emission);
  expect_near(read.specular, material.specular);
  expect_near(read.specular_tint, material.specular_tint);
  expect_near(read.sheen, material.sheen);
  EXPECT_NEAR(read.roughness, material.roughness, 1e-4f);
  // Along and across change places by a quarter turn.
  EXPECT_NEAR(read.anisotropy, -material.anisotropy, 1e-4f);
  EXPECT_NEAR(std::cos(2.0f * (read.anisotropy_rotation - material.anisotropy_rotation)), -1.0f,
              1e-5f);
  EXPECT_FLOAT_EQ(read.iridescence, material.iridescence);
  EXPECT_FLOAT_EQ(read.iridescence_ior, material.iridescence_ior);
  EXPECT_EQ(read.film_thickness, material.film_thickness);
  EXPECT_FLOAT_EQ(read.dispersion, material.dispersion);
  EXPECT_FLOAT_EQ(read.ior, material.ior);
  EXPECT_FLOAT_EQ(read.metallic, material.metallic);
  EXPECT_FLOAT_EQ(read.transmission, material.transmission);
  EXPECT_FLOAT_EQ(read.coat, material.coat);
  EXPECT_FLOAT_EQ(read.coat_roughness, material.coat_roughness);
  EXPECT_FLOAT_EQ(read.sheen_roughness, material.sheen_roughness);
  EXPECT_FLOAT_EQ(read.alpha, material.alpha);
  EXPECT_FLOAT_EQ(read.alpha_cutoff, material.alpha_cutoff);
}

TEST_F(WriteGlb, DiffuseHasNoHighlight) {
  const Material read = read_again(Material{.reflectance = {0.1f, 0.2f, 0.3f}});
  expect_near(read.reflectance, {0.1f, 0.2f, 0.3f});
  EXPECT_EQ(read.specular, glm::vec3(0.0f));
  EXPECT_EQ(read.metallic, 0.0f);
  EXPECT_EQ(read.roughness, 1.0f);
}

TEST_F(WriteGlb, MetalGlassAndPanesAreThose) {
  EXPECT_EQ(read_again(Material{.type = MaterialType::kMirror}).metallic, 1.0f);
  EXPECT_EQ(read_again(Material{.type = MaterialType::kMirror}).roughness, 0.0f);
  EXPECT_EQ(read_again(Material{.type = MaterialType::kConductor}).metallic, 1.0f);
  const Material glass = read_again(Material{.type = MaterialType::kDielectric, .ior = 1.7f});
  EXPECT_EQ(glass.transmission, 1.0f);
  EXPECT_EQ(glass.type, MaterialType::kPrincipled);
  EXPECT_FLOAT_EQ(glass.ior, 1.7f);
  EXPECT_FALSE(glass.thin);
}

/// Both sides of a pane reflect; a sheet of glTF reflects with the index that gives the same.
TEST_F(WriteGlb, KeepsSheetsAndPanes) {
  const Material pane = read_again(Material{.type = MaterialType::kThinDielectric});
  EXPECT_TRUE(pane.thin);
  EXPECT_EQ(pane.transmission, 1.0f);
  EXPECT_NEAR(std::pow((pane.ior - 1.0f) / (pane.ior + 1.0f), 2.0f), 2.0f * 0.04f / 1.04f, 1e-5f);
  EXPECT_THAT(left_out_, testing::ElementsAre(HasSubstr("between the sides of panes")));
  for (bool thin : {false, true}) {
    const Material glass{.type = MaterialType::kPrincipled, .transmission = 0.5f, .thin = thin};
    EXPECT_EQ(read_again(glass).thin, thin);
    EXPECT_THAT(left_out_, IsEmpty());
  }
}

TEST_F(WriteGlb, KeepsAnInfiniteIndex) {
  const Material mirror{.type = MaterialType::kPrincipled, .ior = kInfiniteIor};
  EXPECT_EQ(read_again(mirror).ior, kInfiniteIor);
}

TEST_F(WriteGlb, SaysThatReflectionIsWhiteAtGrazingAngles) {
  const Material red{.type = MaterialType::kPrincipled, .specular = {0.5f, 0.25f, 0.0f}};
  const Material read = read_again(red);
  EXPECT_EQ(read.specular, glm::vec3(0.5f));
  expect_near(read.specular_tint, {1.0f, 0.5f, 0.0f});
  EXPECT_THAT(left_out_, testing::ElementsAre(HasSubstr("at grazing angles")));
}

// glTF has no index of refraction below 1.
TEST_F(WriteGlb, ABubbleBecomesGlassTurnedInsideOut) {
  HostScene scene = square({.type = MaterialType::kRoughDielectric,
                            .roughness = 0.4f,
                            .ior = 0.625f,
                            .bounds_media = true,
                            .exterior = 0});
  scene.media = {{.absorption = {0.3f, 2.0f, 7.0f}}};
  scene.normals[0] = glm::normalize(glm::vec3(0.3f, 0.2f, 1.0f));
  const HostScene read = read_again(scene);
  EXPECT_THAT(left_out_, IsEmpty());
  EXPECT_FLOAT_EQ(read.materials.at(0).ior, 1.6f);
  EXPECT_EQ(read.materials.at(0).interior, 0u);
  expect_near(read.media.at(0).absorption, scene.media[0].absorption);
  ASSERT_EQ(read.triangles.size(), scene.triangles.size());
  for (size_t i = 0; i < scene.triangles.size(); ++i) {
    expect_near(area_vector(read, read.triangles[i]), -area_vector(scene, scene.triangles[i]));
    for (int corner = 0; corner < 3; ++corner)
      if (const uint32_t b = read.triangles[i][corner]; read.positions[b] == scene.positions[0])
        expect_near(read.normals[b], -scene.normals[0], 1e-6f);
  }
  read_again(Material{.type = MaterialType::kPlastic, .ior = 0.8f});
  EXPECT_THAT(left_out_, Contains(HasSubstr("below 1")));
}

TEST_F(WriteGlb, KeepsWhatGlassAbsorbs) {
  HostScene scene =
      square({.type = MaterialType::kDielectric, .bounds_media = true, .interior = 0});
  scene.media = {{.absorption = {0.3f, 2.0f, 7.0f}}};
  const HostScene read = read_again(scene);
  EXPECT_THAT(left_out_, IsEmpty());
  ASSERT_EQ(read.media.size(), 1u);
  expect_near(read.media[0].absorption, scene.media[0].absorption);
  EXPECT_EQ(read.materials.at(0).interior, 0u);
  scene.media[0].scattering = glm::vec3(1.0f);
  scene.camera_medium = 0;
  read_again(scene);
  EXPECT_THAT(left_out_, testing::UnorderedElementsAre(HasSubstr("media that scatter"),
                                                       HasSubstr("the medium around the camera")));
}

TEST_F(WriteGlb, KeepsTrianglesNormalsAndTextureCoordinates) {
  HostScene scene = square({});
  scene.normals[0] = glm::normalize(glm::vec3(0.3f, 0.2f, 1.0f));  // smooth, but for the others
  scene.images = {TextureImage{.width = 1, .height = 1, .texels = std::vector<std::byte>(4)}};
  scene.textures = {TextureDescription{}};
  scene.materials[0].textures.reflectance = 0;
  const HostScene read = read_again(scene);
  ASSERT_EQ(read.triangles.size(), scene.triangles.size());
  for (size_t i = 0; i < scene.triangles.size(); ++i)
    for (int corner = 0; corner < 3; ++corner) {
      const uint32_t a = scene.triangles[i][corner], b = read.triangles[i][corner];
      EXPECT_EQ(read.positions[b], scene.positions[a]);
      EXPECT_EQ(read.uvs[b], scene.uvs[a]);
      if (a == 0) expect_near(read.normals[b], scene.normals[0], 1e-6f);
    }
}

/// Without a texture, too, they say in which direction a metal is brushed.
TEST_F(WriteGlb, KeepsTheTextureCoordinatesThatAnisotropyFollows) {
  const HostScene scene =
      square({.type = MaterialType::kPrincipled, .anisotropy = 0.5f, .metallic = 1.0f});
  EXPECT_THAT(read_again(scene).uvs, testing::UnorderedElementsAreArray(scene.uvs));
  EXPECT_THAT(read_again(square({})).uvs, IsEmpty());
}

TEST_F(WriteGlb, KeepsTheTexturesOfLayers) {
  HostScene scene = square({.type = MaterialType::kPrincipled,
                            .roughness = 0.4f,
                            .anisotropy = 0.7f,
                            .coat = 1.0f,
                            .coat_roughness = 0.5f,
                            .sheen = glm::vec3(1.0f),
                            .anisotropy_rotation = 0.3f,
                            .iridescence = 1.0f});
  for (TexelFormat format : {TexelFormat::kSrgb8, TexelFormat::kLinear8}) {
    scene.textures.push_back({.image = uint32_t(scene.images.size())});
    scene.images.push_back({.width = 1, .height = 1, .format = format});
    for (int byte : {10, 200, 30, 40}) scene.images.back().texels.push_back(std::byte(byte));
  }
  MaterialTextures& textures = scene.materials[0].textures;
  textures.specular_tint = textures.sheen = 0;
  textures.coat = textures.anisotropy = textures.iridescence = 1;
  const HostScene again = read_again(scene);
  EXPECT_THAT(left_out_, IsEmpty());
  EXPECT_THAT(again.warnings, testing::ElementsAre(HasSubstr("film ignores the specular colour")));
  const Material& read = again.materials.at(0);
  for (auto [texture, format] : {std::pair(read.textures.specular_tint, TexelFormat::kSrgb8),
                                 std::pair(read.textures.sheen, TexelFormat::kSrgb8),
                                 std::pair(read.textures.coat, TexelFormat::kLinear8),
                                 std::pair(read.textures.anisotropy, TexelFormat::kLinear8),
                                 std::pair(read.textures.iridescence, TexelFormat::kLinear8)}) {
    ASSERT_NE(texture, kNoTexture);
    const TextureImage& image = again.images.at(again.textures.at(texture).image);
    EXPECT_EQ(image.format, format);
    EXPECT_EQ(image.texels, scene.images[0].texels);
  }
  EXPECT_FLOAT_EQ(read.anisotropy, 0.7f) << "a strength, as there is a texture";
  EXPECT_FLOAT_EQ(read.roughness, 0.4f);
  EXPECT_FLOAT_EQ(read.anisotropy_rotation, 0.3f);
}

TEST_F(WriteGlb, EmbedsTexturesWithTheirMapping) {
  HostScene scene = square({.type = MaterialType::kPrincipled});
  const std::vector<std::byte> texels = {std::byte{10},  std::byte{20},  std::byte{30},
                                         std::byte{255}, std::byte{200}, std::byte{100},
                                         std::byte{50},  std::byte{0}};
  scene.images = {
      TextureImage{.width = 2, .height = 1, .format = TexelFormat::kSrgb8, .texels = texels},
      TextureImage{.width = 2, .height = 1, .format = TexelFormat::kLinear8, .texels = texels}};
  glm::mat3x2 turned;
  turned[0] = 2.0f * glm::vec2(std::cos(0.5f), -std::sin(0.5f));
  turned[1] = 3.0f * glm::vec2(std::sin(0.5f), std::cos(0.5f));
  turned[2] = {0.25f, 0.5f};
  scene.textures = {TextureDescription{.image = 0,
                                       .wrap_u = TextureWrap::kMirror,
                                       .wrap_v = TextureWrap::kClamp,
                                       .filter = TextureFilter::kNearest,
                                       .from_uv = turned},
                    TextureDescription{.image = 1}};
  Material& material = scene.materials[0];
  material.textures.reflectance = material.textures.alpha = 0;
  material.textures.roughness_metallic = 1;
  material.textures.normal = 1;
  material.normal_scale = 0.5f;
  const HostScene read = read_again(scene);
  EXPECT_THAT(left_out_, IsEmpty());
  const Material& again = read.materials.at(0);
  ASSERT_NE(again.textures.reflectance, kNoTexture);
  EXPECT_EQ(again.textures.alpha, again.textures.reflectance);
  ASSERT_NE(again.textures.roughness_metallic, kNoTexture);
  EXPECT_EQ(again.normal_scale, 0.5f);
  const TextureDescription& mapping = read.textures[again.textures.reflectance];
  EXPECT_EQ(mapping.wrap_u, TextureWrap::kMirror);
  EXPECT_EQ(mapping.wrap_v, TextureWrap::kClamp);
  EXPECT_EQ(mapping.filter, TextureFilter::kNearest);
  for (int column = 0; column < 3; ++column)
    EXPECT_LT(glm::distance(mapping.from_uv[column], turned[column]), 1e-5f);
  EXPECT_EQ(read.images[mapping.image].texels, texels);
}

/// Readers of glTF turn the bumps of a normal map with its image.
TEST_F(WriteGlb, KeepsBumpsOfTurnedNormalMaps) {
  HostScene scene = square({.type = MaterialType::kPrincipled});
  const std::vector<int> kTexel = {200, 100, 220, 255};
  TextureImage image{.width = 1, .height = 1, .format = TexelFormat::kLinear8};
  for (const int channel : kTexel) image.texels.push_back(std::byte(channel));
  scene.images = {image};
  for (const glm::mat3x2& from_uv :
       {glm::mat3x2(0, -2, 3, 0, 0, 0), glm::mat3x2(0.8f, -0.6f, 0.6f, 0.8f, 0, 0),
        glm::mat3x2(-1, 0, 0, 1, 0, 0), glm::mat3x2(0, 1, 1, 0, 0, 0)}) {
    scene.textures = {TextureDescription{.from_uv = from_uv}};
    scene.materials[0].textures.normal = 0;
    const HostScene read = read_again(scene);
    const TextureDescription& mapping = read.textures.at(read.materials.at(0).textures.normal);
    EXPECT_LT(glm::distance(mapping.from_uv[1], from_uv[1]), 1e-5f);
    for (size_t i = 0; i < kTexel.size(); ++i)
      EXPECT_NEAR(int(read.images.at(mapping.image).texels.at(i)), kTexel[i], 1);
  }
}

TEST_F(WriteGlb, MergesCoverageOfItsOwnIntoTheColours) {
  HostScene scene = square({});
  auto image_with = [](uint8_t value) {
    return TextureImage{
        .width = 1, .height = 1, .texels = std::vector<std::byte>(4, std::byte{value})};
  };
  scene.images = {image_with(200), image_with(90)};
  scene.textures = {TextureDescription{.image = 0}, TextureDescription{.image = 1}};
  scene.materials[0].textures.reflectance = 0;
  scene.materials[0].textures.alpha = 1;
  const HostScene read = read_again(scene);
  const uint32_t alpha = read.materials.at(0).textures.alpha;
  ASSERT_NE(alpha, kNoTexture);
  EXPECT_THAT(read.images[read.textures[alpha].image].texels,
              ElementsAre(std::byte{200}, std::byte{200}, std::byte{200}, std::byte{90}));
}

TEST_F(WriteGlb, KeepsInstancesCameraAndLights) {
  HostScene scene = square({});
  scene.shared = make_box({0, 0, 0}, {1, 1, 1});
  scene.shared.triangle_materials.assign(scene.shared.triangles.size(), 0);
  scene.meshes = {SharedMesh{.triangle_count = uint32_t(scene.shared.triangles.size()),
                             .vertex_count = uint32_t(scene.shared.positions.size())}};
  glm::mat4x3 moved(2.0f);
  moved[3] = {4, 5, 6};
  scene.instances = {MeshInstance{.to_world = glm::mat4x3(1.0f)}, MeshInstance{.to_world = moved}};
  scene.delta_lights = {DeltaLight{.position = {1, 2, 3}, .intensity = {4, 2, 1}},
                        DeltaLight{.type = DeltaLightType::kDirectional,
                                   .direction = glm::normalize(glm::vec3(1, -2, 0.5f)),
                                   .intensity = glm::vec3(3.0f)},
                        DeltaLight{.type = DeltaLightType::kSpot,
                                   .cone_angle = 30.0f,
                                   .falloff_start = 20.0f,
                                   .falloff = SpotFalloff::kSquared}};
  scene.delta_lights[2].intensity = glm::vec3(1.0f);
  const HostScene read = read_again(scene);
  ASSERT_EQ(read.instances.size(), 2u);
  expect_near(read.instances[1].to_world[3], {4, 5, 6});
  ASSERT_EQ(read.delta_lights.size(), 3u);
  expect_near(read.delta_lights[0].position, {1, 2, 3});
  expect_near(read.delta_lights[0].intensity / read.delta_lights[0].intensity.x,
              {1.0f, 0.5f, 0.25f});
  expect_near(read.delta_lights[1].direction, scene.delta_lights[1].direction);
  EXPECT_NEAR(read.delta_lights[2].cone_angle, 30.0f, 1e-4f);
  EXPECT_NEAR(read.delta_lights[2].falloff_start, 20.0f, 1e-4f);
  expect_near(read.camera.position, scene.camera.position);
  expect_near(glm::normalize(read.camera.look_at - read.camera.position),
              glm::normalize(scene.camera.look_at - scene.camera.position));
  EXPECT_NEAR(read.camera.vertical_fov, 33.0f, 1e-4f);
  EXPECT_NEAR(float(read.width) / float(read.height), 1.6f, 1e-2f);
}

TEST_F(WriteGlb, SaysThatBothSidesScatter) {
  read_again(square({.black_back = true}));
  EXPECT_THAT(left_out_, ElementsAre(HasSubstr("black backs")));
}

TEST_F(WriteGlb, SaysThatNormalMapsBecomeThoseOfCycles) {
  HostScene scene = square({});
  scene.images = {TextureImage{.width = 1,
                               .height = 1,
                               .format = TexelFormat::kLinear8,
                               .texels = std::vector<std::byte>(4, std::byte{128})}};
  scene.textures = {TextureDescription{}};
  scene.materials[0].textures.normal = 0;
  for (const NormalMapping mapping : {NormalMapping::kFlipped, NormalMapping::kShadowed}) {
    scene.materials[0].normal_mapping = mapping;
    EXPECT_EQ(read_again(scene).materials.at(0).normal_mapping, NormalMapping::kBent);
    EXPECT_THAT(left_out_, ElementsAre("normal maps become those of Cycles (bent)"));
  }
  scene.materials[0].normal_mapping = NormalMapping::kBent;
  read_again(scene);
  EXPECT_THAT(left_out_, IsEmpty());
}

TEST_F(WriteGlb, SaysWhatHasNoForm) {
  HostScene scene = square({.type = MaterialType::kPlastic});
  scene.sky = soft_sky();
  scene.spheres = {Sphere{}, Sphere{.center = {3, 0, 0}}};
  read_again(scene);
  EXPECT_THAT(left_out_, ElementsAre(HasSubstr("exact spheres"), HasSubstr("plastic")));
  scene.sky.zenith = glm::vec3(9.0f);
  read_again(scene);
  EXPECT_THAT(left_out_, testing::Contains(HasSubstr("the sky")));
}

}  // namespace
}  // namespace winnow
