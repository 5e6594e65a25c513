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
/// vectors. A batch holds samples of one pixel, which are in neighbouring slots.
template <class Stage>
void add_first_hits_in_batches(InstructionSet set, const BatchTables& tables, const Stage& stage) {
  const Wave& wave = stage.state->wave;
  const auto& scene = stage.scene;
  NormalBatch batch;
  uint32_t materials[kBatchSize];
  bool is_plain[kBatchSize];
  for (uint32_t pixel_of_wave = 0; pixel_of_wave < wave.pixel_count; ++pixel_of_wave) {
    const uint32_t pixel = wave.pixel_of(pixel_of_wave);
    const uint32_t first_slot = pixel_of_wave * wave.sample_count;
    auto sums = stage.sums_of(pixel);
    for (uint32_t first = 0; first < wave.sample_count; first += kBatchSize) {
      const uint32_t count = std::min(kBatchSize, wave.sample_count - first);
      batch.hit.clear();
      for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = first_slot + first + i;
        const Hit& hit = stage.hits[slot];
        is_plain[i] = false;
        if (hit.primitive >= scene.mesh.triangles.size || wave.first_sample + first + i == 0)
          continue;
        materials[i] = scene.mesh.triangle_materials[hit.primitive];
        is_plain[i] = tables.hits[materials[i]] == BatchedHit::kTriangle;
        if (!is_plain[i]) continue;
        batch.hit.set(i, scene.mesh, hit);
        batch.direction.set(i, stage.columns.direction_id[slot].xyz);
      }
      find_normals(set, count, batch);
      for (uint32_t i = 0; i < count; ++i) {
        if (!is_plain[i]) {
          const uint32_t slot = first_slot + first + i;
          stage.add(stage.columns.id(slot), slot, pixel, sums);
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
