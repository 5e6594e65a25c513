// SPDX-License-Identifier: MIT
#include "backend/cpu/path_batch.h"

#include <cmath>

#include "backend/cpu/run_with.h"
#include "shading/bsdf/diffuse.h"
#include "wavefront/stage/shade.h"

namespace winnow {
namespace {

/// Whether all channels are finite, as 0 or NaN: 0 times any other value is NaN.
float zero_if_finite(glm::vec3 v) {
  return 0.0f * v.x + 0.0f * v.y + 0.0f * v.z;
}

float is_zero_sum(glm::vec3 v) {
  return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}

Material diffuse(glm::vec3 reflectance) {
  Material material;
  material.reflectance = reflectance;
  return material;
}

template <SamplerType kType>
void draw_numbers_of(InstructionSet set, const Sampler& common, uint32_t count,
                     SampleBatch& batch) {
  run_with(set, [&] {
    SampleBatch* columns = &batch;
    const uint64_t seed = common.seed;
    const uint32_t log2_samples = common.log2_samples, end = full_vectors(count);
    const FastDivisor width = common.width;
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const Sampler sampler{.seed = seed,
                            .pixel = columns->pixel[i],
                            .sample = columns->sample[i],
                            .type = kType,
                            .log2_samples = log2_samples,
                            .width = width};
      columns->light.set(i, sampler.light3(light_dimension(columns->bounce[i])));
      columns->scatter.set(i, sampler.direction4(scatter_dimension(columns->bounce[i])));
    }
  });
}

template <SamplerType kType>
void draw_camera_numbers_of(InstructionSet set, const Sampler& common, uint32_t count,
                            CameraBatch& batch) {
  run_with(set, [&] {
    CameraBatch* columns = &batch;
    const uint64_t seed = common.seed;
    const uint32_t log2_samples = common.log2_samples, end = full_vectors(count);
    const FastDivisor width = common.width;
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const Sampler sampler{.seed = seed,
                            .pixel = columns->pixel[i],
                            .sample = columns->sample[i],
                            .type = kType,
                            .log2_samples = log2_samples,
                            .width = width};
      const glm::vec4 film = sampler.direction4(kFilmDimension);
      const glm::vec4 lens = sampler.sample4(kLensDimension);
      columns->numbers.set(i, {film.x, film.y, lens.x, lens.y});
    }
  });
}

template <SamplerType kType>
void generate_rays_of(InstructionSet set, const Sampler& common, const Camera& any_camera,
                      float filter_radius, uint32_t count, CameraBatch& batch) {
  run_with(set, [&] {
    CameraBatch* columns = &batch;
    const uint64_t seed = common.seed;
    const uint32_t log2_samples = common.log2_samples, end = full_vectors(count);
    const FastDivisor width = common.width;
    Camera camera = any_camera;
    camera.projection = Projection::kPerspective;
    camera.lens_radius = 0.0f;
    const PixelFilter filter{.type = FilterType::kBox, .radius = filter_radius};
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const Sampler sampler{.seed = seed,
                            .pixel = columns->pixel[i],
                            .sample = columns->sample[i],
                            .type = kType,
                            .log2_samples = log2_samples,
                            .width = width};
      columns->direction.set(i, start_path(camera, filter, width, sampler).ray.direction);
    }
  });
}

/// Sets the light of a path where a condition holds.
void set_light_if(bool condition, uint32_t i, const Light& light, SurfaceBatch& batch) {
  const auto set = [&](Column<float>& column, float value) {
    const float other = column[i];
    column[i] = condition ? value : other;
  };
  const auto set_vector = [&](VectorColumn& column, glm::vec3 value) {
    set(column.x, value.x);
    set(column.y, value.y);
    set(column.z, value.z);
  };
  set_vector(batch.light_p, light.p);
  set_vector(batch.light_edge1, light.edge1);
  set_vector(batch.light_edge2, light.edge2);
  set_vector(batch.light_n, light.n);
  set_vector(batch.light_radiance, light.emission);
  set(batch.light_radius, light.radius);
  set(batch.light_pmf, light.pmf);
  const uint32_t two_sided = light.two_sided, other = batch.light_two_sided[i];
  batch.light_two_sided[i] = condition ? two_sided : other;
}

/// The item's interval of a table, for a loop over paths.
struct Interval {
  uint32_t begin, last;
  bool is_empty;

