// SPDX-License-Identifier: MIT
#include "backend/cpu/path_batch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <utility>

#include "backend/cpu/conductor_batch.h"
#include "backend/cpu/principled_batch.h"
#include "backend/cpu/specular_batch.h"
#include "image/compare.h"
#include "shading/bsdf/diffuse.h"
#include "shading/bsdf/principled.h"
#include "tests/support/span_of.h"
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

/// Random values for steps.
class RandomValues {
 public:
  float number(float from, float to) {
    return std::uniform_real_distribution<float>(from, to)(random_);
  }
  uint32_t bits() { return random_(); }
  glm::vec3 vector(float from, float to) {
    const float x = number(from, to), y = number(from, to);
    return {x, y, number(from, to)};
  }
  glm::vec3 direction() { return glm::normalize(vector(-1.0f, 1.0f)); }

  SurfacePoint surface() {
    SurfacePoint surface;
    surface.p = vector(-2, 2);
    surface.p_error = vector(0, 1e-6f);
    surface.n = direction();
    surface.ns = glm::normalize(surface.n + 0.5f * direction());
    return surface;
  }
  /// Some without light, some with too much of it.
  LightSample light() {
    const float radiance = number(0, 1) < 0.1f ? kInfinity : 1.0f;
    const float distance = number(0, 1) < 0.3f ? kInfinity : number(0.1f, 5);
    const float pdf = number(0, 1) < 0.2f ? 0.0f : number(0.1f, 2);
    return {direction(), distance, radiance * vector(0, 3), pdf, pdf};
  }
  ArrivingPath path() { return {direction(), vector(0, 1), 1.0f, 2.0f}; }
  EscapedPath escaped(bool has_pdf) {
    const glm::vec3 w = direction(), throughput = vector(0, 1);
    return {w, throughput, has_pdf ? number(0.1f, 3) : 0.0f};
  }

 private:
  std::mt19937 random_;
};

template <class T>
void expect_same_bits(const T& batched, const T& one, uint32_t i) {
  EXPECT_EQ(std::memcmp(&batched, &one, sizeof(T)), 0) << "path " << i;
}

TEST_P(PathBatches, DrawNumbersAsSamplers) {
  for (SamplerType type : {SamplerType::kHash, SamplerType::kSobol}) {
    const Sampler common{.seed = 9, .type = type, .log2_samples = 3, .width = 101};
    NumbersBatch batch;
    for (uint32_t i = 0; i < kBatchSize; ++i) batch.index.set(i, {977 * i, i % 11, i % 5});
    for (const bool has_lights : {false, true}) {
      draw_numbers(GetParam(), common, has_lights, kBatchSize, batch);
      for (uint32_t i = 0; i < kBatchSize; ++i) {
        Sampler sampler = common;
        sampler.pixel = 977 * i;
        sampler.sample = i % 11;
        if (has_lights) {
          EXPECT_EQ(batch.light[i], sampler.light3(light_dimension(i % 5)));
        }
        EXPECT_EQ(batch.scatter[i], sampler.direction4(scatter_dimension(i % 5)));
      }
      batch.scatter = {};
    }
  }
}

TEST_P(PathBatches, StartPathsAsStartPath) {
  const Camera camera = make_camera({.position = {1, 2, 3}, .look_at = {0, 1, 0}}, 101, 67);
  Camera with_lens = camera;
  with_lens.lens_radius = 0.1f;
  const PixelFilter filter{.type = FilterType::kBox, .radius = 0.7f};
  for (SamplerType type : {SamplerType::kHash, SamplerType::kSobol}) {
    const Sampler common{.seed = 9, .type = type, .log2_samples = 3, .width = 101};
    CameraBatch rays, numbers;
    for (uint32_t i = 0; i < kBatchSize; ++i) rays.index.set(i, {97 * i, i % 11, 0});
    numbers.index = rays.index;
    start_paths(GetParam(), common, camera, filter.radius, true, kBatchSize, rays);
    start_paths(GetParam(), common, with_lens, filter.radius, false, kBatchSize, numbers);
    for (uint32_t i = 0; i < kBatchSize; ++i) {
      Sampler sampler = common;
      sampler.pixel = 97 * i;
      sampler.sample = i % 11;
      const Path path = start_path(camera, filter, common.width, sampler);
      EXPECT_EQ(rays.direction[i], path.ray.direction);
      EXPECT_EQ(numbers.film_u[i], sampler.direction4(kFilmDimension));
      EXPECT_EQ(numbers.lens_u[i], sampler.sample4(kLensDimension));
    }
  }
}

