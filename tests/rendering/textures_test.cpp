// SPDX-License-Identifier: MIT
// Textures and alpha cutouts in whole renders.

#include <cstring>

#include "image/srgb.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

using Textures = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, Textures, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, Textures, testing::Values(Device::kCuda), device_name);

/// An image of floats, texel by texel from the upper left.
uint32_t add_texture(HostScene& scene, uint32_t width, const std::vector<glm::vec4>& texels,
                     TextureDescription description) {
  TextureImage image{
      .width = width, .height = uint32_t(texels.size()) / width, .format = TexelFormat::kFloat};
  image.texels.resize(texels.size() * sizeof(glm::vec4));
  std::memcpy(image.texels.data(), texels.data(), image.texels.size());
  description.image = uint32_t(scene.images.size());
  scene.images.push_back(image);
  scene.textures.push_back(description);
  return uint32_t(scene.textures.size() - 1);
}

/// The unit square in the plane z = 0, which fills the view of an orthographic camera.
HostScene square_scene(const Material& material) {
  HostScene scene;
  add_rectangle(scene, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, add_material(scene, material));
  scene.uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  scene.camera = {.position = {0.5f, 0.5f, 1.0f},
                  .look_at = {0.5f, 0.5f, 0.0f},
                  .projection = Projection::kOrthographic,
                  .view_height = 1.0f};
  return scene;
}

/// The square, black but for its emission.
HostScene emitting_square() {
  return square_scene({.reflectance = glm::vec3(0.0f), .emission = glm::vec3(1.0f)});
}

/// 4 x 4 texels, all different.
std::vector<glm::vec4> sixteen_colors() {
  std::vector<glm::vec4> texels;
  for (int i = 0; i < 16; ++i) texels.emplace_back(i, 2 * i + 1, 16 - i, 1);
  return texels;
}

/// An emitting square that shows 4 x 4 texels.
HostScene sixteen_fields(const TextureDescription& description) {
  HostScene scene = emitting_square();
  scene.materials[0].textures.emission = add_texture(scene, 4, sixteen_colors(), description);
  return scene;
}

const RenderSettings kFourByFour{.width = 4, .height = 4, .max_bounces = 0};

TEST_P(Textures, ShowEachTexelWhereItIs) {
  const HostScene scene = sixteen_fields({.filter = TextureFilter::kNearest});
  const Image image = render(scene, kFourByFour, 4);
  const std::vector<glm::vec4> texels = sixteen_colors();
  for (size_t i = 0; i < texels.size(); ++i) EXPECT_EQ(image.pixels[i], glm::vec3(texels[i])) << i;
}

TEST_P(Textures, RepeatByTheirWrapMode) {
  // The eight columns of the square lie at u from 0 to 2.
  const struct {
    TextureWrap wrap;
    uint32_t columns[8];  // columns of the image
  } cases[] = {{TextureWrap::kRepeat, {0, 1, 2, 3, 0, 1, 2, 3}},
               {TextureWrap::kMirror, {0, 1, 2, 3, 3, 2, 1, 0}},
               {TextureWrap::kClamp, {0, 1, 2, 3, 3, 3, 3, 3}}};
  for (const auto& c : cases) {
    glm::mat3x2 twice(1.0f);
    twice[0].x = 2.0f;
    const HostScene scene =
        sixteen_fields({.wrap_u = c.wrap, .filter = TextureFilter::kNearest, .from_uv = twice});
    const Image image = render(scene, {.width = 8, .height = 8, .max_bounces = 0}, 4);
    for (uint32_t x = 0; x < 8; ++x)
      EXPECT_EQ(image.pixels[x], glm::vec3(sixteen_colors()[c.columns[x]]))
          << int(c.wrap) << ", pixel " << x;
  }
}

