// SPDX-License-Identifier: MIT
// Layers of principled surfaces, their textures, films and dispersion in whole renders.

#include <cmath>
#include <cstring>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>

#include "device_scene/textured_material.h"
#include "shading/features.h"
#include "shading/light_choice.h"
#include "tests/support/expect_near.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

using Layers = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, Layers, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, Layers, testing::Values(Device::kCuda), device_name);

/// A texture that has this value everywhere.
uint32_t add_even_texture(HostScene& scene, glm::vec4 texel) {
  TextureImage image{.width = 1, .height = 1, .format = TexelFormat::kFloat};
  image.texels.resize(sizeof texel);
  std::memcpy(image.texels.data(), &texel, sizeof texel);
  scene.textures.push_back({.image = uint32_t(scene.images.size())});
  scene.images.push_back(image);
  return uint32_t(scene.textures.size() - 1);
}

/// A ball and a wall of one material below a bright rectangle and a dim sky.
HostScene ball_scene(const Material& material) {
  HostScene scene;
  const uint32_t paint = add_material(scene, material);
  const uint32_t lamp =
      add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(5.0f)});
  scene.spheres.push_back({.center = {0, 0, 0}, .radius = 1.0f, .material = paint});
  add_rectangle(scene, {-3, -1, -2}, {6, 0, 0}, {0, 4, 0}, paint);
  add_rectangle(scene, {-1, 3, -1}, {2, 0, 0}, {0, 0, 2}, lamp);
  scene.uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}};
  scene.sky = {.zenith = {0.5f, 0.6f, 0.9f},
               .horizon = {0.8f, 0.8f, 0.8f},
               .ground = {0.2f, 0.2f, 0.1f},
               .up = {0, 1, 0}};
  scene.camera = {.position = {1, 1, 5}, .look_at = {0, 0, 0}, .vertical_fov = 35.0f};
  return scene;
}

const Material kLayeredPaint{.type = MaterialType::kPrincipled,
                             .reflectance = {0.8f, 0.4f, 0.3f},
                             .roughness = 0.4f,
                             .specular = glm::vec3(1.0f),
                             .metallic = 0.3f,
                             .diffuse_transmission = 0.5f,
                             .coat = 1.0f,
                             .coat_roughness = 0.5f,
                             .sheen = glm::vec3(1.0f),
                             .sheen_roughness = 0.8f,
                             .iridescence = 1.0f,
                             .iridescence_ior = 1.8f,
                             .film_thickness = {100.0f, 500.0f}};

TEST_P(Layers, AreMultipliedByTheirTextures) {
  const glm::vec4 texel{0.5f, 0.25f, 0.75f, 0.375f};
  const struct {
    const char* name;
    uint32_t MaterialTextures::*slot;
    void (*multiply)(Material&);
  } cases[] = {
      {"specular", &MaterialTextures::specular,
       [](Material& m) { m.specular *= glm::vec3(0.5f, 0.25f, 0.75f); }},
      {"coat", &MaterialTextures::coat,
       [](Material& m) { m.coat *= 0.5f, m.coat_roughness *= 0.25f; }},
      {"sheen", &MaterialTextures::sheen,
       [](Material& m) { m.sheen *= glm::vec3(0.5f, 0.25f, 0.75f), m.sheen_roughness *= 0.375f; }},
      {"iridescence", &MaterialTextures::iridescence,
       [](Material& m) { m.iridescence *= 0.5f, m.film_thickness.y = 200.0f; }},
      {"specular_tint", &MaterialTextures::specular_tint,
       [](Material& m) { m.specular_tint *= glm::vec3(0.5f, 0.25f, 0.75f), m.specular *= 0.375f; }},
      {"diffuse_transmission", &MaterialTextures::diffuse_transmission, [](Material& m) {
         m.diffuse_transmission_color *= glm::vec3(0.5f, 0.25f, 0.75f);
         m.diffuse_transmission *= 0.375f;
       }}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    Material expected = kLayeredPaint;
    c.multiply(expected);
    HostScene textured = ball_scene(kLayeredPaint);
    textured.materials[0].textures.*c.slot = add_even_texture(textured, texel);
    const Image image = render(textured, kSmall, kSpp);
    EXPECT_EQ(image_hash(image), image_hash(render(ball_scene(expected), kSmall, kSpp)));
    EXPECT_NE(image_hash(image), image_hash(render(ball_scene(kLayeredPaint), kSmall, kSpp)));
  }
}

