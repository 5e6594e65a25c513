// SPDX-License-Identifier: MIT
#include "compaction/advise/recording.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "compaction/tools/mask_file.h"
#include "tests/compaction/advise/support/recordings.h"
#include "tests/support/folder_test.h"

namespace recording_test {

using namespace compaction::advise;
using compaction::Mask;
using compaction::StepCost;
using compaction::StepFile;
using compaction::StepItems;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
constexpr uint8_t kOff = StepItems::kInactive;

class RecordingFile : public winnow::FolderTest {
 protected:
  std::string bytes() const {
    std::stringstream text;
    text << std::ifstream(file_, std::ios::binary).rdbuf();
    return text.str();
  }
  void write(const std::string& bytes) const { std::ofstream(file_, std::ios::binary) << bytes; }

  /// Returns the error of reading the file; empty if it is read.
  std::string error(bool accept_cut = false) const {
    try {
      read_recording(file_, accept_cut);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }
  std::string error_of(const std::vector<RecordedStep>& steps) const {
    write_steps(file_, {}, steps);
    return error();
  }
  /// Returns the error of a file whose only step claims to have so many items.
  std::string error_of_item_count(uint32_t n) const {
    write_steps(file_, {}, {{.classes = {0}, .costs = {}}});
    std::string changed = bytes();
    for (unsigned i = 0; i < 4; ++i) changed[8 + 20 + 4 + i] = char(n >> 8 * i);
    write(changed);
    return error();
  }

  const std::string file_ = (folder_ / "a.steps").string();
};

TEST_F(RecordingFile, HasTheDocumentedBytes) {
  write_steps(file_,
              {.state_bytes = 24, .culled_every = 2, .cost = StepCost::kWork, .resident_warps = 5},
              {{.classes = {kOff, 3}, .costs = {9, 258}, .nanoseconds = 1}}, true, 2);
  const std::string one("\0\0\0\0\0\0\xF0\x3F", 8), two("\0\0\0\0\0\0\0\x40", 8);
  const std::string expected =
      std::string("CMPSTEPS") + std::string("\2\0\0\0\x18\0\0\0\2\0\0\0\2\0\0\0\5\0\0\0", 20) +
      std::string("\1\0\0\0\2\0\0\0\1\0\0\0", 12) + one + std::string(8, '\0') +
      std::string("\2\0\0\0", 4) + "\3" + std::string("\2\1\0\0", 4);
  const std::string all = bytes();
  ASSERT_THAT(all, testing::StartsWith(expected));
  EXPECT_EQ(all.substr(expected.size() + 4, 16), std::string("\2\0\0\0\1\0\0\0", 8) + two);
  EXPECT_EQ(all.size(), expected.size() + 4 + 16 + 4);
}

TEST_F(RecordingFile, OfVersion1LacksTheNumberOfResidentWarps) {
  const compaction::StepFormat format{
      .state_bytes = 24, .culled_every = 0, .cost = StepCost::kNone, .resident_warps = 5};
  write_steps(file_, format, {{.classes = {kOff, 3}, .costs = {}, .nanoseconds = 1}});
  EXPECT_EQ(read_recording(file_, false).format.resident_warps, 5u);
  std::string old = bytes();
  old[8] = 1;
  old.erase(24, 4);
  write(old);
  const Recording recording = read_recording(file_, false);
  EXPECT_EQ(recording.format.state_bytes, 24u);
  EXPECT_EQ(recording.format.resident_warps, 0u);
  EXPECT_EQ(recording.steps[0].classes, std::vector<uint8_t>{3});
}

TEST_F(RecordingFile, IsReadAsItWasWritten) {
  write_steps(
      file_, {.state_bytes = 24, .cost = StepCost::kCycles},
      {{.classes = {0, 1, 31}, .costs = {5, 6, 7}, .nanoseconds = 8, .fixed_nanoseconds = 2},
       {.classes = {kOff, 1, kOff}, .costs = {1, 2, 3}, .nanoseconds = 4}},
      true, 15);
  const Recording recording = read_recording(file_, false);
  EXPECT_EQ(recording.format.state_bytes, 24u);
  EXPECT_EQ(recording.format.cost, StepCost::kCycles);
  EXPECT_EQ(recording.item_count, 3u);
  EXPECT_EQ(recording.class_count, 32u);
  EXPECT_EQ(recording.frame_nanoseconds, 15);
  ASSERT_EQ(recording.steps.size(), 2u);
  EXPECT_THAT(recording.steps[0].costs, ElementsAre(5, 6, 7));
  EXPECT_EQ(recording.steps[0].fixed_nanoseconds, 2);
  EXPECT_THAT(recording.steps[1].words, ElementsAre(2));
  EXPECT_EQ(recording.steps[1].cost_of(recording.steps[1].index_of(1)), 2u);
  EXPECT_TRUE(recording.only_ends());
  EXPECT_FALSE(recording.is_cut);
}

TEST_F(RecordingFile, ThatIsCutOffIsUsedUpToItsLastWholeStep) {
  write_steps(file_, {}, {{.classes = {0, 1}, .costs = {}}, {.classes = {0, kOff}, .costs = {}}});
  const std::string whole = bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    write(whole.substr(0, size));
    EXPECT_NE(error(), "") << size;
  }
  write(whole.substr(0, whole.size() - 30));
  EXPECT_THAT(error(), EndsWith("is cut off after 1 whole steps; --cut uses these"));
  const Recording recording = read_recording(file_, true);
  EXPECT_EQ(recording.steps.size(), 1u);
  EXPECT_TRUE(recording.is_cut);
  write(whole.substr(0, 30));
  EXPECT_THAT(error(true), EndsWith("is cut off after 0 whole steps"));
}

TEST_F(RecordingFile, ThatIsChangedAnywhereIsRefused) {
  write_steps(file_, {}, {{.classes = {0, 1, kOff, 0}, .costs = {}, .nanoseconds = 7}});
  const std::string whole = bytes();
  constexpr size_t kHeadBytes = 28;
  for (size_t at = kHeadBytes; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = char(changed[at] ^ 4);
    write(changed);
    EXPECT_NE(error(), "") << at;
  }
}

TEST_F(RecordingFile, SaysWhatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<uint8_t> two = {0, 0};
  EXPECT_THAT(error_of({}), EndsWith("has no steps"));
  EXPECT_THAT(error_of({{.classes = {}, .costs = {}}}), EndsWith("step 0 has no items"));
  EXPECT_THAT(error_of({{.classes = two, .costs = {}, .nanoseconds = nan}}),
              EndsWith("step 0 has a time that is not a number from 0 on"));
  EXPECT_THAT(error_of({{.classes = two, .costs = {}, .nanoseconds = -1}}), HasSubstr("a time"));
  EXPECT_THAT(error_of({{.classes = two, .costs = {}, .nanoseconds = 1, .fixed_nanoseconds = 2}}),
              EndsWith("step 0: its fixed time is not part of it"));
  EXPECT_THAT(error_of({{.classes = two, .costs = {}}, {.classes = {0}, .costs = {}}}),
              EndsWith("step 1 has 1 items, and those before have 2"));
  EXPECT_THAT(error_of_item_count(1'000'000'000),
              EndsWith("step 0 has 1000000000 items; at most 134217728 are supported"));
  EXPECT_THAT(error_of_item_count(134'217'728), HasSubstr("is cut off"));  // allocates nothing
  write("CMPSTEPS\3" + std::string(19, '\0'));
  EXPECT_THAT(error(), EndsWith("has version 3 of the format; this program reads 1 and 2"));
  write("CMPSTEPX");
  EXPECT_THAT(error(), EndsWith("is not a file of steps or masks"));
}

TEST_F(RecordingFile, RefusesClassesBeyondTheLimit) {
  EXPECT_THROW(write_steps(file_, {}, {{.classes = {0, StepItems::kMaxClasses}, .costs = {}}}),
               std::runtime_error);
  uint8_t recorded = 0;
  StepItems{.classes = &recorded}.record(0, true, 300);
  std::ostringstream stream;
  EXPECT_THROW(StepFile(stream, {}).add(&recorded, nullptr, 1), std::runtime_error);
}

TEST_F(RecordingFile, OfMasksHasTheStepsOfARenderWithAndWithoutCulling) {
  const auto write_masks_of = [&](const std::vector<Mask>& masks) {
    std::ofstream stream(file_, std::ios::binary);
    compaction::write_masks(stream, masks);
  };
  write_masks_of({{4, {0b1011}}, {4, {0b0010}}, {4, {0}}});  // entries stay
  Recording recording = read_recording(file_, false);
  ASSERT_EQ(recording.steps.size(), 3u);
  EXPECT_THAT(recording.steps[0].words, ElementsAre(0b1111));
  EXPECT_THAT(recording.steps[1].words, ElementsAre(0b1011));
  EXPECT_THAT(recording.steps[2].words, ElementsAre(0b0010));
  EXPECT_EQ(recording.format.culled_every, 0u);
  write_masks_of({{4, {0b1011}}, {3, {0b010}}, {1, {0}}});  // survivors move together
  recording = read_recording(file_, false);
  ASSERT_EQ(recording.steps.size(), 3u);
  EXPECT_THAT(recording.steps[2].words, ElementsAre(0b0010));
  EXPECT_EQ(recording.format.culled_every, 1u);
  write_masks_of({{4, {0b1011}}, {2, {0b01}}});
  EXPECT_THAT(error(), EndsWith("has a mask of 2 entries after one that keeps 3"));
}

}  // namespace recording_test
