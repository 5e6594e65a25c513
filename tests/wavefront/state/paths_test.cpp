// SPDX-License-Identifier: MIT
#include "wavefront/state/paths.h"

#include <gtest/gtest.h>

#include <vector>

namespace winnow {
namespace {

TEST(PathColumns, KeepWhatWasStored) {
  std::vector<Packed> origin(2), direction(2), throughput(2);
  PathColumns columns{{origin.data(), 2}, {direction.data(), 2}, {throughput.data(), 2}, {}};
  Path path{.ray = {.origin = {1, 2, 3}, .direction = {0, 1, 0}},
            .bsdf_pdf = 0.25f,
            .throughput = {0.1f, 0.2f, 0.3f},
            .eta_scale = 2.25f,
            .travelled = 6.5f};
  constexpr PathId kId = 0xfedcba98;
  columns.store(1, kId, 3, path);
  const PathInMedia loaded = columns.load(1);
  EXPECT_EQ(loaded.ray.origin, path.ray.origin);
  EXPECT_EQ(loaded.ray.direction, path.ray.direction);
  EXPECT_EQ(loaded.ray.t_max, INFINITY);
  EXPECT_EQ(loaded.bsdf_pdf, path.bsdf_pdf);
  EXPECT_EQ(loaded.throughput, path.throughput);
  EXPECT_EQ(loaded.eta_scale, path.eta_scale);
  EXPECT_EQ(loaded.travelled, path.travelled);
  EXPECT_EQ(loaded.medium, kNoMedium);
  EXPECT_EQ(columns.ray(1).origin, path.ray.origin);
  EXPECT_EQ(columns.id(1), kId);
  EXPECT_EQ(columns.bounce(1, 7), 7u);
  EXPECT_EQ(columns.ray(0).origin, glm::vec3(0.0f));  // other slots are unchanged
}

TEST(PathColumns, KeepTheNumberOfBouncesWhereThereIsAColumnForIt) {
  std::vector<Packed> packed(2);
  std::vector<uint32_t> bounces(2), media{kNoMedium, 5};
  PathColumns columns{{packed.data(), 2},
                      {packed.data(), 2},
                      {packed.data(), 2},
                      {bounces.data(), 2},
                      {media.data(), 2}};
  columns.store(1, 0, 3, Path{});
  EXPECT_EQ(bounces, (std::vector<uint32_t>{0, 3}));
  EXPECT_EQ(columns.bounce(1, 7), 3u);
  EXPECT_EQ(columns.load(1).medium, 5u);
}

TEST(ShadowRays, LoadWhatWasStored) {
  std::vector<Packed> origin(2), direction(2), contribution(2);
  ShadowRays rays{{origin.data(), 2}, {direction.data(), 2}, {contribution.data(), 2}};
  ShadowRay shadow{{.origin = {1, 2, 3}, .direction = {0, 0, 1}, .t_max = 7}, {4, 5, 6}};
  constexpr PathId kId = 0xfedcba98;
  rays.store(1, kId, shadow);
  EXPECT_EQ(rays.load(1).ray.origin, shadow.ray.origin);
  EXPECT_EQ(rays.load(1).ray.direction, shadow.ray.direction);
  EXPECT_EQ(rays.load(1).ray.t_max, 7);
  EXPECT_EQ(rays.load(1).contribution, shadow.contribution);
  EXPECT_EQ(rays.id(1), kId);
}

TEST(ShadowRays, NameTheMediumThatEmitsTheirLight) {
  for (const uint32_t scatterings : {1u, kMaxBounces}) {
    EXPECT_EQ(emitting_medium(scatterings), kNoMedium);
    EXPECT_EQ(scatterings_of(scatterings), scatterings);
    for (const uint32_t medium : {0u, 1u, (1u << 20) - 2}) {
      const uint32_t packed = from_medium(scatterings, medium);
      EXPECT_EQ(emitting_medium(packed), medium);
      EXPECT_EQ(scatterings_of(packed), scatterings);
      EXPECT_LT(packed, 1u << 30);
    }
  }
}

TEST(Paths, TakeSixtyFourBytesEach) {
  EXPECT_EQ(3 * sizeof(Packed) + sizeof(PathResult), 64u);
}

}  // namespace
}  // namespace winnow
