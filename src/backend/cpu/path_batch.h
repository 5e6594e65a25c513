// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "backend/cpu/columns.h"
#include "base/instruction_set.h"
#include "device_scene/surface.h"
#include "math/sampler.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/light/light.h"
#include "wavefront/stage/generate.h"
#include "wavefront/stage/shade.h"

namespace winnow {

// Steps of stages over the first `count` paths of a batch, in the lanes of vectors. Each step calls
// the functions that the stage calls for one path; its docstring names them.

/// The fields in which the sampler of a path differs from others of the wave.
struct SampleIndex {
  uint32_t pixel, sample, bounce;
};

/// Returns a sampler with the fields that all samplers of a wave share.
inline Sampler common_sampler(const Wave& wave, const SamplerSettings& settings) {
  return {.seed = settings.seed,
          .type = settings.type,
          .log2_samples = settings.log2_samples,
          .width = wave.width};
}

struct CameraBatch {
  Columns<SampleIndex> index;
  Columns<glm::vec4> film_u, lens_u;  ///< numbers of kFilmDimension and, with a lens, of
                                      ///< kLensDimension
  VectorColumn direction;             ///< rays of a pinhole camera with perspective and a box
                                      ///< filter
};

/// Draws the numbers of start_path(), and if `has_rays` sets the directions.
void start_paths(InstructionSet set, const Sampler& common, const Camera& camera,
                 float filter_radius, bool has_rays, uint32_t count, CameraBatch& batch);

/// Starts a path in each of the first `count` slots, as GenerateCameraRays does one by one.
///
/// @param by_pixel  whether the samples of a pixel are in neighbouring slots; else the slot of a
///                  path is its id
void generate_in_batches(InstructionSet set, const PathStarter& starter, uint32_t count,
                         bool by_pixel);

/// Random numbers of paths for shading a bounce.
struct NumbersBatch {
  Columns<SampleIndex> index;
  Columns<LightUniforms> light;  ///< numbers of light_dimension()
  Columns<glm::vec4> scatter;    ///< numbers of scatter_dimension()
};

/// Draws the numbers: Sampler::direction4() and, if the scene has lights to sample,
/// Sampler::light3().
void draw_numbers(InstructionSet set, const Sampler& common, bool has_lights, uint32_t count,
                  NumbersBatch& batch);

struct ArrivingPath {
  glm::vec3 direction, throughput;
  float eta_scale, travelled;  ///< `travelled` up to the hit

  Path path() const {
    Path path;
    path.ray.direction = direction;
    path.throughput = throughput;
    path.eta_scale = eta_scale;
    path.travelled = travelled;
    return path;
  }
};

struct HitColumns {
  Columns<MeshTriangle> triangle;
  Column<float> u, v;          ///< as Hit
  Column<uint32_t> near_edge;  ///< is_near_edge(), 0 or 1
  uint32_t common;             ///< first triangle; all entries hold it that hold no other one

  /// Begins a batch.
  void clear() { common = kNoPrimitive; }

  /// Sets an entry, once in a batch. Neighbouring paths often hit one triangle, which is then
  /// loaded once.
  void set(uint32_t i, const DeviceMesh& mesh, const Hit& hit) {
    if (common == kNoPrimitive) {
      common = hit.primitive;
      triangle.fill(mesh_triangle(mesh, common));
    }
    if (hit.primitive != common) triangle.set(i, mesh_triangle(mesh, hit.primitive));
    u[i] = hit.u;
    v[i] = hit.v;
  }
};

/// Camera rays that hit triangles, and what AddFirstHits adds of them.
struct NormalBatch {
  HitColumns hit;
  VectorColumn direction;
  VectorColumn normal;       ///< shading normal, towards the camera
  Column<uint32_t> is_back;  ///< 0 or 1
};

/// Finds the normals at hits of triangles.
void find_normals(InstructionSet set, uint32_t count, NormalBatch& batch);

/// The fields of Light that a sample of a triangle or a sphere reads.
struct LightShape {
  glm::vec3 emission, p, edge1, edge2, n;
  float radius;

  LightShape() = default;
  explicit LightShape(const Light& light)
      : emission(light.emission),
        p(light.p),
        edge1(light.edge1),
        edge2(light.edge2),
        n(light.n),
        radius(light.radius) {}

  Light light(LightKind kind, bool two_sided) const {
    Light light;
    light.kind = kind;
    light.emission = emission;
    light.p = p;
    light.edge1 = edge1;
    light.edge2 = edge2;
    light.n = n;
    light.radius = radius;
    light.two_sided = two_sided;
    return light;
  }
};

inline uint32_t sides_of(const Light& light) {
  return light.two_sided ? 2 : 1;
}

struct ChoiceColumns {
  Columns<LightShape> light;
  Column<float> pmf, rest;  ///< as in ChosenLight
  Column<uint32_t> sides;   ///< sides_of() the light; 0 without a light

