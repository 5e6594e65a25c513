// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "app/cli/command_line.h"
#include "app/cli/console.h"
#include "app/commands.h"
#include "base/limits.h"
#include "base/names.h"
#include "scene/host_scene.h"

// Files that are generated from the tables of options. With WINNOW_WRITE_GENERATED=1, the tests
// write them; otherwise they compare them.

namespace winnow {
namespace {

namespace fs = std::filesystem;

const fs::path kSources = WINNOW_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void expect_committed(const std::string& generated, const fs::path& file) {
  if (const char* write = std::getenv("WINNOW_WRITE_GENERATED"); write && std::string(write) == "1")
    std::ofstream(file) << generated;
  EXPECT_EQ(text_of(file), generated)
      << file << " is not what the tables of options say; WINNOW_WRITE_GENERATED=1 "
      << "winnow_tests --gtest_filter='OptionTables.*' writes it";
}

Command command_named(const std::string& name) {
  for (Command& command : all_commands({}))
    if (command.name == name) return std::move(command);
  throw std::runtime_error(name);
}

std::string in_cell(const std::string& text) {
  std::string cell;
  for (const char letter : text) cell += letter == '|' ? "\\|" : std::string(1, letter);
  return cell;
}

std::string joined(const std::string& a, const char* between, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + between + b;
}

/// src/app/OPTIONS.md
std::string reference_text() {
  constexpr size_t kColumns = 99;
  std::string text =
      "# Options of `winnow`\n\n" +
      wrapped(
          "Generated from the tables of options in this folder; `option_tables_test.cpp` "
          "compares it with them. The [guide](README.md) says what the options are for. If an "
          "option that may not be repeated is given more than once, the last one counts.",
          kColumns) +
      "\n";
  for (const Command& command : all_commands({})) {
    text += fmt::format("\n## winnow {}\n\n```\n{}\n```\n\n{}\n", command.name,
                        "winnow " + command.name + arguments_text(command),
                        wrapped(command.summary, kColumns));
    if (!command.options.empty()) text += "\n| option | values | default | |\n|---|---|---|---|\n";
    for (const OptionRow& row : command.options)
      text += fmt::format(
          "| `{}` | {} | {} | {} |\n", in_cell(joined(row.name, " ", row.placeholder)),
          in_cell(values_text(row)), in_cell(row.notes.default_text), in_cell(row.help));
    if (!command.notes.empty()) text += "\n" + wrapped(command.notes, kColumns) + "\n";
  }
  return text;
}

/// The keywords of a Python function: a class with their types, and the options that they become.
std::string keywords_text(const std::string& function, const std::string& class_name) {
  constexpr size_t kColumns = 92;
  const Command command = command_named(function);
  std::string documentation, types, options;
  for (const OptionRow& row : command.options) {
    if (row.notes.keyword.empty()) continue;
    std::string help = joined(row.help, " ", values_and_default(row));
    for (const OptionRow& other : command.options)
      if (!other.notes.keyword.empty())
        help = std::regex_replace(help, std::regex(other.name + "\\b"), other.notes.keyword);
    help = wrapped(help, kColumns);
    for (size_t at = 0; (at = help.find('\n', at)) != std::string::npos;)
      help.replace(at++, 1, "\n        ");
    documentation += fmt::format("    {}\n        {}\n", row.notes.keyword, help);
    types += fmt::format("    {}: {} | None\n", row.notes.keyword, row.form.python);
    options += fmt::format("    \"{}\": \"{}{}\",\n", row.notes.keyword, row.name,
                           row.is_flag() ? "" : "=");
  }
  std::string constant = function;
  std::transform(constant.begin(), constant.end(), constant.begin(),
                 [](unsigned char letter) { return char(std::toupper(letter)); });
  return fmt::format(
      "\n\nclass {}(TypedDict, total=False):\n"
      "    \"\"\"Keywords of winnow.{}(), options of `winnow {}`.\n\n{}    \"\"\"\n\n{}\n\n"
      "{}_OPTIONS = {{\n{}}}\n",
      class_name, function, function, documentation, types, constant, options);
}

/// src/python/winnow/keywords.py
std::string python_text() {
  return "# SPDX-License-Identifier: MIT\n"
         "\"\"\"Keywords that are options of the program.\n\n"
         "Generated from the tables of options in src/app; tests/app/option_tables_test.cpp "
         "compares it.\n\"\"\"\n\n"
         "from __future__ import annotations\n\nimport os\nfrom collections.abc import Sequence\n"
         "from typing import TypedDict\n" +
         keywords_text("render", "RenderKeywords") + keywords_text("bench", "BenchKeywords") +
         keywords_text("dataset", "DatasetKeywords");
}

/// A member of an object in the schema, for a whole number.
std::string schema_member(const std::string& key, const std::string& description, uint64_t min,
                          uint64_t max, uint64_t default_value) {
  return fmt::format(
      "        \"{}\": {{\n          \"type\": \"integer\",\n          \"description\": \"{}\",\n"
      "          \"minimum\": {},\n          \"maximum\": {},\n          \"default\": {}\n"
      "        }}",
      key, description, min, max, default_value);
}

/// The definitions `film` and `render` of the schema, which options override.
std::string schema_definitions() {
  const HostScene scene;
  const OptionTable options = command_named("render").options;
  auto row_of = [&](const std::string& name) {
    return *std::find_if(options.begin(), options.end(),
                         [&](const OptionRow& row) { return row.name == name; });
  };
  auto member = [&](const std::string& key, const std::string& option, uint64_t default_value) {
    const OptionRow row = row_of(option);
    return schema_member(key, row.help, row.form.min, row.form.max, default_value);
  };
  auto object = [](const std::string& name, const std::string& description,
                   const std::string& members) {
    return fmt::format(
        "    \"{}\": {{\n      \"description\": \"{}\",\n      \"type\": \"object\",\n"
        "      \"properties\": {{\n{}\n      }},\n      \"additionalProperties\": false\n    }},\n",
        name, description, members);
  };
  std::string filters, radii;
  for (size_t type = 0; type < enum_names<FilterType>().size(); ++type) {
    const char* separator = type > 0 ? ", " : "";
    filters += fmt::format("{}\"{}\"", separator, enum_names<FilterType>()[type]);
    radii += fmt::format("{}{:g} for {}", separator, default_filter_radius(FilterType(type)),
                         enum_names<FilterType>()[type]);
  }
  const std::string film =
      schema_member("width", "Pixels.", 1, kMaxImageSide, scene.width) + ",\n" +
      schema_member("height", "Pixels.", 1, kMaxImageSide, scene.height) + ",\n" +
      fmt::format(
          "        \"filter\": {{\n          \"description\": \"Density of a pixel's samples "
          "around its centre.\",\n          \"enum\": [{}],\n          \"default\": \"{}\"\n"
          "        }},\n"
          "        \"filter_radius\": {{\n          \"type\": \"number\",\n"
          "          \"description\": \"Pixels; by default {}.\",\n"
          "          \"exclusiveMinimum\": 0,\n          \"maximum\": {:g}\n        }}",
          filters, enum_name(scene.filter.type), radii, kMaxFilterRadius);
  return object("film", "Size of the image, and how its pixels gather samples.", film) +
         object("render", "Amount of work.",
                member("spp", "--spp", scene.spp) + ",\n" +
                    member("max_bounces", "--max-bounces", scene.max_bounces));
}

TEST(OptionTables, MakeTheReference) {
  expect_committed(reference_text(), kSources / "src/app/OPTIONS.md");
}

TEST(OptionTables, MakeTheKeywordsOfPython) {
  expect_committed(python_text(), kSources / "src/python/winnow/keywords.py");
}

TEST(OptionTables, MakeTheSettingsInTheSchema) {
  const fs::path file = kSources / "scenes/winnow.schema.json";
  const std::string schema = text_of(file);
  const size_t begin = schema.find("    \"film\": {\n"), end = schema.find("    \"camera\": {\n");
  ASSERT_LT(begin, end);
  ASSERT_NE(end, std::string::npos);
  expect_committed(schema.substr(0, begin) + schema_definitions() + schema.substr(end), file);
}

TEST(OptionTables, DescribeEveryOptionInSentences) {
  for (const Command& command : all_commands({}))
    for (const OptionRow& row : command.options) {
      SCOPED_TRACE(command.name + " " + row.name);
      const std::string& help = row.help;
      EXPECT_TRUE(help.ends_with('.') || help.ends_with('}')) << help;
      EXPECT_EQ(help.find("(default"), std::string::npos) << "the table states the default";
    }
}

}  // namespace
}  // namespace winnow
