// SPDX-License-Identifier: MIT
#include "backend/cpu/path_batch.h"

#include <gtest/gtest.h>

#include "image/compare.h"
#include "tests/support/test_names.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"
#include "wavefront/state/path_sampler.h"

namespace winnow {
namespace {

/// Loops over batches, with each instruction set that this machine has.
class PathBatches : public testing::TestWithParam<Named<InstructionSet>> {
 protected:
  void SetUp() override {
    if (GetParam() > best_instruction_set()) GTEST_SKIP() << "this processor does not have them";
  }

  /// Renders a scene with the instruction set under test.
  std::string film_of(const HostScene& scene, RenderSettings settings) const {
    settings.instructions = GetParam();
    return result_of(scene, settings);
  }
  /// Renders a scene without batches.
  static std::string film_without_batches(const HostScene& scene, RenderSettings settings) {
    settings.loop = Loop::kPath;
    return result_of(scene, settings);
  }

 private:
  /// The hash of the film, and how many paths ended at each bounce, and why.
  static std::string result_of(const HostScene& scene, const RenderSettings& settings) {
    RenderControl control;
    const std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene, settings);
    renderer->render_samples(0, kSpp, control);
    std::string result = image_hash(renderer->film());
    for (const BounceStats& bounce : renderer->stats().bounces)
      for (uint64_t terminations : bounce.terminations)
        result += " " + std::to_string(terminations);
    return result;
  }
};

/// A room of diffuse walls with two lamps, all of them triangles.
HostScene room_with_lamps() {
  HostScene scene;
  const uint32_t wall = add_material(scene, {.reflectance = {0.7f, 0.6f, 0.5f}});
  const uint32_t lamp =
      add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = {5.0f, 4.0f, 3.0f}});
  add_rectangle(scene, {-2, 0, 2}, {4, 0, 0}, {0, 0, -4}, wall);
  add_rectangle(scene, {-2, 0, -2}, {4, 0, 0}, {0, 3, 0}, wall);
  add_rectangle(scene, {-2, 0, 2}, {0, 0, -4}, {0, 3, 0}, wall);
  add_rectangle(scene, {-0.5f, 2.5f, 0}, {1, 0, 0}, {0, 0, 1}, lamp);
  add_rectangle(scene, {1.5f, 0.5f, 0}, {0, 0.5f, 0}, {0, 0, 0.5f}, lamp);
  scene.camera = {.position = {0, 1.5f, 4}, .look_at = {0, 1, 0}, .vertical_fov = 60.0f};
  return scene;
}

TEST_P(PathBatches, DrawTheNumbersOfSamplers) {
  for (SamplerType type : {SamplerType::kHash, SamplerType::kSobol}) {
    const Sampler common{.seed = 9, .type = type, .log2_samples = 3, .width = 101};
    SampleBatch batch;
    for (uint32_t i = 0; i < kBatchSize; ++i) {
      batch.pixel[i] = 977 * i;
      batch.sample[i] = i % 11;
      batch.bounce[i] = i % 5;
    }
    draw_numbers(GetParam(), common, kBatchSize, batch);
    for (uint32_t i = 0; i < kBatchSize; ++i) {
      Sampler sampler = common;
      sampler.pixel = batch.pixel[i];
      sampler.sample = batch.sample[i];
      EXPECT_EQ(batch.light[i], sampler.light3(light_dimension(i % 5)));
      EXPECT_EQ(batch.scatter[i], sampler.direction4(scatter_dimension(i % 5)));
    }
  }
}

TEST_P(PathBatches, RenderTheFilmOfPathsOneByOne) {
  for (SamplerType sampler : {SamplerType::kHash, SamplerType::kSobol}) {
    RenderSettings settings = kSmall;
    settings.sampler = sampler;
    for (const HostScene& scene : {room_with_lamps(), mixed_scene(), mixed_scene_with_instances()})
      EXPECT_EQ(film_of(scene, settings), film_without_batches(scene, settings));
  }
}

TEST_P(PathBatches, RenderTheFilmOfLensesFiltersAndLightTrees) {
  HostScene scene = room_with_lamps();
  scene.camera.lens_radius = 0.1f;
  scene.filter = {.type = FilterType::kTent, .radius = 1.0f};
  RenderSettings settings = kSmall;
  settings.lights = LightChoice::kBvh;
  EXPECT_EQ(film_of(scene, settings), film_without_batches(scene, settings));
}

