#include "compaction/bench/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using compaction::bench::JsonWriter;
using nlohmann::json;

TEST(JsonWriter, WhatItWritesIsReadBack) {
  JsonWriter writer;
  writer.object([&] {
    writer.key("text").value("plain");
    writer.key("whole").value(uint64_t(1) << 40);
    writer.key("negative").value(-3);
    writer.key("real").value(0.125);
    writer.key("nothing").null();
    writer.key("empty object").object([] {});
    writer.key("empty array").array([] {});
    writer.key("deep").array([&] {
      for (int i = 0; i < 3; ++i) writer.object([&] { writer.key("i").value(i); });
    });
  });
  json read = json::parse(writer.text());
  EXPECT_EQ(read, json({{"text", "plain"},
                        {"whole", uint64_t(1) << 40},
                        {"negative", -3},
                        {"real", 0.125},
                        {"nothing", nullptr},
                        {"empty object", json::object()},
                        {"empty array", json::array()},
                        {"deep", {{{"i", 0}}, {{"i", 1}}, {{"i", 2}}}}}));
}

TEST(JsonWriter, TextIsEscaped) {
  std::string text = "a \"quote\", a \\, a\nline and \x01";
  JsonWriter writer;
  writer.array([&] { writer.value(text); });
  EXPECT_EQ(json::parse(writer.text())[0].get<std::string>(), text);
}

TEST(JsonWriter, WhatIsNotFiniteIsNull) {
  JsonWriter writer;
  writer.array([&] {
    writer.value(std::nan(""));
    writer.value(INFINITY);
  });
  EXPECT_EQ(json::parse(writer.text()), json({nullptr, nullptr}));
}

}  // namespace
