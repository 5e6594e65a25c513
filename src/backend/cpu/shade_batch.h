// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

#include "backend/cpu/batch_tables.h"
#include "backend/cpu/conductor_batch.h"
#include "backend/cpu/path_batch.h"
#include "backend/cpu/principled_batch.h"
#include "backend/cpu/sky_samples.h"
#include "backend/cpu/specular_batch.h"
#include "wavefront/kernels/append.h"
#include "wavefront/stage/shade.h"

namespace winnow {

/// A sampler whose random numbers for shading a bounce have been drawn.
struct DrawnSampler : Sampler {
  LightUniforms light;
  glm::vec4 scatter;

  LightUniforms light3(uint32_t /* light_dimension() */) const { return light; }
  glm::vec4 direction4(uint32_t /* scatter_dimension() */) const { return scatter; }
};

/// Shades the work queue on the CPU in batches, with the same bits as ShadeSurface, which shades
/// path by path. Random numbers are drawn together for all paths that need them. Paths that hit
/// most kinds of surfaces take the steps of shade() together; then those that hit specular surfaces
/// do, which sample no lights. So do paths that leave the scene under a sky. Others are shaded one
/// by one, unless they end without gathering light.
template <class Scene>
class ShadeBatch {
 public:
  static constexpr Features kFeatures = Scene::kFeatures;

  /// Bit masks of the entries of a batch that hold a path, and of those whose path stays active.
  struct Mask {
    uint64_t busy = 0, active = 0;  ///< [entry of the batch]
  };

  ShadeBatch(const ShadeSurface<Scene>& stage, const BatchTables& tables, InstructionSet set,
             SurvivorSlots slots)
      : stage_(stage),
        scene_(stage.scene),
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
    together_.count = specular_.count = alone_.count = escaped_.count = 0;
    for (Lobes& lobes : lobes_) lobes.count = 0;
    batch_.hit.clear();
    for (uint32_t i = first; i < end; ++i)
      if (entries.is_alive(i)) add(i - first, entries[i]);
    if (together_.count > 0) shade_together();
    if (specular_.count > 0) shade_specular();
    shade_escaped();
    draw_numbers(set_, common(), has_lights(), alone_.count, alone_numbers_);
    for (uint32_t i = 0; i < alone_.count; ++i) {
      const LightUniforms light = has_lights() ? alone_numbers_.light[i] : LightUniforms{};
      DrawnSampler sampler{common(), light, alone_numbers_.scatter[i]};
      sampler.pixel = alone_numbers_.index[i].pixel;
      sampler.sample = alone_numbers_.index[i].sample;
      shade_alone(alone_.entry[i], alone_.slot[i], sampler);
    }
    return mask_;
  }

 private:
  struct List {
    uint32_t count = 0;
    uint32_t entry[kBatchSize], slot[kBatchSize];
    PathId id[kBatchSize];
  };

  /// Paths at surfaces, to be shaded in a batch.
  struct SurfaceList : List {
    uint32_t material[kBatchSize];
    bool in_lanes[kBatchSize];  ///< whether find_surfaces() supports the surface
  };

  /// Paths of together_ or specular_ at surfaces with the same BatchTables::lobes.
  struct Lobes {
    uint32_t count = 0;
    uint32_t paths[kBatchSize];
  };

  /// Sorts an entry by how it is shaded.
  void add(uint32_t entry, uint32_t slot) {
    const Hit& hit = stage_.hits[slot];
    const Bounce bounce = stage_.bounce_of(columns_, slot);
    if (hit.primitive == kNoPrimitive && sees_sky()) {
      const uint32_t i = add_to(escaped_, entry, slot);
      sky_.path.set(i, {columns_.direction_id[slot].xyz, columns_.throughput_eta[slot].xyz,
                        columns_.origin_pdf[slot].w});
      return;
    }
    const Termination cause = termination_at(hit, slot, bounce);
    if (cause != Termination::kAlive) {
      mask_.busy |= uint64_t(1) << entry;
      return terminate(columns_.id(slot), cause, bounce.index);
    }
    const BatchedHit kind = bounce.index < bounce.max ? kind_of(hit, slot) : BatchedHit::kNone;
    if (kind == BatchedHit::kNone) {
      if (ends_at(hit, bounce)) return shade_alone(entry, slot, DrawnSampler{common(), {}, {}});
      const uint32_t i = add_to(alone_, entry, slot);
      alone_numbers_.index.set(i, index_of(alone_.id[i], bounce));
      return;
    }
    if (kind == BatchedHit::kSpecular) {
      add_surface(specular_, entry, slot, hit, kind);
      return;
    }
    load(together_, add_surface(together_, entry, slot, hit, kind), hit, bounce);
  }

