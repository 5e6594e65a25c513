#include "app/render/mask_file.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "compaction/bench/mask_file.h"
#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

using namespace std::string_literals;

class WriteMasks : public FolderTest {
 protected:
  const std::filesystem::path file_ = folder_ / "masks ü.bin";
};

TEST_F(WriteMasks, WritesTheDescribedBytes) {
  write_masks(file_, {{.entries = 33, .words = {0x201, 0x1}}});
  EXPECT_EQ(read_text(file_), "CMPMASKS\1\0\0\0\1\0\0\0\x21\0\0\0\x01\x02\0\0\x01\0\0\0"s);
}

TEST_F(WriteMasks, TheBenchmarkReadsWhatIsWritten) {
  std::vector<AliveMask> masks = {{.entries = 70, .words = {0xFFFFFFFF, 0x80000001, 0x3F}},
                                  {.entries = 32, .words = {0x12345678}},
                                  {.entries = 0, .words = {}}};
  write_masks(file_, masks);
  std::vector<compaction::bench::Mask> read = compaction::bench::read_masks(file_.string());
  ASSERT_EQ(read.size(), masks.size());
  for (size_t bounce = 0; bounce < masks.size(); ++bounce) {
    EXPECT_EQ(read[bounce].n, masks[bounce].entries);
    EXPECT_EQ(read[bounce].words, masks[bounce].words);
  }
  EXPECT_EQ(read[0].kept(), 32u + 2 + 6);
}

TEST_F(WriteMasks, NamesTheFileThatCannotBeWritten) {
  try {
    write_masks(folder_ / "none" / "m.bin", {});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("m.bin: cannot be written"));
  }
}

}  // namespace
}  // namespace winnow