  Interval(simt::Span<const CdfEntry> table, uint32_t item)
      : begin(table[item].begin),
        last(table[item + 1].begin - 1),
        is_empty(sample_cdf_table(table, begin).item != item) {}
};

/// choose_few_lights() with the probabilities of the table.
void choose_by_table(InstructionSet set, simt::Span<const Light> lights,
                     simt::Span<const CdfEntry> choices, uint32_t count,
                     const LightUniformsColumn& uniforms, SurfaceBatch& batch) {
  run_with(set, [&] {
    const LightUniformsColumn* random = &uniforms;
    SurfaceBatch* columns = &batch;
    const uint32_t end = full_vectors(count);
    for (uint32_t i = 0; i < end; ++i) columns->light_is_local[i] = 0;
    for (uint32_t k = 0; k < uint32_t(lights.size); ++k) {
      const Light light = lights[k];
      const Interval interval(choices, k);
      if (interval.is_empty) continue;
      const uint32_t begin = interval.begin, last = interval.last;
      WINNOW_LANES
      for (uint32_t i = 0; i < end; ++i) {
        const uint32_t u = random->x[i], is_local = columns->light_is_local[i];
        const bool is_chosen = u - begin <= last - begin;
        const float rest = cdf_rest(begin, last, u), other_rest = columns->light_rest[i];
        set_light_if(is_chosen, i, light, *columns);
        columns->light_rest[i] = is_chosen ? rest : other_rest;
        columns->light_is_local[i] = is_chosen ? 1 : is_local;
      }
    }
  });
}

/// choose_few_lights() by choose_by_distance().
void choose_spheres_by_distance(InstructionSet set, simt::Span<const Light> spheres,
                                simt::Span<const CdfEntry> choices, uint32_t count,
                                const LightUniformsColumn& uniforms, SurfaceBatch& batch) {
  const Interval interval(choices, 0);
  Column<float> sums, weights;  // of all lights, and of the one that is chosen
  Column<uint32_t> remain;      // 1 while a later light may be chosen
  run_with(set, [&] {
    const LightUniformsColumn* random = &uniforms;
    SurfaceBatch* columns = &batch;
    float *sum = sums.values, *chosen_weight = weights.values;
    uint32_t* remains = remain.values;
    const uint32_t end = full_vectors(count), begin = interval.begin, last = interval.last;
    const uint32_t is_local = interval.is_empty ? 0 : 1;
    for (uint32_t i = 0; i < end; ++i) sum[i] = 0.0f;
    for (uint32_t k = 0; k < uint32_t(spheres.size); ++k) {
      const Light light = spheres[k];
      WINNOW_LANES
      for (uint32_t i = 0; i < end; ++i) sum[i] += distance_weight(light, columns->p[i]);
    }
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const uint32_t u = random->x[i];
      columns->light_rest[i] = cdf_rest(begin, last, u) * sum[i];
      columns->light_is_local[i] = u - begin <= last - begin ? is_local : 0;
      chosen_weight[i] = 0.0f;
      remains[i] = 1;
    }
    for (uint32_t k = 0; k < uint32_t(spheres.size); ++k) {
      const Light light = spheres[k];
      const uint32_t has_next = k + 1 < spheres.size ? 1 : 0;
      WINNOW_LANES
      for (uint32_t i = 0; i < end; ++i) {
        const float weight = distance_weight(light, columns->p[i]);
        const float rest = columns->light_rest[i], other_weight = chosen_weight[i];
        const uint32_t is_later = rest >= weight ? has_next : 0;
        const uint32_t is_chosen = remains[i] & ~is_later, goes_on = remains[i] & is_later;
        set_light_if(is_chosen != 0, i, light, *columns);
        chosen_weight[i] = is_chosen != 0 ? weight : other_weight;
        columns->light_rest[i] = goes_on != 0 ? rest - weight : rest;
        remains[i] = goes_on;
      }
    }
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const float weight = chosen_weight[i];
      columns->light_rest[i] = smaller(columns->light_rest[i] / weight, kOneMinusEpsilon);
      columns->light_pmf[i] = distance_pmf(weight, sum[i]);
    }
  });
}

