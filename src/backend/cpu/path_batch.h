// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "backend/cpu/columns.h"
#include "base/instruction_set.h"
#include "math/sampler.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/light/environment.h"
#include "shading/light/light.h"
#include "wavefront/stage/generate.h"

namespace winnow {

using LightUniformsColumn = Column3<uint32_t>;  ///< LightUniforms

/// Four random numbers for each path of a batch.
struct NumbersColumn {
  Column<float> x, y, z, w;

  glm::vec4 operator[](uint32_t i) const { return {x[i], y[i], z[i], w[i]}; }
  void set(uint32_t i, glm::vec4 v) {
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
    w[i] = v.w;
  }
};

/// What the samplers of a wave have in common.
inline Sampler common_sampler(const Wave& wave, const SamplerSettings& settings) {
  return {.seed = settings.seed,
          .type = settings.type,
          .log2_samples = settings.log2_samples,
          .width = wave.width};
}

/// What the samplers of a batch differ in, and their numbers for shading a bounce.
struct SampleBatch {
  Column<uint32_t> pixel, sample, bounce;
  LightUniformsColumn light;  ///< of light_dimension()
  NumbersColumn scatter;      ///< of scatter_dimension()
};

/// Draws the numbers of the first `count` paths.
///
/// @param common  the other fields of their samplers
void draw_numbers(InstructionSet set, const Sampler& common, uint32_t count, SampleBatch& batch);

/// Paths that start at the camera.
struct CameraBatch {
  Column<uint32_t> pixel, sample;
  NumbersColumn numbers;   ///< draw_camera_numbers(): two of kFilmDimension, two of kLensDimension
  VectorColumn direction;  ///< generate_rays()
};

/// Draws the numbers of the first `count` paths.
///
/// @param common  the other fields of their samplers
void draw_camera_numbers(InstructionSet set, const Sampler& common, uint32_t count,
                         CameraBatch& batch);

/// Generates the rays of a pinhole camera with perspective and a box filter.
///
/// @param common         the other fields of the samplers
/// @param filter_radius  pixels
void generate_rays(InstructionSet set, const Sampler& common, const Camera& camera,
                   float filter_radius, uint32_t count, CameraBatch& batch);

/// Paths that hit surfaces, on their way through shading.
struct SurfaceBatch {
  // What they hit. Only diffuse surfaces have a reflectance here.
  VectorColumn direction, throughput, reflectance;
  VectorColumn p0, p1, p2;  ///< m, vertices of the triangle
  VectorColumn n0, n1, n2;  ///< their normals
  Column<float> u, v;       ///< as Hit

  // The surface there: as Surface, `ns` on the side of the viewer.
  VectorColumn p, p_error, n, ns;
  Column<uint32_t> near_edge;  ///< 1 where is_near_edge()

  // A triangle or sphere that emits, as Light, and the probability of choosing it.
  VectorColumn light_p, light_edge1, light_edge2, light_n;
  Column<float> light_radius;
  Column<uint32_t> light_two_sided;     ///< 0 or 1
  Column<float> light_pmf, light_rest;  ///< and what is left of the uniform that chose it
  Column<uint32_t> light_is_local;      ///< 1 where choose_few_lights() found such a light

  // As LightSample.
  VectorColumn wi, light_radiance;
  Column<float> light_distance, light_pdf, light_mis_pdf;

  // scatter_diffuse(): BSDFs in the directions of light samples, and samples of them. `wo` and `wi`
  // are in the frame around `ns`.
  VectorColumn wo, light_wi;
  Column<uint32_t> lit;  ///< 1 where a light sample reaches the sides of both normals
  VectorColumn f;
  Column<float> f_pdf;
  VectorColumn sample_wi, sample_weight;
  Column<float> sample_pdf, eta_scale;

  // light_surfaces(): as ShadowRay.
  VectorColumn shadow_origin, shadow_direction, contribution;
  Column<float> shadow_t_max;     ///< m
  Column<uint32_t> light_result;  ///< LightResult

  // scatter_paths(): the next state.
  VectorColumn next_origin, next_direction, next_throughput;
  Column<uint32_t> cause;  ///< Termination, before Russian roulette