TEST_P(Textures, AreInterpolatedBetweenTexels) {
  // Two texels, 0 and 1: linear from a quarter to three quarters of the way.
  HostScene scene = emitting_square();
  scene.materials[0].textures.emission =
      add_texture(scene, 2, {glm::vec4(0.0f), glm::vec4(1.0f)},
                  {.wrap_u = TextureWrap::kClamp, .wrap_v = TextureWrap::kClamp});
  scene.filter.radius = 0.01f;
  const RenderSettings settings{.width = 16, .height = 16, .max_bounces = 0};
  const Image image = render(scene, settings, 1);
  for (uint32_t x = 0; x < settings.width; ++x) {
    const float u = (float(x) + 0.5f) / float(settings.width);
    // A GPU filters with weights of 8 bits, and the pixel filter covers a hundredth of the width.
    EXPECT_NEAR(image.pixels[x].x, glm::clamp(2.0f * u - 0.5f, 0.0f, 1.0f), 1.0f / 256 + 0.002f);
  }
}

TEST_P(Textures, AreDecodedAfterInterpolationIfFilteredEncoded) {
  HostScene scene = emitting_square();
  scene.images.push_back({.width = 2, .height = 1, .format = TexelFormat::kSrgb8});
  for (int byte : {0, 0, 0, 255, 255, 255, 255, 255})
    scene.images[0].texels.push_back(std::byte(byte));
  scene.textures.push_back({.wrap_u = TextureWrap::kClamp,
                            .wrap_v = TextureWrap::kClamp,
                            .filter = TextureFilter::kBilinearEncoded});
  scene.materials[0].textures.emission = 0;
  scene.filter.radius = 0.01f;
  const RenderSettings settings{.width = 16, .height = 16, .max_bounces = 0};
  const Image image = render(scene, settings, 1);
  for (uint32_t x = 0; x < settings.width; ++x) {
    const float u = (float(x) + 0.5f) / float(settings.width);
    const float linear = linear_from_srgb(glm::clamp(2.0f * u - 0.5f, 0.0f, 1.0f));
    EXPECT_NEAR(image.pixels[x].x, linear, 2.4f / 256 + 0.005f);
  }
}

TEST_P(Textures, ShowTheirMeanFromFarAway) {
  // A fine black and white checkerboard: each sample covers many fields.
  std::vector<glm::vec4> texels;
  constexpr uint32_t kSide = 512;
  for (uint32_t y = 0; y < kSide; ++y)
    for (uint32_t x = 0; x < kSide; ++x) texels.emplace_back(glm::vec3(float((x + y) % 2)), 1.0f);
  HostScene scene = emitting_square();
  scene.materials[0].textures.emission = add_texture(scene, kSide, texels, {});
  for (const glm::vec3& pixel : render(scene, kFourByFour, 1).pixels)
    EXPECT_NEAR(pixel.x, 0.5f, 0.01f);
}

// The texture is long across the view: its footprint is round, and mip levels blur its edge.
TEST_P(Textures, KeepEdgesSharpWithoutMipLevels) {
  constexpr uint32_t kWidth = 1024;
  std::vector<glm::vec4> texels(kWidth, glm::vec4(0.0f));
  for (uint32_t x = kWidth / 2; x < kWidth; ++x) texels[x] = glm::vec4(1.0f);
  glm::mat3x2 long_across(1.0f);
  long_across[1].y = 65536.0f;
  const RenderSettings settings{.width = 16, .height = 16, .max_bounces = 0};
  for (TextureFilter filter : {TextureFilter::kBilinear, TextureFilter::kLinear}) {
    HostScene scene = emitting_square();
    scene.filter.radius = 0.01f;
    scene.materials[0].textures.emission = add_texture(scene, kWidth, texels,
                                                       {.wrap_u = TextureWrap::kClamp,
                                                        .wrap_v = TextureWrap::kRepeat,
                                                        .filter = filter,
                                                        .from_uv = long_across});
    const Image image = render(scene, settings, 1);
    for (uint32_t x = 0; x < 16; ++x) {
      const bool is_blurred = filter == TextureFilter::kLinear && (x == 7 || x == 8);
      const float edge = x < 8 ? 0.0f : 1.0f;
      EXPECT_NEAR(image.pixels[x].x, is_blurred ? (x == 7 ? 0.25f : 0.75f) : edge, 0.02f) << x;
    }
  }
}

