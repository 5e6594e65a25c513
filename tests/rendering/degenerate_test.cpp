// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "backend/check_memory.h"
#include "base/nanoseconds.h"
#include "film/film_tiles.h"
#include "tests/support/estimate.h"
#include "tests/support/message_of.h"
#include "tests/support/scene_files.h"
#include "tests/wavefront/support/on_device.h"

// Scenes at the edge of what is one, loaded from files as a user would: they render in bounded time
// to finite images, with the right energy where it is known.

namespace winnow {
namespace {

class Degenerate : public SceneFiles, public testing::WithParamInterface<Device> {
 protected:
  void SetUp() override { skip_without(GetParam()); }

  /// Renders a few samples of a small image and expects each value to be finite and not negative.
  Image render(const HostScene& scene, uint32_t max_bounces = 8, uint32_t spp = 4) const {
    constexpr uint32_t kWidth = 16, kHeight = 12;
    HostScene small = scene;
    small.width = kWidth, small.height = kHeight;
    const std::unique_ptr<Renderer> renderer = make_renderer(
        GetParam(), small, {.width = kWidth, .height = kHeight, .max_bounces = max_bounces});
    RenderControl control;
    renderer->render_samples(0, spp, control);
    const Image image = renderer->film();
    for (const glm::vec3& pixel : image.pixels)
      for (int channel = 0; channel < 3; ++channel)
        EXPECT_TRUE(pixel[channel] >= 0.0f && pixel[channel] < INFINITY) << pixel[channel];
    return image;
  }
  Image render(const std::string& name, const std::string& text) const {
    return render(load(name, text));
  }
};

INSTANTIATE_TEST_SUITE_P(Cpu, Degenerate, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, Degenerate, testing::Values(Device::kCuda), device_name);

/// Expects the mean to be `expected`, up to noise.
void expect_mean_of(const Image& image, double expected) {
  constexpr double kSigmas = 5.3;
  const Estimate red = estimate(uint32_t(image.pixels.size()),
                                [&](uint32_t i) { return double(image.pixels[i].x); });
  EXPECT_NEAR(red.mean, expected, kSigmas * red.error + 1e-4 * expected);
}

/// A square of 2 m at the origin that faces a camera at +z, with more shapes.
std::string square_and(const std::string& more) {
  return R"({"camera": {"position": [0, 0, 4], "look_at": [0, 0, 0]},
    "materials": {"grey": {"type": "diffuse", "reflectance": 0.5}},
    "shapes": [{"type": "rectangle", "material": "grey", "corner": [-1, -1, 0], "edge_u": [2, 0, 0],
                "edge_v": [0, 2, 0]})" +
         more + R"(], "sky": {"radiance": 1}})";
}

/// An OBJ file of triangles, each given by its nine coordinates.
std::string obj_of(const std::vector<std::string>& triangles) {
  std::string text;
  size_t vertex = 0;
  for (const std::string& triangle : triangles) {
    text += triangle;
    text += fmt::format("f {} {} {}\n", vertex + 1, vertex + 2, vertex + 3);
    vertex += 3;
  }
  return text;
}

const std::string kSolidTriangle = "v -1 -1 0\nv 1 -1 0\nv 0 1 0\n";

TEST_P(Degenerate, TrianglesWithoutAreaAreLeftOutAndReported) {
  for (const char* flat : {"v 0 0 0\nv 0 0 0\nv 0 0 0\n", "v 0 0 0\nv 1 0 0\nv 1 0 0\n",
                           "v 0 0 0\nv 1 1 1\nv 2 2 2\n", "v 0 0 0\nv 1e-30 0 0\nv 0 1e-30 0\n"}) {
    SCOPED_TRACE(flat);
    const HostScene scene = load("a.obj", obj_of({kSolidTriangle, flat}));
    EXPECT_EQ(scene.triangles.size(), 1u);
    expect_warnings(scene, {"1"});
    render(scene);
  }
  EXPECT_NE(error_of("b.obj", obj_of({"v 0 0 0\nv 1 0 0\nv 1 0 0\n"})), "");
}

TEST_P(Degenerate, VerticesThatAreNotFiniteAreLeftOutOrRefused) {
  for (const char* number : {"nan", "inf", "-inf", "1e39", "1e10"}) {
    SCOPED_TRACE(number);
    const std::string broken = fmt::format("v {} 0 0\nv 1 0 0\nv 0 1 0\n", number);
    const HostScene obj = load("a.obj", obj_of({kSolidTriangle, broken}));
    EXPECT_EQ(obj.triangles.size(), 1u);
    EXPECT_FALSE(obj.warnings.empty());
    render(obj);
    const HostScene ply = load(
        "a.ply", fmt::format("ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty "
                             "float y\nproperty float z\nelement face 2\nproperty list uchar int "
                             "vertex_indices\nend_header\n{} 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 "
                             "1 2 3\n",
                             number));
    EXPECT_EQ(ply.triangles.size(), 1u);
    EXPECT_FALSE(ply.warnings.empty());
    render(ply);
  }
  EXPECT_NE(error_of("a.json", square_and(R"(, {"type": "mesh", "material": "grey", "vertices":
    [[1e39, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 2]]})")),
            "");
}

/// Rays always hit the same one of several equally close triangles, so the image is that of one.
TEST_P(Degenerate, CoincidentTrianglesLookLikeOne) {
  const HostScene one = load("one.obj", obj_of({kSolidTriangle}));
  const HostScene many = load("many.obj", obj_of(std::vector<std::string>(100, kSolidTriangle)));
  EXPECT_EQ(many.triangles.size(), 100u);
  EXPECT_EQ(image_hash(render(one)), image_hash(render(many)));
}

TEST_P(Degenerate, TenThousandOverlappingTrianglesRenderInTime) {
  constexpr int kCount = 10'000;
  constexpr double kMaxSeconds = 60.0;  // two, without sanitizers
  std::vector<std::string> same(kCount, kSolidTriangle), nearly;
  for (int i = 0; i < kCount; ++i)
    nearly.push_back(fmt::format("v -1 -1 {0}\nv 1 -1 {0}\nv 0 1 {0}\n", 1e-7 * i));
  const double start = steady_seconds();
  render("same.obj", obj_of(same));
  render("nearly.obj", obj_of(nearly));
  EXPECT_LT(steady_seconds() - start, kMaxSeconds);
}

TEST_P(Degenerate, SliversRender) {
  std::vector<std::string> slivers;
  for (int i = 0; i < 500; ++i) {
    const double angle = 0.0126 * i, x = std::cos(angle), y = std::sin(angle);
    slivers.push_back(
        fmt::format("v 0 0 {2}\nv {0} {1} {2}\nv {0} {3} {2}\n", x, y, 1e-3 * i, y + 1e-6));
  }
  render("a.obj", obj_of(slivers));
}

/// A furnace that emits e and reflects a has the radiance e / (1 - a) at any scale and place.
TEST_P(Degenerate, AFurnaceIsOneAtEveryScaleAndPlace) {
  constexpr double kEmission = 0.25, kAlbedo = 0.5;
  for (const double size : {1e-6, 1e-3, 1.0, 1e3, 1e6, 1e8})
    for (const double offset : {0.0, 1e3 * size, 1e7}) {
      constexpr double kMinUlps = 1000.0, kUlp = 1.2e-7;
      if (offset + size > 1e9 || size < kMinUlps * kUlp * offset) continue;
      SCOPED_TRACE(testing::Message() << size << " m, " << offset << " m from the origin");
      const HostScene scene = load(
          "a.json", fmt::format(R"({{"camera": {{"position": [{0}, 0, 0], "look_at": [{1}, 0, 0]}},
            "materials": {{"wall": {{"type": "diffuse", "reflectance": 0.5, "emission": 0.25}}}},
            "shapes": [{{"type": "box", "material": "wall", "min": [{2}, {3}, {3}],
                         "max": [{4}, {5}, {5}]}}]}})",
                                offset - 0.3 * size, offset + 0.4 * size, offset - size, -size,
                                offset + size, size));
      expect_mean_of(render(scene, 200, 16), kEmission / (1.0 - kAlbedo));
    }
}