TEST_P(PathBatches, FindSurfacesAsSurfaceAt) {
  RandomValues random;
  HostScene scene;
  add_material(scene, {});
  for (uint32_t i = 0; i < kBatchSize; ++i)
    add_rectangle(scene, random.vector(-2, 2), random.vector(-1, 1), random.vector(-1, 1), 0);
  for (glm::vec3& n : scene.normals) n = random.direction();
  const DeviceMesh mesh = make_device_mesh<kBasic>(scene, InHostMemory());
  DeviceScene<kBasic> device{};
  device.mesh = mesh;
  const auto batch = std::make_unique<SurfaceBatch>();
  std::vector<Hit> hits;
  batch->hit.clear();
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    const float u = random.number(0, 1), v = random.number(0, 1 - u);
    hits.push_back({.t = 1.0f, .u = i % 8 == 0 ? 0.0f : u, .v = v, .primitive = i});
    batch->hit.set(i, mesh, hits[i]);
    batch->path.set(i, random.path());
  }
  NormalBatch normals;
  const MeshTriangle last = mesh_triangle(mesh, hits.back().primitive);
  normals.hit.triangle.fill(last);
  for (uint32_t i = 0; i < kBatchSize; ++i) expect_same_bits(normals.hit.triangle[i], last, i);
  normals.hit = batch->hit;
  for (uint32_t i = 0; i < kBatchSize; ++i) normals.direction.set(i, batch->path[i].direction);
  find_normals(GetParam(), kBatchSize, normals);
  find_surfaces(GetParam(), kBatchSize, *batch);
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    const glm::vec3 direction = batch->path[i].direction;
    SurfacePoint surface = surface_at(device, Ray{.direction = direction}, hits[i]);
    const bool is_back = glm::dot(surface.n, direction) > 0.0f;
    EXPECT_EQ(normals.is_back[i], is_back ? 1u : 0u);
    expect_same_bits(normals.normal[i], is_back ? -surface.ns : surface.ns, i);
    surface.ns = facing_normal(surface, direction);
    const bool moved = batch->hit.near_edge[i] != 0;
    EXPECT_TRUE(moved || i % 8 != 0);
    if (!moved) expect_same_bits(batch->surface[i], surface, i);
  }
}

/// Lights that light_u chooses from with equal probabilities, and something else.
struct FewLights {
  std::vector<Light> lights;
  std::vector<CdfEntry> choices;

  FewLights(LightKind kind, bool two_sided_only, bool as_one_item, RandomValues& random) {
    for (int i = 0; i < 3; ++i) {
      Light light;
      light.kind = kind;
      light.emission = random.vector(0, 3);
      light.p = random.vector(-3, 3);
      light.edge1 = random.vector(-1, 1);
      light.edge2 = random.vector(-1, 1);
      light.n = glm::normalize(glm::cross(light.edge1, light.edge2));
      light.radius = random.number(0.1f, 2);
      light.pmf = random.number(0.1f, 1);
      light.two_sided = two_sided_only || i > 0;
      lights.push_back(light);
    }
    append_cdf_table(std::vector<float>(as_one_item ? 2 : 4, 1.0f), choices);
  }
};

