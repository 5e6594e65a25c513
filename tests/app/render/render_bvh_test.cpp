// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

using Json = nlohmann::json;

class RenderBvh : public WinnowTest {
 protected:
  Outcome render(std::vector<std::string> arguments) const {
    std::vector<std::string> all = {"render", kCornellBox, "--device", "cpu",
                                    "--size", "16x12",     "--spp",    "1",
                                    "-o",     "a.png",     "--stats",  "s.json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run(all);
  }
  Json stats() const { return Json::parse(read_text(file("s.json"))); }
};

TEST_F(RenderBvh, TellsHowTheTreeWasBuilt) {
  for (const char* build : {"fast", "quality"}) {
    EXPECT_EQ(render({"--bvh", build}).exit_code, 0);
    EXPECT_EQ(stats()["bvh"]["build"], build);
    EXPECT_EQ(stats()["bvh"]["cached"], false);
    EXPECT_GT(stats()["bvh"]["seconds"], 0.0);
  }
  EXPECT_EQ(render({}).exit_code, 0);
  EXPECT_EQ(stats()["bvh"]["build"], "quality");
}

TEST_F(RenderBvh, DoesNotChangeTheImage) {
  render({"--bvh", "fast"});
  const Json fast = stats()["film_hash"];
  render({"--bvh", "quality"});
  EXPECT_EQ(stats()["film_hash"], fast);
}

TEST_F(RenderBvh, RefusesABuildThatItDoesNotKnow) {
  const Outcome outcome = render({"--bvh", "fats"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, testing::HasSubstr("did you mean fast?"));
}

TEST_F(RenderBvh, SaysInOneLineThatAFolderCannotHoldTrees) {
  EXPECT_EQ(render({"--bvh-cache", "new/trees"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_directory(file("new/trees")));
  const Outcome refused = render({"--bvh-cache", "s.json"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, testing::HasSubstr("--bvh-cache s.json: "));
  EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1);
}

}  // namespace
}  // namespace winnow