/// A square that emits and covers in stripes of eight texels, seen from so far that `repeats`
/// copies of the texture fill it. White stripes are opaque; the others are dark green and have an
/// alpha of 0.2634.
HostScene striped_leaf(float repeats, TextureFilter filter, bool is_one_image) {
  constexpr uint32_t kSide = 64, kStripe = 8;
  constexpr float kAlpha = 0.2634f;
  std::vector<glm::vec4> colors, coverage;
  for (uint32_t i = 0; i < kSide * kSide; ++i) {
    const bool is_white = i % kSide / kStripe % 2 == 0;
    const float alpha = is_white ? 1.0f : kAlpha;
    colors.emplace_back(is_white ? glm::vec3(1.0f) : glm::vec3(0.0513f, 0.3515f, 0.0144f),
                        is_one_image ? alpha : 1.0f);
    coverage.emplace_back(alpha);
  }
  HostScene scene = emitting_square();
  glm::mat3x2 repeated(1.0f);
  repeated[0].x = repeated[1].y = repeats;
  const TextureDescription description{.filter = filter, .from_uv = repeated};
  MaterialTextures& textures = scene.materials[0].textures;
  textures.emission = add_texture(scene, kSide, colors, description);
  textures.alpha =
      is_one_image ? textures.emission : add_texture(scene, kSide, coverage, description);
  return scene;
}

glm::vec3 mean_color(const Image& image) {
  glm::dvec3 sum(0.0);
  for (const glm::vec3& pixel : image.pixels) sum += pixel;
  return sum / double(image.pixels.size());
}

/// Where a ray left a sphere, it made the choice again that it had made where it entered.
TEST(AlphaOfASphere, CoversWhereARayEntersAndWhereItLeaves) {
  HostScene scene;
  const uint32_t veil = add_material(scene, {.reflectance = glm::vec3(0.0f), .alpha = 0.4f});
  scene.spheres.push_back({{0, 0, 0}, 1.0f, veil});
  scene.sky.zenith = scene.sky.horizon = scene.sky.ground = glm::vec3(1.0f);
  scene.camera = {.position = {0, 0, 10}, .look_at = {0, 0, 0}, .vertical_fov = 5.0f};
  const std::unique_ptr<Renderer> renderer =
      make_cpu_renderer(scene, {.width = 16, .height = 16, .max_bounces = 1});
  RenderControl control;
  renderer->render_samples(0, 256, control);
  EXPECT_NEAR(mean_red(renderer->film()), 0.6 * 0.6, 0.01);
}

// The mean of alpha times colour, which averages of the two by themselves do not have.
TEST_P(Textures, KeepTheLightOfPartlyCoveredSurfacesFromFarAway) {
  constexpr uint32_t kManySpp = 4096;
  constexpr glm::vec3 kMean(0.50676f, 0.54629f, 0.50190f);
  for (bool is_one_image : {false, true})
    for (float repeats : {0.5f, 1.0f, 2.0f, 4.0f, 9.0f, 100.0f}) {
      const HostScene scene = striped_leaf(repeats, TextureFilter::kLinear, is_one_image);
      const glm::vec3 mean = mean_color(render(scene, kFourByFour, kManySpp));
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(mean[i], kMean[i], 0.008f) << repeats << " " << i;
    }
}

// Without mip levels, colour and alpha are interpolated by themselves.
TEST_P(Textures, MultiplyInterpolatedColourAndAlphaIfBilinear) {
  constexpr uint32_t kManySpp = 4096;
  for (float repeats : {1.0f, 100.0f}) {
    const HostScene scene = striped_leaf(repeats, TextureFilter::kBilinear, false);
    const glm::vec3 mean = mean_color(render(scene, kFourByFour, kManySpp));
    EXPECT_NEAR(mean.x, 0.4923f, 0.008f) << repeats;
    EXPECT_NEAR(mean.y, 0.5363f, 0.008f) << repeats;
  }
}