TEST_P(PathBatches, ChooseAndSampleLightsAsSampleLight) {
  RandomValues random;
  struct Case {
    LightKind kind;
    bool two_sided_only, by_distance;
  };
  for (const auto [kind, two_sided_only, by_distance] :
       {Case{LightKind::kTriangle, true, false}, Case{LightKind::kTriangle, false, false},
        Case{LightKind::kSphere, false, false}, Case{LightKind::kSphere, false, true}}) {
    const FewLights few(kind, two_sided_only, by_distance, random);
    Lights<kExtended> lights;
    lights.local = InHostMemory()(few.lights);
    lights.choices = InHostMemory()(few.choices);
    lights.by_distance = by_distance;
    lights.local_probability = 0.75f;
    const auto batch = std::make_unique<SurfaceBatch>();
    for (uint32_t i = 0; i < kBatchSize; ++i) {
      batch->surface.set(i, random.surface());
      batch->numbers.light.set(i, {random.bits(), random.bits(), random.bits()});
    }
    choose_few_lights(GetParam(), lights.local, lights.choices, by_distance, kBatchSize, *batch);
    sample_chosen_lights(GetParam(), kind, two_sided_only, lights, kBatchSize, *batch);
    for (uint32_t i = 0; i < kBatchSize; ++i) {
      const LightUniforms u = batch->numbers.light[i];
      const CdfSample choice = sample_cdf_table(lights.choices, u.x);
      ASSERT_EQ(batch->choice.sides[i] != 0, choice.item < sky_choice(lights)) << i;
      if (batch->choice.sides[i] == 0) continue;
      LightPoint point;
      const LightSample light =
          sample_light(lights, batch->surface[i].p, glm::vec3(0.0f), u, point);
      expect_same_bits(batch->light[i], light, i);
    }
  }
}

/// An environment map of random texels.
struct RandomMap {
  EnvironmentMap map;
  EnvironmentTable table;

  explicit RandomMap(RandomValues& random) {
    map.image = {8, 4, {}};
    for (int i = 0; i < 32; ++i) map.image.pixels.push_back(random.vector(0, 3));
    table = build_environment_table(map);
  }
  Environment environment() const { return make_environment(map, table, InHostMemory()); }
};

TEST_P(PathBatches, SampleCellsAsSampleEnvironment) {
  RandomValues random;
  const RandomMap map(random);
  const Environment environment = map.environment();
  const auto batch = std::make_unique<SurfaceBatch>();
  SkyChoiceBatch cells;
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    const ChosenCell cell = choose_cell(environment, {random.bits(), random.bits()});
    cells.density[i] = i % 2 == 0 ? 1.0f : random.number(0.1f, 9);
    cells.chosen.set(i, cell);
    cells.cells.set(i, environment_cell(environment, cell.row, cell.column));
  }
  sample_cells(GetParam(), environment, 0.7f, kBatchSize, cells, *batch);
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    const auto sample = sample_cell(environment, cells.cells[i], cells.chosen[i]);
    expect_same_bits(batch->light[i], light_of(sample, 0.7f * cells.density[i]), i);
  }
}

TEST_P(PathBatches, SampleGradientsAsSampleGradient) {
  RandomValues random;
  const auto batch = std::make_unique<SurfaceBatch>();
  SkyChoiceBatch sky;
  for (const float ground : {0.0f, 0.3f}) {
    const Sky gradient{.zenith = {0.2f, 0.4f, 1.0f},
                       .horizon = {0.9f, 0.9f, 0.8f},
                       .ground = glm::vec3(ground),
                       .up = random.direction()};
    const Sky sampled = sky_above(gradient, 0.25f);
    const LightSample other{.distance = 3.0f};
    for (uint32_t i = 0; i < kBatchSize; ++i) {
      batch->light.set(i, other);
      sky.is_chosen[i] = i % 3 != 0;
      sky.u.set(i, {i == 1 ? 0.0f : random.number(0, 1), random.number(0, 1)});
      sky.density[i] = random.number(0.1f, 9);
    }
    sample_gradients(GetParam(), gradient, sampled, 0.7f, kBatchSize, sky, *batch);
    for (uint32_t i = 0; i < kBatchSize; ++i) {
      const EnvironmentSample sample = sample_gradient(gradient, sampled, sky.u[i]);
      const LightSample chosen = light_of(sample, 0.7f * sky.density[i]);
      expect_same_bits(batch->light[i], i % 3 != 0 ? chosen : other, i);
    }
  }
}