/// sample_triangle_lights() with extended or basic shading.
template <Features kFeatures>
void sample_lights_of(InstructionSet set, float total_power, uint32_t count,
                      const LightUniformsColumn& uniforms, SurfaceBatch& batch) {
  run_with(set, [&] {
    const LightUniformsColumn* u = &uniforms;
    SurfaceBatch* columns = &batch;
    const uint32_t end = full_vectors(count);
    Lights<kFeatures> lights;
    lights.total_power = total_power;
    lights.local_probability = 1.0f;
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      Light light;
      light.p = columns->light_p[i];
      light.edge1 = columns->light_edge1[i];
      light.edge2 = columns->light_edge2[i];
      light.n = columns->light_n[i];
      light.emission = columns->light_radiance[i];
      const glm::vec2 b = sample_uniform_triangle({columns->light_rest[i], uniform_float(u->y[i])});
      const LightSample sample = sample_at_triangle(lights, light, columns->p[i], b);
      float pdf = sample.pdf;
      if constexpr (kFeatures.extended) pdf = usable_pdf(pdf * columns->light_pmf[i]);
      columns->wi.set(i, sample.wi);
      columns->light_distance[i] = sample.distance;
      columns->light_pdf[i] = pdf;
      columns->light_mis_pdf[i] = pdf;
    }
  });
}

/// sample_sphere_lights() with extended or basic shading.
template <Features kFeatures>
void sample_spheres_of(InstructionSet set, float total_power, float local_probability,
                       uint32_t count, const LightUniformsColumn& uniforms, SurfaceBatch& batch) {
  run_with(set, [&] {
    const LightUniformsColumn* u = &uniforms;
    SurfaceBatch* columns = &batch;
    const uint32_t end = full_vectors(count);
    Lights<kFeatures> lights;
    lights.total_power = total_power;
    lights.local_probability = local_probability;
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      Light light;
      light.kind = LightKind::kSphere;
      light.p = columns->light_p[i];
      light.radius = columns->light_radius[i];
      light.emission = columns->light_radiance[i];
      const glm::vec3 from = columns->p[i];
      float pdf;
      if constexpr (kFeatures.extended) {
        pdf = sphere_direction_pdf(light, from);
        pdf = usable_pdf(pdf * lights.local_probability * columns->light_pmf[i]);
        const float pdf_behind = columns->light_two_sided[i] == 0 ? 0.0f : pdf;
        pdf = is_behind(light, from) ? pdf_behind : pdf;
      } else {
        pdf = sphere_light_pdf(lights, light.emission, light.p, light.radius, from);
      }
      const LightSample sample = sample_sphere_direction(
          light, from, {columns->light_rest[i], uniform_float(u->y[i])}, pdf);
      columns->wi.set(i, sample.wi);
      columns->light_distance[i] = sample.distance;
      columns->light_pdf[i] = pdf;
      columns->light_mis_pdf[i] = pdf;
    }
  });
}

/// The numbers of a map.
Environment without_arrays(const Environment& map) {
  Environment numbers;
  numbers.width = map.width;
  numbers.height = map.height;
  numbers.to_map = map.to_map;
  numbers.scale = map.scale;
  numbers.total = map.total;
  return numbers;
}

/// Moves a point of find_surfaces() as inner_point() does.
void move_inside(uint32_t i, SurfaceBatch& batch) {
  const float u = batch.u[i], v = batch.v[i];
  const TrianglePoint point =
      inner_point(batch.p0[i], batch.p1[i], batch.p2[i], {1.0f - u - v, u, v});
  batch.p.set(i, point.p);
  batch.p_error.set(i, point.error);
}

}  // namespace

void choose_few_lights(InstructionSet set, simt::Span<const Light> lights,
                       simt::Span<const CdfEntry> choices, bool by_distance, uint32_t count,
                       const LightUniformsColumn& uniforms, SurfaceBatch& batch) {
  if (by_distance)
    choose_spheres_by_distance(set, lights, choices, count, uniforms, batch);
  else
    choose_by_table(set, lights, choices, count, uniforms, batch);
}

void sample_triangle_lights(InstructionSet set, float total_power, uint32_t count,
                            const LightUniformsColumn& uniforms, SurfaceBatch& batch) {
  if (total_power > 0.0f)
    sample_lights_of<kBasic>(set, total_power, count, uniforms, batch);
  else
    sample_lights_of<kExtended>(set, total_power, count, uniforms, batch);
}

void sample_sphere_lights(InstructionSet set, float total_power, float local_probability,
                          uint32_t count, const LightUniformsColumn& uniforms,
                          SurfaceBatch& batch) {
  if (total_power > 0.0f)
    sample_spheres_of<kBasic>(set, total_power, local_probability, count, uniforms, batch);
  else
    sample_spheres_of<kExtended>(set, total_power, local_probability, count, uniforms, batch);
}