/// Nothing is absorbed: after n bounces n + 1 surfaces have emitted.
TEST_P(Degenerate, AClosedWhiteBoxHasTheEnergyOfItsBounces) {
  constexpr uint32_t kBounces = 20;
  const std::string text = R"({"camera": {"position": [0.3, 0, 0], "look_at": [-1, 0.2, 0]},
    "materials": {"wall": {"type": "diffuse", "reflectance": 1, "emission": 0.25}},
    "shapes": [{"type": "box", "material": "wall", "min": [-1, -1, -1], "max": [1, 1, 1]}]})";
  expect_mean_of(render(load("a.json", text), kBounces, 16), 0.25 * (kBounces + 1));
}

TEST_P(Degenerate, LightsWithoutPowerOrSizeRender) {
  for (const char* light : {
           R"({"type": "sphere", "center": [0, 0, 2], "radius": 0.1, "radiance": 0})",
           R"({"type": "sphere", "center": [0, 0, 2], "radius": 0.1, "power": 0})",
           R"({"type": "sphere", "center": [0, 0, 2], "radius": 1e-6, "power": 1})",
           R"({"type": "rectangle", "corner": [0, 0, 2], "edge_u": [1e-5, 0, 0],
               "edge_v": [0, 1e-5, 0], "power": 1})",
           R"({"type": "rectangle", "corner": [0, 0, 2], "edge_u": [1, 0, 0], "edge_v": [0, 1, 0],
               "radiance": 0})",
           R"({"type": "point", "position": [0, 0, 2], "intensity": 0})",
           R"({"type": "point", "position": [0, 0, 0], "intensity": 1})",
           R"({"type": "spot", "position": [0, 0, 2], "direction": [0, 0, -1], "intensity": 1,
               "cone_angle": 1e-4})",
           R"({"type": "spot", "position": [0, 0, 2], "direction": [0, 0, -1], "intensity": 1,
               "cone_angle": 180, "falloff_start": 180})",
           R"({"type": "directional", "direction": [0, 0, -1], "irradiance": 0})",
           R"({"type": "directional", "direction": [0, 0, -1], "irradiance": 1, "angle": 1e-4})",
           R"({"type": "directional", "direction": [1, 0, 0], "irradiance": 1})",
       }) {
    SCOPED_TRACE(light);
    std::string text = square_and("");
    text.insert(text.rfind(", \"sky\""), std::string(", \"lights\": [") + light + "]");
    for (const LightChoice choice :
         {LightChoice::kPower, LightChoice::kUniform, LightChoice::kBvh}) {
      const HostScene scene = load("a.json", text);
      RenderSettings settings{.width = 8, .height = 8, .lights = choice};
      const std::unique_ptr<Renderer> renderer = make_renderer(GetParam(), scene, settings);
      RenderControl control;
      renderer->render_samples(0, 4, control);
      for (const glm::vec3& pixel : renderer->film().pixels)
        EXPECT_TRUE(pixel.x >= 0.0f && pixel.x < INFINITY) << pixel.x;
    }
  }
  EXPECT_NE(
      error_of("b.json", square_and(R"(, {"type": "sphere", "material": "grey", "radius": 0})")),
      "");
}

