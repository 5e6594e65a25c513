// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "backend/cuda/cuda_fast_bvh.cuh"
#include "backend/renderer.h"
#include "tests/bvh/ploc/support/fast_bvh_bodies.h"

namespace winnow {
namespace {

const BuildFast build_on_gpu = [](const HostScene& scene) { return build_fast_bvh(scene); };

/// Needs a GPU.
class BuildFastBvhOnGpu : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string why = list_cuda_devices().why_none; !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_P(BuildFastBvhOnGpu, HoldsEveryPrimitiveOnce) {
  holds_every_primitive_once(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, HoldsEveryPrimitiveOfFew) {
  holds_every_primitive_of_few(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, HoldsManyCoincidentPrimitives) {
  holds_many_coincident_primitives(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, IsEmptyForAnEmptyScene) {
  is_empty_for_an_empty_scene(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, OmitsPrimitivesThatAreNotFinite) {
  omits_primitives_that_are_not_finite(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, FindsTheHitsOfTheQualityBuild) {
  finds_the_hits_of_the_quality_build(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, ReportsATreeThatIsTooDeep) {
  reports_a_tree_that_is_too_deep(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, CostsAQuarterMoreThanTheQualityBuildAtMost) {
  costs_a_quarter_more_than_the_quality_build_at_most(build_on_gpu);
}

INSTANTIATE_TEST_SUITE_P(Gpu, BuildFastBvhOnGpu, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace winnow