  [[gnu::always_inline]] uint32_t add_surface(SurfaceList& list, uint32_t entry, uint32_t slot,
                                              const Hit& hit, BatchedHit kind) {
    const uint32_t i = add_to(list, entry, slot);
    list.material[i] = material_of(hit);
    list.in_lanes[i] = kind != BatchedHit::kAny && hit.primitive < scene_.mesh.triangles.size;
    Lobes& lobes = lobes_[tables_.lobes[list.material[i]]];
    lobes.paths[lobes.count++] = i;
    return i;
  }

  /// Writes a path of a list to the batch.
  [[gnu::always_inline]] void load(const SurfaceList& list, uint32_t i, const Hit& hit,
                                   Bounce bounce) {
    batch_.numbers.index.set(i, index_of(list.id[i], bounce));
    batch_.path.set(i, arriving(list.slot[i]));
    if (!list.in_lanes[i]) return;
    batch_.hit.set(i, scene_.mesh, hit);
    batch_.reflectance.set(i, scene_.materials[list.material[i]].reflectance);
  }

  /// Finds the surfaces of a list whose paths are in the batch.
  void find_surfaces_of(const SurfaceList& list) {
    list_ = &list;
    find_surfaces(set_, list.count, batch_);
    for (uint32_t i = 0; i < list.count; ++i)
      if (!list.in_lanes[i] || batch_.hit.near_edge[i] != 0) find_surface(i);
  }

  uint32_t add_to(List& list, uint32_t entry, uint32_t slot) {
    const uint32_t i = list.count++;
    list.entry[i] = entry;
    list.slot[i] = slot;
    list.id[i] = columns_.id(slot);
    return i;
  }

  /// Returns the path of a slot, extended to its hit.
  ArrivingPath arriving(uint32_t slot) const {
    const Packed& throughput = columns_.throughput_eta[slot];
    const auto packed = std::bit_cast<uint32_t>(throughput.w);
    Path path;
    path.travelled = second_bfloat16(packed);
    extend_cone(scene_, stage_.hits[slot], path);
    return {columns_.direction_id[slot].xyz, throughput.xyz, first_bfloat16(packed),
            path.travelled};
  }

  Path path_at(uint32_t i) const {
    Path path = batch_.path[i].path();
    path.ray.origin = columns_.origin_pdf[list_->slot[i]].xyz;
    return path;
  }

  SampleIndex index_of(PathId id, Bounce bounce) const {
    const Wave& wave = stage_.starter.state->wave;
    return {wave.pixel_of(id), wave.sample_of(id), bounce.index};
  }

  /// Returns why a path ends at its hit without gathering light; kAlive if it may gather some.
  Termination termination_at(const Hit& hit, uint32_t slot, Bounce bounce) const {
    if (kFeatures.media || stage_.settings.regenerate) return Termination::kAlive;
    if (hit.primitive == kNoPrimitive)
      return tables_.is_dark_outside ? Termination::kEscaped : Termination::kAlive;
    const bool is_plain = bounce.index == bounce.max && kind_of(hit, slot) != BatchedHit::kNone &&
                          tables_.hits[material_of(hit)] != BatchedHit::kAny;
    return is_plain ? Termination::kMaxDepth : Termination::kAlive;
  }

  bool sees_sky() const {
    return !kFeatures.media && tables_.shows_sky && !stage_.settings.regenerate;
  }

  /// Returns whether a path terminates at its hit without reading a random number.
  bool ends_at(const Hit& hit, Bounce bounce) const {
    if constexpr (kFeatures.media) return false;  // it may scatter in a medium there
    if (hit.primitive == kNoPrimitive || bounce.index == bounce.max) return true;
    return !scene_.is_instanced(hit.primitive) &&
           scene_.bsdfs.is_black(scene_.materials[material_of(hit)]);
  }