TEST_P(PathBatches, RenderTheFilmOfAnEnvironmentMap) {
  HostScene with_lamps = room_with_lamps();
  constexpr uint32_t kWidth = 8, kHeight = 4;
  with_lamps.environment.image = {kWidth, kHeight, {}};
  for (uint32_t i = 0; i < kWidth * kHeight; ++i)  // half of the texels are black
    with_lamps.environment.image.pixels.push_back(glm::vec3(i % kWidth < 4 ? 0.0f : float(i)));
  HostScene map_alone = with_lamps;
  for (Material& material : map_alone.materials) material.emission = glm::vec3(0.0f);
  for (const HostScene& scene : {with_lamps, map_alone})
    EXPECT_EQ(film_of(scene, kSmall), film_without_batches(scene, kSmall));
}

TEST_P(PathBatches, RenderTheFilmOfAnEnvironmentMapAndASun) {
  HostScene scene = room_with_lamps();
  scene.environment.image = {2, 1, {glm::vec3(1.0f), glm::vec3(3.0f)}};
  scene.delta_lights = {{.type = DeltaLightType::kDirectional,
                         .direction = {0, 0, -1},
                         .intensity = glm::vec3(2.0f),
                         .disk_angle = 20.0f}};
  EXPECT_EQ(film_of(scene, kSmall), film_without_batches(scene, kSmall));
}

TEST_P(PathBatches, RenderTheFilmOfSphereLights) {
  HostScene basic = room_with_lamps();
  basic.materials[1].emission = glm::vec3(0.0f);
  const uint32_t lamp = add_material(basic, {.emission = {5.0f, 4.0f, 3.0f}});
  basic.spheres.push_back({.center = {0, 2, 0}, .radius = 0.4f, .material = lamp});
  basic.spheres.push_back({.center = {-1.9f, 1, -1.9f}, .radius = 0.3f, .material = lamp});
  HostScene under_sky = basic;
  under_sky.sky.zenith = glm::vec3(1.0f);
  HostScene one_sided = basic;
  one_sided.materials[lamp].two_sided_emission = false;
  one_sided.spheres.push_back({.center = {0, 1, 0}, .radius = 20.0f, .material = lamp});  // around
  HostScene with_sun = basic;
  with_sun.delta_lights = {{.type = DeltaLightType::kDirectional,
                            .direction = {0, 0, -1},
                            .intensity = glm::vec3(2.0f)}};
  HostScene by_distance = one_sided;
  by_distance.sky.zenith = glm::vec3(1.0f);
  for (const HostScene& scene : {basic, under_sky, one_sided, with_sun, by_distance})
    EXPECT_EQ(film_of(scene, kSmall), film_without_batches(scene, kSmall));
}

TEST_P(PathBatches, RenderTheFilmOfMoreThanAFewLights) {
  HostScene lamps = room_with_lamps(), globes = room_with_lamps();
  globes.materials[1].emission = glm::vec3(0.0f);
  const uint32_t lamp = add_material(globes, {.emission = {5.0f, 4.0f, 3.0f}});
  for (uint32_t i = 0; i <= kFewLights; ++i) {
    const float x = -1.8f + 0.4f * float(i);
    add_rectangle(lamps, {x, 2.0f, -1.0f}, {0.2f, 0, 0}, {0, 0.1f, 0.3f}, 1);
    globes.spheres.push_back({.center = {x, 2.0f, -1.0f}, .radius = 0.1f, .material = lamp});
  }
  HostScene under_sky = globes;
  under_sky.sky.zenith = glm::vec3(1.0f);
  for (const HostScene& scene : {lamps, globes, under_sky})
    EXPECT_EQ(film_of(scene, kSmall), film_without_batches(scene, kSmall));
}

/// Surfaces that scatter by microfacets, and those with one difference from them, on triangles and
/// spheres.
HostScene room_of_rough_surfaces(std::vector<Material> materials) {
  HostScene scene = room_with_lamps();
  float x = -1.5f;
  for (const Material& material : materials) {
    const uint32_t id = add_material(scene, material);
    add_rectangle(scene, {x, 0.2f, -1}, {0.4f, 0, 0.1f}, {0, 1, -0.3f}, id);
    scene.spheres.push_back({.center = {x, 1.6f, 0.2f}, .radius = 0.25f, .material = id});
    x += 0.5f;
  }
  return scene;
}

