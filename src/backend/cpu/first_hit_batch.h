// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/cpu/batch_tables.h"
#include "backend/cpu/path_batch.h"
#include "wavefront/stage/add_first_hits.h"

namespace winnow {

/// Adds the first hits of the paths of a wave to the film in batches, with the same bits as
/// AddFirstHits, which adds them one by one. Hits of triangles without textures take the lanes of
/// vectors. A batch holds samples of one pixel.
template <class Stage>
void add_first_hits_in_batches(InstructionSet set, const BatchTables& tables, const Stage& stage) {
  const Wave& wave = stage.state->wave;
  const auto& scene = stage.scene;
  NormalBatch batch;
  uint32_t materials[kBatchSize];
  bool is_plain[kBatchSize];
  for (uint32_t pixel_of_wave = 0; pixel_of_wave < wave.pixel_count; ++pixel_of_wave) {
    const uint32_t pixel = wave.pixel_of(pixel_of_wave);
    const auto id_of = [&](uint32_t sample) { return sample * wave.pixel_count + pixel_of_wave; };
    auto sums = stage.sums_of(pixel);
    for (uint32_t first = 0; first < wave.sample_count; first += kBatchSize) {
      const uint32_t count = std::min(kBatchSize, wave.sample_count - first);
      uint32_t common = kNoPrimitive;  // triangle in all columns that hold no other one
      for (uint32_t i = 0; i < count; ++i) {
        const PathId id = id_of(first + i);
        const Hit& hit = stage.hits[id];
        is_plain[i] = false;
        if (hit.primitive >= scene.mesh.triangles.size || wave.sample_of(id) == 0) continue;
        materials[i] = scene.mesh.triangle_materials[hit.primitive];
        is_plain[i] = tables.hits[materials[i]] == BatchedHit::kTriangle;
        if (!is_plain[i]) continue;
        if (common == kNoPrimitive) {
          common = hit.primitive;
          batch.hit.triangle.fill(mesh_triangle(scene.mesh, common));
        }
        if (hit.primitive != common)
          batch.hit.triangle.set(i, mesh_triangle(scene.mesh, hit.primitive));
        batch.hit.u[i] = hit.u;
        batch.hit.v[i] = hit.v;
        batch.direction.set(i, stage.columns.direction_id[id].xyz);
      }
      find_normals(set, count, batch);
      for (uint32_t i = 0; i < count; ++i) {
        if (!is_plain[i]) {
          stage.add(id_of(first + i), pixel, sums);
          continue;
        }
        const Material& material = scene.materials[materials[i]];
        if (!(material.black_back && batch.is_back[i] != 0))
          sums.albedo += glm::dvec3(albedo(material));
        sums.normal += glm::dvec3(batch.normal[i]);
      }
    }
    stage.store(pixel, sums);
  }
}

}  // namespace winnow