// The cutoff is halfway, so that white stripes keep their width.
TEST_P(Textures, KeepTheLightOfCutOutSurfacesFromFarAway) {
  constexpr uint32_t kManySpp = 1024;
  for (float repeats : {0.5f, 2.0f, 4.0f, 9.0f, 100.0f}) {
    HostScene scene = striped_leaf(repeats, TextureFilter::kLinear, true);
    scene.materials[0].alpha_cutoff = 0.6317f;
    const glm::vec3 mean = mean_color(render(scene, kFourByFour, kManySpp));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(mean[i], 0.5f, 0.016f) << repeats;
  }
}

TEST_P(Textures, DecodeBytesOfColorAndOfData) {
  for (TexelFormat format : {TexelFormat::kSrgb8, TexelFormat::kLinear8}) {
    HostScene scene = emitting_square();
    scene.images.push_back({.width = 1, .height = 1, .format = format});
    for (int byte : {188, 127, 255, 255}) scene.images[0].texels.push_back(std::byte(byte));
    scene.textures.push_back({});
    scene.materials[0].textures.emission = 0;
    const glm::vec3 pixel = render(scene, kFourByFour, 1).pixels[0];
    const bool is_color = format == TexelFormat::kSrgb8;
    // A GPU decodes to 8 bits.
    EXPECT_NEAR(pixel.x, is_color ? 0.5029f : 188.0f / 255, 1.0f / 512);
    EXPECT_NEAR(pixel.y, is_color ? 0.2122f : 127.0f / 255, 1.0f / 512);
    EXPECT_EQ(pixel.z, 1.0f);
  }
}

/// The square, white or of `material`, with a normal that leans towards +y, seen from an angle from
/// its own normal, on that side for positive ones.
HostScene leaning_square(float lean, float view, Material material = {}) {
  material.reflectance = glm::vec3(1.0f);
  HostScene scene = square_scene(material);
  const glm::vec4 texel(0.5f, 0.5f + 0.5f * std::sin(lean), 0.5f + 0.5f * std::cos(lean), 1.0f);
  scene.materials[0].textures.normal = add_texture(scene, 1, {texel}, {});
  scene.camera.position = {0.5f, 0.5f + std::sin(view), std::cos(view)};
  scene.camera.view_height = 0.1f;
  return scene;
}

/// What bumps whose normals lean do not shadow of light from an angle of this cosine.
double lit_share_of_bumps(double lean, double cosine) {
  const double roughness = std::min(std::pow(std::tan(lean), 2) / 8.0, 1.0);
  return 2.0 / (1.0 + std::sqrt(1.0 + roughness * (1.0 / (cosine * cosine) - 1.0)));
}

const Material kMatte{.type = MaterialType::kPrincipled, .specular = glm::vec3(0.0f)};

// Light on the mapped normal does not depend on the view, which may be below that normal; light
// from below the mapped normal or below the surface is lost.
TEST_P(Textures, LightDiffuseSurfacesByMappedNormalsAsTheyAre) {
  for (const Material& material : {Material{}, kMatte})
    for (const float lean : {20.0f, 45.0f, 70.0f})
      for (const float view : {-75.0f, -60.0f, 0.0f, 60.0f})
        for (const float light : {-60.0f, -10.0f, 40.0f, 80.0f, 100.0f}) {
          HostScene scene = leaning_square(glm::radians(lean), glm::radians(view), material);
          const float angle = glm::radians(light);
          scene.delta_lights = {{.type = DeltaLightType::kDirectional,
                                 .direction = {0, -std::sin(angle), -std::cos(angle)},
                                 .intensity = glm::vec3(kPi)}};
          const double above = light < 90.0f ? std::cos(angle) : 0.0;
          const double expected = above > 0.0
                                      ? std::max(std::cos(angle - glm::radians(lean)), 0.0f) *
                                            lit_share_of_bumps(glm::radians(lean), above)
                                      : 0.0;
          EXPECT_NEAR(mean_red(render(scene, {.width = 4, .height = 4, .max_bounces = 1}, 1)),
                      expected, 2e-4)
              << lean << " " << view << " " << light;
        }
}

