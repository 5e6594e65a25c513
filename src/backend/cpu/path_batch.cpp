// SPDX-License-Identifier: MIT
#include "backend/cpu/path_batch.h"

#include <algorithm>

#include "shading/bsdf/diffuse.h"
#include "wavefront/stage/add_first_hits.h"

namespace winnow {
namespace {

/// Calls draw(sampler, i) for the sampler of each path, in lanes.
template <class Draw>
void draw_in_lanes(InstructionSet set, const Sampler& common, const Columns<SampleIndex>& index,
                   uint32_t count, const Draw& draw) {
  const auto draw_of = [&]<SamplerType kType>() {
    in_lanes(set, count, [common, &index, draw](uint32_t i) {
      const SampleIndex of_path = index[i];
      Sampler sampler = common;
      sampler.type = kType;
      sampler.pixel = of_path.pixel;
      sampler.sample = of_path.sample;
      draw(sampler, i);
    });
  };
  if (common.type == SamplerType::kSobol)
    draw_of.template operator()<SamplerType::kSobol>();
  else
    draw_of.template operator()<SamplerType::kHash>();
}

void choose_by_table(InstructionSet set, simt::Span<const Light> lights,
                     simt::Span<const CdfEntry> choices, uint32_t count, SurfaceBatch& batch) {
  for (uint32_t i = 0; i < count; ++i) batch.choice.sides[i] = 0;
  for (uint32_t k = 0; k < uint32_t(lights.size); ++k) {
    const LightShape shape(lights[k]);
    const float pmf = lights[k].pmf;
    const uint32_t sides = sides_of(lights[k]);
    const uint32_t begin = choices[k].begin, last = choices[k + 1].begin - 1;
    if (sample_cdf_table(choices, begin).item != k) continue;  // its interval is empty
    in_lanes(set, count, [=, &batch](uint32_t i) {
      const uint32_t u = batch.numbers.light[i].x;
      const float rest = cdf_rest(begin, last, u);
      batch.choice.set_if(u - begin <= last - begin, i, shape, sides, pmf, rest);
    });
  }
}

/// Chooses lights as choose_by_distance() does.
void choose_spheres(InstructionSet set, simt::Span<const Light> spheres,
                    simt::Span<const CdfEntry> choices, uint32_t count, SurfaceBatch& batch) {
  const uint32_t begin = choices[0].begin, last = choices[1].begin - 1;
  const uint32_t has_interval = sample_cdf_table(choices, begin).item == 0 ? 1 : 0;
  Columns<ChoiceByDistance> choice;
  Column<uint32_t> remains;  // 1 while a light is to be chosen
  for (uint32_t i = 0; i < kBatchSize; ++i) choice.set(i, {});
  for (const Light& sphere : spheres)
    in_lanes(set, count, [sphere, &batch, &choice](uint32_t i) {
      ChoiceByDistance c = choice[i];
      c.sum += distance_weight(sphere, batch.surface[i].p);
      choice.set(i, c);
    });
  in_lanes(set, count, [=, &batch, &choice, &remains](uint32_t i) {
    const uint32_t u = batch.numbers.light[i].x;
    ChoiceByDistance c = choice[i];
    c.rest = cdf_rest(begin, last, u) * c.sum;
    choice.set(i, c);
    remains[i] = u - begin <= last - begin ? has_interval : 0;
    batch.choice.sides[i] = 0;
  });
  for (uint32_t k = 0; k < uint32_t(spheres.size); ++k) {
    const Light sphere = spheres[k];
    const LightShape shape(sphere);
    const uint32_t has_next = k + 1 < spheres.size ? 1 : 0, sides = sides_of(sphere);
    in_lanes(set, count, [=, &batch, &choice, &remains](uint32_t i) {
      ChoiceByDistance c = choice[i];
      const uint32_t may_pass = c.is_beyond(sphere, batch.surface[i].p) ? has_next : 0;
      const ChosenLight chosen = c.chosen(k);
      batch.choice.set_if((remains[i] & ~may_pass) != 0, i, shape, sides, chosen.pmf, chosen.rest);
      c.rest -= c.weight;
      choice.set(i, c);
      remains[i] &= may_pass;
    });
  }
}

Environment without_arrays(Environment map) {
  map.texels = {};
  map.rows = map.columns = {};
  map.edge_sines = {};
  return map;
}

}  // namespace

void start_paths(InstructionSet set, const Sampler& common, const Camera& any_camera,
                 float filter_radius, bool has_rays, uint32_t count, CameraBatch& batch) {
  const auto draw = [&](const auto& draw_one) {
    draw_in_lanes(set, common, batch.index, count, draw_one);
  };
  if (has_rays)
    return draw([any_camera, filter_radius, &batch](const Sampler& sampler, uint32_t i) {
      Camera camera = any_camera;
      camera.projection = Projection::kPerspective;
      camera.lens_radius = 0.0f;
      camera.poses = {};
      const PixelFilter filter{.type = FilterType::kBox, .radius = filter_radius};
      batch.direction.set(i, start_path(camera, filter, sampler.width, sampler).ray.direction);
    });
  draw([&batch](const Sampler& sampler, uint32_t i) {
    batch.film_u.set(i, sampler.direction4(kFilmDimension));
  });
  if (any_camera.lens_radius == 0.0f) return;
  draw([&batch](const Sampler& sampler, uint32_t i) {
    batch.lens_u.set(i, sampler.sample4(kLensDimension));
  });
}

void generate_in_batches(InstructionSet set, const PathStarter& starter, uint32_t count,
                         bool by_pixel) {
  const Wave& wave = starter.state->wave;
  const Camera& camera = starter.camera;
  const Sampler common = common_sampler(wave, starter.sampler);
  const bool has_rays = camera.projection == Projection::kPerspective &&
                        camera.lens_radius == 0.0f && camera.poses.size == 0 &&
                        starter.filter.type == FilterType::kBox;
  CameraBatch batch;
  PathId ids[kBatchSize];
  uint32_t pixel = 0, sample = 0;  // of the next slot, in the wave
  for (uint32_t first = 0; first < count; first += kBatchSize) {
    const uint32_t in_batch = std::min(kBatchSize, count - first);
    for (uint32_t i = 0; i < in_batch; ++i) {
      ids[i] = sample * wave.pixel_count + pixel;
      batch.index.set(i, {wave.pixel_of(pixel), wave.first_sample + sample, 0});
      if (by_pixel) {
        if (++sample == wave.sample_count) sample = 0, ++pixel;
      } else {
        if (++pixel == wave.pixel_count) pixel = 0, ++sample;
      }
    }
    start_paths(set, common, camera, starter.filter.radius, has_rays, in_batch, batch);
    for (uint32_t i = 0; i < in_batch; ++i) {
      const Path path =
          has_rays ? path_of(ray_from_near_plane(camera, camera.position, batch.direction[i]))
                   : start_path(camera, starter.filter, wave.width, batch.index[i].pixel,
                                glm::vec3(batch.film_u[i]), glm::vec2(batch.lens_u[i]));
      starter.paths.clear(ids[i]);
      starter.paths.columns[0].store(first + i, ids[i], 0, path);
    }
  }
}

void draw_numbers(InstructionSet set, const Sampler& common, bool has_lights, uint32_t count,
                  NumbersBatch& batch) {
  const auto draw_scatter = [&batch](const Sampler& sampler, uint32_t i) {
    const uint32_t bounce = batch.index[i].bounce;
    batch.scatter.set(i, sampler.direction4(scatter_dimension(bounce)));
  };
  if (!has_lights) return draw_in_lanes(set, common, batch.index, count, draw_scatter);
  draw_in_lanes(set, common, batch.index, count,
                [&batch, draw_scatter](const Sampler& sampler, uint32_t i) {
                  const uint32_t bounce = batch.index[i].bounce;
                  batch.light.set(i, sampler.light3(light_dimension(bounce)));
                  draw_scatter(sampler, i);
                });
}

void find_normals(InstructionSet set, uint32_t count, NormalBatch& batch) {
  in_lanes(set, count, [&batch](uint32_t i) {
    const glm::vec3 direction = batch.direction[i];
    SurfacePoint surface;
    set_triangle(batch.hit.triangle[i], weights_of(Hit{.u = batch.hit.u[i], .v = batch.hit.v[i]}),
                 {}, surface);
    batch.normal.set(i, towards_camera(surface.ns, surface.n, direction));
    batch.is_back[i] = glm::dot(surface.n, direction) > 0.0f ? 1 : 0;
  });
}

void find_surfaces(InstructionSet set, uint32_t count, SurfaceBatch& batch) {
  in_lanes(set, count, [&batch](uint32_t i) {
    HitColumns& hit = batch.hit;
    const MeshTriangle triangle = hit.triangle[i];
    const auto& [p0, p1, p2, n0, n1, n2] = triangle;
    const TriangleWeights w = weights_of(Hit{.u = hit.u[i], .v = hit.v[i]});
    const TrianglePoint point = triangle_point(p0, p1, p2, w);
    hit.near_edge[i] = is_near_edge(w, p1 - p0, p2 - p0, edge_margin(point.error));
    SurfacePoint surface;
    set_triangle(triangle, w, point, surface);
    surface.ns = facing_normal(surface, batch.path[i].direction);
    batch.surface.set(i, surface);
  });
}

void choose_few_lights(InstructionSet set, simt::Span<const Light> lights,
                       simt::Span<const CdfEntry> choices, bool by_distance, uint32_t count,
                       SurfaceBatch& batch) {
  const auto choose = by_distance ? choose_spheres : choose_by_table;
  choose(set, lights, choices, count, batch);
}

template <Features kFeatures>
void sample_chosen_lights(InstructionSet set, LightKind kind, bool two_sided_only,
                          const Lights<kFeatures>& numbers, uint32_t count, SurfaceBatch& batch) {
  const auto sample_of = [&]<LightKind kKind, bool kTwoSidedOnly>() {
    in_lanes(set, count, [numbers, &batch](uint32_t i) {
      const bool two_sided = kTwoSidedOnly || batch.choice.sides[i] == 2;
      const Light light = batch.choice.light[i].light(kKind, two_sided);
      const float pmf = batch.choice.pmf[i];
      const ChosenLight chosen{.pmf = pmf, .mis_pmf = pmf, .rest = batch.choice.rest[i]};
      const float y = uniform_float(batch.numbers.light[i].y);
      glm::vec2 b;
      batch.light.set(i, sample_chosen_light(numbers, light, chosen, batch.surface[i].p, y, b));
    });
  };
  if (kind == LightKind::kSphere)
    sample_of.template operator()<LightKind::kSphere, false>();
  else if (two_sided_only)
    sample_of.template operator()<LightKind::kTriangle, true>();
  else
    sample_of.template operator()<LightKind::kTriangle, false>();
}
template void sample_chosen_lights(InstructionSet, LightKind, bool, const Lights<kBasic>&, uint32_t,
                                   SurfaceBatch&);
template void sample_chosen_lights(InstructionSet, LightKind, bool, const Lights<kExtended>&,
                                   uint32_t, SurfaceBatch&);

void sample_cells(InstructionSet set, const Environment& map, float sky_probability, uint32_t count,
                  const SkyChoiceBatch& sky, SurfaceBatch& batch) {
  in_lanes(set, count, [map = without_arrays(map), sky_probability, &sky, &batch](uint32_t i) {
    batch.light.set(i, light_of(sample_cell(map, sky.cells[i], sky.chosen[i]),
                                sky_probability * sky.density[i]));
  });
}

void sample_gradients(InstructionSet set, const Sky& gradient, const Sky& sampled,
                      float sky_probability, uint32_t count, const SkyChoiceBatch& sky,
                      SurfaceBatch& batch) {
  in_lanes(set, count, [gradient, sampled, sky_probability, &sky, &batch](uint32_t i) {
    const EnvironmentSample sample = sample_gradient(gradient, sampled, sky.u[i]);
    batch.light.set_if(sky.is_chosen[i] != 0, i,
                       light_of(sample, sky_probability * sky.density[i]));
  });
}

void find_guide_cells(InstructionSet set, const GuideCells& cells, uint32_t count,
                      const SurfaceBatch& batch, SkyChoiceBatch& sky) {
  in_lanes(set, count, [cells, &batch, &sky](uint32_t i) {
    sky.guide_cell[i] = guide_cell(cells, batch.surface[i].p);
  });
}

void find_origin_cells(InstructionSet set, const GuideCells& cells, uint32_t count,
                       const SurfaceBatch& batch, SkyChoiceBatch& sky) {
  in_lanes(set, count, [cells, &batch, &sky](uint32_t i) {
    const SurfacePoint surface = batch.surface[i];
    sky.guide_cell[i] =
        guide_cell(cells, offset_origin(surface.p, surface.p_error, surface.n, batch.light[i].wi));
  });
}

void scatter_diffuse(InstructionSet set, uint32_t count, SurfaceBatch& batch) {
  in_lanes(set, count, [&batch](uint32_t i) {
    const Frame frame(batch.surface[i].ns);
    Material material;
    material.reflectance = batch.reflectance[i];
    const LocalDirections local{frame.to_local(-batch.path[i].direction),
                                frame.to_local(batch.light[i].wi)};
    const glm::vec4 u = batch.numbers.scatter[i];
    batch.scattered.directions.set(i, local);
    batch.scattered.value.set(i, eval_diffuse(material, local.wo, local.light_wi));
    batch.scattered.sample.set(i, sample_diffuse(material, local.wo, {u.x, u.y}));
  });
}

void reflect_lights(InstructionSet set, uint32_t count, SurfaceBatch& batch) {
  in_lanes(set, count, [&batch](uint32_t i) {
    const SurfacePoint surface = batch.surface[i];
    const LightSample light = batch.light[i];
    const BsdfValue value = batch.scattered.value[i];
    const auto eval = [&](glm::vec3, glm::vec3) { return value; };
    const Path path = batch.path[i].path();
    ShadowRay shadow;
    const bool is_finite = reflect_light(path, surface, Frame(surface.ns), light, eval, shadow);
    batch.scattered.shadow.set(i, shadow);
    batch.scattered.casts_shadow_ray[i] = shadow.ray.t_max > 0.0f ? 1 : 0;
    batch.scattered.cause[i] =
        is_finite ? uint32_t(Termination::kAlive) : uint32_t(Termination::kNotFinite);
  });
}

void scatter_paths(InstructionSet set, uint32_t count, SurfaceBatch& batch) {
  in_lanes(set, count, [&batch](uint32_t i) {
    const SurfacePoint surface = batch.surface[i];
    const BsdfSample sample = batch.scattered.sample[i];
    Path path = batch.path[i].path();
    const uint32_t before = batch.scattered.cause[i];
    const auto cause = uint32_t(scatter(path, surface, Frame(surface.ns), sample));
    batch.scattered.next.set(i, path);
    batch.scattered.cause[i] = before != uint32_t(Termination::kAlive) ? before : cause;
  });
}

void find_map_points(InstructionSet set, const Environment& map, uint32_t count, SkyBatch& batch) {
  in_lanes(set, count, [map = without_arrays(map), &batch](uint32_t i) {
    batch.point.set(i, environment_point(map, batch.path[i].direction));
  });
}

void gather_map(InstructionSet set, const Environment& map, float sky_probability, uint32_t count,
                SkyBatch& batch) {
  in_lanes(set, count, [map = without_arrays(map), sky_probability, &batch](uint32_t i) {
    EnvironmentLookup found = look_up_cell(map, batch.cells[i], batch.point[i]);
    found.pdf = usable_pdf(found.pdf * (sky_probability * batch.density[i]));
    batch.gathered.set(i, gather_sky(batch.path[i].path(), found));
  });
}

void gather_gradient(InstructionSet set, const Sky& gradient, const Sky& sampled,
                     float sky_probability, uint32_t count, SkyBatch& batch) {
  in_lanes(set, count, [gradient, sampled, sky_probability, &batch](uint32_t i) {
    const glm::vec3 w = batch.path[i].direction;
    EnvironmentLookup found{eval_sky(gradient, w), sky_pdf(sampled, w)};
    found.pdf = usable_pdf(found.pdf * (sky_probability * batch.density[i]));
    batch.gathered.set(i, gather_sky(batch.path[i].path(), found));
  });
}

}  // namespace winnow
