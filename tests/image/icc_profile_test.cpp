// SPDX-License-Identifier: MIT
#include "image/icc_profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace winnow {
namespace {

std::string icc_number(uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}
std::string icc_fixed(double value) {
  return icc_number(uint32_t(int32_t(std::lround(value * 65536))));
}
std::string icc_xyz(double x, double y, double z) {
  return "XYZ " + icc_number(0) + icc_fixed(x) + icc_fixed(y) + icc_fixed(z);
}
std::string icc_gamma(double gamma) {
  const auto value = uint16_t(std::lround(gamma * 256));
  return "curv" + icc_number(0) + icc_number(1) + char(value >> 8) + char(value) +
         std::string(2, '\0');
}
/// The curve of sRGB, by its formula.
std::string icc_srgb_curve() {
  std::string curve = "para" + icc_number(0) + std::string("\0\3\0\0", 4);
  for (double value : {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045})
    curve += icc_fixed(value);
  return curve;
}
std::string icc_description(const std::string& text) {
  return "desc" + icc_number(0) + icc_number(uint32_t(text.size() + 1)) + text + '\0';
}

using IccTags = std::vector<std::pair<std::string, std::string>>;

std::string icc_profile(const std::string& space, const IccTags& tags) {
  std::string table = icc_number(uint32_t(tags.size())), data;
  const size_t first = 132 + 12 * tags.size();
  for (const auto& [name, value] : tags) {
    table += name + icc_number(uint32_t(first + data.size())) + icc_number(uint32_t(value.size()));
    data += value;
  }
  return std::string(16, '\0') + space + std::string(108, '\0') + table + data;
}

std::string icc_of_matrix(const std::string& curve, const std::string& red,
                          const std::string& name) {
  return icc_profile("RGB ", {{"desc", icc_description(name)},
                              {"rXYZ", red},
                              {"gXYZ", icc_xyz(0.38515, 0.71688, 0.09708)},
                              {"bXYZ", icc_xyz(0.14307, 0.06061, 0.71410)},
                              {"rTRC", curve},
                              {"gTRC", curve},
                              {"bTRC", curve}});
}

const std::string kSrgbRed = icc_xyz(0.43607, 0.22249, 0.01392);

TEST(IccProfile, OfSrgbIsNotWorthAWarning) {
  EXPECT_FALSE(warn_of_profile(icc_of_matrix(icc_srgb_curve(), kSrgbRed, "any name")));
  EXPECT_FALSE(warn_of_profile(icc_of_matrix(icc_gamma(2.2), kSrgbRed, "any name")));
  EXPECT_FALSE(warn_of_profile(icc_profile("GRAY", {{"kTRC", icc_srgb_curve()}})));
  // A profile of tables has no matrix.
  EXPECT_FALSE(
      warn_of_profile(icc_profile("RGB ", {{"desc", icc_description("sRGB v4 ICC preference")}})));
}

TEST(IccProfile, OfOtherSpacesIsNamed) {
  const std::string wide = icc_xyz(0.51512, 0.24120, -0.00105);  // Display P3
  EXPECT_EQ(warn_of_profile(icc_of_matrix(icc_srgb_curve(), wide, "Display P3")),
            "its colour profile \"Display P3\" is ignored: its colours are taken as sRGB");
  EXPECT_TRUE(warn_of_profile(icc_of_matrix(icc_gamma(1.8), kSrgbRed, "sRGB, it says")));
  EXPECT_TRUE(warn_of_profile(icc_of_matrix(icc_gamma(1.0), kSrgbRed, "linear")));
  EXPECT_TRUE(warn_of_profile(icc_profile("GRAY", {{"kTRC", icc_gamma(1.0)}})));
  EXPECT_TRUE(warn_of_profile(icc_profile("CMYK", {})));
}

TEST(IccProfile, ThatIsDamagedIsNamed) {
  const std::string whole = icc_of_matrix(icc_srgb_curve(), kSrgbRed, "x");
  for (size_t size = 0; size + 8 < whole.size(); size += 7)
    EXPECT_TRUE(warn_of_profile(whole.substr(0, size))) << size;
  EXPECT_TRUE(warn_of_profile(std::string(1000, '\xff')));
}

}  // namespace
}  // namespace winnow
