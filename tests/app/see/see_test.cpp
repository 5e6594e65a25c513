// SPDX-License-Identifier: MIT
// winnow see, called as a program. What it records is tested in
// tests/backend/wave_recorder_test.cpp.

#include "app/see/see.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <map>
#include <set>

#include "compaction/tools/html.h"
#include "load/load_scene.h"
#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string kOpenScene = std::string(WINNOW_SCENES_DIR) + "/open.json";
const std::string kClosedScene = std::string(WINNOW_SCENES_DIR) + "/closed.json";

class SeePaths : public WinnowTest {
 protected:
  /// Writes page.html of a small image.
  std::string page(const std::string& scene, const std::vector<std::string>& more = {}) const {
    succeed(joined({"see", scene, "-o", "page.html", "--size", "96x64", "--spp", "1",
                    "--max-bounces", "6", "--threads", "2", "--quiet"},
                   more));
    return read_text(file("page.html"));
  }
  static Json data_in(const std::string& page) {
    const std::string open = "<script type=\"application/json\" id=\"data\">";
    const size_t first = page.find(open) + open.size();
    return Json::parse(page.substr(first, page.find("</script>", first) - first));
  }
  void refuse(int exit_code, const std::vector<std::string>& arguments,
              const std::string& part) const {
    expect_failure(exit_code,
                   joined({"see", kOpenScene, "--size", "96x64", "--spp", "1"}, arguments), part);
  }
};

TEST_F(SeePaths, WritesTheQueuesOfEveryModeThatACpuHas) {
  const Json data = data_in(page(kOpenScene));
  std::vector<std::string> names;
  for (const Json& mode : data["modes"]) names.push_back(mode["name"]);
  EXPECT_THAT(names, testing::ElementsAre("none", "none, grouped", "append", "append, grouped",
                                          "scan", "ballot", "look-back", "look-ahead", "move"));
  ASSERT_EQ(data["paths"].size(), 512u);
  std::map<int, int> terminations;
  for (const Json& path : data["paths"]) {
    ++terminations[path["termination"].get<int>()];
    EXPECT_EQ(path["vertices"].size(), path["bounce"].get<size_t>() + 1);
  }
  EXPECT_GT(terminations[int(Termination::kEscaped)], 256);
  EXPECT_EQ(data["picture"].get<std::string>().rfind("data:image/png;base64,iVBOR", 0), 0u);
}

/// Compares the entries of the queue at each bounce with the ends of the paths.
TEST_F(SeePaths, CulledModesKeepExactlyThePathsThatGoOn) {
  const Json data = data_in(page(kClosedScene, {"--paths", "200"}));
  for (const Json& mode : data["modes"])
    for (size_t b = 0; b < mode["steps"].size(); ++b) {
      std::set<uint32_t> expected, queued;
      for (uint32_t path = 0; path < 200; ++path)
        if (data["paths"][path]["bounce"].get<size_t>() >= b) expected.insert(path);
      for (uint32_t path : data["queues"][mode["steps"][b][0].get<size_t>()]) queued.insert(path);
      if (mode["cull"] == "none")
        EXPECT_TRUE(std::includes(queued.begin(), queued.end(), expected.begin(), expected.end()));
      else
        EXPECT_EQ(queued, expected) << mode["name"] << " " << b;
    }
}

TEST_F(SeePaths, PathsAreThoseOfARender) {
  succeed(
      {"render", kOpenScene,      "-o",      "a.pfm",      "--size",   "32x16",       "--spp",
       "1",      "--max-bounces", "6",       "--threads",  "1",        "--wave-size", "512",
       "--cull", "none",          "--stats", "stats.json", "--device", "cpu",         "--quiet"});
  const Json data = data_in(page(kOpenScene, {"--size", "32x16", "--cull", "none"}));
  const Json bounces = json("stats.json")["bounces"];
  std::vector<std::map<std::string, int>> terminations(bounces.size());
  for (const Json& path : data["paths"])
    ++terminations[path["bounce"].get<size_t>()][data["causes"][path["termination"].get<size_t>()]];
  for (size_t b = 0; b < bounces.size(); ++b)
    for (const auto& [cause, count] : bounces[b]["deaths"].items())
      EXPECT_EQ(terminations[b][cause], count) << b << " " << cause;
}

TEST_F(SeePaths, ShowsWhichPathsScatterInACloud) {
  put("cloud.json", R"({
    "materials": {"edge": {"type": "null", "interior": "cloud"}},
    "media": {"cloud": {"scattering": 5, "density": {"size": [2, 2, 2], "values": [1, 2, 1, 2, 1, 2, 1, 2]}}},
    "shapes": [{"type": "box", "material": "edge", "min": [-1, -1, -1], "max": [2, 2, 2]}],
    "sky": {"radiance": 1}})");
  const Json data = data_in(page("cloud.json", {"--max-bounces", "20"}));
  std::map<std::string, int> ends;
  for (const Json& path : data["paths"])
    for (const Json& vertex : path["vertices"])
      ++ends[data["surfaces"][vertex[5].get<size_t>()].get<std::string>()];
  EXPECT_GT(ends["medium"], 50);
  EXPECT_GT(ends["sky"], 400);
  EXPECT_EQ(ends.size(), 2u);  // a null boundary is no vertex
}