/// Radiance of a white diffuse surface under an even sky of 1.
double sky_on_leaning_normal(double lean) {
  constexpr int kSteps = 400;
  double sum = 0.0;
  for (int i = 0; i < kSteps; ++i)
    for (int j = 0; j < kSteps; ++j) {
      const double u = (i + 0.5) / kSteps, phi = 2.0 * M_PI * (j + 0.5) / kSteps;
      const double height =
          std::cos(lean) * std::sqrt(1.0 - u) - std::sin(lean) * std::sqrt(u) * std::cos(phi);
      if (height > 0.0) sum += lit_share_of_bumps(lean, height);
    }
  return sum / (kSteps * kSteps);
}

// Light and BSDF samples together.
TEST_P(Textures, KeepTheLightOfASkyOnMappedNormals) {
  for (const Material& material : {Material{}, kMatte})
    for (const float lean : {20.0f, 45.0f, 70.0f})
      for (const float view : {-75.0f, 0.0f, 60.0f}) {
        HostScene scene = leaning_square(glm::radians(lean), glm::radians(view), material);
        scene.sky = {
            .zenith = glm::vec3(1.0f), .horizon = glm::vec3(1.0f), .ground = glm::vec3(1.0f)};
        EXPECT_NEAR(mean_red(render(scene, {.width = 4, .height = 4, .max_bounces = 1}, 4096)),
                    sky_on_leaning_normal(glm::radians(lean)), 5e-3)
            << lean << " " << view;
      }
}

// Light and BSDF samples, weighed by their densities.
TEST_P(Textures, KeepTheLightOfALampOnMappedNormals) {
  constexpr float kHeight = 0.6f, kRadiance = 5.0f;
  constexpr int kSteps = 100;
  for (const Material& material : {Material{}, kMatte})
    for (const float lean : {30.0f, 60.0f}) {  // the viewer is above the normal and below it
      HostScene scene = leaning_square(glm::radians(lean), glm::radians(-45.0f), material);
      scene.camera.view_height = 0.02f;
      const uint32_t lamp =
          add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(kRadiance)});
      add_rectangle(scene, {0, 1, kHeight}, {1, 0, 0}, {0, 1, 0}, lamp);
      scene.uvs.resize(scene.positions.size());
      const glm::dvec3 n(0.0, std::sin(glm::radians(lean)), std::cos(glm::radians(lean)));
      double expected = 0.0;
      for (int i = 0; i < kSteps; ++i)
        for (int j = 0; j < kSteps; ++j) {
          const glm::dvec3 to((i + 0.5) / kSteps - 0.5, (j + 0.5) / kSteps + 0.5, kHeight);
          const glm::dvec3 wi = glm::normalize(to);
          expected += kRadiance / M_PI * std::max(glm::dot(wi, n), 0.0) *
                      lit_share_of_bumps(glm::radians(lean), wi.z) * wi.z / glm::dot(to, to) /
                      (kSteps * kSteps);
        }
      const double seen =
          mean_red(render(scene, {.width = 4, .height = 4, .max_bounces = 1}, 4096));
      EXPECT_NEAR(seen / expected, 1.0, 0.01) << lean;
    }
}

// What specular and diffuse lobes about different normals reflect together.
TEST_P(Textures, GainNoLightBySteepNormals) {
  const std::vector<Material> materials = {
      {.type = MaterialType::kPlastic},
      {.type = MaterialType::kPlastic, .roughness = 0.5f},
      {.type = MaterialType::kPrincipled, .roughness = 0.1f},
      {.type = MaterialType::kPrincipled, .roughness = 0.7f, .coat = 1.0f},
      {.type = MaterialType::kPrincipled, .roughness = 0.7f, .sheen = glm::vec3(1.0f)},
      {.type = MaterialType::kPrincipled, .roughness = 0.5f, .metallic = 0.5f}};
  for (const Material& material : materials)
    for (const float lean : {45.0f, 75.0f})
      for (const float view : {-80.0f, -50.0f, 50.0f, 80.0f}) {
        HostScene scene = leaning_square(glm::radians(lean), glm::radians(view), material);
        scene.sky = {
            .zenith = glm::vec3(1.0f), .horizon = glm::vec3(1.0f), .ground = glm::vec3(1.0f)};
        const double white =
            mean_red(render(scene, {.width = 4, .height = 4, .max_bounces = 1}, 1024));
        EXPECT_LT(white, 1.02) << lean << " " << view;
        EXPECT_GT(white, 0.1) << lean << " " << view;
      }
}

