// SPDX-License-Identifier: MIT
#include "tests/soak/soak.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "load/load_scene.h"
#include "load/winnow/scene_keys.h"
#include "tests/app/support/run_winnow.h"
#include "tests/soak/draw_scene.h"
#include "tests/soak/film_checks.h"
#include "tests/soak/light_checks.h"
#include "tests/soak/memory_growth.h"
#include "tests/support/message_of.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsSupersetOf;

using DrawnScenes = FolderTest;

TEST_F(DrawnScenes, LoadAndAreTheSameForTheSameSeed) {
  constexpr uint64_t kSeeds = 12;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed), same(seed);
    const DrawnScene scene = draw_scene(folder_, draw);
    const std::string text = read_text(scene.file);
    EXPECT_NO_THROW(load_scene(scene.file));
    draw_scene(folder_, same);
    EXPECT_EQ(read_text(scene.file), text);
  }
}

/// Adds all values of a key "type" in a document.
void add_types(const nlohmann::json& json, std::set<std::string>& types) {
  if (json.is_object() && json.contains("type")) types.insert(json["type"]);
  if (json.is_structured())
    for (const nlohmann::json& member : json) add_types(member, types);
}

TEST_F(DrawnScenes, HaveEveryMaterialShapeLightAndCamera) {
  constexpr uint64_t kSeeds = 60;
  std::set<std::string> types, keys;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Draw draw(seed);
    const nlohmann::json json = nlohmann::json::parse(read_text(draw_scene(folder_, draw).file));
    add_types(json, types);
    for (const auto& [key, member] : json.items()) keys.insert(key);
    for (const nlohmann::json& medium : json.value("media", nlohmann::json::object()))
      for (const char* key : {"density", "emission"})
        if (medium.contains(key)) keys.insert(key);
  }
  for (const scene_keys::Keys* all :
       {&scene_keys::kMaterialTypes, &scene_keys::kShapeTypes, &scene_keys::kLightTypes})
    EXPECT_THAT(types, IsSupersetOf(*all));
  EXPECT_THAT(types, testing::Contains("orthographic"));
  EXPECT_THAT(
      keys, IsSupersetOf({"media", "density", "emission", "textures", "meshes", "sky", "lights"}));
}

/// The corners of a triangle, from the lowest on.
std::array<std::array<float, 3>, 3> corners_from_lowest(const Mesh& mesh, glm::uvec3 triangle) {
  std::array<std::array<float, 3>, 3> corners;
  for (int i = 0; i < 3; ++i) {
    const glm::vec3 p = mesh.positions[triangle[i]];
    corners[i] = {p.x, p.y, p.z};
  }
  std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
  return corners;
}

/// Numbers of triangles that coincide with another one that faces the same way, or the other way.
struct CoincidentTriangles {
  size_t same_way = 0, other_way = 0;

  void add(const Mesh& mesh) {
    std::set<std::array<std::array<float, 3>, 3>> seen;
    for (glm::uvec3 triangle : mesh.triangles) {
      if (triangle.y == triangle.z) continue;  // a line
      const auto [a, b, c] = corners_from_lowest(mesh, triangle);
      same_way += seen.contains({a, b, c});
      other_way += seen.contains({a, c, b});
      seen.insert({a, b, c});
    }
  }
};

TEST_F(DrawnScenes, HaveNoTrianglesInOnePlaceThatFaceOppositeWays) {
  constexpr uint64_t kSeeds = 60;
  CoincidentTriangles found;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const HostScene scene = load_scene(draw_scene(folder_, draw).file);
    found.add(scene);
    found.add(scene.shared);
  }
  EXPECT_GT(found.same_way, 0u);  // ties remain
  EXPECT_EQ(found.other_way, 0u);
}