TEST_P(PathBatches, GatherGradientsAsGatherSky) {
  RandomValues random;
  const LightTable none;
  for (const float ground : {0.0f, 0.3f}) {
    HostScene scene;
    scene.sky = {.zenith = {0.2f, 0.4f, 1.0f},
                 .horizon = {0.9f, 0.9f, 0.8f},
                 .ground = glm::vec3(ground),
                 .up = random.direction()};
    Lights<kBasic> lights = make_lights<kBasic>(scene, none, span_of);
    lights.sky_probability = 0.7f;
    lights.sampled_sky = sky_above(scene.sky, 0.25f);
    SkyBatch batch;
    for (uint32_t i = 0; i < kBatchSize; ++i) {
      batch.path.set(i, random.escaped(i % 4 != 0));
      batch.density[i] = i % 2 == 0 ? 1.0f : random.number(0.1f, 9);
    }
    gather_gradient(GetParam(), scene.sky, lights.sampled_sky, lights.sky_probability, kBatchSize,
                    batch);
    for (uint32_t i = 0; i < kBatchSize; ++i) {
      const EscapedPath path = batch.path[i];
      const EnvironmentLookup sky = look_up_sky(lights, path.direction, batch.density[i]);
      expect_same_bits(batch.gathered[i], gather_sky(path.path(), sky), i);
    }
  }
}

TEST_P(PathBatches, FindCellsOfTheGuideAsGuideCell) {
  RandomValues random;
  const GuideCells cells{.corner = {-1, -2, -1}, .cells_per_meter = {1, 3, 2}, .size = {3, 5, 4}};
  const auto batch = std::make_unique<SurfaceBatch>();
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    batch->surface.set(i, random.surface());
    batch->light.set(i, random.light());
  }
  SkyChoiceBatch sky;
  find_guide_cells(GetParam(), cells, kBatchSize, *batch, sky);
  for (uint32_t i = 0; i < kBatchSize; ++i)
    EXPECT_EQ(sky.guide_cell[i], guide_cell(cells, batch->surface[i].p)) << i;
  find_origin_cells(GetParam(), cells, kBatchSize, *batch, sky);
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    const SurfacePoint surface = batch->surface[i];
    const glm::vec3 wi = batch->light[i].wi;
    EXPECT_EQ(sky.guide_cell[i],
              guide_cell(cells, offset_origin(surface.p, surface.p_error, surface.n, wi)))
        << i;
  }
}

TEST_P(PathBatches, GatherMapsAsGatherSky) {
  RandomValues random;
  const RandomMap map(random);
  const Environment environment = map.environment();
  SkyBatch batch;
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    batch.path.set(i, random.escaped(i % 4 != 0));
  }
  find_map_points(GetParam(), environment, kBatchSize, batch);
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    const EnvironmentPoint point = environment_point(environment, batch.path[i].direction);
    expect_same_bits(batch.point[i], point, i);
    batch.cells.set(i, environment_cell(environment, point.row, point.column));
    batch.density[i] = i % 2 == 0 ? 1.0f : random.number(0.1f, 9);
  }
  gather_map(GetParam(), environment, 0.7f, kBatchSize, batch);
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    const EscapedPath path = batch.path[i];
    EnvironmentLookup sky = look_up_environment(environment, path.direction);
    sky.pdf = usable_pdf(sky.pdf * (0.7f * batch.density[i]));
    expect_same_bits(batch.gathered[i], gather_sky(path.path(), sky), i);
  }
}

