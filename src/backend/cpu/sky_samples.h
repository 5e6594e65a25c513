// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backend/cpu/path_batch.h"

namespace winnow {

/// Light samples of the sky for the paths of a batch, and the sky that paths see. Searches tables
/// path by path, and calls the steps of path_batch.h for the rest.
///
/// @tparam kFeatures  kBasic or kExtended
template <Features kFeatures>
class SkySamples {
 public:
  /// @param batch  receives the light samples; its surfaces and random numbers are set by then
  SkySamples(const Lights<kFeatures>& lights, InstructionSet set, SurfaceBatch& batch)
      : lights_(lights), set_(set), batch_(batch) {}

  /// Samples the environment map for the paths whose light samples choose it. Returns a mask of
  /// them.
  uint64_t sample_map(uint32_t count) {
    const Environment& map = lights_.environment;
    find_cells(count);
    const uint64_t done = choose_cells(map, count);
    sample_cells(set_, map, lights_.sky_probability, count, sky_, batch_);
    weigh_by_origins(done, count);
    return done;
  }

  /// Samples a sky without a map for those of these paths whose light samples choose it. Returns a
  /// mask of them.
  uint64_t sample_gradient(uint32_t count, uint64_t paths) {
    find_cells(count);
    uint64_t done = 0;
    for (uint32_t i = 0; i < count; ++i) {
      sky_.is_chosen[i] = 0;
      if (!(paths >> i & 1)) continue;
      const LightUniforms u = batch_.numbers.light[i];
      const CdfSample choice = sample_cdf_table(lights_.choices, u.x);
      if (choice.item != sky_choice(lights_)) continue;
      sky_.is_chosen[i] = 1;
      sky_.density[i] = 1.0f;
      glm::vec2 uniforms(choice.rest, uniform_float(u.y));
      if (lights_.guide.exists()) {
        const glm::uvec2 guided = choose_guided_for(i, environment_uniforms(choice.rest, u));
        uniforms = {uniform_float(guided.x), uniform_float(guided.y)};
      }
      sky_.u.set(i, uniforms);
      done |= uint64_t(1) << i;
    }
    if (done == 0) return 0;
    sample_gradients(set_, lights_.sky, lights_.sampled_sky, lights_.sky_probability, count, sky_,
                     batch_);
    weigh_by_origins(done, count);
    return done;
  }

  /// Gathers the light of the sky for paths that leave the scene.
  ///
  /// @param seen    `path` and `bsdf_pdf` are set; receives `gathered`
  /// @param origin  origin(i) returns the origin of a path's ray
  template <class Origin>
  void gather(uint32_t count, SkyBatch& seen, Origin origin) const {
    if constexpr (kFeatures.extended)
      if (lights_.environment.texels.size > 0) return gather_from_map(count, seen, origin);
    for (uint32_t i = 0; i < count; ++i)
      seen.density[i] = density_at(
          origin, i, [&] { return guide_bin(invert_sky(lights_, seen.path[i].direction)); });
    gather_gradient(set_, lights_.sky, lights_.sampled_sky, lights_.sky_probability, count, seen);
  }

 private:
  template <class Origin>
  void gather_from_map(uint32_t count, SkyBatch& seen, const Origin& origin) const {
    const Environment& map = lights_.environment;
    find_map_points(set_, map, count, seen);
    for (uint32_t i = 0; i < count; ++i) {
      const EnvironmentPoint point = seen.point[i];
      prefetch_cell(map, point.row, point.column);
    }
    for (uint32_t i = 0; i < count; ++i) {
      const EnvironmentPoint point = seen.point[i];
      const EnvironmentCell cell = environment_cell(map, point.row, point.column);
      seen.cells.set(i, cell);
      seen.density[i] =
          density_at(origin, i, [&] { return guide_bin(invert_environment(map, cell, point)); });
    }
    gather_map(set_, map, lights_.sky_probability, count, seen);
  }

  /// Returns the density of the guide for the ray of a path; 1 without a guide.
  ///
  /// @param bin  bin() returns the bin of the ray's direction
  template <class Origin, class Bin>
  float density_at(const Origin& origin, uint32_t i, const Bin& bin) const {
    const SkyGuide& guide = lights_.guide;
    if (!guide.exists()) return 1.0f;
    return guide_density(guide, guide.tables[guide_cell(guide.cells, origin(i))], bin());
  }