/// Runs checks of a plain scene with a renderer that makes mistakes.
class SoakChecks : public SceneFiles {
 protected:
  SoakChecks() {
    render_.file =
        write("a.json", scene_of(R"({"type": "sphere", "material": "white", "radius": 1})"));
    render_.folder = folder_;
    render_.scene = load_scene(render_.file);
    render_.scene.width = 40, render_.scene.height = 24;
    render_.settings = {.width = 40, .height = 24, .max_bounces = 3, .threads = 1};
    render_.spp = 3;
    render_.make = [](const HostScene& scene, const RenderSettings& settings) {
      return make_cpu_renderer(scene, settings);
    };
    expected_ = render_.film(render_.settings);
  }

  /// Renders with another seed if `is_wrong` returns true for the settings.
  template <class IsWrong>
  void be_wrong(IsWrong is_wrong) {
    render_.make = [is_wrong](const HostScene& scene, RenderSettings settings) {
      settings.seed += is_wrong(scene, settings);
      return make_cpu_renderer(scene, settings);
    };
  }

  /// Whether one of many random runs of a check reports `what`.
  template <class Check>
  bool is_found(Check check, const std::string& what) {
    constexpr uint64_t kDraws = 20;
    for (uint64_t seed = 0; seed < kDraws; ++seed) {
      Draw draw(seed);
      const std::string message = message_of([&] { check(render_, expected_, draw); });
      if (message.find(what) != message.npos) return true;
      EXPECT_EQ(message, "");
    }
    return false;
  }

  SoakRender render_;
  HostFilm expected_;
};

TEST_F(SoakChecks, FindNothingInARendererThatIsRight) {
  for (uint64_t seed = 0; seed < 2; ++seed) {
    Draw draw(seed);
    EXPECT_NO_THROW(check_ways(render_, expected_, draw));
    EXPECT_NO_THROW(check_resume(render_, expected_, draw));
    EXPECT_NO_THROW(check_shares(render_, expected_, draw));
    EXPECT_NO_THROW(check_devices(render_, expected_, draw));
    EXPECT_NO_THROW(check_estimators(render_, draw));
  }
  EXPECT_NO_THROW(check_convert(render_, expected_));
  EXPECT_NO_THROW(check_values(render_, expected_));
  EXPECT_NO_THROW(check_furnace(render_));
}

TEST_F(SoakChecks, FindAWayThatDiffers) {
  be_wrong([](const HostScene&, const RenderSettings& way) { return way.cull == Cull::kScan; });
  EXPECT_TRUE(is_found(check_ways, "--cull scan"));
  be_wrong([](const HostScene&, const RenderSettings& way) { return way.loop == Loop::kPath; });
  EXPECT_TRUE(is_found(check_ways, "--loop path"));
  be_wrong([](const HostScene&, const RenderSettings& way) { return way.threads == 3; });
  EXPECT_TRUE(is_found(check_ways, "--threads 3"));
  be_wrong([](const HostScene&, const RenderSettings& way) { return way.regenerate; });
  EXPECT_TRUE(is_found(check_ways, "--regenerate"));
}

TEST_F(SoakChecks, FindSamplesThatAreLost) {
  uint32_t made = 0;  // each second renderer has other samples than the first
  be_wrong([&made](const HostScene&, const RenderSettings&) { return made++ % 2 == 1; });
  EXPECT_TRUE(is_found(check_resume, "if --resume continues after"));
  EXPECT_TRUE(is_found(check_shares, "shares"));
  EXPECT_TRUE(is_found(check_devices, "on two devices"));
}

TEST_F(SoakChecks, FindASceneThatConvertChanges) {
  be_wrong(
      [this](const HostScene& scene, const RenderSettings&) { return &scene != &render_.scene; });
  EXPECT_THAT(message_of([&] { check_convert(render_, expected_); }),
              AllOf(HasSubstr("after winnow convert"), HasSubstr("converted.json")));
}

TEST_F(SoakChecks, FindValuesThatAreNone) {
  for (const double wrong : {-1e-3, double(NAN), double(INFINITY)}) {
    HostFilm film = expected_;
    film.sum[41].y = wrong;
    EXPECT_THAT(message_of([&] { check_values(render_, film); }),
                AllOf(HasSubstr("pixel 1,1 is"), HasSubstr("winnow render")));
  }
}

