// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

#include "backend/cpu/batch_tables.h"
#include "backend/cpu/conductor_batch.h"
#include "backend/cpu/path_batch.h"
#include "wavefront/kernels/append.h"
#include "wavefront/stage/shade.h"

namespace winnow {

/// A sampler whose numbers for shading a bounce are drawn.
struct DrawnSampler : Sampler {
  LightUniforms light;
  glm::vec4 scatter;

  LightUniforms light3(uint32_t /* light_dimension() */) const { return light; }
  glm::vec4 direction4(uint32_t /* scatter_dimension() */) const { return scatter; }
};

/// Shades the work queue on the CPU, a batch at a time: as ShadeSurface does path by path, with the
/// same bits. Random numbers are drawn together for all paths that read any. Those that hit most
/// surfaces are shaded together, too, but for BSDFs other than diffuse ones and rough conductors,
/// and those that leave the scene under an environment map; the others one by one, unless they end
/// where they gather no light. The steps of shade() stand here a second time, since each of them is
/// a loop, over columns that keep what the next one reads.
///
/// @tparam Scene  DeviceScene
template <class Scene>
class ShadeBatch {
 public:
  static constexpr Features kFeatures = Scene::kFeatures;

  /// Which entries of a batch hold a path, and which of these stay active.
  struct Mask {
    uint64_t busy = 0, active = 0;  ///< [entry of the batch]
  };

  ShadeBatch(const ShadeSurface<Scene>& stage, const BatchTables& tables, InstructionSet set,
             SurvivorSlots slots)
      : stage_(stage),
        tables_(tables),
        set_(set),
        slots_(slots),
        iteration_(stage.starter.state->iteration),
        columns_(stage.starter.paths.columns[iteration_.ping_pong]) {}

  /// Shades some entries of the queue, stores their paths and shadow rays and counts them.
  ///
  /// @param first, end  at most kBatchSize entries
  Mask shade(const Items& entries, uint32_t first, uint32_t end) {
    mask_ = {};
    batched_.count = other_.count = escaped_.count = 0;
    for (Lobes& lobes : lobes_) lobes.count = 0;
    for (uint32_t i = first; i < end; ++i)
      if (entries.is_alive(i)) add(i - first, entries[i]);
    draw_numbers(set_, common(), batched_.count, batched_.samples);
    draw_numbers(set_, common(), other_.count, other_.samples);
    shade_batched();
    shade_escaped();
    for (uint32_t i = 0; i < other_.count; ++i) shade_other(i);
    return mask_;
  }

 private:
  /// Some paths of the batch.
  struct List {
    uint32_t count = 0;
    uint32_t entry[kBatchSize], slot[kBatchSize];
    PathId id[kBatchSize];
    SampleBatch samples;
  };

  /// Paths of batched_ at surfaces with the same BatchTables::lobes.
  struct Lobes {
    uint32_t count = 0;
    uint32_t paths[kBatchSize];
  };

  /// The paths of the batch that left the scene.
  struct Escaped {
    uint32_t count = 0;
    uint32_t bounce[kBatchSize];
    PathId id[kBatchSize];
  };

  /// A light sample that chose the environment map.
  struct MapSample {
    uint32_t path;                         ///< of batched_
    uint32_t u;                            ///< that chooses the column, in units of 2^-32
    simt::Span<const CdfEntry> columns{};  ///< of the row that is chosen

    uint32_t guide() const { return cdf_guide(columns, u); }
  };
  struct MapSamples {
    uint32_t count = 0;
    MapSample samples[kBatchSize];
  };