TEST_P(PathBatches, ScatterAsPathsOneByOne) {
  RandomValues random;
  const auto batch = std::make_unique<SurfaceBatch>();
  ScatterColumns& scattered = batch->scattered;
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    batch->path.set(i, random.path());
    batch->surface.set(i, random.surface());
    batch->light.set(i, random.light());
    batch->reflectance.set(i, i % 8 == 0 ? glm::vec3(0.0f) : random.vector(0, 1));
    batch->numbers.scatter.set(i, glm::vec4(random.vector(0, 1), random.number(0, 1)));
  }
  scatter_diffuse(GetParam(), kBatchSize, *batch);
  reflect_lights(GetParam(), kBatchSize, *batch);
  scatter_paths(GetParam(), kBatchSize, *batch);
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    const SurfacePoint surface = batch->surface[i];
    const Frame frame(surface.ns);
    Material material;
    material.reflectance = batch->reflectance[i];
    const auto eval = [&](glm::vec3 wo, glm::vec3 wi) { return eval_diffuse(material, wo, wi); };
    Path path = batch->path[i].path();
    ShadowRay shadow;
    const bool is_finite = reflect_light(path, surface, frame, batch->light[i], eval, shadow);
    expect_same_bits(scattered.shadow[i], shadow, i);
    EXPECT_EQ(scattered.casts_shadow_ray[i] != 0, shadow.ray.t_max > 0.0f) << i;

    const BsdfSample sample = sample_diffuse(material, frame.to_local(-path.ray.direction),
                                             glm::vec2(batch->numbers.scatter[i]));
    expect_same_bits(scattered.sample[i], sample, i);
    const Termination cause = scatter(path, surface, frame, sample);
    expect_same_bits(scattered.next[i], path, i);
    EXPECT_EQ(Termination(scattered.cause[i]), is_finite ? cause : Termination::kNotFinite) << i;
  }
}

TEST_P(PathBatches, ScatterConductorsAsPathsOneByOne) {
  RandomValues random;
  Material material{.type = MaterialType::kConductor, .roughness = 0.4f};
  for (const auto distribution : {MicrofacetDistribution::kGgx, MicrofacetDistribution::kBeckmann})
    for (const Masking masking : {Masking::kCorrelated, Masking::kSeparable})
      for (const float measured : {0.0f, 1.0f}) {
        material.distribution = distribution;
        material.masking = masking;
        material.metal_n = measured * glm::vec3(0.2f, 0.9f, 1.1f);
        material.metal_k = measured * glm::vec3(3.9f, 2.5f, 2.1f);
        ConductorBatch batch;
        batch.count = kBatchSize;
        for (uint32_t i = 0; i < kBatchSize; ++i)
          batch.input.set(
              i, {material.reflectance, material.metal_n, material.metal_k, make_ggx(material),
                  random.direction(), random.direction(), glm::vec2(random.vector(0, 1))});
        scatter_conductors<kExtended>(GetParam(), ConductorKind(material), batch);
        for (uint32_t i = 0; i < kBatchSize; ++i) {
          const ConductorInput in = batch.input[i];
          expect_same_bits(batch.value[i], eval_conductor<kExtended>(material, in.wo, in.light_wi),
                           i);
          expect_same_bits(batch.sample[i], sample_conductor<kExtended>(material, in.wo, in.u), i);
        }
      }
}

