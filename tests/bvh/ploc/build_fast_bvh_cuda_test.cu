// SPDX-License-Identifier: MIT
#include "backend/cuda/cuda_fast_bvh.h"
#include "tests/bvh/ploc/support/build_fast_bvh.h"

namespace winnow {
namespace {

const FastBuild kOnGpu{"cuda", true, [](const HostScene& scene) { return build_fast_bvh(scene); }};
INSTANTIATE_TEST_SUITE_P(Gpu, BuildFastBvh, testing::Values(kOnGpu), BuildFastBvh::name);

}  // namespace
}  // namespace winnow
