// SPDX-License-Identifier: MIT
#pragma once

#include "backend/cpu/primitive_list.h"
#include "bvh/embree_accel.h"

namespace winnow {

/// The Accel of renders on a CPU.
struct CpuAccel {
  EmbreeAccel embree{};
  const PrimitiveList* list = nullptr;  ///< if not null, traces the rays instead of Embree
  InstructionSet instructions = InstructionSet::kBase;

  Hit intersect(const Ray& ray) const {
    return list ? list->intersect(instructions, ray) : embree.intersect(ray);
  }
  bool occluded(const Ray& ray) const {
    return list ? list->occluded(instructions, ray) : embree.occluded(ray);
  }
};

}  // namespace winnow