TEST_F(SoakChecks, FindLightThatIsMadeFromNothing) {
  render_.scene.materials[0].reflectance = glm::vec3(1.2f);
  EXPECT_THAT(message_of([&] { check_furnace(render_); }), HasSubstr("light is made from nothing"));
}

TEST_F(SoakChecks, FindABiasOfAnEstimator) {
  render_.make = [this](const HostScene& scene, const RenderSettings& settings) {
    static HostScene brighter;
    brighter = scene;
    for (glm::vec3* radiance : {&brighter.sky.zenith, &brighter.sky.horizon, &brighter.sky.ground})
      *radiance *= 1.05f;
    const bool is_other = settings.sampler == SamplerType::kSobol || !settings.roulette ||
                          settings.lights != render_.settings.lights;
    return make_cpu_renderer(is_other ? brighter : scene, settings);
  };
  auto check = [](const SoakRender& render, const HostFilm&, Draw& draw) {
    check_estimators(render, draw);
  };
  EXPECT_TRUE(is_found(check, "with other estimators"));
}

TEST_F(SoakChecks, KeepTheSceneOfACaseThatIsWrong) {
  const SoakDevices wrong{
      .make = [](const HostScene&, const RenderSettings&) -> std::unique_ptr<Renderer> {
        throw Error("the device is gone");
      }};
  SoakOptions options;
  options.cases = 1;
  options.folder = folder_ / "kept";
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int exit_code = soak(options, wrong);
  const std::string out = testing::internal::GetCapturedStdout(),
                    err = testing::internal::GetCapturedStderr();
  EXPECT_EQ(exit_code, 1);
  EXPECT_THAT(out, AllOf(HasSubstr("1 cases"), HasSubstr("1 WRONG")));
  const std::string seed = std::to_string(Draw(1).next());
  EXPECT_THAT(err, AllOf(HasSubstr("wrong: case " + seed + ": the device is gone"),
                         HasSubstr("repeat it: winnow_soak --case " + seed)));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "kept" / ("case-" + seed) / "scene.json"));
}

TEST(MemoryGrowth, IsReportedOnceItIsMoreThanACaseNeeds) {
  constexpr uint64_t kNeeds = 100 << 20, kLeak = 1 << 20;
  MemoryGrowth memory;
  uint64_t used = kNeeds;
  int reports = 0;
  uint64_t cases = 0;
  for (; cases < 1000; ++cases) reports += memory.has_grown(used += kLeak);
  EXPECT_EQ(reports, 1);
  MemoryGrowth steady;
  for (cases = 0; cases < 1000; ++cases) EXPECT_FALSE(steady.has_grown(kNeeds + cases % 7 * kLeak));
}

class SoakCommand : public WinnowTest {
 protected:
  SoakCommand() { program_ = kThisBuild.soak; }
};

TEST_F(SoakCommand, RunsCasesAndLeavesNothing) {
  const Outcome outcome =
      succeed({"--cases", "2", "--seed", "6", "--device", "cpu", "--folder", "kept"});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("2 cases in "), HasSubstr("seed 6: all right")));
  EXPECT_TRUE(std::filesystem::is_empty(file("kept")));
  succeed({"--case", "5", "--device", "cpu", "--folder", "kept"});
}

// By power, the light that alone is seen is chosen once in ten thousand samples.
TEST_F(SoakCommand, ComparesNoChoicesOfLightsThatFewSamplesCannot) {
  succeed({"--case", "9195071897969449872", "--device", "cpu", "--folder", "kept"});
}

TEST_F(SoakCommand, TakesADurationWithAUnit) {
  for (const char* time : {"0.01", "0.01s", "0.0002m", "0.000003h"})
    succeed({"--for", time, "--seed", "6", "--device", "cpu", "--folder", "kept"});
  for (const char* time : {"", "h", "1d", "-1s", "1 h"})
    expect_failure(2, {"--for", time}, "--for");
  expect_failure(2, {"--case", "x"}, "--case");
  expect_failure(1, {"--folder", "/dev/null/x", "--device", "cpu"}, "/dev/null/x");
}

}  // namespace
}  // namespace winnow