  void find_cells(uint32_t count) {
    if (lights_.guide.exists()) find_guide_cells(set_, lights_.guide.cells, count, batch_, sky_);
  }

  /// Chooses a point of the unit square by the guide, as choose_guided().
  glm::uvec2 choose_guided_for(uint32_t i, glm::uvec2 u) {
    const GuidedPoint point =
        choose_guided(lights_.guide, sky_.guide_cell[i], u, batch_.numbers.light[i].z);
    sky_.table[i] = point.table;
    sky_.bin[i] = guide_bin(point.u);
    sky_.density[i] = point.density;
    return point.u;
  }

  /// Weighs guided samples for MIS, as set_mis_origin().
  void weigh_by_origins(uint64_t guided, uint32_t count) {
    const SkyGuide& guide = lights_.guide;
    if (!guide.exists()) return;
    find_origin_cells(set_, guide.cells, count, batch_, sky_);
    for (uint32_t i = 0; i < count; ++i) {
      if (!(guided >> i & 1)) continue;
      const uint32_t weighed = guide.tables[sky_.guide_cell[i]];
      if (weighed == sky_.table[i]) continue;
      LightSample light = batch_.light[i];
      set_mis_table(guide, sky_.table[i], weighed, sky_.bin[i], light);
      batch_.light.set(i, light);
    }
  }

  /// Chooses cells of the environment map, as choose_cell() does, for the paths whose light samples
  /// choose the map. Returns a mask of these paths. Each step first prefetches its data for all
  /// paths, because in a large map each read would wait for memory.
  uint64_t choose_cells(const Environment& map, uint32_t path_count) {
    uint32_t count = 0, paths[kBatchSize], u[kBatchSize];
    simt::Span<const CdfEntry> columns[kBatchSize];
    for (uint32_t i = 0; i < path_count; ++i) {
      const LightUniforms light_u = batch_.numbers.light[i];
      const CdfSample choice = sample_cdf_table(lights_.choices, light_u.x);
      if (choice.item != sky_choice(lights_)) continue;
      glm::uvec2 cell_u = environment_uniforms(choice.rest, light_u);
      sky_.density[i] = 1.0f;
      if (lights_.guide.exists()) cell_u = choose_guided_for(i, cell_u);
      const CdfSample row = sample_cdf_table(map.rows, cell_u.y);
      sky_.chosen.set(i, {.row = row.item, .rest = {0.0f, row.rest}});
      columns[count] = columns_of(map, row.item);
      __builtin_prefetch(&columns[count][cdf_guide(columns[count], cell_u.x)]);
      u[count] = cell_u.x;
      paths[count++] = i;
    }
    for (uint32_t k = 0; k < count; ++k)
      __builtin_prefetch(&columns[k][columns[k][cdf_guide(columns[k], u[k])].first]);
    uint64_t done = 0;
    for (uint32_t k = 0; k < count; ++k) {
      const CdfSample column = sample_cdf_table(columns[k], u[k]);
      ChosenCell cell = sky_.chosen[paths[k]];
      cell.column = column.item;
      cell.rest.x = column.rest;
      sky_.chosen.set(paths[k], cell);
      prefetch_cell(map, cell.row, cell.column);
      done |= uint64_t(1) << paths[k];
    }
    for (uint32_t k = 0; k < count; ++k) {
      const ChosenCell cell = sky_.chosen[paths[k]];
      sky_.cells.set(paths[k], environment_cell(map, cell.row, cell.column));
    }
    return done;
  }

  static void prefetch_cell(const Environment& map, uint32_t row, uint32_t column) {
    const uint32_t upper = row > 0 ? row - 1 : 0;
    const glm::vec3* texel = map.texels.data + size_t(upper) * map.width + column;
    for (const glm::vec3* left : {texel, texel + map.width}) {
      __builtin_prefetch(left);
      __builtin_prefetch(left + 1);  // may be in the next cache line
    }
  }

  const Lights<kFeatures>& lights_;
  InstructionSet set_;
  SurfaceBatch& batch_;
  SkyChoiceBatch sky_;  ///< light samples that choose the sky
};

}  // namespace winnow
