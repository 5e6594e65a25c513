// SPDX-License-Identifier: MIT
// Colours of vertices and the second parametrization in whole renders.

#include <cstring>

#include "scene/vertex_attributes.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

using VertexAttributes = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, VertexAttributes, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, VertexAttributes, testing::Values(Device::kCuda), device_name);

constexpr uint32_t kManySamples = 256;
const RenderSettings kEightByEight{.width = 8, .height = 8, .max_bounces = 1};

/// The unit square in the plane z = 0 under a sky of 1, which fills the view.
HostScene colored_square(const Material& material) {
  HostScene scene;
  add_rectangle(scene, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, add_material(scene, material));
  scene.camera = {.position = {0.5f, 0.5f, 1.0f},
                  .look_at = {0.5f, 0.5f, 0.0f},
                  .projection = Projection::kOrthographic,
                  .view_height = 1.0f};
  scene.sky = {.zenith = glm::vec3(1.0f), .horizon = glm::vec3(1.0f), .ground = glm::vec3(1.0f)};
  return scene;
}

/// Red increases to the right, green upwards; blue is 1.
void add_ramp(Mesh& mesh, size_t first) {
  mesh.colors.resize(mesh.positions.size(), glm::vec4(1.0f));
  for (glm::vec4 color :
       {glm::vec4(0, 0, 1, 1), glm::vec4(1, 0, 1, 1), glm::vec4(1, 1, 1, 1), glm::vec4(0, 1, 1, 1)})
    mesh.colors[first++] = color;
}

/// Expects the mean of the ramp times `scale` in each pixel.
void expect_ramp(const Image& image, float scale, float tolerance) {
  for (uint32_t y = 0; y < image.height; ++y)
    for (uint32_t x = 0; x < image.width; ++x) {
      const glm::vec3 pixel = image.pixels[y * image.width + x];
      const float right = (float(x) + 0.5f) / float(image.width),
                  up = 1.0f - (float(y) + 0.5f) / float(image.height);
      EXPECT_NEAR(pixel.x, scale * right, tolerance) << x << " " << y;
      EXPECT_NEAR(pixel.y, scale * up, tolerance) << x << " " << y;
      EXPECT_NEAR(pixel.z, scale, tolerance) << x << " " << y;
    }
}

/// Under a sky of 1 a diffuse surface has the radiance of its albedo.
TEST_P(VertexAttributes, ColourADiffuseSurface) {
  HostScene scene = colored_square({.reflectance = glm::vec3(0.5f), .vertex_colors = true});
  add_ramp(scene, 0);
  expect_ramp(render(scene, kEightByEight, kManySamples), 0.5f, 0.02f);
  scene.materials[0].vertex_colors = false;
  for (glm::vec3 pixel : render(scene, kEightByEight, kManySamples).pixels)
    EXPECT_NEAR(pixel.x, 0.5f, 0.02f);
}

TEST_P(VertexAttributes, ColourWhatGlows) {
  HostScene scene = colored_square(
      {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(2.0f), .vertex_colors = true});
  add_ramp(scene, 0);
  expect_ramp(render(scene, kEightByEight, kManySamples), 2.0f, 0.03f);
}

