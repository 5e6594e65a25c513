#include "wavefront/paths.h"

#include <gtest/gtest.h>

#include <vector>

namespace winnow {
namespace {

TEST(Paths, GiveBackWhatWasStored) {
  std::vector<glm::vec4> origin(2), direction(2), throughput(2);
  std::vector<glm::vec3> radiance(2);
  std::vector<Certificate> certificate(2);
  Paths paths{{origin.data(), 2},
              {direction.data(), 2},
              {throughput.data(), 2},
              {radiance.data(), 2},
              {certificate.data(), 2}};
  Path path{.ray = {.origin = {1, 2, 3}, .direction = {0, 1, 0}},
            .bsdf_pdf = 0.25f,
            .throughput = {0.1f, 0.2f, 0.3f},
            .eta_scale = 2.25f,
            .radiance = {4, 5, 6}};
  paths.store(1, path);
  Path loaded = paths.load(1);
  EXPECT_EQ(loaded.ray.origin, path.ray.origin);
  EXPECT_EQ(loaded.ray.direction, path.ray.direction);
  EXPECT_EQ(loaded.ray.t_max, INFINITY);
  EXPECT_EQ(loaded.bsdf_pdf, path.bsdf_pdf);
  EXPECT_EQ(loaded.throughput, path.throughput);
  EXPECT_EQ(loaded.eta_scale, path.eta_scale);
  EXPECT_EQ(loaded.radiance, path.radiance);
  EXPECT_EQ(paths.load(0).radiance, glm::vec3(0.0f));  // and nothing else was touched
}

TEST(Paths, TakeSixtyFourBytesEach) {
  EXPECT_EQ(3 * sizeof(glm::vec4) + sizeof(glm::vec3) + sizeof(Certificate), 64u);
}

TEST(Certificate, SaysHowAndWhenAPathEnded) {
  EXPECT_TRUE(Certificate{}.alive());
  for (uint32_t bounce : {0u, 1u, 1000u})
    for (uint32_t death = 1; death < kDeathCount; ++death) {
      Certificate c = Certificate::of(Death(death), bounce);
      EXPECT_FALSE(c.alive());
      EXPECT_EQ(c.death(), Death(death));
      EXPECT_EQ(c.bounce(), bounce);
    }
}

}  // namespace
}  // namespace winnow
