// SPDX-License-Identifier: MIT
#include "compaction/advise/command.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/compaction/advise/support/recordings.h"
#include "tests/support/folder_test.h"

namespace command_test {

using namespace compaction::advise;
using compaction::StepCost;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Advise : public winnow::FolderTest {
 protected:
  void SetUp() override {
    std::vector<RecordedStep> steps = random_steps(2000, 12, 0.2, 2);
    for (RecordedStep& step : steps) {
      for (uint8_t item_class : step.classes)
        if (item_class != compaction::StepItems::kInactive) step.nanoseconds += 10;
      step.nanoseconds += 3000;
    }
    write_steps(file_, {.state_bytes = 48, .culled_every = 0, .cost = StepCost::kNone}, steps);
  }

  static std::string error_of(const std::vector<std::string>& arguments) {
    try {
      run(arguments, {});
      return "";
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
      return error.what();
    }
  }
  static std::string text_of(const std::string& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  const std::string file_ = (folder_ / "a <b>.steps").string(),
                    json_ = (folder_ / "a.json").string(), page_ = (folder_ / "a.html").string();
};

TEST_F(Advise, PrintsAllStrategiesAndTheBest) {
  const std::string text = run({file_, "--every", "3"}, {});
  for (const char* strategy :
       {"none", "every step", "every 3 steps", "every step, moving", "by class", "regeneration"})
    EXPECT_THAT(text, HasSubstr(std::string("\n  ") + strategy + " "));
  EXPECT_THAT(text, HasSubstr("no GPU was used"));
  EXPECT_THAT(text, HasSubstr("\nBest: "));
}

TEST_F(Advise, WritesAllNumbersAsJsonAndAPage) {
  run({file_, "--json", json_, "-o", page_, "--slots", "100"}, {});
  const nlohmann::json json = nlohmann::json::parse(text_of(json_));
  EXPECT_EQ(json["items"], 2000);
  EXPECT_EQ(json["strategies"][0]["strategy"], "none");
  EXPECT_EQ(json["strategies"][0]["steps"].size(), 12u);
  EXPECT_GT(json["strategies"][0]["frame_ns"], 30000.0);
  EXPECT_GT(json["strategies"].back()["steps"].size(), 12u);
  const std::string page = text_of(page_);
  EXPECT_THAT(page, HasSubstr("a &lt;b&gt;.steps"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST_F(Advise, KeepsStatesInSlotsIfAsked) {
  const auto json_of = [&](std::vector<std::string> options) {
    options.insert(options.begin(),
                   {file_, "--json", json_, "--slots", "100", "--state-bytes", "2000"});
    run(options, {});
    return nlohmann::json::parse(text_of(json_));
  };
  const nlohmann::json own = json_of({}), in_slots = json_of({"--slot-state"});
  EXPECT_FALSE(own["slot_state"]);
  EXPECT_TRUE(in_slots["slot_state"]);
  EXPECT_LT(in_slots["strategies"].back()["frame_ns"], own["strategies"].back()["frame_ns"]);
  EXPECT_THAT(run({file_, "--slot-state"}, {}), HasSubstr("is in its slot"));
}

TEST_F(Advise, UsesTheConstantsOfAFile) {
  const std::string device = (folder_ / "gpu").string();
  DeviceModel slow = built_in_device();
  slow.name = "slow one", slow.select_ns.few.ns.fill(1e9);
  std::ofstream(device) << device_model_text(slow);
  EXPECT_THAT(run({file_, "--device-model", device}, {}), HasSubstr("Best: no culling"));
}

TEST_F(Advise, MeasuresPassesOnAGpu) {
  static int calls;
  calls = 0;
  const Gpu gpu{.exists = [] { return true; },
                .measure = built_in_device,
                .time_passes =
                    [](const Recording& recording, const Strategy&) {
                      ++calls;
                      return std::vector<double>(recording.steps.size(), 1e9);
                    }};
  EXPECT_THAT(run({file_}, gpu), HasSubstr("measured on these items"));
  EXPECT_GT(calls, 3);
  calls = 0;
  EXPECT_THAT(run({file_, "--no-gpu"}, gpu), HasSubstr("no GPU was used"));
  EXPECT_EQ(calls, 0);
  EXPECT_THAT(run({"--measure-device"}, gpu), HasSubstr("bytes_per_ns 4"));
}

TEST_F(Advise, PrintsTheNumbersInPlaceOfTheReport) {
  const std::string json = run({file_, "--json", "-"}, {});
  EXPECT_THAT(json, StartsWith("{"));
  EXPECT_THAT(json, EndsWith("}\n"));
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(Advise, RefusesWrongOptionsInOneLine) {
  EXPECT_THAT(error_of({}), HasSubstr("no file is given"));
  EXPECT_THAT(error_of({"none.steps"}), HasSubstr("'none.steps' cannot be read"));
  EXPECT_THAT(error_of({file_, file_}), HasSubstr("is a second file"));
  EXPECT_THAT(error_of({file_, "--every", "2,x"}), HasSubstr("--every x is not a whole number"));
  EXPECT_THAT(error_of({file_, "--every", "0"}), HasSubstr("from 1 to"));
  EXPECT_THAT(error_of({file_, "--slots"}), EndsWith("--slots needs a value"));
  EXPECT_THAT(error_of({file_, "--wrong"}), HasSubstr("unknown option --wrong"));
  EXPECT_THAT(error_of({file_, "--device-model", file_}), HasSubstr("unknown name"));
  EXPECT_THAT(error_of({file_, "--json", (folder_ / "none" / "a").string()}),
              HasSubstr("cannot write"));
  EXPECT_THAT(error_of({file_, "-o", "-"}), HasSubstr("-o - is not a file"));
  EXPECT_THAT(error_of({"--measure-device"}), HasSubstr("there is no GPU"));
  EXPECT_THAT(error_of({folder_.string()}), HasSubstr("cannot be read"));
}

}  // namespace command_test
