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
TEST_P(BuildFastBvhOnGpu, HoldsManyPrimitivesInOnePlace) {
  holds_many_primitives_in_one_place(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, HasNothingInAnEmptyScene) {
  has_nothing_in_an_empty_scene(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, LeavesOutWhatIsNotFinite) {
  leaves_out_what_is_not_finite(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, FindsTheHitsOfTheQualityBuild) {
  finds_the_hits_of_the_quality_build(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, SaysWhenTheTreeIsTooDeep) {
  says_when_the_tree_is_too_deep(build_on_gpu);
}
TEST_P(BuildFastBvhOnGpu, CostsAQuarterMoreThanTheQualityBuildAtMost) {
  costs_a_quarter_more_than_the_quality_build_at_most(build_on_gpu);
}

INSTANTIATE_TEST_SUITE_P(Gpu, BuildFastBvhOnGpu, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace winnow