void draw_numbers(InstructionSet set, const Sampler& common, uint32_t count, SampleBatch& batch) {
  if (common.type == SamplerType::kSobol)
    draw_numbers_of<SamplerType::kSobol>(set, common, count, batch);
  else
    draw_numbers_of<SamplerType::kHash>(set, common, count, batch);
}

void draw_camera_numbers(InstructionSet set, const Sampler& common, uint32_t count,
                         CameraBatch& batch) {
  if (common.type == SamplerType::kSobol)
    draw_camera_numbers_of<SamplerType::kSobol>(set, common, count, batch);
  else
    draw_camera_numbers_of<SamplerType::kHash>(set, common, count, batch);
}

void generate_rays(InstructionSet set, const Sampler& common, const Camera& camera,
                   float filter_radius, uint32_t count, CameraBatch& batch) {
  if (common.type == SamplerType::kSobol)
    generate_rays_of<SamplerType::kSobol>(set, common, camera, filter_radius, count, batch);
  else
    generate_rays_of<SamplerType::kHash>(set, common, camera, filter_radius, count, batch);
}

void find_surfaces(InstructionSet set, uint32_t count, SurfaceBatch& batch) {
  run_with(set, [&] {
    SurfaceBatch* columns = &batch;
    const uint32_t end = full_vectors(count);
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const glm::vec3 p0 = columns->p0[i], p1 = columns->p1[i], p2 = columns->p2[i];
      const float u = columns->u[i], v = columns->v[i], w0 = 1.0f - u - v;
      const TriangleWeights w{w0, u, v};
      const TrianglePoint point = triangle_point(p0, p1, p2, w);
      columns->near_edge[i] = is_near_edge(w, p1 - p0, p2 - p0, edge_margin(point.error));
      const glm::vec3 n = glm::normalize(glm::cross(p1 - p0, p2 - p0));
      const glm::vec3 mean = w0 * columns->n0[i] + u * columns->n1[i] + v * columns->n2[i];
      const glm::vec3 interpolated = shading_normal(mean, n);
      const bool agree = sides_agree(n, interpolated, columns->direction[i]);
      const glm::vec3 ns = agree ? interpolated : n;
      columns->p.set(i, point.p);
      columns->p_error.set(i, point.error);
      columns->n.set(i, n);
      columns->ns.set(i, ns);
    }
  });
  for (uint32_t i = 0; i < count; ++i)
    if (batch.near_edge[i] != 0) move_inside(i, batch);
}

void sample_cells(InstructionSet set, const Environment& any_map, float sky_probability,
                  uint32_t count, const CellBatch& chosen, SurfaceBatch& batch) {
  run_with(set, [&] {
    const CellBatch* choices = &chosen;
    SurfaceBatch* columns = &batch;
    const uint32_t end = full_vectors(count);
    const float probability = sky_probability;
    const Environment map = without_arrays(any_map);
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const CellColumns& cells = choices->cells;
      const EnvironmentSample sample = sample_cell(
          map, cells[i], {cells.row[i], cells.column[i], {choices->rest_x[i], choices->rest_y[i]}});
      const float pdf = usable_pdf(sample.found.pdf * probability);
      columns->wi.set(i, sample.w);
      columns->light_radiance.set(i, sample.found.radiance);
      columns->light_distance[i] = kInfinity;
      columns->light_pdf[i] = pdf;
      columns->light_mis_pdf[i] = pdf;
    }
  });
}

void find_map_points(InstructionSet set, const Environment& any_map, uint32_t count,
                     SkyBatch& batch) {
  run_with(set, [&] {
    SkyBatch* columns = &batch;
    const uint32_t end = full_vectors(count);
    const Environment map = without_arrays(any_map);
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const EnvironmentPoint point = environment_point(map, columns->direction[i]);
      columns->cells.row[i] = point.row;
      columns->cells.column[i] = point.column;
      columns->across[i] = point.across;
      columns->down[i] = point.down;
      columns->sine[i] = point.sine;
    }
  });
}

