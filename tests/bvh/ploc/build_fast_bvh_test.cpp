// SPDX-License-Identifier: MIT
#include "bvh/ploc/build_fast_bvh.h"

#include <gtest/gtest.h>

#include "tests/bvh/ploc/support/fast_bvh_bodies.h"
#include "tests/bvh/ploc/support/host_bvh_backend.h"

namespace winnow {
namespace {

using simt::host::Order;
using simt::host::Schedule;

BuildFast build_on_host(const Schedule& schedule) {
  return [schedule](const HostScene& scene) -> std::optional<WideBvhArrays> {
    HostBvhBackend backend(schedule);
    const FastBvh bvh = FastBvhBuilder(backend, geometry_of(scene)).build();
    if (bvh.too_deep) return std::nullopt;
    return WideBvhArrays{{bvh.nodes.data, bvh.nodes.data + bvh.node_count},
                         {bvh.primitives.data, bvh.primitives.data + bvh.primitive_count}};
  };
}

class BuildFastBvh : public testing::TestWithParam<NamedSchedule> {
 protected:
  const BuildFast build_ = build_on_host(GetParam().schedule);
};

TEST_P(BuildFastBvh, HoldsEveryPrimitiveOnce) {
  holds_every_primitive_once(build_);
}
TEST_P(BuildFastBvh, HoldsEveryPrimitiveOfFew) {
  holds_every_primitive_of_few(build_);
}
TEST_P(BuildFastBvh, HoldsManyCoincidentPrimitives) {
  holds_many_coincident_primitives(build_);
}
TEST_P(BuildFastBvh, IsEmptyForAnEmptyScene) {
  is_empty_for_an_empty_scene(build_);
}
TEST_P(BuildFastBvh, OmitsPrimitivesThatAreNotFinite) {
  omits_primitives_that_are_not_finite(build_);
}
TEST_P(BuildFastBvh, FindsTheHitsOfTheQualityBuild) {
  finds_the_hits_of_the_quality_build(build_);
}
TEST_P(BuildFastBvh, ReportsATreeThatIsTooDeep) {
  reports_a_tree_that_is_too_deep(build_);
}
TEST_P(BuildFastBvh, CostsAQuarterMoreThanTheQualityBuildAtMost) {
  costs_a_quarter_more_than_the_quality_build_at_most(build_);
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, BuildFastBvh,
    testing::Values(NamedSchedule{"Forward", {}},
                    NamedSchedule{"Reverse", {.order = Order::kReverse, .resident_blocks = 3}},
                    NamedSchedule{"Shuffled",
                                  {.order = Order::kShuffled, .seed = 5, .resident_blocks = 4}}),
    name_of_schedule);

}  // namespace
}  // namespace winnow
