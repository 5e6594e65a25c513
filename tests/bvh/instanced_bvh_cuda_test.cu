// SPDX-License-Identifier: MIT
#include "bvh/build/build_instanced_bvh.h"
#include "tests/bvh/support/hits_on_gpu.cuh"
#include "tests/bvh/support/instanced_scenes.h"

namespace winnow {
namespace {

class InstancedBvhOnGpu : public HitsOnGpu {};

TEST_P(InstancedBvhOnGpu, FindsWhatTheHostFinds) {
  RandomScene random(56);
  for (uint32_t count : {1u, 40u, 2000u}) {
    SCOPED_TRACE(testing::Message() << count << " instances");
    const HostScene scene = instanced_scene(random, count);
    const InstancedBvhArrays arrays =
        build_instanced_bvh(scene, build_instance_table(scene),
                            [](const HostScene& mesh) { return build_wide_bvh(mesh); });
    CudaMemory memory;
    const InstancedBvh on_gpu{.trees = {.nodes = memory.upload(arrays.nodes),
                                        .primitives = memory.upload(arrays.primitives)},
                              .instances = memory.upload(arrays.instances)};
    expect_the_hosts_hits(on_gpu, arrays.view(), flattened(scene));
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, InstancedBvhOnGpu, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace winnow