  void add(uint32_t entry, uint32_t slot) {
    const Hit& hit = stage_.hits[slot];
    const Bounce bounce = stage_.bounce_of(columns_, slot);
    const Packed direction = columns_.direction_id[slot];
    if (hit.primitive == kNoPrimitive && sees_map()) {
      mask_.busy |= uint64_t(1) << entry;
      return add_escaped(slot, bounce.index);
    }
    const Termination cause = termination_at(hit, bounce);
    if (cause != Termination::kAlive) {
      mask_.busy |= uint64_t(1) << entry;
      return terminate(std::bit_cast<PathId>(direction.w), cause, bounce.index);
    }
    const BatchedHit kind = bounce.index < bounce.max ? kind_of(hit) : BatchedHit::kNone;
    if (kind == BatchedHit::kNone && ends_at(hit, bounce))
      return shade_alone(entry, slot, DrawnSampler{common(), {}, {}});
    List& list = kind == BatchedHit::kNone ? other_ : batched_;
    const uint32_t i = list.count++;
    const Wave& wave = stage_.starter.state->wave;
    list.entry[i] = entry;
    list.slot[i] = slot;
    list.id[i] = std::bit_cast<PathId>(direction.w);
    list.samples.pixel[i] = wave.pixel_of(list.id[i]);
    list.samples.sample[i] = wave.sample_of(list.id[i]);
    list.samples.bounce[i] = bounce.index;
    if (kind == BatchedHit::kNone) return;
    batch_.direction.set(i, direction.xyz);
    batch_.throughput.set(i, columns_.throughput_eta[slot].xyz);
    kinds_[i] = kind;
    materials_[i] = material_of(hit);
    Lobes& lobes = lobes_[tables_.lobes[materials_[i]]];
    lobes.paths[lobes.count++] = i;
    if (kind == BatchedHit::kTriangle) load_triangle(i, hit);
  }

  /// Why a path ends at its hit, where it is known to gather no light; kAlive otherwise.
  Termination termination_at(const Hit& hit, Bounce bounce) const {
    if (kFeatures.media || stage_.settings.regenerate) return Termination::kAlive;
    if (hit.primitive == kNoPrimitive)
      return tables_.is_dark_outside ? Termination::kEscaped : Termination::kAlive;
    const bool is_plain = bounce.index == bounce.max && kind_of(hit) != BatchedHit::kNone &&
                          tables_.hits[material_of(hit)] == BatchedHit::kTriangle;
    return is_plain ? Termination::kMaxDepth : Termination::kAlive;
  }

  void terminate(PathId id, Termination cause, uint32_t bounce) {
    stage_.starter.paths.results[id].termination = TerminationRecord::of(cause, bounce);
  }

  /// Whether shade_escaped() has code for paths that leave the scene.
  bool sees_map() const {
    return kFeatures.extended && !kFeatures.media && tables_.shows_map &&
           !stage_.settings.regenerate;
  }

  void add_escaped(uint32_t slot, uint32_t bounce) {
    const uint32_t i = escaped_.count++;
    const Packed direction = columns_.direction_id[slot];
    escaped_.bounce[i] = bounce;
    escaped_.id[i] = std::bit_cast<PathId>(direction.w);
    sky_.direction.set(i, direction.xyz);
    sky_.throughput.set(i, columns_.throughput_eta[slot].xyz);
    sky_.bsdf_pdf[i] = columns_.origin_pdf[slot].w;
  }

  /// Whether a path ends at its hit without reading a number.
  bool ends_at(const Hit& hit, Bounce bounce) const {
    if constexpr (kFeatures.media) return false;  // it may scatter in a medium there
    if (hit.primitive == kNoPrimitive || bounce.index == bounce.max) return true;
    const Scene& scene = stage_.scene;
    return !scene.is_instanced(hit.primitive) &&
           scene.bsdfs.is_black(scene.materials[material_of(hit)]);
  }

  BatchedHit kind_of(const Hit& hit) const {
    if (stage_.settings.regenerate || hit.primitive == kNoPrimitive) return BatchedHit::kNone;
    const Scene& scene = stage_.scene;
    const bool is_triangle = hit.primitive < scene.mesh.triangles.size;
    if (!is_triangle && scene.is_instanced(hit.primitive)) return BatchedHit::kNone;
    const BatchedHit kind = tables_.hits[material_of(hit)];
    return kind == BatchedHit::kTriangle && !is_triangle ? BatchedHit::kAny : kind;
  }

  /// @param hit  not of an instance
  uint32_t material_of(const Hit& hit) const {
    const DeviceMesh& mesh = stage_.scene.mesh;
    const bool is_triangle = hit.primitive < mesh.triangles.size;
    return is_triangle ? mesh.triangle_materials[hit.primitive]
                       : stage_.scene.spheres[hit.primitive - mesh.triangles.size].material;
  }

