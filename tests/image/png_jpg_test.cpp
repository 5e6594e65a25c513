// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "base/error.h"
#include "image/image_formats.h"

namespace winnow {
namespace {

/// A segment of one Huffman table with that many codes of each length.
std::string table_segment(int codes_per_length) {
  int code_count = 16 * codes_per_length, length = 2 + 1 + 16 + code_count;
  return std::string("\xff\xc4") + char(length >> 8) + char(length) + '\0' +
         std::string(16, char(codes_per_length)) + std::string(size_t(code_count), 'x');
}

void check(const std::string& bytes) {
  std::istringstream stream(bytes);
  check_jpg_tables(stream);
}

TEST(JpgTables, AcceptsWhatWinnowWrites) {
  std::stringstream stream;
  write_jpg(stream, {9, 5, std::vector<glm::vec3>(45, {0.2f, 0.5f, 0.9f})});
  EXPECT_NO_THROW(check_jpg_tables(stream));
}

TEST(JpgTables, AcceptsUpTo256CodesAndNoMore) {
  EXPECT_NO_THROW(check("\xff\xd8" + table_segment(16)));
  EXPECT_THROW(check("\xff\xd8" + table_segment(17)), Error);
  EXPECT_THROW(check("\xff\xd8" + table_segment(16) + table_segment(255)), Error);
}

TEST(JpgTables, FindsTablesBehindOtherSegmentsAndScans) {
  std::string comment = std::string("\xff\xfe\0\x06", 4) + "text";
  std::string scan =
      std::string("\xff\xda\0\x04..", 6) + std::string("data\xff\0more\xff\xd0more", 16);
  EXPECT_THROW(check("\xff\xd8" + comment + table_segment(17)), Error);
  EXPECT_THROW(check("\xff\xd8" + comment + scan + table_segment(17)), Error);
}

TEST(JpgTables, PassesOverWhatOnlyLooksLikeATable) {
  std::string look_alike = table_segment(17);
  size_t length = look_alike.size() + 2;
  std::string comment = std::string("\xff\xfe") + char(length >> 8) + char(length) + look_alike;
  EXPECT_NO_THROW(check("\xff\xd8" + comment + "\xff\xd9"));
}

TEST(JpgTables, EndsWithTheStream) {
  std::string whole = "\xff\xd8" + table_segment(16);
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_NO_THROW(check(whole.substr(0, size)));
}

}  // namespace
}  // namespace winnow
