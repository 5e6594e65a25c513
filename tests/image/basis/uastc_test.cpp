// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/error.h"
#include "image/basis/basis_universal.h"
#include "tests/image/support/ktx2_files.h"

namespace winnow {
namespace {

/// A block, and its texels 0, 6 and 15 as Basis Universal's transcoder 2.1 decodes them.
struct Example {
  const char* block;
  glm::u8vec4 texels[3];
};

// One block of random bits for each mode, in order.
const Example kExamples[] = {
    {"814ae5f1a94106a0956a26afbccdafe5",
     {{218, 59, 13, 255}, {149, 26, 106, 255}, {154, 28, 99, 255}}},
    {"75f90a945f5693c642276ad5ab2da739",
     {{160, 178, 52, 255}, {222, 162, 31, 255}, {222, 162, 31, 255}}},
    {"5d51370e99b2d74c3427fa48d732a1df",
     {{126, 147, 182, 255}, {138, 62, 160, 255}, {163, 83, 165, 255}}},
    {"63aca1e926115901dd06f27f8f063cd2",
     {{116, 30, 69, 255}, {100, 146, 108, 255}, {0, 92, 139, 255}}},
    {"5319a621f9bd0ccc21397c1ec795ca77",
     {{75, 175, 186, 255}, {6, 255, 26, 255}, {100, 119, 215, 255}}},
    {"4bdc03d17a88934d85527357a2e64647",
     {{16, 135, 217, 255}, {82, 102, 161, 255}, {151, 67, 103, 255}}},
    {"fb3e2fb81f223f4192c58efd5185f071",
     {{254, 116, 255, 255}, {232, 154, 72, 255}, {185, 231, 195, 255}}},
    {"07f7677a1f132a818d882195a100b28d",
     {{249, 13, 104, 255}, {236, 71, 84, 255}, {174, 131, 80, 255}}},
    {"77236b82481bd9fe630dc3ce3be4ebca", {{27, 89, 19, 68}, {27, 89, 19, 68}, {27, 89, 19, 68}}},
    {"af2f45b35223479f6e794d57037e2cfd",
     {{141, 199, 124, 182}, {187, 187, 170, 170}, {170, 153, 170, 68}}},
    {"eae15a7789781e3721a557d8e5a70329",
     {{32, 103, 136, 169}, {32, 175, 103, 175}, {32, 119, 129, 170}}},
    {"6ccb81db3f65cf9c1bdc5d1d8fc83f0b",
     {{104, 190, 228, 201}, {38, 176, 232, 172}, {136, 190, 228, 201}}},
    {"0eb4db71be572209851d3d24f4c0cf83",
     {{185, 46, 11, 117}, {172, 62, 17, 160}, {176, 57, 15, 146}}},
    {"ff4363f82f4759778955f6ced681cbea",
     {{191, 101, 37, 217}, {28, 221, 86, 217}, {191, 101, 37, 59}}},
    {"6d79ced2c8f814a13472ff70ce369d83",
     {{141, 58, 61, 171}, {141, 58, 61, 171}, {141, 58, 61, 171}}},
    {"85452a44f318337f08cd1e614f235d3f",
     {{199, 199, 199, 207}, {147, 147, 147, 231}, {99, 99, 99, 252}}},
    {"95bc45fee9ee0403a79be11854444131",
     {{190, 190, 190, 39}, {145, 145, 145, 22}, {186, 186, 186, 193}}},
    {"659311f85e0429b19f7ec0e156f65a33",
     {{177, 177, 177, 72}, {247, 247, 247, 116}, {104, 104, 104, 93}}},
    {"29e791b880ee995e3f0d307d2fbaf400",
     {{167, 25, 242, 255}, {148, 41, 239, 255}, {148, 41, 239, 255}}},
};

TEST(Uastc, DecodesEachModeExactlyAsBasisUniversal) {
  for (const Example& example : kExamples) {
    const auto texels = decode_uastc_block(from_hex(example.block));
    constexpr size_t kAt[] = {0, 6, 15};
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(texels[kAt[i]], example.texels[i]) << example.block << ", texel " << kAt[i];
  }
}

TEST(Uastc, RefusesBlocksThatAreNone) {
  const std::string zeros(15, '\0');
  EXPECT_THROW(decode_uastc_block("\x45" + zeros), Error) << "reserved mode";
  // Mode 2 has 30 patterns, with an index of 5 bits after 20 others.
  EXPECT_THROW(decode_uastc_block("\x1d" + std::string(1, '\0') + "\xf0\x01" + zeros), Error);
  EXPECT_NO_THROW(decode_uastc_block("\x1d" + zeros));
  EXPECT_THROW(decode_uastc_block(zeros), Error) << "a byte is missing";
}

}  // namespace
}  // namespace winnow