/// A square of `material` before a sky of 1.
HostScene before_a_sky(const Material& material) {
  HostScene scene = square_scene(material);
  scene.sky = {.zenith = glm::vec3(1.0f), .horizon = glm::vec3(1.0f), .ground = glm::vec3(1.0f)};
  return scene;
}

const Material kBlack{.reflectance = glm::vec3(0.0f)};

TEST_P(Textures, AreTransparentWhereAlphaIsBelowTheCutoff) {
  Material material = kBlack;
  material.alpha_cutoff = 0.5f;
  HostScene scene = before_a_sky(material);
  scene.materials[0].textures.alpha =
      add_texture(scene, 2, {glm::vec4(0.0f), glm::vec4(0.49f), glm::vec4(0.51f), glm::vec4(1.0f)},
                  {.filter = TextureFilter::kNearest});
  const Image image = render(scene, {.width = 2, .height = 2, .max_bounces = 1}, 4);
  EXPECT_EQ(image.pixels[0].x, 1.0f);
  EXPECT_EQ(image.pixels[1].x, 1.0f);
  EXPECT_EQ(image.pixels[2].x, 0.0f);
  EXPECT_EQ(image.pixels[3].x, 0.0f);
}

TEST_P(Textures, TransmitTheShareOfLightThatAlphaLeaves) {
  Material material = kBlack;
  material.alpha = 0.3f;
  constexpr uint32_t kManySpp = 4096;
  const Image image = render(before_a_sky(material), kFourByFour, kManySpp);
  EXPECT_NEAR(mean_red(image), 0.7, 4.0 * std::sqrt(0.3 * 0.7 / (16.0 * kManySpp)));
}

TEST_P(Textures, TransmitShadowRaysThroughCutouts) {
  // A floor below a lamp; a veil absorbs half of the light. Only light sampling reaches the lamp.
  HostScene scene;
  const uint32_t floor = add_material(scene, {.reflectance = glm::vec3(0.5f)});
  Material veil = kBlack;
  veil.alpha = 0.5f;
  const uint32_t black = add_material(scene, veil);
  const uint32_t lamp =
      add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(1000.0f)});
  add_rectangle(scene, {-5, 0, 5}, {10, 0, 0}, {0, 0, -10}, floor);
  add_rectangle(scene, {-5, 5, 5}, {10, 0, 0}, {0, 0, -10}, lamp);
  scene.camera = {.position = {0, 1, 2}, .look_at = {0, 0, 0}, .vertical_fov = 5.0f};
  HostScene veiled = scene;
  add_rectangle(veiled, {-6, 2.5f, 6}, {12, 0, 0}, {0, 0, -12}, black);

  const RenderSettings settings{.width = 16, .height = 16, .max_bounces = 1};
  constexpr uint32_t kManySpp = 256;
  const double shaded = mean_red(render(veiled, settings, kManySpp));
  EXPECT_NEAR(shaded / mean_red(render(scene, settings, kManySpp)), 0.5, 0.01);
}

TEST_P(Textures, GiveTheSameBitsInEveryWay) {
  HostScene scene = mixed_scene();
  scene.uvs.resize(scene.positions.size());
  for (size_t i = 0; i < scene.uvs.size(); ++i)
    scene.uvs[i] = {float(i % 4 == 1 || i % 4 == 2), float(i % 4 < 2)};
  const uint32_t colors = add_texture(
      scene, 2, {{1, 0.5f, 0.2f, 1}, {0.3f, 0.9f, 0.2f, 0.2f}, {0, 0, 1, 0.8f}, {1, 1, 1, 1}}, {});
  for (Material& material : scene.materials) {
    material.textures.reflectance = colors;
    if (emits(material)) material.textures.emission = colors;
  }
  scene.materials[1].textures.alpha = colors;
  scene.materials[2].alpha = 0.7f;
  scene.materials[0].textures.normal = colors;
  expect_same_bits_in_every_way(scene);
}

}  // namespace
}  // namespace winnow
