// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "app/bench_rays/ray_sets.h"

namespace winnow {
namespace {

/// A triangle at z = -2, a sphere of radius 1 around (10, 0, -5), and rays down the z axis: at the
/// triangle, at the sphere, and past both.
class RayCheckTest : public testing::Test {
 protected:
  RayCheckTest() {
    scene_.positions = {{-1.0f, -1.0f, -2.0f}, {1.0f, -1.0f, -2.0f}, {0.0f, 1.0f, -2.0f}};
    scene_.triangles = {{0, 1, 2}};
    scene_.spheres = {{.center = {10.0f, 0.0f, -5.0f}, .radius = 1.0f}};
    for (float x : {0.0f, 10.0f, 20.0f})
      for (RaySet* rays : {&closest_, &shadow_})
        rays->add({.origin = {x, 0.0f, 0.0f}, .direction = {0.0f, 0.0f, -1.0f}});
    shadow_.kind = RayKind::kShadow1;
    right_.hits = {{.t = 2.0f, .primitive = 0}, {.t = 4.0f, .primitive = 1}, {}};
    right_.occluded = {1, 1, 0};
  }

  RayCheck check(const RaySet& rays, const RayResults& results, const RayResults& reference) {
    return check_rays(scene_, rays, results, reference);
  }

  HostScene scene_;
  RaySet closest_, shadow_;
  RayResults right_;
};

TEST_F(RayCheckTest, AgreementIsNotCounted) {
  RayResults close = right_;
  close.hits[0].t *= 1.0f + 0.5f * kDistanceTolerance;
  close.hits[1].primitive = 7;  // a coincident surface
  for (const RaySet* rays : {&closest_, &shadow_}) {
    const RayCheck result = check(*rays, close, right_);
    EXPECT_EQ(result.differ, 0u);
    EXPECT_EQ(result.wrong, 0u);
  }
}

TEST_F(RayCheckTest, FindsWrongDistancesMissesAndHits) {
  for (size_t i : {0, 1, 2}) {
    RayResults off = right_, flipped = right_;
    off.hits[i].t = i == 2 ? 1.0f : off.hits[i].t * (1.0f + 2.0f * kDistanceTolerance);
    flipped.hits[i] = i == 2 ? Hit{.t = 3.0f, .primitive = 0} : Hit{};
    flipped.occluded[i] = 1 - flipped.occluded[i];
    for (const RayCheck& result : {check(closest_, off, right_), check(closest_, flipped, right_),
                                   check(shadow_, flipped, right_)}) {
      EXPECT_EQ(result.differ, 1u) << i;
      EXPECT_EQ(result.wrong, 1u) << i;
    }
  }
}

TEST_F(RayCheckTest, FindsSpheresAtTheWrongDistanceWhereTheReferenceAgrees) {
  RayResults off = right_;
  off.hits[0].t = 1.9f;  // on a triangle, for which the reference is trusted
  off.hits[1].t = 4.1f;
  const RayCheck result = check(closest_, off, off);
  EXPECT_EQ(result.differ, 0u);
  EXPECT_EQ(result.wrong, 1u);
  EXPECT_EQ(result.reference_wrong, 1u);
}

TEST_F(RayCheckTest, IsNotWrongWhereTheReferenceIs) {
  RayResults reference = right_;
  reference.hits[0] = {};
  reference.hits[1].t = 4.5f;
  reference.occluded[0] = 0;
  EXPECT_EQ(check(closest_, right_, reference).differ, 2u);
  EXPECT_EQ(check(closest_, right_, reference).wrong, 0u);
  EXPECT_EQ(check(closest_, right_, reference).reference_wrong, 2u);
  EXPECT_EQ(check(shadow_, right_, reference).differ, 1u);
  EXPECT_EQ(check(shadow_, right_, reference).wrong, 0u);
  EXPECT_EQ(check(shadow_, right_, reference).reference_wrong, 1u);
}

TEST_F(RayCheckTest, BothAHitAndAMissOfAnEdgeAreRight) {
  RaySet closest, shadow;
  shadow.kind = RayKind::kShadow1;
  for (RaySet* rays : {&closest, &shadow})  // at the upper vertex, and just below it
    for (float y : {1.0f, 1.0f - 0x1p-20f})
      rays->add({.origin = {0.0f, y, 0.0f}, .direction = {0.0f, 0.0f, -1.0f}});
  const RayResults hits{.hits = {{.t = 2.0f, .primitive = 0}, {.t = 2.0f, .primitive = 0}},
                        .occluded = {1, 1}};
  const RayResults misses{.hits = {{}, {}}, .occluded = {0, 0}};
  for (const RaySet* rays : {&closest, &shadow}) {
    const RayCheck hit = check(*rays, hits, misses), missed = check(*rays, misses, hits);
    EXPECT_EQ(hit.wrong, 0u);
    EXPECT_EQ(hit.reference_wrong, 1u);
    EXPECT_EQ(missed.wrong, 1u);
    EXPECT_EQ(missed.reference_wrong, 0u);
    EXPECT_EQ(hit.on_edge, 1u);
  }
}

TEST_F(RayCheckTest, GeometryBeyondTheEndOfARayDoesNotOccludeIt) {
  RaySet ends;
  ends.kind = RayKind::kShadow2;
  ends.add({.origin = glm::vec3(0.0f), .direction = {0.0f, 0.0f, -1.0f}, .t_max = 1.5f});
  RayResults hidden{.hits = {}, .occluded = {1}}, open{.hits = {}, .occluded = {0}};
  EXPECT_EQ(check(ends, hidden, open).wrong, 1u);
  EXPECT_EQ(check(ends, open, hidden).wrong, 0u);
}

TEST_F(RayCheckTest, ManyDifferencesAreAllWrong) {
  RaySet many;
  RayResults results, reference;
  for (int i = 0; i < 1000; ++i) {
    many.add({.origin = {20.0f, 0.0f, 0.0f}, .direction = {0.0f, 0.0f, -1.0f}});
    results.hits.push_back({.t = 1.0f, .primitive = 0});
    reference.hits.emplace_back();
  }
  EXPECT_EQ(check(many, results, reference).differ, 1000u);
  EXPECT_EQ(check(many, results, reference).wrong, 1000u);
}

}  // namespace
}  // namespace winnow
