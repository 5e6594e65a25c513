// SPDX-License-Identifier: MIT
#include "compaction/tools/mask_file.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/support/folder_test.h"

namespace {

using namespace compaction;
using namespace std::string_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

const std::string kStart = "CMPMASKS\1\0\0\0"s;  // with the version
const std::string kTwoMasks = kStart + "\2\0\0\0"s +
                              // 33 entries, the first, the tenth and the last set
                              "\x21\0\0\0"s + "\x01\x02\0\0"s + "\x01\0\0\0"s +
                              // 3 entries, the second set; the last byte is ignored
                              "\x03\0\0\0"s + "\x02\0\0\xFF"s;

class MaskFile : public winnow::FolderTest {
 protected:
  std::vector<Mask> read(const std::string& bytes) const {
    std::ofstream(file_, std::ios::binary) << bytes;
    return read_masks(file_);
  }

  static std::string written(const std::vector<Mask>& masks) {
    std::ostringstream stream;
    write_masks(stream, masks);
    return stream.str();
  }

  /// The message of the error; empty if the file is read.
  std::string error_of(const std::string& file) const {
    try {
      read_masks(file);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }
  std::string error_of_bytes(const std::string& bytes) const {
    std::ofstream(file_, std::ios::binary) << bytes;
    return error_of(file_);
  }

  const std::string file_ = (folder_ / "masks").string();
};

TEST_F(MaskFile, HasTheDocumentedBytes) {
  std::vector<Mask> masks = read(kTwoMasks);
  ASSERT_EQ(masks.size(), 2u);
  EXPECT_EQ(masks[0].entries, 33u);
  EXPECT_THAT(masks[0].words, ElementsAre(0x201, 1));
  EXPECT_EQ(masks[1].entries, 3u);
  EXPECT_THAT(masks[1].words, ElementsAre(0xFF000002));
  EXPECT_EQ(written(masks), kTwoMasks);
}

TEST_F(MaskFile, IsReadAsItWasWritten) {
  std::vector<Mask> masks = {{.entries = 70, .words = {0xFFFFFFFF, 0x80000001, 0x3F}},
                             {.entries = 32, .words = {0x12345678}},
                             {.entries = 0, .words = {}}};
  std::vector<Mask> again = read(written(masks));
  ASSERT_EQ(again.size(), masks.size());
  for (size_t bounce = 0; bounce < masks.size(); ++bounce) {
    EXPECT_EQ(again[bounce].entries, masks[bounce].entries);
    EXPECT_EQ(again[bounce].words, masks[bounce].words);
  }
  EXPECT_EQ(again[0].kept(), 32u + 2 + 6);
}

TEST_F(MaskFile, IgnoresBitsBeyondTheLastEntry) {
  std::vector<Mask> masks = read(kTwoMasks);
  EXPECT_EQ(masks.at(0).kept(), 3u);
  EXPECT_TRUE(masks[0].selected(0) && masks[0].selected(9) && masks[0].selected(32));
  EXPECT_FALSE(masks[0].selected(1) || masks[0].selected(31));
  EXPECT_EQ(masks.at(1).kept(), 1u);
}

TEST_F(MaskFile, MayHoldNoMasksOrEmptyOnes) {
  EXPECT_TRUE(read(kStart + "\0\0\0\0"s).empty());
  std::vector<Mask> masks = read(kStart + "\1\0\0\0\0\0\0\0"s);
  ASSERT_EQ(masks.size(), 1u);
  EXPECT_EQ(masks[0].entries, 0u);
  EXPECT_EQ(masks[0].kept(), 0u);
}

TEST_F(MaskFile, IsReadCompletelyOrNotAtAll) {
  constexpr size_t kMagicBytes = 8;
  for (size_t size = 0; size < kTwoMasks.size(); ++size)
    EXPECT_EQ(error_of_bytes(kTwoMasks.substr(0, size)),
              "'" + file_ + "' " + (size < kMagicBytes ? "is not a mask file" : "is truncated"))
        << size << " bytes";
  EXPECT_EQ(error_of_bytes(kTwoMasks), "");
  EXPECT_THAT(error_of_bytes(kTwoMasks + "12345"), HasSubstr("5 extra bytes"));
}

TEST_F(MaskFile, OtherFilesAreRefused) {
  EXPECT_THAT(error_of_bytes("{\"device\": \"CPU, 2 threads\"}"), EndsWith("is not a mask file"));
  EXPECT_THAT(error_of_bytes("CMPMASKZ" + kTwoMasks.substr(8)), EndsWith("is not a mask file"));
  EXPECT_THAT(error_of_bytes("CMPMASKS\2\0\0\0"s), HasSubstr("has version 2"));
  EXPECT_THAT(error_of((folder_ / "missing").string()), HasSubstr("cannot be read: "));
  EXPECT_THAT(error_of(folder_.string()), HasSubstr("cannot be read: "));
}

TEST_F(MaskFile, AllocatesNothingForImpossibleCounts) {
  EXPECT_THAT(error_of_bytes(kStart + "\xFF\xFF\xFF\xFF"s), EndsWith("is truncated"));
  EXPECT_THAT(error_of_bytes(kStart + "\1\0\0\0\0\0\0\x40"s), EndsWith("is truncated"));
  EXPECT_THAT(error_of_bytes(kStart + "\1\0\0\0\xFF\xFF\xFF\xFF"s),
              HasSubstr("4294967295 entries"));
}

}  // namespace
