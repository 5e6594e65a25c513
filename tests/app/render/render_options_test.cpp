// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <map>

#include "app/render/render.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using Variables = std::map<std::string, std::string>;

Share share_with(const std::string& text, const Variables& variables = {}) {
  return parse_share("--share", text, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string refusal(const std::string& text, const Variables& variables = {}) {
  return message_of<UsageError>([&] { share_with(text, variables); });
}

TEST(ShareOption, CountsFromZero) {
  EXPECT_EQ(share_with("0/1"), (Share{0, 1}));
  EXPECT_EQ(share_with("15/16"), (Share{15, 16}));
  for (const char* text : {"16/16", "1/0", "0/99999999"})
    EXPECT_THAT(refusal(text), testing::HasSubstr("--share")) << text;
  for (const char* text : {"", "3", "a/b", "-1/4", "1/4/2", "1.5/4", "/4", "1/"})
    EXPECT_NE(refusal(text), "") << text;
}

TEST(ShareOption, AutoIsWhatTheSchedulerSays) {
  const Variables slurm = {{"SLURM_ARRAY_TASK_ID", "13"},
                           {"SLURM_ARRAY_TASK_COUNT", "4"},
                           {"SLURM_ARRAY_TASK_MIN", "10"},
                           {"SLURM_ARRAY_TASK_MAX", "16"},
                           {"SLURM_ARRAY_TASK_STEP", "2"}};
  Variables other = slurm;
  other["SLURM_ARRAY_TASK_ID"] = "14";
  EXPECT_EQ(share_with("auto", other), (Share{2, 4}));
  EXPECT_EQ(share_with("auto", {{"SLURM_ARRAY_TASK_ID", "3"}, {"SLURM_ARRAY_TASK_COUNT", "16"}}),
            (Share{3, 16}));
  EXPECT_EQ(share_with("auto", {{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "8"}}),
            (Share{1, 8}));
  EXPECT_EQ(share_with("auto", {{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}), (Share{0, 2}));
  EXPECT_EQ(share_with("auto", {{"JOB_COMPLETION_INDEX", "5"}, {"JOB_COMPLETIONS", "6"}}),
            (Share{5, 6}));
}

TEST(ShareOption, AutoIsRefusedWhereNothingOrTooLittleIsSaid) {
  EXPECT_THAT(refusal("auto"), testing::HasSubstr("no scheduler says"));
  EXPECT_THAT(refusal("auto", {{"JOB_COMPLETION_INDEX", "5"}}),
              testing::HasSubstr("JOB_COMPLETIONS is not"));
  // Tasks 3 and 7 of an array are run again; nothing says how many tasks it had.
  EXPECT_THAT(refusal("auto", {{"SLURM_ARRAY_TASK_ID", "7"},
                               {"SLURM_ARRAY_TASK_COUNT", "2"},
                               {"SLURM_ARRAY_TASK_MIN", "3"},
                               {"SLURM_ARRAY_TASK_MAX", "7"}}),
              testing::HasSubstr("gaps"));
  EXPECT_NE(refusal("auto", {{"PMI_RANK", "one"}, {"PMI_SIZE", "2"}}), "");
  EXPECT_NE(refusal("auto", {{"PMI_RANK", "2"}, {"PMI_SIZE", "2"}}), "");
}

TEST(Shutters, AreTwoMomentsInOrder) {
  const Shutter shutter = parse_shutter("--shutter", "-0.5:1e-3");
  EXPECT_EQ(shutter.open, -0.5);
  EXPECT_EQ(shutter.close, 1e-3);
  for (const char* text : {"", "1", "1:1", "2:1", "a:b", "0:1:2", "0:inf", "nan:1", "-1e7:0", ":"})
    EXPECT_THROW(parse_shutter("--shutter", text), UsageError) << text;
}

}  // namespace
}  // namespace winnow