  BatchedHit kind_of(const Hit& hit, uint32_t slot) const {
    if (stage_.settings.regenerate || hit.primitive == kNoPrimitive) return BatchedHit::kNone;
    const bool is_triangle = hit.primitive < scene_.mesh.triangles.size;
    if (!is_triangle && scene_.is_instanced(hit.primitive)) return BatchedHit::kNone;
    const uint32_t material = material_of(hit);
    if (kFeatures.extended && scene_.materials[material].black_back &&
        !(is_triangle && is_front(hit, slot)))
      return BatchedHit::kNone;
    const BatchedHit kind = tables_.hits[material];
    return kind == BatchedHit::kTriangle && !is_triangle ? BatchedHit::kAny : kind;
  }

  /// Returns whether the ray of a slot hits the front of a triangle.
  bool is_front(const Hit& hit, uint32_t slot) const {
    const MeshTriangle triangle = mesh_triangle(scene_.mesh, hit.primitive);
    return !(glm::dot(geometric_normal(triangle), columns_.direction_id[slot].xyz) > 0.0f);
  }

  /// @param hit  a hit that is not on an instance
  uint32_t material_of(const Hit& hit) const {
    const DeviceMesh& mesh = scene_.mesh;
    const bool is_triangle = hit.primitive < mesh.triangles.size;
    return is_triangle ? mesh.triangle_materials[hit.primitive]
                       : scene_.spheres[hit.primitive - mesh.triangles.size].material;
  }

  Sampler common() const {
    return common_sampler(stage_.starter.state->wave, stage_.starter.sampler);
  }

  void shade_together() {
    const uint32_t count = together_.count;
    find_surfaces_of(together_);
    draw_numbers(set_, common(), has_lights(), count, batch_.numbers);
    sample_lights();
    scatter_diffuse(set_, count, batch_);
    for (uint32_t kind = 0; kind < ConductorKind::kCount; ++kind)
      if (lobes_[kind].count > 0) scatter_conductors(lobes_[kind]);
    if constexpr (kFeatures.extended)
      for (uint32_t kind = 0; kind < kPrincipledKindCount; ++kind)
        scatter_principled(PrincipledKind(kind), lobes_[BatchTables::kFirstPrincipled + kind]);
    const Lobes& others = lobes_[BatchTables::kOtherLobes];
    for (uint32_t k = 0; k < others.count; ++k) scatter_by_lobes(others.paths[k]);
    reflect_samples();
    scatter_paths(set_, count, batch_);
    for (uint32_t i = 0; i < count; ++i) store(together_, i);
  }