/// Light samples and hits of a coloured lamp agree: the same image with and without one of them.
TEST_P(VertexAttributes, ColourTheLightOfALamp) {
  HostScene scene;
  const uint32_t floor = add_material(scene, {.reflectance = glm::vec3(0.5f)});
  const uint32_t lamp = add_material(
      scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(10.0f), .vertex_colors = true});
  add_rectangle(scene, {-5, 0, 5}, {10, 0, 0}, {0, 0, -10}, floor);
  add_rectangle(scene, {-1, 2, 1}, {2, 0, 0}, {0, 0, -2}, lamp);
  scene.camera = {.position = {0, 1, 2}, .look_at = {0, 0, 0}, .vertical_fov = 5.0f};
  add_ramp(scene, 4);
  HostScene plain = scene;  // red is half as bright on average, blue the same
  plain.colors.clear();
  const Image colored = render(scene, kEightByEight, 2 * kManySamples),
              white = render(plain, kEightByEight, 2 * kManySamples);
  glm::vec3 sum(0.0f), white_sum(0.0f);
  for (size_t i = 0; i < colored.pixels.size(); ++i)
    sum += colored.pixels[i], white_sum += white.pixels[i];
  EXPECT_NEAR(sum.x / white_sum.x, 0.5f, 0.01f);
  EXPECT_NEAR(sum.y / white_sum.y, 0.5f, 0.01f);
  EXPECT_NEAR(sum.z / white_sum.z, 1.0f, 0.01f);
}

TEST_P(VertexAttributes, LetLightPassByTheirAlpha) {
  Material veil{.reflectance = glm::vec3(0.0f)};
  veil.vertex_alpha = true;
  HostScene scene = colored_square(veil);
  scene.colors.assign(4, glm::vec4(1, 1, 1, 0.3f));
  EXPECT_NEAR(mean_red(render(scene, kEightByEight, kManySamples)), 0.7, 0.02);
}

/// A texture on the second parametrization, whose u is turned by a quarter.
TEST_P(VertexAttributes, PlaceTexturesOnTheSecondParametrization) {
  HostScene scene = colored_square({.reflectance = glm::vec3(0.0f), .emission = glm::vec3(1.0f)});
  const std::vector<glm::vec4> texels = {glm::vec4(1, 0, 0, 1), glm::vec4(0, 1, 0, 1)};
  TextureImage image{.width = 2, .height = 1, .format = TexelFormat::kFloat};
  image.texels.resize(texels.size() * sizeof(glm::vec4));
  std::memcpy(image.texels.data(), texels.data(), image.texels.size());
  scene.images = {image};
  scene.textures = {{.filter = TextureFilter::kNearest}};
  Material& material = scene.materials[0];
  material.textures.emission = 0;
  scene.uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  scene.second_uvs = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};  // u increases upwards
  const RenderSettings settings{.width = 2, .height = 2, .max_bounces = 0};
  const glm::vec3 kRed(1, 0, 0), kGreen(0, 1, 0);
  const Image first = render(scene, settings, 4);
  EXPECT_EQ(first.pixels, (std::vector<glm::vec3>{kRed, kGreen, kRed, kGreen}));
  put_on_second_uvs(material.textures, TextureUse::kEmission);
  const Image second = render(scene, settings, 4);
  EXPECT_EQ(second.pixels, (std::vector<glm::vec3>{kGreen, kGreen, kRed, kRed}));
}

TEST_P(VertexAttributes, GiveTheSameBitsInEveryWay) {
  for (HostScene scene : {mixed_scene(), mixed_scene_with_instances()}) {
    for (Mesh* mesh : {static_cast<Mesh*>(&scene), &scene.shared})
      for (size_t i = 0; i < mesh->positions.size(); ++i) {
        mesh->colors.push_back({float(i % 3) / 2, float(i % 5) / 4, 1, i % 4 ? 1.0f : 0.6f});
        mesh->second_uvs.push_back({float(i % 4 == 1 || i % 4 == 2), float(i % 4 < 2)});
      }
    TextureImage image{.width = 2, .height = 1, .format = TexelFormat::kLinear8};
    for (int byte : {255, 100, 30, 255, 90, 255, 60, 120}) image.texels.push_back(std::byte(byte));
    scene.images = {image};
    scene.textures = {TextureDescription{}};
    for (Material& material : scene.materials) {
      material.vertex_colors = material.vertex_alpha = true;
      material.textures.reflectance = 0;
      put_on_second_uvs(material.textures, TextureUse::kReflectance);
    }
    expect_same_bits_in_every_way(scene);
  }
}

}  // namespace
}  // namespace winnow