  void load_triangle(uint32_t i, const Hit& hit) {
    const DeviceMesh& mesh = stage_.scene.mesh;
    const glm::uvec3 vertices = mesh.triangles[hit.primitive];
    batch_.reflectance.set(i, stage_.scene.materials[materials_[i]].reflectance);
    batch_.p0.set(i, mesh.positions[vertices.x]);
    batch_.p1.set(i, mesh.positions[vertices.y]);
    batch_.p2.set(i, mesh.positions[vertices.z]);
    batch_.n0.set(i, mesh.normals[vertices.x]);
    batch_.n1.set(i, mesh.normals[vertices.y]);
    batch_.n2.set(i, mesh.normals[vertices.z]);
    batch_.u[i] = hit.u;
    batch_.v[i] = hit.v;
  }

  Sampler common() const {
    return common_sampler(stage_.starter.state->wave, stage_.starter.sampler);
  }

  void shade_batched() {
    const uint32_t count = batched_.count;
    find_surfaces(set_, count, batch_);
    for (uint32_t i = 0; i < count; ++i)
      if (kinds_[i] == BatchedHit::kAny) find_surface(i);
    sample_lights();
    scatter_diffuse(set_, count, batched_.samples.scatter, batch_);
    for (uint32_t kind = 0; kind < ConductorKind::kCount; ++kind)
      if (lobes_[kind].count > 0) scatter_conductors(lobes_[kind]);
    const Lobes& others = lobes_[BatchTables::kOtherLobes];
    for (uint32_t k = 0; k < others.count; ++k) scatter_by_lobes(others.paths[k]);
    light_surfaces(set_, count, batch_);
    scatter_paths(set_, count, batch_);
    for (uint32_t i = 0; i < count; ++i) store_batched(i);
  }

  /// Samples a light for each path of batched_.
  void sample_lights() {
    const uint32_t count = batched_.count;
    const Lights<kFeatures>& lights = stage_.scene.lights;
    const float total_power = kFeatures.extended ? 0.0f : lights.total_power;
    if (tables_.has_triangle_lights) {
      choose_local_lights();
      sample_triangle_lights(set_, total_power, count, batched_.samples.light, batch_);
      return;
    }
    uint64_t done = 0;  // [path]
    if constexpr (kFeatures.extended)
      if (lights.environment.texels.size > 0) {
        done = choose_cells(lights.environment);
        sample_cells(set_, lights.environment, lights.sky_probability, count, chosen_, batch_);
      }
    if (done == 0 && tables_.has_sphere_lights) {
      done = choose_local_lights();
      sample_sphere_lights(set_, total_power, lights.local_probability, count,
                           batched_.samples.light, batch_);
    }
    for (uint32_t i = 0; i < count; ++i)
      if (!(done >> i & 1)) sample_any_light(i);
  }

  /// Finds a surface for which find_surfaces() has no code, and its reflectance.
  void find_surface(uint32_t i) {
    const Hit& hit = stage_.hits[batched_.slot[i]];
    const Path path = path_at(i);
    const auto surface = surface_at(stage_.scene, path.ray, hit);
    batch_.reflectance.set(i, reflectance_at(surface, path));
    batch_.p.set(i, surface.p);
    batch_.p_error.set(i, surface.p_error);
    batch_.n.set(i, surface.n);
    const bool agree = sides_agree(surface.n, surface.ns, path.ray.direction);
    batch_.ns.set(i, agree ? surface.ns : surface.n);
  }

  glm::vec3 reflectance_at(const Surface<kFeatures>& surface,
                           [[maybe_unused]] const Path& path) const {
    if constexpr (kFeatures.extended)
      if (tables_.hits[surface.material] != BatchedHit::kTriangle) {  // it has textures
        const float cone = cone_width(stage_.scene.camera, path.travelled);
        return material_at(stage_.scene, surface, cone, path.ray.direction).reflectance;
      }
    return stage_.scene.materials[surface.material].reflectance;
  }

