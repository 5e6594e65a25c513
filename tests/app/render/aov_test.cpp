// SPDX-License-Identifier: MIT
#include "app/render/aov.h"

#include <gmock/gmock.h>

#include <cmath>

#include "image/color_map.h"
#include "image/image_io.h"
#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using testing::HasSubstr;

TEST(AddAov, ReadsPicturesAndLayers) {
  AovRequest request;
  EXPECT_TRUE(request.empty());
  for (const char* text : {"bounces=b.png", "albedo,ids", "deaths=a=b.exr", "albedo"})
    add_aov("--aov", text, request);
  ASSERT_EQ(request.pictures.size(), 2u);
  EXPECT_EQ(request.pictures[0].aov, Aov::kBounces);
  EXPECT_EQ(request.pictures[0].file, "b.png");
  EXPECT_EQ(request.pictures[1].aov, Aov::kTerminations);
  EXPECT_EQ(request.pictures[1].file, "a=b.exr");
  EXPECT_EQ(request.layers, (std::vector<Aov>{Aov::kAlbedo, Aov::kIds}));
  EXPECT_TRUE(request.contains(Aov::kIds) && request.contains(Aov::kTerminations));
  EXPECT_FALSE(request.contains(Aov::kDepth));
}

TEST(AddAov, RefusesEverythingElse) {
  auto refusal_of = [](const std::string& text) {
    AovRequest request;
    return message_of<UsageError>([&] { add_aov("--aov", text, request); });
  };
  EXPECT_THAT(refusal_of("bounces="), HasSubstr("is not NAME=FILE"));
  EXPECT_THAT(refusal_of("deths=d.png"),
              HasSubstr("--aov: \"deths\" is not albedo, normal, depth, position, ids, variance, "
                        "samples, bounces, deaths or cost; did you mean deaths?"));
  for (const char* text : {"", "b.png", "=d.png", "albedo,,ids"})
    EXPECT_THAT(refusal_of(text), HasSubstr("is not albedo, normal")) << text;
}

TEST(KeepAovs, KeepsWhatIsAskedForAndNoMore) {
  for (size_t aov = 0; aov < enum_names<Aov>().size(); ++aov) {
    AovRequest request;
    request.layers = {Aov(aov)};
    RenderSettings settings;
    keep_aovs(request, settings);
    EXPECT_EQ(settings.keep_first_hits, Aov(aov) <= Aov::kIds);
    EXPECT_EQ(settings.keep_squares, Aov(aov) == Aov::kVariance);
    EXPECT_EQ(settings.map_terminations,
              Aov(aov) == Aov::kBounces || Aov(aov) == Aov::kTerminations);
    EXPECT_EQ(settings.keep_cost, Aov(aov) == Aov::kCost);
  }
}

/// Two pixels: one with four samples that all hit something, one with a sample that escaped.
HostFilm film() {
  HostFilm film{.width = 2, .height = 1};
  film.samples = {4, 1};
  film.sum = {{4.0, 8.0, 0.0}, {1.0, 1.0, 1.0}};
  film.squares = {{10.0, 16.0, 0.0}, {1.0, 1.0, 1.0}};  // red as of the samples 2, 2, 1 and -1
  film.albedo = {{2.0, 1.0, 4.0}, {0.0, 0.0, 0.0}};
  film.normal = {{0.0, 4.0, 0.0}, {0.0, 0.0, 0.0}};
  film.first_hits = {{.position = {1.0f, 2.0f, 3.0f},
                      .depth = 5.0f,
                      .material = 7,
                      .primitive = 1u << 30,
                      .instance = 2},
                     {}};
  film.first_hits[1].depth = 0.0f;  // as in zeroed memory: no hit
  film.cost.resize(2 * kCostBounces);
  film.cost[0] = {400, 40};  // first bounce of the first pixel
  film.cost[kCostBounces - 1] = {80, 8};
  film.cost[kCostBounces] = {3, 2};
  return film;
}

template <class T>
std::vector<T> values_of(const std::vector<ImageChannel>& channels, const std::string& name) {
  for (const ImageChannel& channel : channels)
    if (channel.name == name) return std::get<std::vector<T>>(channel.values);
  ADD_FAILURE() << name << " is missing";
  return {};
}