/// A sheet below a white sky, as seen from the front or at a grazing angle.
TEST_P(Layers, SheetsShowAWhiteSkyAsWhite) {
  for (glm::vec3 from : {glm::vec3(0, 0, 5), glm::vec3(4.5f, 0, -2)})
    for (float transmission : {0.5f, 1.0f})
      for (float roughness : {0.0f, 0.05f, 0.06f, 0.7f}) {
        SCOPED_TRACE(testing::Message() << "transmission " << transmission << ", roughness "
                                        << roughness << ", from " << from.x);
        HostScene scene;
        const uint32_t sheet = add_material(scene, {.type = MaterialType::kPrincipled,
                                                    .reflectance = glm::vec3(1.0f),
                                                    .roughness = roughness,
                                                    .transmission = transmission,
                                                    .thin = true});
        add_rectangle(scene, {-90, -90, 0}, {180, 0, 0}, {0, 180, 0}, sheet);
        scene.sky = {.zenith = glm::vec3(1.0f),
                     .horizon = glm::vec3(1.0f),
                     .ground = glm::vec3(1.0f),
                     .up = {0, 1, 0}};
        scene.camera = {.position = from, .look_at = {0, 0, 0}, .vertical_fov = 20.0f};
        EXPECT_NEAR(mean_red(render(scene, kSmall, 16)), 1.0, 0.01);
      }
}

TEST(RequiredFeatures, HaveLayersOnlyWhereASceneShowsThem) {
  auto has_layers = [](const Material& material, uint32_t MaterialTextures::*slot = nullptr) {
    HostScene scene = ball_scene(material);
    if (slot) scene.materials[0].textures.*slot = add_even_texture(scene, glm::vec4(1.0f));
    return required_features(scene, LightChoice::kPower).layers;
  };
  Material plain = kLayeredPaint;
  plain.diffuse_transmission = 0.0f;
  EXPECT_TRUE(has_layers(plain)) << "a film";
  plain.iridescence = 0.0f;
  EXPECT_FALSE(has_layers(plain));
  void (*const changes[])(Material&) = {
      [](Material& m) { m.thin = true; }, [](Material& m) { m.specular_tint.y = 2.0f; },
      [](Material& m) { m.diffuse_transmission = 0.1f; }, [](Material& m) { m.anisotropy = 0.1f; }};
  for (const auto& change : changes) {
    Material changed = plain;
    change(changed);
    EXPECT_TRUE(has_layers(changed));
  }
  EXPECT_FALSE(has_layers(plain, &MaterialTextures::reflectance));
  for (uint32_t MaterialTextures::*slot :
       {&MaterialTextures::specular, &MaterialTextures::coat, &MaterialTextures::sheen,
        &MaterialTextures::anisotropy, &MaterialTextures::iridescence,
        &MaterialTextures::specular_tint, &MaterialTextures::diffuse_transmission})
    EXPECT_TRUE(has_layers(plain, slot));
  const Material glass{.type = MaterialType::kDielectric, .dispersion = 0.5f};
  EXPECT_TRUE(required_features(ball_scene(glass), LightChoice::kPower).extended);
}

/// The mean difference of two images in units of their mean.
double difference_of(const Image& a, const Image& b) {
  double sum = 0.0, total = 0.0;
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    sum += std::abs(a.pixels[i].x - b.pixels[i].x);
    total += a.pixels[i].x;
  }
  return sum / total;
}

/// Brushed metal: the image depends on the direction, and not on how it is described.
TEST_P(Layers, AreBrushedInAnyDirection) {
  constexpr uint32_t kManySpp = 512;
  auto image_of = [&](auto change) {
    Material metal{.type = MaterialType::kPrincipled,
                   .reflectance = glm::vec3(0.9f),
                   .roughness = 0.4f,
                   .anisotropy = 0.8f,
                   .metallic = 1.0f};
    change(metal);
    return render(ball_scene(metal), kSmall, kManySpp);
  };
  const Image along = image_of([](Material&) {});
  const Image across = image_of([](Material& m) { m.anisotropy = -m.anisotropy; });
  const Image turned = image_of([](Material& m) { m.anisotropy_rotation = glm::half_pi<float>(); });
  const Image left = image_of([](Material& m) { m.anisotropy_rotation = glm::radians(45.0f); });
  const Image right = image_of([](Material& m) { m.anisotropy_rotation = glm::radians(-45.0f); });
  constexpr double kNoise = 0.03;
  EXPECT_LT(difference_of(turned, across), kNoise);
  EXPECT_GT(difference_of(turned, along), 2.0 * kNoise);
  EXPECT_GT(difference_of(left, right), 2.0 * kNoise);

  // The direction and the strength of a texture: (0, 1) is a quarter turn.
  HostScene textured = ball_scene({.type = MaterialType::kPrincipled,
                                   .reflectance = glm::vec3(0.9f),
                                   .roughness = 0.4f,
                                   .anisotropy = 0.9f,
                                   .metallic = 1.0f});
  textured.materials[0].textures.anisotropy = add_even_texture(textured, {0.5f, 1.0f, 0.5f, 1.0f});
  Material same = textured.materials[0];
  same.textures = {};
  const float alpha = 0.16f, rougher = glm::mix(alpha, 1.0f, 0.45f * 0.45f);
  same.anisotropy = -(rougher - alpha) / (rougher + alpha);
  same.roughness = std::pow(alpha * rougher, 0.25f);
  EXPECT_LT(
      difference_of(render(textured, kSmall, kManySpp), render(ball_scene(same), kSmall, kManySpp)),
      kNoise);
}