  void shade_specular() {
    const uint32_t count = specular_.count;
    batch_.hit.clear();
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t slot = specular_.slot[i];
      load(specular_, i, stage_.hits[slot], stage_.bounce_of(columns_, slot));
    }
    find_surfaces_of(specular_);
    draw_numbers(set_, common(), false, count, batch_.numbers);
    for (uint32_t kind = 0; kind < kSpecularKindCount; ++kind)
      scatter_specular(SpecularKind(kind), lobes_[BatchTables::kFirstSpecular + kind]);
    reflect_nothing();
    scatter_paths(set_, count, batch_);
    for (uint32_t i = 0; i < count; ++i) store(specular_, i);
  }

  /// Finds a surface that find_surfaces() does not support, and its reflectance.
  void find_surface(uint32_t i) {
    const Path path = path_at(i);
    auto surface = surface_at(scene_, path.ray, stage_.hits[list_->slot[i]]);
    batch_.reflectance.set(i, reflectance_at(surface, path));
    surface.ns = facing_normal(surface, path.ray.direction);
    batch_.surface.set(i, surface);
  }

  glm::vec3 reflectance_at(const Surface<kFeatures>& surface,
                           [[maybe_unused]] const Path& path) const {
    if constexpr (kFeatures.extended)
      if (tables_.hits[surface.material] == BatchedHit::kAny) {  // it has textures
        const float cone = cone_width(scene_.camera, path.travelled);
        return material_at(scene_, surface, cone, path.ray.direction).reflectance;
      }
    return scene_.materials[surface.material].reflectance;
  }

  /// Returns whether the scene has lights to sample.
  bool has_lights() const { return scene_.lights.choices.size > 0; }

  void reflect_samples() {
    if (has_lights())
      reflect_lights(set_, together_.count, batch_);
    else
      reflect_nothing();
  }

  void reflect_nothing() {
    for (uint32_t i = 0; i < list_->count; ++i) {
      batch_.scattered.casts_shadow_ray[i] = 0;
      batch_.scattered.cause[i] = uint32_t(Termination::kAlive);
    }
  }

  void sample_lights() {
    const uint32_t count = together_.count;
    const auto& lights = scene_.lights;
    if (!has_lights()) {
      for (uint32_t i = 0; i < count; ++i) batch_.light.set(i, {});
      return;
    }
    Lights<kLobes> numbers;
    numbers.total_power = lights.total_power;
    numbers.local_probability = lights.local_probability;
    uint64_t done = 0;  // [path]
    const bool is_guided = lights.light_guide.exists();
    if (is_guided) guide_lights();
    if constexpr (kFeatures.extended)
      if (lights.environment.texels.size > 0) done = sky_samples_.sample_map(count);
    if (done == 0 && tables_.local_lights != BatchedLights::kAny) {
      const bool are_triangles = tables_.local_lights == BatchedLights::kTriangles;
      done = choose_local_lights();
      sample_chosen_lights(set_, are_triangles ? LightKind::kTriangle : LightKind::kSphere,
                           tables_.has_two_sided_lights_only, numbers, count, batch_);
    }
    if (tables_.has_gradient) done |= sky_samples_.sample_gradient(count, ~done);
    for (uint32_t i = 0; is_guided && i < count; ++i) end_guiding(i, done >> i & 1);
    for (uint32_t i = 0; i < count; ++i)
      if (!(done >> i & 1)) sample_any_light(i);
  }

  /// Guides the choice of lights by uniforms, as sample_light().
  void guide_lights() {
    for (uint32_t i = 0; i < together_.count; ++i) {
      LightUniforms u = batch_.numbers.light[i];
      const GuidedUniform guided =
          guide_light(scene_.lights.light_guide, batch_.surface[i].p, u.x, u.z);
      unguided_[i] = u.x;
      guided_factor_[i] = guided.factor;
      u.x = guided.u;
      batch_.numbers.light.set(i, u);
    }
  }

  /// Completes the density of a guided sample. Where there is none, restores the uniform.
  void end_guiding(uint32_t i, bool is_sampled) {
    if (is_sampled) {
      LightSample light = batch_.light[i];
      light.pdf = usable_pdf(light.pdf * guided_factor_[i]);
      return batch_.light.set(i, light);
    }
    LightUniforms u = batch_.numbers.light[i];
    u.x = unguided_[i];
    batch_.numbers.light.set(i, u);
  }

  /// Chooses lights for the paths of together_. Returns a mask of the paths whose light is local.
  uint64_t choose_local_lights() {
    const auto& lights = scene_.lights;
    uint64_t local = 0;
    if (lights.local.size <= kFewLights) {
      bool by_distance = false;
      if constexpr (kFeatures.extended) by_distance = lights.by_distance;
      choose_few_lights(set_, lights.local, lights.choices, by_distance, together_.count, batch_);
    } else {
      for (uint32_t i = 0; i < together_.count; ++i) {
        const CdfSample choice = sample_cdf_table(lights.choices, batch_.numbers.light[i].x);
        batch_.choice.sides[i] = 0;
        if (choice.item >= lights.local.size) continue;
        const Light& light = lights.local[choice.item];
        batch_.choice.set_if(true, i, LightShape(light), sides_of(light), light.pmf, choice.rest);
      }
    }
    for (uint32_t i = 0; i < together_.count; ++i)
      local |= uint64_t(batch_.choice.sides[i] != 0) << i;
    return local;
  }

  void sample_any_light(uint32_t i) {
    Surface<kFeatures> surface;
    static_cast<SurfacePoint&>(surface) = batch_.surface[i];
    const Material& material = scene_.materials[list_->material[i]];
    batch_.light.set(i,
                     sample_light(scene_, path_at(i), surface, material, batch_.numbers.light[i]));
  }

  void scatter_conductors(const Lobes& conductors) {
    conductors_.count = conductors.count;
    for (uint32_t k = 0; k < conductors.count; ++k) {
      const uint32_t i = conductors.paths[k];
      const Material& material = scene_.materials[list_->material[i]];
      const LocalDirections local = batch_.scattered.directions[i];
      conductors_.input.set(
          k, {material.reflectance, material.metal_n, material.metal_k, make_ggx(material),
              local.wo, local.light_wi, glm::vec2(batch_.numbers.scatter[i])});
    }
    const ConductorKind kind(scene_.materials[list_->material[conductors.paths[0]]]);
    winnow::scatter_conductors<kLobes>(set_, kind, conductors_);
    for (uint32_t k = 0; k < conductors.count; ++k) {
      batch_.scattered.value.set(conductors.paths[k], conductors_.value[k]);
      batch_.scattered.sample.set(conductors.paths[k], conductors_.sample[k]);
    }
  }

  void scatter_principled(PrincipledKind kind, const Lobes& principled) {
    if (principled.count == 0) return;
    principled_.count = principled.count;
    principled_.is_lit = has_lights();
    const auto surface_of = [this](uint32_t path) {
      const Material& material = scene_.materials[list_->material[path]];
      return PrincipledSurface{material.reflectance, material.specular, material.roughness,
                               material.ior};
    };
    const uint32_t first = list_->material[principled.paths[0]];
    principled_.surface.fill(surface_of(principled.paths[0]));
    for (uint32_t k = 0; k < principled.count; ++k)
      if (list_->material[principled.paths[k]] != first)
        principled_.surface.set(k, surface_of(principled.paths[k]));

    const bool are_all = principled.count == list_->count;  // in the same order
    if (are_all) {
      principled_.directions = batch_.scattered.directions;
      principled_.u = batch_.numbers.scatter;
    }
    for (uint32_t k = 0; !are_all && k < principled.count; ++k) {
      principled_.directions.set(k, batch_.scattered.directions[principled.paths[k]]);
      principled_.u.set(k, batch_.numbers.scatter[principled.paths[k]]);
    }
    winnow::scatter_principled(set_, kind, scene_.bsdfs.tables, principled_);
    if (are_all) {
      batch_.scattered.value = principled_.value;
      batch_.scattered.sample = principled_.sample;
      return;
    }
    for (uint32_t k = 0; k < principled.count; ++k) {
      batch_.scattered.value.set(principled.paths[k], principled_.value[k]);
      batch_.scattered.sample.set(principled.paths[k], principled_.sample[k]);
    }
  }

  void scatter_specular(SpecularKind kind, const Lobes& surfaces) {
    if (surfaces.count == 0) return;
    specular_batch_.count = surfaces.count;
    for (uint32_t k = 0; k < surfaces.count; ++k) {
      const uint32_t i = surfaces.paths[k];
      const Material& material = scene_.materials[list_->material[i]];
      specular_batch_.input.set(k, {material.reflectance, material.specular, material.metal_n,
                                    material.metal_k, material.ior, batch_.surface[i].ns,
                                    batch_.path[i].direction, batch_.numbers.scatter[i].z});
    }
    winnow::scatter_specular<kLobes>(set_, kind, specular_batch_);
    for (uint32_t k = 0; k < surfaces.count; ++k)
      batch_.scattered.sample.set(surfaces.paths[k], specular_batch_.sample[k]);
  }

  void scatter_by_lobes(uint32_t i) {
    const Material& material = scene_.materials[list_->material[i]];
    const LocalDirections local = batch_.scattered.directions[i];
    const bool is_lit = batch_.light[i].pdf != 0.0f;
    const glm::vec3 u(batch_.numbers.scatter[i]);
    const auto [value, sample] =
        is_lit ? scene_.bsdfs.eval_and_sample(material, local.wo, local.light_wi, u)
               : BsdfScattering{{}, scene_.bsdfs.sample(material, local.wo, u)};
    batch_.scattered.value.set(i, value);
    batch_.scattered.sample.set(i, sample);
  }

  /// Plays Russian roulette for a path of the batch, and stores its results.
  [[gnu::always_inline]] void store(const SurfaceList& list, uint32_t i) {
    const ScatterColumns& scattered = batch_.scattered;
    const uint32_t entry = list.entry[i], slot = list.slot[i];
    const PathId id = list.id[i];
    const Bounce bounce = stage_.bounce_of(columns_, slot);
    mask_.busy |= uint64_t(1) << entry;
    if (scattered.casts_shadow_ray[i] != 0) {
      ShadowRay shadow = scattered.shadow[i];
      shadow.scatterings = bounce.index + 1;
      stage_.shadow_rays.store(iteration_.shadow_rays++, id, shadow);
    }
    auto cause = Termination(scattered.cause[i]);
    if (cause != Termination::kAlive) return terminate(id, cause, bounce.index);
    Path path = scattered.next[i];
    cause = play_roulette(path, bounce, kMaxSurvival, batch_.numbers.scatter[i].w);
    if (cause != Termination::kAlive) return terminate(id, cause, bounce.index);
    const PathColumns& next = stage_.starter.paths.columns[slots_.ping_pong];
    next.store(next_slot(entry, slot), id, bounce.index + 1, path);
  }

  void terminate(PathId id, Termination cause, uint32_t bounce) {
    stage_.starter.paths.results[id].termination = TerminationRecord::of(cause, bounce);
  }

  /// Adds the light of the sky to the paths of escaped_, and terminates them.
  void shade_escaped() {
    if (escaped_.count == 0) return;
    sky_samples_.gather(escaped_.count, sky_,
                        [this](uint32_t i) { return columns_.origin_pdf[escaped_.slot[i]].xyz; });
    for (uint32_t i = 0; i < escaped_.count; ++i) {
      const uint32_t bounce = stage_.bounce_of(columns_, escaped_.slot[i]).index;
      Path path;
      const Termination cause = end_in_sky(path, sky_.gathered[i]);
      if (path.radiance != glm::vec3(0.0f))
        stage_.starter.paths.gathered(escaped_.id[i], bounce) += path.radiance;
      mask_.busy |= uint64_t(1) << escaped_.entry[i];
      terminate(escaped_.id[i], cause, bounce);
    }
  }

  void shade_alone(uint32_t entry, uint32_t slot, const DrawnSampler& sampler) {
    const Shaded shaded =
        stage_.shade_slot(slot, [&](const WaveState&, PathId) { return sampler; });
    mask_.busy |= uint64_t(1) << entry;
    if (shaded.casts_shadow_ray) stage_.store_shadow_ray(iteration_.shadow_rays++, shaded);
    if (shaded.active) stage_.store_path(slots_.ping_pong, next_slot(entry, slot), shaded);
  }

  /// Counts a path that stays active, and returns the slot for its state.
  uint32_t next_slot(uint32_t entry, uint32_t slot) {
    mask_.active |= uint64_t(1) << entry;
    return slots_.slot(slot, iteration_.survivors++);
  }

  /// The features of functions that are compiled for basic shading and for all others.
  static constexpr Features kLobes = kFeatures.extended ? kExtended : kBasic;

  const ShadeSurface<Scene>& stage_;
  const Scene& scene_;
  const BatchTables& tables_;
  InstructionSet set_;
  SurvivorSlots slots_;
  Iteration& iteration_;
  const PathColumns& columns_;

  Mask mask_;
  List alone_, escaped_;
  SurfaceList together_, specular_;
  const SurfaceList* list_ = nullptr;  ///< the list that batch_ holds
  SurfaceBatch batch_;
  SkySamples<kLobes> sky_samples_{scene_.lights, set_, batch_};  ///< sky of together_
  uint32_t unguided_[kBatchSize];              ///< [path of together_], uniforms before guiding
  float guided_factor_[kBatchSize];            ///< [path of together_], GuidedUniform::factor
  Lobes lobes_[BatchTables::kOtherLobes + 1];  ///< [BatchTables::lobes]
  ConductorBatch conductors_;
  PrincipledBatch principled_;
  SpecularBatch specular_batch_;
  NumbersBatch alone_numbers_;  ///< random numbers for alone_
  SkyBatch sky_;                ///< sky seen by escaped_
};

}  // namespace winnow