  /// A path of batched_ as shading reads it, with the way up to its hit.
  Path path_at(uint32_t i) const {
    const uint32_t slot = batched_.slot[i];
    Path path;
    path.ray.origin = columns_.origin_pdf[slot].xyz;
    path.ray.direction = batch_.direction[i];
    if constexpr (kFeatures.extended) {
      path.travelled = second_bfloat16(packed_eta(slot));
      extend_cone(stage_.scene, stage_.hits[slot], path);
    }
    return path;
  }

  uint32_t packed_eta(uint32_t slot) const {
    return std::bit_cast<uint32_t>(columns_.throughput_eta[slot].w);
  }

  /// Chooses lights for the paths of batched_. Returns for which of them they are local.
  uint64_t choose_local_lights() {
    const Lights<kFeatures>& lights = stage_.scene.lights;
    const uint32_t count = batched_.count;
    uint64_t local = 0;
    if (lights.local.size <= kFewLights) {
      bool by_distance = false;
      if constexpr (kFeatures.extended) by_distance = lights.by_distance;
      choose_few_lights(set_, lights.local, lights.choices, by_distance, count,
                        batched_.samples.light, batch_);
      for (uint32_t i = 0; i < count; ++i) local |= uint64_t(batch_.light_is_local[i]) << i;
    } else {
      for (uint32_t i = 0; i < count; ++i) local |= uint64_t(choose_local_light(i)) << i;
    }
    return local;
  }

  /// Chooses a light for a path of batched_. Returns whether it is local, and then one of triangles
  /// and spheres without a tree.
  bool choose_local_light(uint32_t i) {
    const Lights<kFeatures>& lights = stage_.scene.lights;
    const CdfSample choice = sample_cdf_table(lights.choices, batched_.samples.light.x[i]);
    if (choice.item >= lights.local.size) return false;
    const Light& light = lights.local[choice.item];
    batch_.light_p.set(i, light.p);
    batch_.light_edge1.set(i, light.edge1);
    batch_.light_edge2.set(i, light.edge2);
    batch_.light_n.set(i, light.n);
    batch_.light_radiance.set(i, light.emission);
    batch_.light_radius[i] = light.radius;
    batch_.light_two_sided[i] = light.two_sided;
    batch_.light_pmf[i] = light.pmf;
    batch_.light_rest[i] = choice.rest;
    return true;
  }

  /// Chooses cells of the environment map, as sample_environment() does, for the paths whose light
  /// samples choose the map; returns which these are. Each step is done for all paths, after it
  /// loaded into the caches what it reads: in a large map, each read would wait for memory.
  uint64_t choose_cells(const Environment& map) {
    choose_rows(map);
    uint64_t chosen = 0;
    for (uint32_t k = 0; k < map_samples_.count; ++k) {
      const MapSample& sample = map_samples_.samples[k];
      __builtin_prefetch(&sample.columns[sample.columns[sample.guide()].first]);
      chosen |= uint64_t(1) << sample.path;
    }
    for (uint32_t k = 0; k < map_samples_.count; ++k) choose_column(map, map_samples_.samples[k]);
    for (uint32_t k = 0; k < map_samples_.count; ++k)
      chosen_.cells.load(map, map_samples_.samples[k].path);
    return chosen;
  }

  void choose_rows(const Environment& map) {
    const Lights<kFeatures>& lights = stage_.scene.lights;
    map_samples_.count = 0;
    for (uint32_t i = 0; i < batched_.count; ++i) {
      const LightUniforms light_u = batched_.samples.light[i];
      const CdfSample choice = sample_cdf_table(lights.choices, light_u.x);
      if (choice.item != sky_choice(lights)) continue;
      const glm::uvec2 u = environment_uniforms(choice.rest, light_u);
      const CdfSample row = sample_cdf_table(map.rows, u.y);
      chosen_.cells.row[i] = row.item;
      chosen_.rest_y[i] = row.rest;
      const MapSample sample{.path = i, .u = u.x, .columns = columns_of(map, row.item)};
      __builtin_prefetch(&sample.columns[sample.guide()]);
      map_samples_.samples[map_samples_.count++] = sample;
    }
  }

  void choose_column(const Environment& map, const MapSample& sample) {
    const CdfSample column = sample_cdf_table(sample.columns, sample.u);
    chosen_.cells.column[sample.path] = column.item;
    chosen_.rest_x[sample.path] = column.rest;
    prefetch_cell(map, chosen_.cells, sample.path);
  }