/// Under a white sky, no surface is brighter than the sky.
TEST_P(Degenerate, RoughnessOfZeroAndOneMakesNoLight) {
  for (const char* type : {"conductor", "rough-dielectric", "plastic", "principled"})
    for (const int roughness : {0, 1})
      for (const int anisotropy : {-1, 0, 1}) {
        SCOPED_TRACE(testing::Message()
                     << type << ", roughness " << roughness << ", anisotropy " << anisotropy);
        const std::string direction =
            type == std::string("plastic") ? "" : fmt::format(R"(, "anisotropy": {})", anisotropy);
        const HostScene scene = load(
            "a.json", fmt::format(R"({{"camera": {{"position": [0, 0, 4], "look_at": [0, 0, 0]}},
              "materials": {{"a": {{"type": "{}", "reflectance": 1, "roughness": {}{}}}}},
              "shapes": [{{"type": "sphere", "material": "a", "radius": 1}}],
              "sky": {{"radiance": 1}}}})",
                                  type, roughness, direction));
        const Image image = render(scene, 64, 16);
        const Estimate red = estimate(uint32_t(image.pixels.size()),
                                      [&](uint32_t i) { return double(image.pixels[i].x); });
        EXPECT_LT(red.mean, 1.0 + 1e-3 + 5.3 * red.error);
      }
}

