// SPDX-License-Identifier: MIT
#include "app/cli/progress.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace winnow {
namespace {

constexpr RenderProgress kHalf = {.fraction = 0.425,
                                  .seconds = 8.5,
                                  .spp_done = 27.2,
                                  .spp_goal = 64,
                                  .samples_per_second = 3.214e6};

TEST(Progress, TextNamesPercentageSamplesSpeedAndRemainingTime) {
  EXPECT_EQ(progress_text(kHalf), " 42 %  27 of 64 spp  3.21 Msamples/s  ETA 12 s");
}

TEST(Progress, TextWithoutAGoalOrAStart) {
  RenderProgress open_ended = kHalf;
  open_ended.spp_goal = 0;
  EXPECT_EQ(progress_text(open_ended), " 42 %  27 spp  3.21 Msamples/s  ETA 12 s");
  EXPECT_EQ(progress_text({}), "  0 %  0 spp  0 Msamples/s");
}

TEST(Progress, TextOfASequenceNamesItsImage) {
  RenderProgress third = kHalf;
  third.image = 2;
  third.image_count = 48;
  EXPECT_EQ(progress_text(third), " 42 %  image 3 of 48  27 of 64 spp  3.21 Msamples/s  ETA 12 s");
}

TEST(Progress, OfASequenceIsOverAllImages) {
  testing::internal::CaptureStderr();
  ProgressPrinter printer(ProgressPrinter::Style::kLines);
  printer.begin_image(0, 4);
  printer.update({.fraction = 0.8, .seconds = 1.0});
  printer.begin_image(1, 4);
  printer.update({.fraction = 0.1, .seconds = 0.5});  // too soon to print again
  printer.update({.fraction = 1.0, .seconds = 1.0});
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            " 20 %  image 1 of 4  0 spp  0 Msamples/s  ETA 4 s\n"
            " 50 %  image 2 of 4  0 spp  0 Msamples/s  ETA 2 s\n");
}

TEST(Progress, SpeedUsesTheFittingUnit) {
  EXPECT_EQ(speed_text(999e6), "999 Msamples/s");
  EXPECT_EQ(speed_text(1.084e9), "1.08 Gsamples/s");
}

TEST(Progress, BarFillsWhatTheTextLeaves) {
  std::string text = progress_text(kHalf);
  EXPECT_EQ(progress_bar(kHalf, 200),
            "[" + std::string(17, '#') + std::string(23, '.') + "] " + text);
  EXPECT_EQ(progress_bar(kHalf, text.size() + 13), "[####......] " + text);
}

TEST(Progress, BarNeverExceedsItsColumns) {
  for (size_t columns = 0; columns < 200; ++columns)
    EXPECT_LE(progress_bar(kHalf, columns).size(), columns);
}

TEST(Progress, DurationsUseTheFittingUnit) {
  EXPECT_EQ(duration_text(0.0123), "12 ms");
  EXPECT_EQ(duration_text(1.25), "1.25 s");
  EXPECT_EQ(duration_text(185.9), "3 min 05 s");
  EXPECT_EQ(duration_text(7505.0), "2 h 05 min");
  EXPECT_EQ(duration_text(1e300).find("inf"), std::string::npos);
}

TEST(ProgressPrinter, WritesALineForEveryTenPercentOrTenSeconds) {
  testing::internal::CaptureStderr();
  ProgressPrinter printer(ProgressPrinter::Style::kLines);
  for (double fraction : {0.01, 0.05, 0.11, 0.15, 0.30}) printer.update({.fraction = fraction});
  printer.update({.fraction = 0.31, .seconds = 9.0});
  printer.update({.fraction = 0.32, .seconds = 10.0});
  printer.finish();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            " 11 %  0 spp  0 Msamples/s  ETA 0 s\n 30 %  0 spp  0 Msamples/s  ETA 0 s\n"
            " 32 %  0 spp  0 Msamples/s  ETA 22 s\n");
}

TEST(ProgressPrinter, RewritesOneLineOnATerminalAndClearsIt) {
  testing::internal::CaptureStderr();
  ProgressPrinter printer(ProgressPrinter::Style::kTerminal);
  printer.update({.fraction = 0.5, .seconds = 1.0});
  printer.update({.fraction = 0.5, .seconds = 1.1});  // too soon
  printer.update({.fraction = 0.6, .seconds = 1.3});
  printer.finish();
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'), 3);
  EXPECT_EQ(text.substr(text.size() - 4), "\r\x1b[K");
}

TEST(ProgressPrinter, SilentIsSilent) {
  testing::internal::CaptureStderr();
  ProgressPrinter printer(ProgressPrinter::Style::kSilent);
  printer.update({.fraction = 0.5, .seconds = 100.0});
  printer.finish();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace winnow