TEST_F(SeePaths, ShowsWhatBenchMeasuredOfTheScene) {
  succeed({"bench", kOpenScene, "--device", "cpu", "--size", "32x16", "--spp", "1", "--repeat", "1",
           "--max-bounces", "4", "--roulette", "on", "--cull", "none,append", "--json",
           "bench.json", "--quiet"});
  const Json measured = data_in(page(kOpenScene, {"--bench", "bench.json"}))["measured"];
  EXPECT_EQ(measured["size"], "32x16");
  EXPECT_EQ(measured["maxBounces"], 4);
  std::map<std::string, double> speeds;
  for (const Json& mode : measured["modes"])
    if (mode["speed"].is_number()) speeds[mode["name"]] = mode["speed"];
  EXPECT_TRUE(speeds.contains("append"));
  refuse(1, {"--bench", "bench.json", "--roulette", "off"},
         "bench.json: nothing was measured with --roulette off");
  expect_failure(1, {"see", kClosedScene, "--bench", "bench.json"},
                 "bench.json: has no measurement of \"closed\", but of: open");
}

TEST_F(SeePaths, RefusesBadInputInOneLine) {
  put("list.json", "[1, 2]");
  put("bench.json", R"({"what": "winnow bench", "scenes": [{"name": "open"}]})");
  refuse(2, {"--paths", "31"}, "--paths");
  refuse(2, {"--paths", "4096"}, "--paths");
  refuse(2, {"--pixel", "7"}, "--pixel: expected X,Y, found \"7\"");
  refuse(2, {"--pixel", "96,0"}, "--pixel: 96,0 is not in the image of 96x64 pixels");
  refuse(2, {"--size", "8x8"}, "--paths: the image has 64 pixels, fewer than 512");
  refuse(2, {"--cull", "cub"}, "--cull: cub needs a GPU");
  refuse(2, {"--cull", "shrink"}, "--cull");
  refuse(2, {"--cull", "move", "--group", "no"}, "--group");
  refuse(2, {"-o", kOpenScene}, "open.json");
  refuse(1, {"-o", "none/page.html"}, "none");
  refuse(1, {"--bench", "missing.json"}, "missing.json");
  refuse(1, {"--bench", "list.json"}, "list.json: is not a JSON file of winnow bench");
  refuse(1, {"--bench", "bench.json"}, "bench.json: is not what winnow bench writes");
  expect_failure(1, {"see", "missing.json"}, "missing.json");
}

TEST_F(SeePaths, APageNeedsNothingElseAndHasAtMostThreeMegabytes) {
  put("strange.json", R"({"description": "</script><b>{{title}}",
    "materials": {"</b>": {"type": "diffuse", "reflectance": 0.5}},
    "shapes": [{"type": "sphere", "material": "</b>", "center": [0, 0, 0], "radius": 1}]})");
  const std::string strange = page("strange.json");
  EXPECT_EQ(data_in(strange)["description"], "</script><b>{{title}}");
  const std::string text = page(kClosedScene, {"--size", "640x360", "--max-bounces", "8"});
  EXPECT_GT(text.size(), 100'000u);
  EXPECT_LE(text.size(), 3'000'000u);
  for (const char* reference :
       {" src=", "<link rel=\"style", "@import", "fetch(", "XMLHttpRequest", "import(", "https://"})
    EXPECT_THAT(text, Not(HasSubstr(reference)));
  expect_failure(
      1,
      {"see", kClosedScene, "--size", "96x64", "--spp", "1", "--paths", "2048", "--cull", "none",
       "--group", "none", "--roulette", "off", "--max-bounces", "400", "--quiet"},
      "fewer --paths");
}

/// Runs a command of the shell and returns what it prints.
std::string printed_by(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (size_t size = pipe ? std::fread(buffer, 1, sizeof(buffer), pipe) : 0)
    text.append(buffer, size);
  if (pipe) pclose(pipe);
  return text;
}

TEST_F(SeePaths, APageScrubsToTheEndOfEveryModeInARealBrowser) {
  if (printed_by("command -v chromium").empty()) GTEST_SKIP() << "chromium is not installed";
  const Json data = data_in(page(kOpenScene));
  const std::string document = printed_by(
      "chromium --headless=new --no-sandbox --disable-gpu --dump-dom --virtual-time-budget=5000 "
      "--user-data-dir='" +
      file("profile").string() + "' 'file://" + file("page.html").string() + "#end' 2>/dev/null");
  const std::string open = "<pre id=\"end\" hidden=\"\">";
  ASSERT_THAT(document, HasSubstr(open));
  const size_t first = document.find(open) + open.size();
  const Json end = Json::parse(document.substr(first, document.find("</pre>", first) - first));

  int terminated = 0, last_bounce = 0;
  for (const auto& [cause, count] : end["terminations"].items()) terminated += count.get<int>();
  for (const Json& path : data["paths"]) last_bounce = std::max(last_bounce, int(path["bounce"]));
  EXPECT_EQ(terminated, 512);
  ASSERT_EQ(end["modes"].size(), data["modes"].size());
  for (const Json& mode : end["modes"]) {
    EXPECT_EQ(mode["active"], end["modes"][0]["active"]) << mode["name"];
    EXPECT_EQ(mode["active"][0], 512);
    EXPECT_EQ(mode["clock"],
              "bounce " + std::to_string(last_bounce) + " of " + std::to_string(last_bounce));
    EXPECT_EQ(mode["after"], "after culling: no warp runs");
  }
  EXPECT_LT(end["modes"][2]["warps"], end["modes"][0]["warps"]);  // append, none
}

TEST(PageData, Base64HasThePaddingOfTheStandard) {
  EXPECT_EQ(compaction::base64(""), "");
  EXPECT_EQ(compaction::base64("f"), "Zg==");
  EXPECT_EQ(compaction::base64("fo"), "Zm8=");
  EXPECT_EQ(compaction::base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(compaction::base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace winnow