TEST_P(PathBatches, ScatterPrincipledAsPathsOneByOne) {
  RandomValues random;
  const LobeTables tables = make_lobe_tables({.principled = true}, span_of);
  for (const float metallic : {0.0f, 1.0f})
    for (const bool is_lit : {true, false}) {
      Material material{.type = MaterialType::kPrincipled, .metallic = metallic};
      ASSERT_TRUE(has_principled_kind(material));
      PrincipledBatch batch;
      batch.count = kBatchSize;
      batch.is_lit = is_lit;
      for (uint32_t i = 0; i < kBatchSize; ++i) {
        const float roughnesses[] = {0.0f, 1.0f, random.number(0, 1), random.number(0, 1)};
        const float iors[] = {random.number(1, 2), random.number(1, 2), random.number(2, 5)};
        batch.surface.set(i, {i % 8 == 0 ? glm::vec3(0.0f) : random.vector(0, 1),
                              i % 4 == 0 ? glm::vec3(1.0f) : random.vector(0, 1),
                              roughnesses[i / 8 % 4], iors[i % 3]});
        batch.directions.set(i, {random.direction(), random.direction()});
        batch.u.set(i, glm::vec4(random.vector(0, 1), 0.5f));
      }
      scatter_principled(GetParam(), principled_kind_of(material), tables, batch);
      for (uint32_t i = 0; i < kBatchSize; ++i) {
        const PrincipledSurface surface = batch.surface[i];
        const auto [wo, light_wi] = batch.directions[i];
        material.reflectance = surface.reflectance;
        material.specular = surface.specular;
        material.roughness = surface.roughness;
        material.ior = surface.ior;
        const auto view = view_principled<kLayered>(material, tables, wo);
        if (is_lit)
          expect_same_bits(batch.value[i],
                           eval_principled<kLayered>(material, tables, view, wo, light_wi), i);
        expect_same_bits(batch.sample[i],
                         sample_principled<kLayered>(material, tables, view, wo, batch.u[i]), i);
      }
    }
}

template <Features kFeatures>
void expect_specular_paths_one_by_one(InstructionSet set, const Material& type) {
  RandomValues random;
  Bsdfs<kFeatures> bsdfs;
  SpecularBatch batch;
  batch.count = kBatchSize;
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    const float iors[] = {random.number(1, 2), 1.0f, random.number(0.5f, 1)};
    batch.input.set(i, {random.vector(0, 1), random.vector(0, 1), type.metal_n, type.metal_k,
                        iors[i % 3], random.direction(), random.direction(), random.number(0, 1)});
  }
  scatter_specular<kFeatures>(set, specular_kind_of(type), batch);
  for (uint32_t i = 0; i < kBatchSize; ++i) {
    const SpecularInput in = batch.input[i];
    Material material = type;
    material.reflectance = in.reflectance;
    material.specular = in.specular;
    material.ior = in.ior;
    const glm::vec3 wo = Frame(in.ns).to_local(-in.direction);
    expect_same_bits(batch.sample[i], bsdfs.sample(material, wo, glm::vec3(in.u)), i);
  }
}

TEST_P(PathBatches, ScatterSpecularPathsOneByOne) {
  const Material mirror{.type = MaterialType::kMirror};
  Material measured = mirror;
  measured.metal_n = {0.2f, 0.9f, 1.1f};
  measured.metal_k = {3.9f, 2.5f, 2.1f};
  const Material glass{.type = MaterialType::kDielectric};
  const Material pane{.type = MaterialType::kThinDielectric};
  for (const Material& type : {mirror, measured, glass, pane})
    expect_specular_paths_one_by_one<kExtended>(GetParam(), type);
  for (const Material& type : {mirror, glass})
    expect_specular_paths_one_by_one<kBasic>(GetParam(), type);
}