/// Both sides of a surface scatter alike, so a mesh inside out looks the same.
TEST_P(Degenerate, NormalsThatAreInsideOutChangeNothing) {
  auto scene_with = [](const char* z, const char* face) {
    return fmt::format(R"({{"camera": {{"position": [0, 0, 4], "look_at": [0, 0, 0]}},
      "materials": {{"grey": {{"type": "diffuse", "reflectance": 0.5}}}},
      "shapes": [{{"type": "mesh", "material": "grey",
                   "vertices": [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]],
                   "normals": [[0, 0, {0}], [0, 0, {0}], [0, 0, {0}], [0, 0, {0}]],
                   "faces": [{1}]}}], "sky": {{"radiance": 1}}}})",
                       z, face);
  };
  for (const char* z : {"1", "-1"})
    for (const char* face : {"[0, 1, 2, 3]", "[3, 2, 1, 0]"}) {
      SCOPED_TRACE(testing::Message() << z << ", " << face);
      expect_mean_of(render(load("a.json", scene_with(z, face)), 1, 16), 0.5);
    }
}

TEST_P(Degenerate, ACameraInASolidSeesItsInside) {
  auto scene_in = [](const char* material) {
    return fmt::format(R"({{"camera": {{"position": [0.1, 0.2, 0.3], "look_at": [1, 0, 0]}},
      "materials": {{"a": {{"type": {}}}}},
      "shapes": [{{"type": "sphere", "material": "a", "radius": 1}}], "sky": {{"radiance": 1}}}})",
                       material);
  };
  for (const glm::vec3& pixel : render("a.json", scene_in("\"diffuse\"")).pixels)
    EXPECT_EQ(pixel, glm::vec3(0.0f));
  // Clear glass loses nothing, and in it radiance is higher by the square of its index, 1.5.
  expect_mean_of(render(load("b.json", scene_in("\"dielectric\"")), 1000, 16), 2.25);
  expect_mean_of(render(load("c.json", scene_in("\"thin-dielectric\"")), 1000, 16), 1.0);
}

TEST_P(Degenerate, AnImageOfOnePixelTakesAMillionSamples) {
  constexpr uint32_t kSpp = 1'000'000;
  HostScene scene = load("a.json", square_and(""));
  scene.width = scene.height = 1;
  const std::unique_ptr<Renderer> renderer =
      make_renderer(GetParam(), scene, {.width = 1, .height = 1, .max_bounces = 1});
  RenderControl control;
  renderer->render_samples(0, kSpp, control);
  EXPECT_EQ(renderer->sample_counts(), std::vector<uint32_t>{kSpp});
  EXPECT_EQ(control.paths_done, kSpp);
  // A part of the view is the square, which reflects half of the sky.
  const double half_view = 4.0 * std::tan(0.5 * 40.0 * M_PI / 180.0);
  EXPECT_NEAR(renderer->film().pixels[0].x, 1.0 - 0.5 / (half_view * half_view), 1e-3);
}

/// The last samples that --spp allows.
TEST_P(Degenerate, SamplesBeyondTwoToTheThirtyOneAreLikeAnyOther) {
  constexpr uint32_t kLast = 0x7fffffff, kCount = 64;
  const HostScene scene = load("a.json", square_and(""));
  for (const SamplerType sampler : {SamplerType::kHash, SamplerType::kSobol}) {
    const std::unique_ptr<Renderer> renderer = make_renderer(
        GetParam(), scene,
        {.width = 8, .height = 8, .max_bounces = 2, .sampler = sampler, .sobol_spp = kLast});
    RenderControl control;
    renderer->render_samples(kLast - kCount, kCount, control);
    double mean = 0.0;
    for (const glm::vec3& pixel : renderer->film().pixels) mean += double(pixel.x) / 64.0;
    EXPECT_GT(mean, 0.5);
    EXPECT_LT(mean, 1.0);
  }
}