/// Counter-clockwise as seen from outside, on an image that is not mirrored.
TEST(AnisotropicTangent, TurnsTowardsTheTopOfTheTexture) {
  const Frame frame(glm::vec3(0, 0, 1), glm::vec3(1, 0, 0));
  Material brushed{.anisotropy = 0.5f, .anisotropy_rotation = glm::half_pi<float>()};
  const glm::vec3 dpdu{2.0f, 0.0f, 0.0f};
  expect_near(anisotropic_tangent<kLayered>(brushed, frame, 1.0f, dpdu), {0, 1, 0}, 1e-6f);
  expect_near(anisotropic_tangent<kLayered>(brushed, frame, -1.0f, dpdu), {0, -1, 0}, 1e-6f);
  brushed.anisotropy_rotation = 0.0f;
  EXPECT_EQ(anisotropic_tangent<kLayered>(brushed, frame, 1.0f, dpdu), glm::vec3(1, 0, 0));
}

/// By the formula of KHR_materials_anisotropy, alpha is 0.25 along the direction and 0.0625 across.
TEST(AnisotropyTexture, IsRougherAlongItsDirection) {
  const float strength = std::sqrt((0.25f - 0.0625f) / (1.0f - 0.0625f));
  Material brushed{.roughness = 0.25f, .anisotropy = 2.0f * strength};
  set_anisotropy({1.0f, 0.5f, 0.5f, 1.0f}, brushed);
  const Ggx ggx = make_ggx(brushed);
  EXPECT_NEAR(ggx.alpha_x, 0.25f, 1e-4f);
  EXPECT_NEAR(ggx.alpha_y, 0.0625f, 1e-4f);
  EXPECT_EQ(brushed.anisotropy_rotation, 0.0f);
}

/// Glass takes no light from a sky that is the same everywhere, whatever its colours do.
TEST_P(Layers, DispersingGlassVanishesInAnEvenSky) {
  for (MaterialType type : {MaterialType::kDielectric, MaterialType::kPrincipled}) {
    HostScene scene;
    const uint32_t glass = add_material(scene, {.type = type,
                                                .reflectance = glm::vec3(1.0f),
                                                .roughness = 0.2f,
                                                .ior = 1.6f,
                                                .transmission = 1.0f,
                                                .dispersion = 2.0f});
    scene.spheres.push_back({.center = {0, 0, 0}, .radius = 1.0f, .material = glass});
    scene.sky = {.zenith = glm::vec3(1.0f), .horizon = glm::vec3(1.0f), .ground = glm::vec3(1.0f)};
    scene.camera = {.position = {0, 0, 4}, .look_at = {0, 0, 0}, .vertical_fov = 20.0f};
    const Image image = render(scene, {.width = 32, .height = 32, .max_bounces = 64}, 128);
    glm::dvec3 mean(0.0);
    for (const glm::vec3& pixel : image.pixels) mean += glm::dvec3(pixel) / 1024.0;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(mean[i], 1.0, 0.02) << int(type) << ", channel " << i;
  }
}

TEST_P(Layers, GiveTheSameBitsInEveryWay) {
  HostScene scene = mixed_scene();
  scene.uvs.resize(scene.positions.size());
  for (size_t i = 0; i < scene.uvs.size(); ++i)
    scene.uvs[i] = {float(i % 4 == 1 || i % 4 == 2), float(i % 4 < 2)};
  const uint32_t texture = add_even_texture(scene, {0.7f, 0.4f, 0.9f, 0.5f});
  for (Material& material : scene.materials) {
    if (material.type == MaterialType::kDielectric) material.dispersion = 0.5f;
    if (material.type != MaterialType::kDiffuse || emits(material)) continue;
    const glm::vec3 color = material.reflectance;
    material = kLayeredPaint;
    material.reflectance = color;
    material.transmission = 0.3f;
    material.dispersion = 1.0f;
    material.anisotropy = 0.5f;
    material.anisotropy_rotation = 0.3f;
    material.textures = {.specular = texture,
                         .coat = texture,
                         .sheen = texture,
                         .anisotropy = texture,
                         .iridescence = texture};
  }
  expect_same_bits_in_every_way(scene);
}

}  // namespace
}  // namespace winnow