TEST(AovChannels, HoldTheNumbersOfTheFilm) {
  auto floats = [](Aov aov, const std::string& name) {
    return values_of<float>(aov_channels(aov, film()), name);
  };
  using Floats = std::vector<float>;
  EXPECT_EQ(floats(Aov::kAlbedo, "albedo.R"), (Floats{0.5f, 0.0f}));
  EXPECT_EQ(floats(Aov::kAlbedo, "albedo.B"), (Floats{1.0f, 0.0f}));
  EXPECT_EQ(floats(Aov::kNormal, "N.Y"), (Floats{1.0f, 0.0f}));
  EXPECT_EQ(floats(Aov::kDepth, "Z"), (Floats{5.0f, INFINITY}));
  EXPECT_EQ(floats(Aov::kPosition, "P.Z"), (Floats{3.0f, 0.0f}));
  // (10 - 16 / 4) / 3 / 4; a single sample has no variance.
  EXPECT_EQ(floats(Aov::kVariance, "variance.R"), (Floats{0.5f, 0.0f}));
  EXPECT_EQ(floats(Aov::kVariance, "variance.G"), (Floats{0.0f, 0.0f}));
  EXPECT_EQ(floats(Aov::kCost, "cost.traversal"), (Floats{120.0f, 3.0f}));
  EXPECT_EQ(floats(Aov::kCost, "cost.shading"), (Floats{12.0f, 2.0f}));
  EXPECT_EQ(floats(Aov::kCost, "cost.traversal.0"), (Floats{100.0f, 3.0f}));
  EXPECT_EQ(floats(Aov::kCost, "cost.shading.7"), (Floats{2.0f, 0.0f}));
  using Numbers = std::vector<uint32_t>;
  const std::vector<ImageChannel> ids = aov_channels(Aov::kIds, film());
  EXPECT_EQ(values_of<uint32_t>(ids, "id.material"), (Numbers{7, 0}));
  EXPECT_EQ(values_of<uint32_t>(ids, "id.primitive"), (Numbers{1u << 30, 0}));
  EXPECT_EQ(values_of<uint32_t>(ids, "id.instance"), (Numbers{2, 0}));
  EXPECT_EQ(values_of<uint32_t>(aov_channels(Aov::kSamples, film()), "samples"), (Numbers{4, 1}));
}

TEST(AovImage, OfCostsHasTraversalShadingAndTheirSum) {
  const Image costs = aov_image(Aov::kCost, film());
  EXPECT_EQ(costs.pixels, (std::vector{glm::vec3(120, 12, 132), glm::vec3(3, 2, 5)}));
  const Image colors = aov_colors(Aov::kCost, costs, film());
  EXPECT_EQ(colors.pixels[0], false_color(1.0f));
  EXPECT_EQ(colors.pixels[1], false_color(5.0f / 132.0f));
}

using AovPictures = FolderTest;

TEST_F(AovPictures, AreNumbersWhereTheFormatHoldsThem) {
  EXPECT_THAT(write_aov({Aov::kDepth, folder_ / "d.pfm"}, film()),
              HasSubstr("d.pfm: m along the view direction, as numbers"));
  EXPECT_EQ(read_image(folder_ / "d.pfm").pixels[0], glm::vec3(5.0f));
  write_aov({Aov::kPosition, folder_ / "p.exr"}, film());
  EXPECT_EQ(read_image(folder_ / "p.exr").pixels[0], glm::vec3(1.0f, 2.0f, 3.0f));
}

TEST_F(AovPictures, AreColoursWhereTheFormatHoldsThose) {
  for (Aov aov :
       {Aov::kAlbedo, Aov::kNormal, Aov::kDepth, Aov::kIds, Aov::kVariance, Aov::kSamples}) {
    EXPECT_THAT(write_aov({aov, folder_ / "a.png"}, film()), HasSubstr("as colours"));
    const Image image = read_image(folder_ / "a.png");
    EXPECT_NE(image.pixels[0], image.pixels[1]) << enum_name(aov);
  }
  HostFilm near_and_far = film();  // two corners of a box
  near_and_far.first_hits[1] = {
      .position = {2.0f, 3.0f, 4.0f}, .depth = 6.0f, .material = 1, .primitive = 1};
  write_aov({Aov::kPosition, folder_ / "p.png"}, near_and_far);
  EXPECT_EQ(read_image(folder_ / "p.png").pixels, (std::vector{glm::vec3(0.0f), glm::vec3(1.0f)}));
  write_aov({Aov::kNormal, folder_ / "n.png"}, film());
  const glm::vec3 up = read_image(folder_ / "n.png").pixels[0];
  EXPECT_FLOAT_EQ(up.y, 1.0f);
  EXPECT_NEAR(up.x, 0.2158605f, 1e-4f);  // linear value of the byte 128
}

}  // namespace
}  // namespace winnow