  static void prefetch_cell(const Environment& map, const CellColumns& cells, uint32_t i) {
    const uint32_t row = cells.row[i], upper = row > 0 ? row - 1 : 0;
    const glm::vec3* texel = map.texels.data + size_t(upper) * map.width + cells.column[i];
    for (const glm::vec3* left : {texel, texel + map.width}) {
      __builtin_prefetch(left);
      __builtin_prefetch(left + 1);  // it may lie in the next cache line
    }
  }

  /// Samples any light for a path of batched_.
  void sample_any_light(uint32_t i) {
    Surface<kFeatures> surface;
    surface.p = batch_.p[i];
    surface.n = batch_.n[i];
    const Material& material = stage_.scene.materials[materials_[i]];
    const LightSample light =
        sample_light(stage_.scene, path_at(i), surface, material, batched_.samples.light[i]);
    batch_.wi.set(i, light.wi);
    batch_.light_radiance.set(i, light.radiance);
    batch_.light_distance[i] = light.distance;
    batch_.light_pdf[i] = light.pdf;
    batch_.light_mis_pdf[i] = light.mis_pdf;
  }

  /// Evaluates and samples the BSDFs of rough conductors of one kind.
  void scatter_conductors(const Lobes& conductors) {
    conductors_.count = conductors.count;
    for (uint32_t k = 0; k < conductors.count; ++k) {
      const uint32_t i = conductors.paths[k];
      conductors_.set_material(k, stage_.scene.materials[materials_[i]]);
      conductors_.wo.set(k, batch_.wo[i]);
      conductors_.light_wi.set(k, batch_.light_wi[i]);
      conductors_.u[k] = batched_.samples.scatter.x[i];
      conductors_.v[k] = batched_.samples.scatter.y[i];
    }
    constexpr Features kLobes = kFeatures.extended ? kExtended : kBasic;
    const ConductorKind kind(stage_.scene.materials[materials_[conductors.paths[0]]]);
    winnow::scatter_conductors<kLobes>(set_, kind, conductors_);
    for (uint32_t k = 0; k < conductors.count; ++k) {
      batch_.set_value(conductors.paths[k], conductors_.value(k));
      batch_.set_sample(conductors.paths[k], conductors_.sample(k));
    }
  }

  /// Evaluates and samples the BSDF of a path alone.
  void scatter_by_lobes(uint32_t i) {
    const Scene& scene = stage_.scene;
    const Material& material = scene.materials[materials_[i]];
    const glm::vec3 wo = batch_.wo[i];
    if (batch_.lit[i] != 0) batch_.set_value(i, scene.bsdfs.eval(material, wo, batch_.light_wi[i]));
    const glm::vec3 u{batched_.samples.scatter[i]};
    batch_.set_sample(i, scene.bsdfs.sample(material, wo, u));
  }

  /// Stores the results of a path of batched_.
  void store_batched(uint32_t i) {
    const uint32_t slot = batched_.slot[i];
    const PathId id = batched_.id[i];
    const Bounce bounce = stage_.bounce_of(columns_, slot);
    mask_.busy |= uint64_t(1) << batched_.entry[i];
    if (batch_.light_result[i] == uint32_t(LightResult::kShadowRay)) store_shadow_ray(i, bounce);
    Path path;
    const Termination cause = scattered(i, bounce, path);
    if (cause != Termination::kAlive)
      terminate(id, cause, bounce.index);
    else
      next_columns().store(next_slot(batched_.entry[i], slot), id, bounce.index + 1, path);
  }

  void store_shadow_ray(uint32_t i, Bounce bounce) {
    if (!(batch_.shadow_t_max[i] > 0.0f)) return;
    const ShadowRay shadow{.ray = {.origin = batch_.shadow_origin[i],
                                   .direction = batch_.shadow_direction[i],
                                   .t_max = batch_.shadow_t_max[i]},
                           .contribution = batch_.contribution[i],
                           .scatterings = bounce.index + 1};
    stage_.shadow_rays.store(iteration_.shadow_rays++, batched_.id[i], shadow);
  }