  void set_if(bool condition, uint32_t i, const LightShape& shape, uint32_t chosen_sides,
              float chosen_pmf, float chosen_rest) {
    const uint32_t other_sides = sides[i];
    const float other_pmf = pmf[i], other_rest = rest[i];
    light.set_if(condition, i, shape);
    pmf[i] = condition ? chosen_pmf : other_pmf;
    rest[i] = condition ? chosen_rest : other_rest;
    sides[i] = condition ? chosen_sides : other_sides;
  }
};

/// Directions at a surface, in the frame around the shading normal.
struct LocalDirections {
  glm::vec3 wo, light_wi;
};

struct ScatterColumns {
  Columns<LocalDirections> directions;
  Columns<BsdfValue> value;  ///< BSDF in the direction of the light sample
  Columns<BsdfSample> sample;
  Columns<ShadowRay> shadow;
  Column<uint32_t> casts_shadow_ray;  ///< 0 or 1
  Columns<Path> next;
  Column<uint32_t> cause;  ///< Termination, before Russian roulette
};

/// Paths that hit surfaces, and the results of the steps of shade() for them.
struct SurfaceBatch {
  Columns<ArrivingPath> path;
  NumbersBatch numbers;
  VectorColumn reflectance;       ///< reflectance of diffuse surfaces
  Columns<SurfacePoint> surface;  ///< `ns` is that of facing_normal()
  Columns<LightSample> light;
  union {  // used one after the other, so that all columns stay in an L1 cache
    HitColumns hit;
    ChoiceColumns choice;
    ScatterColumns scattered;
  };
};

/// Finds the surfaces at hits of triangles: surface_at(), facing_normal().
void find_surfaces(InstructionSet set, uint32_t count, SurfaceBatch& batch);

/// Chooses among at most kFewLights local lights: the part of sample_light() up to the choice of a
/// light.
void choose_few_lights(InstructionSet set, simt::Span<const Light> lights,
                       simt::Span<const CdfEntry> choices, bool by_distance, uint32_t count,
                       SurfaceBatch& batch);

/// Samples the chosen local lights: sample_chosen_light().
///
/// @param kind            kind of all these lights, triangles or spheres
/// @param two_sided_only  whether triangles are known to emit on both sides
/// @param numbers         total_power and local_probability of the scene's lights
/// @tparam kFeatures      kBasic or kExtended
template <Features kFeatures>
void sample_chosen_lights(InstructionSet set, LightKind kind, bool two_sided_only,
                          const Lights<kFeatures>& numbers, uint32_t count, SurfaceBatch& batch);

/// Light samples that choose the sky.
struct SkyChoiceBatch {
  Column<uint32_t> is_chosen;  ///< 0 or 1, for a sky without a map
  Columns<glm::vec2> u;        ///< uniforms of sample_gradient()
  Columns<ChosenCell> chosen;  ///< cell of a map
  Columns<EnvironmentCell> cells;
  // Where the sky has a guide:
  Column<uint32_t> guide_cell;  ///< cell of the surface, later that of the shadow ray's origin
  Column<uint32_t> table, bin;  ///< chosen by choose_guided()
  Column<float> density;        ///< as GuidedPoint; 1 without a guide
};

/// Finds the cells of the guide in which the surfaces lie: guide_cell().
void find_guide_cells(InstructionSet set, const GuideCells& cells, uint32_t count,
                      const SurfaceBatch& batch, SkyChoiceBatch& sky);

/// Samples directions in chosen cells: the part of sample_sky_light() after the choice of a cell.
///
/// @param sky_probability  of the choice of the map among all lights
void sample_cells(InstructionSet set, const Environment& map, float sky_probability, uint32_t count,
                  const SkyChoiceBatch& sky, SurfaceBatch& batch);

/// Samples a sky without a map for the paths that chose it: the part of sample_sky_light() after
/// the choice of uniforms.
///
/// @param sampled  as Lights::sampled_sky
void sample_gradients(InstructionSet set, const Sky& gradient, const Sky& sampled,
                      float sky_probability, uint32_t count, const SkyChoiceBatch& sky,
                      SurfaceBatch& batch);

/// Finds the cells of the guide in which the shadow rays of light samples start.
void find_origin_cells(InstructionSet set, const GuideCells& cells, uint32_t count,
                       const SurfaceBatch& batch, SkyChoiceBatch& sky);

/// Evaluates and samples BSDFs as if all surfaces were diffuse: eval_diffuse(), sample_diffuse().
void scatter_diffuse(InstructionSet set, uint32_t count, SurfaceBatch& batch);

/// Reflects the light of samples: reflect_light().
void reflect_lights(InstructionSet set, uint32_t count, SurfaceBatch& batch);

/// Continues the paths whose light is finite: scatter().
void scatter_paths(InstructionSet set, uint32_t count, SurfaceBatch& batch);

/// The fields of a path that gather_sky() reads.
struct EscapedPath {
  glm::vec3 direction, throughput;
  float bsdf_pdf;

  Path path() const {
    Path path;
    path.throughput = throughput;
    path.bsdf_pdf = bsdf_pdf;
    return path;
  }
};

struct SkyBatch {
  Columns<EscapedPath> path;
  Columns<EnvironmentPoint> point;
  Columns<EnvironmentCell> cells;
  Column<float> density;  ///< guide_density(); 1 without a guide
  VectorColumn gathered;  ///< W sr^-1 m^-2
};

/// Finds the points of the map that the paths see: environment_point().
void find_map_points(InstructionSet set, const Environment& map, uint32_t count, SkyBatch& batch);

/// Gathers the light of the map along the paths' rays, as gather_sky() does without disks.
void gather_map(InstructionSet set, const Environment& map, float sky_probability, uint32_t count,
                SkyBatch& batch);

/// Gathers the light of a sky without a map along the paths' rays, as gather_sky() does.
/// For the parameters see sample_gradients().
void gather_gradient(InstructionSet set, const Sky& gradient, const Sky& sampled,
                     float sky_probability, uint32_t count, SkyBatch& batch);

}  // namespace winnow
