// SPDX-License-Identifier: MIT
#include "load/obj/parse_obj.h"

#include <fmt/format.h>

#include "load/obj/statement.h"
#include "tests/support/message_of.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

constexpr size_t kWhole = size_t{1} << 30;

/// Lines of every kind, in which faces refer forwards and backwards across any border.
std::string mixed_obj() {
  std::string text = "# a comment \\\nthat continues\nmtllib a b.mtl\nf 1 2 3\n";
  ByteNoise next;
  for (int i = 0; i < 60; ++i) {
    const char* end = i % 3 == 0 ? "\r\n" : i % 7 == 0 ? " \\\n  0.5\n" : "\n";
    text += fmt::format("v {} {}e-1 nan{}", i, i % 5, i % 11 ? "\n" : "\n\n\r");
    text += fmt::format("v {} {} .5{}{}", i, i % 5, i % 6 == 5 ? " .1 .2 .3" : "", end);
    text += fmt::format("vt {} 0.25\nvn 0 {} 1\n", i, i);
    if (i % 8 == 3) text += fmt::format("usemtl material {}\n", i % 3);
    if (i % 8 == 5) text += fmt::format("s {}\n", i % 4);
    if (i % 9 == 4) text += "what is this\nl 1 2\nmtllib c.mtl\n";
    text += fmt::format("f -1/-1 -2//-1 {}/{}/{}\n", 1 + next() % 60, 1 + next() % 50, i + 1);
    text += fmt::format("f {} -1 {} -2\n", 1 + next() % 120, 1 + next() % 120);
  }
  return text;
}

TEST(ParseObj, DoesNotDependOnItsParts) {
  const std::string text = mixed_obj();
  const ParsedObj whole = parse_obj(text, "a.obj", kWhole);
  EXPECT_EQ(whole.faces.size(), 121u);
  EXPECT_EQ(whole.material_names.size(), 3u);
  for (size_t part_bytes : {size_t{1}, size_t{10}, size_t{100}, size_t{1000}}) {
    const ParsedObj parts = parse_obj(text, "a.obj", part_bytes);
    EXPECT_EQ(parts.positions, whole.positions);
    EXPECT_EQ(parts.is_unusable, whole.is_unusable);
    EXPECT_EQ(parts.colors, whole.colors);
    EXPECT_EQ(parts.normals, whole.normals);
    EXPECT_EQ(parts.uvs, whole.uvs);
    ASSERT_EQ(parts.corners.size(), whole.corners.size());
    for (size_t i = 0; i < parts.corners.size(); ++i) {
      EXPECT_EQ(parts.corners[i].position, whole.corners[i].position);
      EXPECT_EQ(parts.corners[i].normal, whole.corners[i].normal);
      EXPECT_EQ(parts.corners[i].uv, whole.corners[i].uv);
    }
    ASSERT_EQ(parts.faces.size(), whole.faces.size());
    for (size_t i = 0; i < parts.faces.size(); ++i) {
      EXPECT_EQ(parts.faces[i].end, whole.faces[i].end);
      EXPECT_EQ(parts.faces[i].group, whole.faces[i].group);
      EXPECT_EQ(parts.faces[i].material, whole.faces[i].material);
    }
    EXPECT_EQ(parts.material_names, whole.material_names);
    EXPECT_EQ(parts.libraries, whole.libraries);
    EXPECT_EQ(parts.unusable_position_count, whole.unusable_position_count);
    EXPECT_EQ(parts.point_and_line_count, whole.point_and_line_count);
    EXPECT_EQ(parts.ignored.warnings("a.obj", "OBJ"), whole.ignored.warnings("a.obj", "OBJ"));
  }
}

TEST(ParseObj, ReportsTheFirstMistakeInAnyParts) {
  for (const char* mistake : {"v 0 zero 0\n", "f -999 1 2\n", "f 1 2\n", "f 1 2 9999\n"}) {
    const std::string text = mixed_obj() + mistake + mixed_obj() + mistake + "f 1 2 x\n";
    auto error = [&](size_t part_bytes) {
      return message_of([&] { parse_obj(text, "a.obj", part_bytes); });
    };
    const std::string whole = error(kWhole);
    EXPECT_NE(whole, "");
    for (size_t part_bytes : {size_t{1}, size_t{100}, size_t{1000}})
      EXPECT_EQ(error(part_bytes), whole);
  }
}

TEST(SplitBetweenStatements, KeepsContinuedLinesTogether) {
  EXPECT_EQ(split_between_statements("a\nb \\\n c\\ \r\n\nd", 1),
            (std::vector<std::string_view>{"a\n", "b \\\n c\\ \r\n\n", "d"}));
  EXPECT_EQ(split_between_statements("a\nb\nc\n", 3),
            (std::vector<std::string_view>{"a\nb\n", "c\n"}));
  EXPECT_TRUE(split_between_statements("", 1).empty());
}

}  // namespace
}  // namespace winnow