  /// Sets the value of the BSDF of a path's surface.
  void set_value(uint32_t i, const BsdfValue& value) {
    f.set(i, value.f);
    f_pdf[i] = value.pdf;
  }
  /// Sets the sample of it.
  void set_sample(uint32_t i, const BsdfSample& sample) {
    sample_wi.set(i, sample.wi);
    sample_weight.set(i, sample.weight);
    sample_pdf[i] = sample.pdf;
    eta_scale[i] = sample.eta_scale;
  }
};

/// What a light sample brought.
enum class LightResult : uint32_t { kNothing, kShadowRay, kNotFinite };

/// Chooses among the local lights of a scene that has at most kFewLights of them: sample_light() up
/// to the choice of a light.
///
/// @param choices      Lights::choices
/// @param by_distance  Lights::by_distance
void choose_few_lights(InstructionSet set, simt::Span<const Light> lights,
                       simt::Span<const CdfEntry> choices, bool by_distance, uint32_t count,
                       const LightUniformsColumn& uniforms, SurfaceBatch& batch);

/// The surfaces at hits of triangles: surface_at() and sides_agree().
void find_surfaces(InstructionSet set, uint32_t count, SurfaceBatch& batch);

/// Samples points of the triangles that emit: sample_light() after the choice of a light, in a
/// scene with no other lights. Reads `light_radiance`.
///
/// @param total_power  Lights::total_power in basic shading, where choices are not looked up; else
/// 0
/// @param uniforms     [path], of light_dimension()
void sample_triangle_lights(InstructionSet set, float total_power, uint32_t count,
                            const LightUniformsColumn& uniforms, SurfaceBatch& batch);

/// Samples directions to the spheres that emit: sample_local_lights() after the choice of a light.
/// Reads `light_radiance`.
///
/// @param total_power        as above
/// @param local_probability  Lights::local_probability
void sample_sphere_lights(InstructionSet set, float total_power, float local_probability,
                          uint32_t count, const LightUniformsColumn& uniforms, SurfaceBatch& batch);

/// Cells of an environment map: as EnvironmentCell, and where they are.
struct CellColumns {
  VectorColumn upper_left, upper_right, lower_left, lower_right;
  Column<float> upper_sine, lower_sine;
  Column<uint32_t> row, column;

  EnvironmentCell operator[](uint32_t i) const {
    return {upper_left[i],  upper_right[i], lower_left[i],
            lower_right[i], upper_sine[i],  lower_sine[i]};
  }
  /// Reads the cell at `row` and `column`.
  void load(const Environment& map, uint32_t i) {
    const EnvironmentCell cell = environment_cell(map, row[i], column[i]);
    upper_left.set(i, cell.upper_left);
    upper_right.set(i, cell.upper_right);
    lower_left.set(i, cell.lower_left);
    lower_right.set(i, cell.lower_right);
    upper_sine[i] = cell.upper_sine;
    lower_sine[i] = cell.lower_sine;
  }
};

/// Cells that light samples chose: as ChosenCell.
struct CellBatch {
  CellColumns cells;
  Column<float> rest_x, rest_y;
};

/// Samples directions in cells of a map: sample_sky_light() after the choice of a cell.
///
/// @param sky_probability  of the choice of the map among all lights
void sample_cells(InstructionSet set, const Environment& map, float sky_probability, uint32_t count,
                  const CellBatch& cells, SurfaceBatch& batch);

/// Paths that left the scene, under an environment map.
struct SkyBatch {
  VectorColumn direction, throughput;
  Column<float> bsdf_pdf;

  // find_map_points(): as EnvironmentPoint; and the cells there.
  Column<float> across, down, sine;
  CellColumns cells;

  VectorColumn gathered;  ///< gather_map(), W sr^-1 m^-2
};

/// Finds the points of the map that the paths see. Does not read their cells.
void find_map_points(InstructionSet set, const Environment& map, uint32_t count, SkyBatch& batch);

/// The light of the map along the paths' rays: gather_sky() without disks.
///
/// @param sky_probability  of the choice of the map among all lights
void gather_map(InstructionSet set, const Environment& map, float sky_probability, uint32_t count,
                SkyBatch& batch);

/// Evaluates and samples the BSDFs as if all surfaces were diffuse. set_value() and set_sample()
/// replace what that is for others.
///
/// @param numbers  [path], of scatter_dimension()
void scatter_diffuse(InstructionSet set, uint32_t count, const NumbersColumn& numbers,
                     SurfaceBatch& batch);

/// Next-event estimation: sample_direct_light() after the value of the BSDF.
void light_surfaces(InstructionSet set, uint32_t count, SurfaceBatch& batch);

/// Continues the paths: scatter() after the sample of the BSDF, up to Russian roulette.
void scatter_paths(InstructionSet set, uint32_t count, SurfaceBatch& batch);

}  // namespace winnow