TEST_P(PathBatches, RenderTheFilmOfRoughSurfaces) {
  const glm::vec3 tint{0.9f, 0.7f, 0.4f};
  const Material metal{.type = MaterialType::kConductor, .reflectance = tint, .roughness = 0.4f};
  Material bright = metal, black = metal, along = metal, measured = metal;
  bright.emission = glm::vec3(0.5f);
  black.reflectance = glm::vec3(0.0f);
  along.anisotropy = 0.5f;
  measured.distribution = MicrofacetDistribution::kBeckmann;
  measured.masking = Masking::kSeparable;
  measured.metal_n = {0.2f, 0.9f, 1.1f};
  measured.metal_k = {3.9f, 2.5f, 2.1f};
  const Material frosted{.type = MaterialType::kRoughDielectric, .reflectance = tint};
  Material plastic{.type = MaterialType::kPlastic, .reflectance = tint, .roughness = 0.0f};
  Material satin = plastic;
  satin.roughness = 0.5f;
  const Material lacquer{.type = MaterialType::kPrincipled, .reflectance = tint, .coat = 0.5f};
  Material glass{.type = MaterialType::kPrincipled, .reflectance = tint, .transmission = 0.8f};
  Material prism = glass;
  prism.dispersion = 0.5f;
  RenderSettings settings = kSmall;
  settings.max_bounces = 12;  // Russian roulette reads what refraction scales
  for (const HostScene& scene : {room_of_rough_surfaces({metal, bright, black}),
                                 room_of_rough_surfaces({measured, along, frosted, satin}),
                                 room_of_rough_surfaces({plastic, lacquer, glass, prism})})
    EXPECT_EQ(film_of(scene, settings), film_without_batches(scene, settings));
}

TEST_P(PathBatches, RenderTheFilmOfAllKindsOfRoughConductors) {
  std::vector<Material> conductors[2];  // [is there more than basic shading has]
  for (float roughness : {0.1f, 0.4f, 1.0f}) {
    Material metal{.type = MaterialType::kConductor, .roughness = roughness};
    metal.reflectance = {0.9f, 0.7f, 0.4f};
    conductors[0].push_back(metal);
    for (const auto distribution :
         {MicrofacetDistribution::kGgx, MicrofacetDistribution::kBeckmann})
      for (const Masking masking : {Masking::kCorrelated, Masking::kSeparable})
        for (const float measured : {0.0f, 1.0f}) {
          metal.distribution = distribution;
          metal.masking = masking;
          metal.metal_n = measured * glm::vec3(0.2f, 0.9f, 1.1f);
          metal.metal_k = measured * glm::vec3(3.9f, 2.5f, 2.1f);
          metal.anisotropy = measured * 0.3f;
          conductors[1].push_back(metal);
        }
  }
  for (const std::vector<Material>& materials : conductors) {
    const HostScene scene = room_of_rough_surfaces(materials);
    EXPECT_EQ(film_of(scene, kSmall), film_without_batches(scene, kSmall));
  }
}

TEST_P(PathBatches, EndPathsWhoseLightIsNotFinite) {
  HostScene scene = room_with_lamps();
  scene.materials[0].reflectance = glm::vec3(1e38f);
  HostScene of_metal = scene;
  of_metal.materials[0].type = MaterialType::kConductor;
  HostScene under_map = scene;
  under_map.environment.image = {1, 1, {glm::vec3(1e10f)}};
  EXPECT_EQ(film_of(scene, kSmall), film_without_batches(scene, kSmall));
  EXPECT_EQ(film_of(of_metal, kSmall), film_without_batches(of_metal, kSmall));
  EXPECT_EQ(film_of(under_map, kSmall), film_without_batches(under_map, kSmall));
}

INSTANTIATE_TEST_SUITE_P(Sets, PathBatches,
                         testing::Values(InstructionSet::kBase, InstructionSet::kAvx2,
                                         InstructionSet::kAvx512),
                         [](const auto& info) { return enum_name(info.param.value); });

}  // namespace
}  // namespace winnow