  /// The next state of a path of batched_, as scatter() finds it.
  Termination scattered(uint32_t i, Bounce bounce, Path& path) const {
    if (batch_.light_result[i] == uint32_t(LightResult::kNotFinite)) return Termination::kNotFinite;
    const auto cause = Termination(batch_.cause[i]);
    if (cause != Termination::kAlive) return cause;
    const uint32_t slot = batched_.slot[i];
    if constexpr (kFeatures.extended) path.travelled = path_at(i).travelled;
    path.eta_scale = round_to_bfloat16(first_bfloat16(packed_eta(slot)) * batch_.eta_scale[i]);
    path.throughput = batch_.next_throughput[i];
    path.bsdf_pdf = batch_.sample_pdf[i];
    path.ray.origin = batch_.next_origin[i];
    path.ray.direction = batch_.next_direction[i];
    return play_roulette(path, bounce, kMaxSurvival, batched_.samples.scatter.w[i]);
  }

  /// Adds the light of the environment map to the paths of escaped_, and terminates them.
  void shade_escaped() {
    if constexpr (kFeatures.extended) {
      const uint32_t count = escaped_.count;
      const Lights<kFeatures>& lights = stage_.scene.lights;
      const Environment& map = lights.environment;
      find_map_points(set_, map, count, sky_);
      for (uint32_t i = 0; i < count; ++i) prefetch_cell(map, sky_.cells, i);
      for (uint32_t i = 0; i < count; ++i) sky_.cells.load(map, i);
      gather_map(set_, map, lights.sky_probability, count, sky_);
      for (uint32_t i = 0; i < count; ++i) store_escaped(i);
    }
  }

  void store_escaped(uint32_t i) {
    const Paths& paths = stage_.starter.paths;
    const PathId id = escaped_.id[i];
    const uint32_t bounce = escaped_.bounce[i];
    const glm::vec3 gathered = sky_.gathered[i];
    const bool finite = is_finite(gathered);
    if (finite && gathered != glm::vec3(0.0f)) paths.gathered(id, bounce) += gathered;
    terminate(id, finite ? Termination::kEscaped : Termination::kNotFinite, bounce);
  }

  /// Shades a path of other_.
  void shade_other(uint32_t i) {
    DrawnSampler sampler{common(), other_.samples.light[i], other_.samples.scatter[i]};
    sampler.pixel = other_.samples.pixel[i];
    sampler.sample = other_.samples.sample[i];
    shade_alone(other_.entry[i], other_.slot[i], sampler);
  }

  /// Shades a path and stores its results.
  void shade_alone(uint32_t entry, uint32_t slot, const DrawnSampler& sampler) {
    const Shaded shaded =
        stage_.shade_slot(slot, [&](const WaveState&, PathId) { return sampler; });
    mask_.busy |= uint64_t(1) << entry;
    if (shaded.casts_shadow_ray) stage_.store_shadow_ray(iteration_.shadow_rays++, shaded);
    if (shaded.active) stage_.store_path(slots_.ping_pong, next_slot(entry, slot), shaded);
  }

  const PathColumns& next_columns() const { return stage_.starter.paths.columns[slots_.ping_pong]; }

  /// Counts a path that stays active, and returns where its state goes.
  uint32_t next_slot(uint32_t entry, uint32_t slot) {
    mask_.active |= uint64_t(1) << entry;
    return slots_.slot(slot, iteration_.survivors++);
  }

  const ShadeSurface<Scene>& stage_;
  const BatchTables& tables_;
  InstructionSet set_;
  SurvivorSlots slots_;
  Iteration& iteration_;
  const PathColumns& columns_;

  Mask mask_;
  List batched_, other_;
  Lobes lobes_[BatchTables::kOtherLobes + 1];  ///< [BatchTables::lobes]
  ConductorBatch conductors_;
  BatchedHit kinds_[kBatchSize];    ///< [path of batched_]
  uint32_t materials_[kBatchSize];  ///< [path of batched_]
  SurfaceBatch batch_;
  CellBatch chosen_;
  MapSamples map_samples_;
  Escaped escaped_;
  SkyBatch sky_;  ///< [path of escaped_]
};

}  // namespace winnow
