// SPDX-License-Identifier: MIT
#include "compaction/advise/device_model.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/folder_test.h"

namespace device_model_test {

using namespace compaction::advise;
using testing::EndsWith;

TEST(TimesBySize, AreLinearBetweenTheMeasuredSizes) {
  const TimesBySize times{{10, 20, 30, 40, 50, 60, 70, 80}};
  EXPECT_EQ(times(1), 10);
  EXPECT_EQ(times(0x1p12), 20);
  EXPECT_EQ(times(0x1p13 + 0x1p11), 25);  // the middle of 2^12 and 2^14
  EXPECT_EQ(times(0x1p24), 80);
  EXPECT_GT(times(0x1p25), 80);
}

class ModelOfADevice : public winnow::FolderTest {};

TEST_F(ModelOfADevice, IsReadAsItIsPrinted) {
  const std::string file = (folder_ / "gpu").string();
  const auto read = [&](const std::string& text) {
    std::ofstream(file) << text;
    return read_device_model(file);
  };
  const auto error = [&](const std::string& text) -> std::string {
    try {
      read(text);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  };
  const DeviceModel built_in = built_in_device();
  const DeviceModel device = read(device_model_text(built_in));
  EXPECT_EQ(device.name, built_in.name);
  EXPECT_EQ(device.bytes_per_ns, built_in.bytes_per_ns);
  const double few = built_in.split_ns.few(1 << 20), full = built_in.split_ns.full(1 << 20);
  EXPECT_EQ(device.split_ns(1 << 20, 1 << 19), few + (full - few) / 2);
  EXPECT_THAT(error(""), EndsWith("lacks 'bytes_per_ns'"));
  EXPECT_THAT(error("scan_ns 1 2 3"), EndsWith("has no 8 numbers from 0 on after 'scan_ns'"));
  EXPECT_THAT(error("launch_ms 3"), EndsWith("has the unknown name 'launch_ms'"));
  EXPECT_THAT(error("launch_ns nan"), EndsWith("has no number from 0 on after 'launch_ns'"));
  EXPECT_THAT(error("launch_ns"), EndsWith("after 'launch_ns'"));
  for (const char* count : {"0", "0.5", "132.5", "1048577", "4e9", "4294967296", "1e20"}) {
    std::istringstream lines(device_model_text(built_in_device()));
    std::string text;
    for (std::string line; std::getline(lines, line);)
      text += (line.starts_with("resident_warps") ? "resident_warps " + std::string(count) : line) +
              "\n";
    EXPECT_THAT(error(text),
                EndsWith("has no whole number from 1 to 1048576 after 'resident_warps'"))
        << count;
  }
}

}  // namespace device_model_test
