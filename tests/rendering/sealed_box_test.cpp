// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/rendering/support/own_tree.h"
#include "tests/support/scene_files.h"
#include "tests/wavefront/support/on_device.h"

// Light outside of a sealed box stays there: not one bit of the film is set inside.

namespace winnow {
namespace {

constexpr uint32_t kSide = 24, kSamples = 8;
const RenderSettings kInside{.width = kSide, .height = kSide, .max_bounces = 16, .roulette = false};

/// A box and where it is.
struct BoxPlace {
  const char* name;
  double size;             ///< m, half the length of its sides
  double x, y, z;          ///< m, its middle
  const char* steps = "";  ///< transform before the box is moved to its place
};

const std::vector<BoxPlace> kBoxPlaces = {
    {"1 mm", 1e-3, 0, 0, 0},
    {"1 m", 1.0, 0, 0, 0},
    {"100 km", 1e5, 0, 0, 0},
    {"1 mm, a metre away", 1e-3, 1, -1, 1},
    {"1 m, a kilometre away", 1.0, 1000, 333, -777},
    {"1 km, 10,000 km away", 1e3, 1e7, -1e7, 3e6},
    {"turned", 1.0, 0, 0, 0, R"({"rotate": {"axis": [1, 2, 3], "angle": 37}}, )"},
    {"turned, 50 m away", 1.0, 50, 20, -30, R"({"rotate": {"axis": [1, 2, 3], "angle": 37}}, )"},
    {"sheared", 1.0, 0, 0, 0,
     R"({"matrix": [[1, 0.7, 0.1, 0], [0, 1, 0.9, 0], [0.2, 0, 1, 0], [0, 0, 0, 1]]}, )"}};

/// How the scene file describes the walls.
enum class Walls {
  kBox,       ///< four vertices for each wall
  kMesh,      ///< eight vertices, which the walls share
  kInstance,  ///< one of two instances of a mesh
};

std::string walls_json(Walls walls, const BoxPlace& box) {
  const double s = box.size;
  const std::string placed =
      fmt::format(R"([{}{{"translate": [{}, {}, {}]}}])", box.steps, box.x, box.y, box.z);
  const std::string shape = fmt::format(
      fmt::runtime(
          walls == Walls::kMesh
              ? R"("type": "mesh", "material": "wall", "vertices": [[-{0}, -{0}, -{0}], [{0}, -{0}, -{0}],
               [{0}, {0}, -{0}], [-{0}, {0}, -{0}], [-{0}, -{0}, {0}], [{0}, -{0}, {0}],
               [{0}, {0}, {0}], [-{0}, {0}, {0}]], "faces": [[0, 3, 2, 1], [4, 5, 6, 7],
               [0, 1, 5, 4], [2, 3, 7, 6], [1, 2, 6, 5], [0, 4, 7, 3]])"
              : R"("type": "box", "material": "wall", "min": [-{0}, -{0}, -{0}], "max": [{0}, {0}, {0}])"),
      s);
  if (walls != Walls::kInstance)
    return fmt::format(R"("shapes": [{{{}, "transform": {}}}])", shape, placed);
  const std::string elsewhere =
      fmt::format(R"([{{"translate": [{}, {}, {}]}}])", box.x + 9 * s, box.y, box.z);
  return fmt::format(R"("meshes": {{"box": {{{}}}}},
    "shapes": [{{"type": "instances", "mesh": "box", "transforms": [{}, {}]}}])",
                     shape, placed, elsewhere);
}

/// A sealed box of `material` with the camera in it, and light of every kind around it.
std::string sealed_box(Walls walls, const BoxPlace& box, const std::string& material) {
  const double s = box.size;
  return fmt::format(R"({{
    "camera": {{"position": [{0}, {1}, {2}], "look_at": [{3}, {1}, {2}], "vertical_fov": 100}},
    "materials": {{"wall": {4}}}, {5},
    "lights": [
      {{"type": "point", "position": [{0}, {6}, {2}], "intensity": {7}}},
      {{"type": "sphere", "center": [{3}, {6}, {2}], "radius": {8}, "radiance": 10}},
      {{"type": "directional", "direction": [1, -2, 3], "irradiance": 10}}],
    "sky": {{"radiance": 1}}}})",
                     box.x, box.y, box.z, box.x + 0.5 * s, material, walls_json(walls, box),
                     box.y + 4 * s, std::min(10 * s * s, 1e9), 0.5 * s);
}

/// Returns the number of pixels that are not black.
template <class Sums>
size_t lit_pixels(const Sums& sums) {
  return size_t(std::count_if(sums.begin(), sums.end(),
                              [](glm::dvec3 sum) { return sum != glm::dvec3(0.0); }));
}

HostFilm film_of_own_tree(const HostScene& scene) {
  return film_of_own_tree(scene, kInside, kSamples / 2,
                          scene.instances.empty() ? kBasic : kLayered);
}

class SealedBox : public SceneFiles, public testing::WithParamInterface<Device> {
 protected:
  void SetUp() override { skip_without(GetParam()); }

  /// Loads each box, in each place and of each kind of walls.
  template <class Use>
  void for_each_box(const std::string& material, Use use) const {
    for (const Walls walls : {Walls::kBox, Walls::kMesh, Walls::kInstance})
      for (const BoxPlace& box : kBoxPlaces) {
        SCOPED_TRACE(testing::Message() << box.name << ", walls " << int(walls));
        HostScene scene = load("a.json", sealed_box(walls, box, material));
        scene.width = scene.height = kSide;
        use(scene);
      }
  }
};

INSTANTIATE_TEST_SUITE_P(Cpu, SealedBox, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, SealedBox, testing::Values(Device::kCuda), device_name);

const std::string kWhiteWall = R"({"type": "diffuse", "reflectance": 1})";
const std::string kMirrorWall = R"({"type": "mirror"})";

TEST_P(SealedBox, StaysBlackInside) {
  for (const std::string& material : {kWhiteWall, kMirrorWall})
    for_each_box(material, [&](const HostScene& scene) {
      const std::unique_ptr<Renderer> renderer = make_renderer(GetParam(), scene, kInside);
      RenderControl control;
      renderer->render_samples(0, kSamples, control);
      EXPECT_EQ(lit_pixels(renderer->host_film().sum), 0u) << material;
    });
}

TEST_P(SealedBox, StaysBlackInsideOfOurOwnTree) {
  if (GetParam() == Device::kCuda) GTEST_SKIP() << "as StaysBlackInside";
  for_each_box(kWhiteWall, [&](const HostScene& scene) {
    EXPECT_EQ(lit_pixels(film_of_own_tree(scene).sum), 0u);
  });
}

/// The test of the test: a box without its lid lets light in.
TEST_P(SealedBox, IsLitThroughAGap) {
  const std::string whole = sealed_box(Walls::kMesh, kBoxPlaces[1], kWhiteWall);
  std::string open = whole;
  const std::string lid = "[2, 3, 7, 6], ";
  open.erase(open.find(lid), lid.size());
  HostScene scene = load("a.json", open);
  const std::unique_ptr<Renderer> renderer = make_renderer(GetParam(), scene, kInside);
  RenderControl control;
  renderer->render_samples(0, kSamples, control);
  EXPECT_GT(lit_pixels(renderer->host_film().sum), 100u);
  if (GetParam() == Device::kCuda) return;
  EXPECT_GT(lit_pixels(film_of_own_tree(scene).sum), 100u);
}

}  // namespace
}  // namespace winnow
