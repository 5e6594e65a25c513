// SPDX-License-Identifier: MIT
#include "load/json/json_reader.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace winnow {
namespace {

std::string json_error_of(std::string_view text) {
  try {
    parse_json(text, "s.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ParseJson, ReadsEveryKindOfValue) {
  const char* kText = R"({"a": [1, -2, 2.5, true, false, null, "x"], "b": {"c": {}}, "d": []})";
  EXPECT_EQ(parse_json(kText, "s.json"), nlohmann::json::parse(kText));
}

TEST(ParseJson, NamesLineAndColumnOfASyntaxError) {
  EXPECT_EQ(json_error_of("{\n  \"a\": 1,\n  }"),
            "s.json:3:3: expected a key in quotes, found '}'");
  EXPECT_EQ(json_error_of("{\n  \"a\" 1\n}"), "s.json:2:7: expected ':', found '1'");
  EXPECT_EQ(json_error_of("[1, 2"), "s.json:1:6: expected ',' or ']', found the end of the file");
  EXPECT_EQ(json_error_of("{} {}"), "s.json:1:4: expected the end of the file, found '{'");
}

TEST(ParseJson, ExplainsWhatIsNoToken) {
  EXPECT_EQ(json_error_of("{\"a\": nan}"),
            "s.json:1:7: expected JSON, found 'na': invalid literal");
  EXPECT_EQ(json_error_of("[tru]"), "s.json:1:2: expected JSON, found 'tru': invalid literal");
  EXPECT_EQ(json_error_of("\n// comment"), "s.json:2:1: expected JSON, found '/': invalid literal");
  for (const char* text :
       {"[-]", "[\"a\nb\"]", "[01]", "[1.]", "['a']", "\"\\x\"", "\xff", "{a: 1}", "[1 2]"}) {
    std::string error = json_error_of(text);
    EXPECT_EQ(error.find("s.json:1:"), 0u) << error;
    EXPECT_NE(error.find("expected"), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(ParseJson, RefusesANumberThatIsTooLarge) {
  EXPECT_EQ(json_error_of("{\n\"a\": 1e999}"),
            "s.json:2:6: expected a number that a double can hold, found 1e999");
}

TEST(ParseJson, RefusesAKeyThatAppearsTwice) {
  EXPECT_EQ(json_error_of(R"({"a": {"b": 1, "b": 2}})"),
            "s.json: /a/b: this key appears twice; expected it once");
  EXPECT_EQ(json_error_of(R"([0, {"x": [], "x": 2}])"),
            "s.json: /1/x: this key appears twice; expected it once");
  EXPECT_EQ(json_error_of(R"({"a": {"b": 1}, "c": {"b": 2}})"), "");
}

TEST(ParseJson, RefusesDeepNesting) {
  EXPECT_EQ(json_error_of(std::string(64, '[') + std::string(64, ']')), "");
  EXPECT_NE(json_error_of(std::string(65, '[') + std::string(65, ']')).find("deeper than 64"),
            std::string::npos);
  EXPECT_NE(json_error_of(std::string(1'000'000, '[')).find("deeper than 64"), std::string::npos);
}

TEST(PointerStep, EscapesSlashAndTilde) {
  EXPECT_EQ(pointer_step("a/b~c"), "a~1b~0c");
}

}  // namespace
}  // namespace winnow
