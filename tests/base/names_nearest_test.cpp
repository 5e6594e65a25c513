// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/names.h"

namespace winnow {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("radius", "raduis"), 2u);
}

TEST(NearestName, FindsTheNameThatWasMeant) {
  std::vector<std::string> names = {"position", "look_at", "up"};
  EXPECT_EQ(nearest_name("lookat", names), "look_at");
  EXPECT_EQ(nearest_name("postion", names), "position");
  EXPECT_EQ(nearest_name("xyzzy", names), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'x'), names), std::nullopt);
}

TEST(SuggestName, ListsTheNamesWhereNoneIsNear) {
  EXPECT_EQ(suggest_name("hight", {"width", "height"}), "did you mean \"height\"?");
  EXPECT_EQ(suggest_name("depth_of_field", {"spp", "up"}), "known are spp, up");
  EXPECT_EQ(suggest_name("a", {}), "none are known here");
}

}  // namespace
}  // namespace winnow
