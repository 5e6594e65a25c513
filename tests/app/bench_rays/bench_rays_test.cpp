// SPDX-License-Identifier: MIT
#include "app/bench_rays/bench_rays.h"

#include <gmock/gmock.h>

#include "backend/ray_tracer.h"
#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

class BenchRays : public WinnowTest {
 protected:
  /// Measures small ray sets of a scene on the CPU.
  Outcome bench_rays(const std::vector<std::string>& arguments) const {
    return succeed(joined({"bench-rays", "--device", "cpu", "--size", "64x36", "--repeat", "2",
                           "--threads", "2", "--json", "rays.json"},
                          arguments));
  }

  void expect_usage_error(const std::vector<std::string>& arguments,
                          const std::string& part) const {
    expect_failure(2, joined({"bench-rays", kCornellBox, "--device", "cpu"}, arguments), part);
  }
};

TEST_F(BenchRays, MeasuresAllTracersOnAllSets) {
  const Outcome outcome = bench_rays({kCornellBox});
  EXPECT_THAT(outcome.out, HasSubstr("light (the first emitting triangle)"));
  const Json result = json("rays.json");
  EXPECT_EQ(result["passed"], true);
  EXPECT_EQ(result["size_pixels"], Json({64, 36}));
  ASSERT_EQ(result["sets"].size(), kRayKindCount);
  for (size_t kind = 0; kind < kRayKindCount; ++kind) {
    const Json& set = result["sets"][kind];
    EXPECT_EQ(set["set"], kRayKindNames[kind]);
    EXPECT_GT(set["rays"].get<uint64_t>(), 500u);
    EXPECT_GT(set["nodes_per_ray"].get<double>(), 1.0);
    EXPECT_GT(set["primitives_per_ray"].get<double>(), 0.5);
    std::vector<std::string> names;
    for (const Json& run : set["runs"]) {
      names.push_back(run["tracer"]);
      EXPECT_GT(run["rays_per_second"].get<double>(), 0.0);
      EXPECT_EQ(run["milliseconds"].size(), 2u);
      const bool scales = names.back() != kWideBvhTracer;  // the wide BVH is slow on the host
      EXPECT_EQ(run["fewer_threads"].size(), scales ? 1u : 0u);
      EXPECT_EQ(run["parallel_efficiency"].is_number(), scales);
      EXPECT_EQ(run["wrong_in_double_precision"], 0) << names.back();
    }
    EXPECT_THAT(names, testing::ElementsAre("Embree", "stages", "packets", "fast", "WideBvh"));
  }
}

TEST_F(BenchRays, TakesABareObjACameraAndALight) {
  put("bare.obj", "v -9 0 -9\nv 9 0 -9\nv 0 0 9\nf 1 2 3\n");
  const Outcome outcome = bench_rays(
      {"bare.obj", "--camera", "0,4,0,0,-1,0.1,60", "--light=0,3,0,1,0,0,0,0,1", "--spp", "3"});
  EXPECT_THAT(outcome.out, HasSubstr("camera (the command's): at (0, 4, 0)"));
  EXPECT_THAT(outcome.out, HasSubstr("light (--light): center (0, 3, 0)"));
  const Json result = json("rays.json");
  EXPECT_EQ(result["sets"][0]["rays"], 64 * 36 * 3);
  EXPECT_EQ(result["sets"][1]["rays"], 64 * 36 * 3);
  EXPECT_EQ(result["sets"][2]["rays"], 0);  // nothing is above a floor
}

TEST_F(BenchRays, ScenesOfSpheresHaveNoPackets) {
  const Outcome outcome = bench_rays({std::string(WINNOW_SCENES_DIR) + "/open.json", "--quiet"});
  EXPECT_EQ(outcome.out, "");
  const Json result = json("rays.json");
  EXPECT_EQ(result["sets"][0]["runs"].size(), 4u);
}

TEST_F(BenchRays, InstancesAreRefused) {
  put("placed.json", R"({"materials": {"white": {"type": "diffuse"}},
    "meshes": {"box": {"type": "box", "material": "white", "min": [0, 0, 0], "max": [1, 1, 1]}},
    "shapes": [{"type": "instances", "mesh": "box", "transforms": [[], [{"translate": [2, 0, 0]}]]}],
    "sky": {"radiance": 1}})");
  expect_failure(1, {"bench-rays", "placed.json", "--device", "cpu", "--quiet"},
                 "placed.json: has instances");
}

TEST_F(BenchRays, MistakesInOptionsAreOneLine) {
  expect_usage_error({"--bvh", "fast"}, "--bvh fast needs a GPU");
  expect_usage_error({"--tracer", "rt,bvh"}, "--tracer rt needs a GPU");
  expect_usage_error({"--bvh", "best"}, "--bvh");
  expect_usage_error({"--camera", "1,2"}, "--camera: \"1,2\" is neither X,Y,Z nor ");
  expect_usage_error({"--camera", "0,0,0,0,0,0,60"}, "--camera: the direction is 0,0,0");
  expect_usage_error({"--camera", "0,0,0,1,0,0,180"}, "--camera: the field of view is 180");
  expect_usage_error({"--camera", "0,0,0,1,0,0,-5"}, "--camera: the field of view is -5");
  expect_usage_error({"--light", "0,0,0,1,0,0,0,0,1,"}, "--light: ");
  expect_usage_error({"--light", "0,0,0,1,0,0,0,0,x"}, "X,Y,Z,UX,UY,UZ,VX,VY,VZ, 9 numbers");
  expect_usage_error({"--light", "0,0,0,1,0,0,0,0,inf"}, "--light: ");
  expect_usage_error({"--spp", "0"}, "--spp: \"0\" is not a whole number from 1");
  expect_usage_error({"--repeat", "1001"}, "--repeat: ");
  expect_usage_error({"--size", "12"}, "--size: ");
  expect_usage_error({"--size", "32768x32768", "--spp", "2"}, "--spp: 2147483648 primary rays");
  expect_usage_error({"--lights", "1"}, "did you mean --light?");
  expect_failure(2, {"bench-rays"}, "SCENE");
  expect_failure(1, {"bench-rays", "missing.json", "--device", "cpu", "--quiet"}, "missing.json");
}

}  // namespace
}  // namespace winnow