TEST(PrincipledKinds, AreOpaqueDielectricsAndMetalsWithoutLayers) {
  const std::pair<const char*, void (*)(Material&)> others[] = {
      {"part metal", [](Material& m) { m.metallic = 0.5f; }},
      {"glass", [](Material& m) { m.transmission = 0.1f; }},
      {"coat", [](Material& m) { m.coat = 0.1f; }},
      {"sheen",
       [](Material& m) {
         m.sheen = {0.0f, 0.0f, 0.1f};
       }},
      {"anisotropy", [](Material& m) { m.anisotropy = -0.1f; }},
      {"film", [](Material& m) { m.iridescence = 0.1f; }},
      {"translucent", [](Material& m) { m.diffuse_transmission = 0.1f; }},
      {"thin", [](Material& m) { m.thin = true; }},
      {"tint",
       [](Material& m) {
         m.specular_tint = {1.0f, 1.0f, 0.9f};
       }},
  };
  for (const float metallic : {0.0f, 1.0f}) {
    const Material plain{.type = MaterialType::kPrincipled, .metallic = metallic};
    EXPECT_TRUE(has_principled_kind(plain));
    for (const auto& [name, change] : others) {
      Material other = plain;
      change(other);
      EXPECT_FALSE(has_principled_kind(other)) << name;
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

TEST_P(PathBatches, RenderTheFilmOfBlackBacks) {
  for (HostScene scene : {room_with_lamps(), mixed_scene(), mixed_scene_with_instances()}) {
    for (Material& material : scene.materials) material.black_back = true;
    EXPECT_EQ(film_of(scene, kSmall), film_without_batches(scene, kSmall));
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

TEST_P(PathBatches, RenderTheFilmOfOneSidedLamps) {
  HostScene scene = room_with_lamps();
  scene.materials[1].two_sided_emission = false;
  add_rectangle(scene, {-1.9f, 0.5f, 0.5f}, {0, 0.5f, 0}, {0, 0, 0.5f}, 1);  // faces the wall
  HostScene extended = scene;
  extended.sky.zenith = glm::vec3(1.0f);
  extended.delta_lights = {{.position = {0, 1, 0}, .intensity = glm::vec3(0.5f)}};
  EXPECT_FALSE(required_features(scene, LightChoice::kPower).extended);
  for (const HostScene& room : {scene, extended})
    EXPECT_EQ(film_of(room, kSmall), film_without_batches(room, kSmall));
}

TEST_P(PathBatches, RenderTheFilmOfRoomsWithAWindow) {
  HostScene plain = room_with_window(), with_lamp = plain, with_map = plain, with_many = plain;
  with_lamp.materials[0].emission = glm::vec3(0.2f);
  with_map.sky = {};
  with_map.environment.image = {4, 2, std::vector<glm::vec3>(8, {0.5f, 1.0f, 2.0f})};
  for (uint32_t i = 0; i < 40; ++i)  // more than a list of primitives holds
    add_rectangle(with_many, {-1.0f + 0.05f * float(i), 0, 0.5f}, {0.02f, 0, 0}, {0, 0.4f, 0}, 0);
  for (const HostScene& scene : {plain, with_lamp, with_map, with_many})
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

/// Surfaces of some materials, on triangles and spheres.
HostScene room_of_surfaces(std::vector<Material> materials) {
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
  for (const HostScene& scene : {room_of_surfaces({metal, bright, black}),
                                 room_of_surfaces({measured, along, frosted, satin}),
                                 room_of_surfaces({plastic, lacquer, glass, prism})})
    EXPECT_EQ(film_of(scene, settings), film_without_batches(scene, settings));
}

TEST_P(PathBatches, RenderTheFilmOfSpecularSurfaces) {
  const glm::vec3 tint{0.9f, 0.7f, 0.4f};
  const Material mirror{.type = MaterialType::kMirror, .reflectance = tint};
  const Material glass{.type = MaterialType::kDielectric, .reflectance = tint, .specular = tint};
  const Material pane{.type = MaterialType::kThinDielectric, .reflectance = tint};
  Material clear = glass, measured = mirror, bright = mirror, black = mirror, one_sided = mirror;
  clear.specular = glm::vec3(1.0f);
  measured.metal_n = {0.2f, 0.9f, 1.1f};
  measured.metal_k = {3.9f, 2.5f, 2.1f};
  bright.emission = glm::vec3(0.5f);
  black.reflectance = glm::vec3(0.0f);
  one_sided.black_back = true;
  Material dark_glass = glass, prism = glass;
  dark_glass.reflectance = glm::vec3(0.0f);
  prism.dispersion = 0.5f;
  RenderSettings settings = kSmall;
  for (const uint32_t max_bounces : {3u, 12u}) {
    settings.max_bounces = max_bounces;
    for (const HostScene& scene :
         {room_of_surfaces({mirror, clear}), room_of_surfaces({bright, black, clear}),
          room_of_surfaces({glass, pane, measured, mirror}),
          room_of_surfaces({one_sided, dark_glass, prism, glass})})
      EXPECT_EQ(film_of(scene, settings), film_without_batches(scene, settings));
  }
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
    const HostScene scene = room_of_surfaces(materials);
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