/// Instances with shear and mirroring, as many as a forest has.
TEST_P(Degenerate, AHundredThousandShearedInstancesRenderInTime) {
  constexpr int kCount = 100'000;
  constexpr double kMaxSeconds = 60.0;  // three, without sanitizers
  std::string transforms;
  for (int i = 0; i < kCount; ++i)
    transforms += fmt::format(
        R"({}[{{"matrix": [[{}, 0.3, 0, {}], [0, 1, {}, {}], [0.2, 0, 0.5, {}], [0, 0, 0, 1]]}}])",
        i ? "," : "", i % 2 ? -1 : 1, i % 50, 0.01 * (i % 7), i / 50 % 50, -(i / 2500));
  const std::string text = R"({"camera": {"position": [25, 25, 60], "look_at": [25, 25, 0]},
    "materials": {"grey": {"type": "diffuse", "reflectance": 0.5}},
    "meshes": {"box": {"type": "box", "material": "grey", "min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}},
    "shapes": [{"type": "instances", "mesh": "box", "transforms": [)" +
                           transforms + R"(]}], "sky": {"radiance": 1}})";
  const double start = steady_seconds();
  const HostScene scene = load("a.json", text);
  EXPECT_EQ(scene.instances.size(), size_t(kCount));
  const Image image = render(scene);
  EXPECT_LT(mean_red(image), 1.0);
  EXPECT_GT(mean_red(image), 0.1);
  EXPECT_LT(steady_seconds() - start, kMaxSeconds);
}

/// A few pixels of it, up to the last one: an index into its film takes 33 bits, in bytes.
TEST_P(Degenerate, AnImageOf16384ColumnsHasItsLastPixel) {
  constexpr uint32_t kWidth = 16384, kHeight = 11264, kPixels = kWidth * kHeight;
  constexpr uint32_t kSpp = 64, kTilePixels = kFilmTileSide * kFilmTileSide;
  static_assert(kPixels * sizeof(glm::dvec3) > uint64_t(1) << 32);
  RenderSettings settings{.width = kWidth, .height = kHeight, .max_bounces = 0};
  const uint64_t bytes = uint64_t(kPixels) * film_bytes_per_pixel(settings.film_features());
  const uint64_t has =
      GetParam() == Device::kCpu ? free_host_memory() : list_cuda_devices().devices.at(0).memory;
  if (has < 2 * bytes) GTEST_SKIP() << "needs " << (2 * bytes >> 30) << " GiB of memory";
  HostScene scene = load("a.json", square_and(""));
  scene.width = kWidth, scene.height = kHeight;
  const std::unique_ptr<Renderer> renderer = make_renderer(GetParam(), scene, settings);
  /// A pixel, its place in its tile, and its radiance: the sky's, or none on the square.
  struct Expected {
    uint32_t pixel, in_tile;
    double radiance;
  };
  constexpr uint32_t kMiddle = kHeight / 2 * kWidth + kWidth / 2, kLast = kPixels - 1;
  const std::vector<Expected> all = {{0, 0, 1.0}, {kMiddle, 0, 0.0}, {kLast, kTilePixels - 1, 1.0}};
  std::vector<uint32_t> pixels;
  for (const Expected& one : all) pixels.push_back(one.pixel);
  renderer->choose_pixels(pixels);
  RenderControl control;
  renderer->render_samples(0, kSpp, control);
  EXPECT_EQ(control.paths_done, kSpp * all.size());
  for (const Expected& one : all) {
    FilmTiles tiles{kWidth, kHeight, {}};
    tiles.present.resize(size_t(tiles.rows()) * tiles.columns());
    tiles.present[tiles.tile_of(one.pixel)] = 1;
    std::vector<glm::dvec3> sums(kTilePixels);
    std::vector<uint32_t> samples(kTilePixels);
    renderer->read_pixels(kSumField, tiles, reinterpret_cast<std::byte*>(sums.data()));
    renderer->read_pixels(kSamplesField, tiles, reinterpret_cast<std::byte*>(samples.data()));
    for (uint32_t i = 0; i < kTilePixels; ++i) {
      EXPECT_EQ(samples[i], i == one.in_tile ? kSpp : 0) << one.pixel << ", " << i;
      EXPECT_EQ(sums[i].x, i == one.in_tile ? kSpp * one.radiance : 0.0);
    }
  }
}

TEST_P(Degenerate, AnImageTooLargeForTheMemoryIsRefusedWithNumbers) {
  constexpr uint32_t kSide = 32768;
  RenderSettings settings{.width = kSide, .height = kSide};
  settings.keep_squares = settings.keep_first_hits = settings.map_terminations = true;
  const uint64_t needed = uint64_t(kSide) * kSide * film_bytes_per_pixel(settings.film_features());
  if (needed <= free_host_memory()) GTEST_SKIP() << "this machine has the memory";
  if (GetParam() == Device::kCuda) GTEST_SKIP() << "the memory of GPUs differs";
  HostScene scene = load("a.json", square_and(""));
  const std::string message = message_of([&] { make_cpu_renderer(scene, settings); });
  EXPECT_NE(message.find("GiB in memory"), message.npos) << message;
  EXPECT_NE(message.find("--size"), message.npos) << message;
}

}  // namespace
}  // namespace winnow
