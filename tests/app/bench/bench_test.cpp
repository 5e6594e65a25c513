// SPDX-License-Identifier: MIT
#include "app/bench/bench.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <set>

#include "base/error.h"
#include "tests/app/support/run_winnow.h"
#include "tests/support/expect_json.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

class Bench : public WinnowTest {
 protected:
  /// Measures small images of scenes on the CPU.
  Outcome bench(const std::vector<std::string>& arguments) const {
    return run(joined({"bench", "--device", "cpu", "--size", "16x12", "--spp", "1"}, arguments));
  }

  void expect_usage_error(const std::vector<std::string>& arguments,
                          const std::string& part) const {
    expect_failure(2, joined({"bench"}, arguments), part);
  }
};

TEST_F(Bench, MeasuresTheDefaultMatrixOnTheCpu) {
  Outcome outcome = bench({kCornellBox, "--repeat", "5", "--json", "b.json", "--csv", "b.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("cornell-box: 16x12, 1 samples per pixel a frame"));
  const Json result = json("b.json");
  EXPECT_EQ(result["cuda"], false);
  EXPECT_THAT(result["device"].get<std::string>(), HasSubstr("CPU"));
  const Json& scene = result["scenes"][0];
  const Json& configurations = scene["configurations"];
  ASSERT_EQ(configurations.size(), 10u);  // (none, append, auto, regenerating, path) x roulette
  std::map<bool, std::set<std::string>> hashes;
  for (const Json& config : configurations) {
    EXPECT_EQ(config["frame_ms"].size(), 5u);
    for (const Json& ms : config["frame_ms"]) EXPECT_GT(ms.get<double>(), 0.0);
    hashes[config["roulette"]].insert(config["film_hash"]);
    const Json& measured = config["measured"];
    EXPECT_EQ(measured["paths"], 16 * 12);
    double stages = 0.0;
    for (const Json& ms : measured["stage_ms"]) stages += ms.get<double>();
    EXPECT_GT(stages, 0.0) << config["name"];
  }
  EXPECT_EQ(hashes[true].size(), 1u);
  EXPECT_EQ(hashes[false].size(), 1u);
  EXPECT_EQ(scene["configurations"][0]["measured"]["bounces"][0]["alive"], 16 * 12);

  std::string csv = read_text(file("b.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 11);
  EXPECT_EQ(file_count(), 2u);
}

TEST_F(Bench, MeasuresTheGivenConfigurations) {
  Outcome outcome =
      bench({kCornellBox, "--cull",       "append,scan", "--loop",   "wave",   "--roulette",
             "off",       "--regenerate", "off",         "--repeat", "1",      "--max-bounces",
             "2",         "--sampler",    "hash",        "--seed",   "7",      "--wave-size",
             "64",        "--threads",    "1",           "--json",   "b.json", "--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
  const Json result = json("b.json");
  expect_json(result, R"({"seed": 7, "sampler": "hash", "wave_size": 64, "threads": 1,
    "scenes": [{"max_bounces": 2, "configurations": [
      {"name": "wave + append"}, {"name": "wave + scan", "roulette": false}]}]})");
  const Json& configurations = result["scenes"][0]["configurations"];
  EXPECT_EQ(configurations.size(), 2u);
  EXPECT_LE(configurations[1]["measured"]["bounces"].size(), 3u);
}

TEST_F(Bench, MeasuresTheOtherScenesIfOneFails) {
  Outcome outcome = bench({"missing.json", kCornellBox, "--cull", "none", "--loop", "wave",
                           "--repeat", "1", "--json", "b.json", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, testing::MatchesRegex("winnow: missing\\.json: [^\n]*\n"));
  const Json result = json("b.json");
  EXPECT_EQ(result["scenes"].size(), 1u);
  EXPECT_EQ(result["failed"][0]["file"], "missing.json");
}

TEST_F(Bench, WritesNothingIfEverySceneFails) {
  expect_failure(1, {"bench", "missing.json", "--device", "cpu", "--json", "b.json"});
  EXPECT_FALSE(fs::exists(file("b.json")));
}

TEST_F(Bench, CtrlCKeepsTheCompleteRounds) {
  WinnowProcess process(
      folder_, {"bench", kCornellBox, "--device", "cpu", "--size", "16x12", "--cull", "none",
                "--loop", "wave", "--repeat", "1000", "--spp", "64", "--json", "b.json"});
  ASSERT_TRUE(process.stderr_shows("round 3 of 1000"));
  process.send(SIGINT);
  Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("winnow: interrupted; the complete rounds were kept"));
  const Json result = json("b.json");
  EXPECT_EQ(result["interrupted"], true);
  EXPECT_EQ(result["scenes"][0]["interrupted"], true);
  size_t rounds = result["scenes"][0]["rounds_completed"];
  EXPECT_GE(rounds, 2u);
  EXPECT_LT(rounds, 1000u);
  EXPECT_EQ(result["scenes"][0]["configurations"][0]["frame_ms"].size(), rounds);
}

TEST_F(Bench, CtrlCBeforeTheFirstRoundWritesNothing) {
  WinnowProcess process(folder_, {"bench", kCornellBox, "--device", "cpu", "--size", "64x64",
                                  "--spp", spp_of_long_render(256), "--json", "b.json"});
  ASSERT_TRUE(process.stderr_shows("warming up"));
  process.send(SIGINT);
  Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("nothing is written"));
  EXPECT_FALSE(fs::exists(file("b.json")));
}

TEST_F(Bench, WritesTheOtherFileIfOneFails) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  fs::create_symlink("/dev/full", file("full.json"));
  Outcome outcome = bench({kCornellBox, "--cull", "none", "--loop", "wave", "--repeat", "1",
                           "--json", "full.json", "--csv", "b.csv", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "winnow: full.json: cannot be written: No space left on device\n");
  EXPECT_TRUE(fs::exists(file("b.csv")));
}

TEST_F(Bench, RefusesMistakesInTheCommand) {
  expect_usage_error({}, "SCENE is required; see winnow bench --help");
  expect_usage_error({"x.json", "--cull", "none,lookback"}, "did you mean look-back?");
  expect_usage_error({"x.json", "--cull", "none,none"}, "\"none\" is given twice");
  expect_usage_error({"x.json", "--cull", ""}, "--cull: \"\" is not none, append,");
  expect_usage_error({"x.json", "--loop", "waves"}, "did you mean wave?");
  expect_usage_error({"x.json", "--roulette", "yes"}, "--roulette: \"yes\" is not off or on");
  expect_usage_error({"x.json", "--regenerate", "1"}, "is not off or on");
  expect_usage_error({"x.json", "--driver", "gpu"}, "is not graph or host");
  expect_usage_error({"x.json", "--repeat", "0"}, "from 1 to 1000");
  expect_usage_error({"x.json", "--spp", "0"}, "from 1 to 2147483647");
  expect_usage_error({"x.json", "--size", "4"}, "WIDTHxHEIGHT");
  expect_usage_error({"x.json", "--device", "gpu"}, "auto, cpu, cuda or cuda:K");
  expect_usage_error({"x.json", "--culls", "none"}, "did you mean --cull?");
  expect_usage_error({"x.json", "--json"}, "--json: its value is missing");
}

TEST_F(Bench, RefusesOptionsThatTheDeviceOrOtherOptionsExclude) {
  expect_usage_error({"x.json", "--device", "cpu", "--cull", "none,cub"},
                     "--cull: cub needs a GPU");
  expect_usage_error({"x.json", "--device", "cpu", "--driver", "host"}, "--driver: needs a GPU");
  expect_usage_error({"x.json", "--device", "cpu", "--tracer", "bvh,rt"}, "rt needs a GPU");
  expect_usage_error({"x.json", "--device", "cpu", "--loop", "path", "--regenerate", "on"},
                     "--regenerate: on needs --loop wave");
  BenchOptions options;
  options.matrix.culls = {Cull::kCub};
  EXPECT_EQ(matrix_for(options, true).culls, options.matrix.culls);
  EXPECT_THROW(matrix_for(options, false), UsageError);
}

TEST_F(Bench, OutputsAreCheckedBeforeTheSceneIsRead) {
  expect_failure(1, {"bench", "missing.json", "--json", "none/a.json"},
                 "the folder none does not exist");
  expect_usage_error({"x.json", "--json", "a", "--csv", "./a"}, "twice");
  expect_usage_error({"x.json", "--json", "x.json"}, "is an input");
}

class BenchReportScript : public Bench {
 protected:
  const std::string script_ = std::string(WINNOW_SCENES_DIR) + "/../scripts/bench-report";

  int shell(const std::string& command) const {
    return std::system(("cd '" + folder_.string() + "' && " + command).c_str());
  }
  /// Whether load_matplotlib() of scripts/support/plotting.py would find it.
  bool has_matplotlib() const {
    return shell("python3 -c 'import matplotlib' 2>/dev/null") == 0 ||
           shell("/usr/bin/python3 -c 'import matplotlib' 2>/dev/null") == 0;
  }
};

TEST_F(BenchReportScript, DrawsOneSelfContainedPage) {
  if (!has_matplotlib()) GTEST_SKIP() << "python3 has no matplotlib";
  ASSERT_EQ(bench({kCornellBox, "--repeat", "5", "--json", "b.json", "--quiet"}).exit_code, 0);
  ASSERT_EQ(shell(script_ + " b.json -o b.html > stdout.txt 2> stderr.txt"), 0)
      << read_text(file("stderr.txt"));
  std::string page = read_text(file("b.html"));
  for (const char* part :
       {"<svg", "cornell-box", "wave + append", "Glossary", "Active paths", "roulette"})
    EXPECT_THAT(page, HasSubstr(part));
  for (const char* outside : {"src=\"http", "href=\"http", "url(http", "@import", "<script"})
    EXPECT_THAT(page, testing::Not(HasSubstr(outside)));
}

TEST_F(BenchReportScript, RefusesOtherFilesInOneLine) {
  put("broken.json", "{\"what\": [1,");
  put("other.json", "{\"what\": \"something else\"}");
  put("empty.json", "{\"what\": \"winnow bench\", \"scenes\": []}");
  put("nan.json", "{\"what\": NaN}");
  put("infinite.json", "{\"what\": -Infinity}");
  put("1e999.json", "{\"what\": 1e999}");
  put("digits.json", "{\"what\": 1" + std::string(400, '0') + "}");
  put("deep.json", std::string(100'000, '['));
  for (const char* input : {"broken.json", "other.json", "empty.json", "missing.json", "nan.json",
                            "infinite.json", "1e999.json", "digits.json", "deep.json"}) {
    EXPECT_NE(shell(script_ + " " + input + " -o x.html > stdout.txt 2> stderr.txt"), 0);
    std::string error = read_text(file("stderr.txt"));
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
    EXPECT_THAT(error, HasSubstr(input));
    EXPECT_FALSE(fs::exists(file("x.html")));
  }
}

}  // namespace
}  // namespace winnow