void gather_map(InstructionSet set, const Environment& any_map, float sky_probability,
                uint32_t count, SkyBatch& batch) {
  run_with(set, [&] {
    SkyBatch* columns = &batch;
    const uint32_t end = full_vectors(count);
    const float probability = sky_probability;
    const Environment map = without_arrays(any_map);
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const CellColumns& cells = columns->cells;
      const EnvironmentLookup found = look_up_cell(
          map, cells[i],
          {cells.row[i], cells.column[i], columns->across[i], columns->down[i], columns->sine[i]});
      Path path;
      path.bsdf_pdf = columns->bsdf_pdf[i];
      const float weight = bsdf_weight(path, usable_pdf(found.pdf * probability));
      columns->gathered.set(i, weight * columns->throughput[i] * found.radiance);
    }
  });
}

void scatter_diffuse(InstructionSet set, uint32_t count, const NumbersColumn& numbers,
                     SurfaceBatch& batch) {
  run_with(set, [&] {
    const NumbersColumn* random = &numbers;
    SurfaceBatch* columns = &batch;
    const uint32_t end = full_vectors(count);
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const Frame frame(columns->ns[i]);
      const glm::vec3 light_wi = columns->wi[i];
      const glm::vec3 wo = frame.to_local(-columns->direction[i]), wi = frame.to_local(light_wi);
      uint32_t lit = 1;
      if (glm::dot(light_wi, columns->n[i]) * wi.z <= 0.0f) lit = 0;
      if (columns->light_pdf[i] == 0.0f) lit = 0;
      const Material material = diffuse(columns->reflectance[i]);
      columns->wo.set(i, wo);
      columns->light_wi.set(i, wi);
      columns->lit[i] = lit;
      columns->set_value(i, eval_diffuse(material, wo, wi));
      columns->set_sample(i, sample_diffuse(material, wo, {random->x[i], random->y[i]}));
    }
  });
}

void light_surfaces(InstructionSet set, uint32_t count, SurfaceBatch& batch) {
  run_with(set, [&] {
    SurfaceBatch* columns = &batch;
    const uint32_t end = full_vectors(count);
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      Surface<kBasic> surface;
      surface.p = columns->p[i];
      surface.p_error = columns->p_error[i];
      surface.n = columns->n[i];
      const LightSample light{columns->wi[i], columns->light_distance[i],
                              columns->light_radiance[i], columns->light_pdf[i],
                              columns->light_mis_pdf[i]};
      const BsdfValue bsdf{columns->f[i], columns->f_pdf[i]};
      const ShadowRay shadow =
          reflected_light(surface, columns->throughput[i], light, bsdf, columns->light_wi.z[i]);
      columns->shadow_origin.set(i, shadow.ray.origin);
      columns->shadow_direction.set(i, shadow.ray.direction);
      columns->shadow_t_max[i] = shadow.ray.t_max;
      columns->contribution.set(i, shadow.contribution);

      auto result = uint32_t(LightResult::kShadowRay);
      if (zero_if_finite(shadow.contribution) != 0.0f) result = uint32_t(LightResult::kNotFinite);
      if (is_zero_sum(bsdf.f) == 0.0f) result = uint32_t(LightResult::kNothing);
      if (columns->lit[i] == 0) result = uint32_t(LightResult::kNothing);
      columns->light_result[i] = result;
    }
  });
}

void scatter_paths(InstructionSet set, uint32_t count, SurfaceBatch& batch) {
  run_with(set, [&] {
    SurfaceBatch* columns = &batch;
    const uint32_t end = full_vectors(count);
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      const glm::vec3 n = columns->n[i], weight = columns->sample_weight[i];
      const glm::vec3 wi = Frame(columns->ns[i]).to_world(columns->sample_wi[i]);
      const glm::vec3 throughput = columns->throughput[i] * weight;
      const glm::vec3 direction = glm::normalize(wi);
      columns->next_origin.set(i, offset_origin(columns->p[i], columns->p_error[i], n, wi));
      columns->next_direction.set(i, direction);
      columns->next_throughput.set(i, throughput);

      auto cause = uint32_t(Termination::kAlive);
      if (zero_if_finite(throughput) != 0.0f) cause = uint32_t(Termination::kNotFinite);
      if (zero_if_finite(direction) != 0.0f) cause = uint32_t(Termination::kNotFinite);
      if (!(glm::dot(wi, n) * columns->sample_wi.z[i] > 0.0f))
        cause = uint32_t(Termination::kZeroThroughput);
      if (is_zero_sum(weight) == 0.0f) cause = uint32_t(Termination::kZeroThroughput);
      columns->cause[i] = cause;
    }
  });
}

}  // namespace winnow
