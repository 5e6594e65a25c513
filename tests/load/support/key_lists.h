// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/known_keys.h"

// Checks of the tables in which readers account for all keys of their formats.

namespace winnow {

/// Parses lines "owner: key key ...", which may continue in lines that begin with a blank.
inline std::vector<std::pair<std::string, std::string>> parse_key_list(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> keys;
  std::istringstream lines(text);
  std::string owner;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line[0] != ' ') {
      owner = line.substr(0, line.find(':'));
      line.erase(0, owner.size() + 1);
      keys.emplace_back(owner, "");
    }
    std::istringstream names(line);
    for (std::string name; names >> name;) keys.emplace_back(owner, name);
  }
  return keys;
}

/// A table for a document: a row for each owner, with its keys by what a reader does with them.
inline std::string markdown_of_keys(std::span<const KnownKey> keys, const std::string& title) {
  struct Row {
    std::string exact, approximated, ignored, harmless;
  };
  std::vector<std::string> owners;
  std::map<std::string, Row> rows;
  auto append = [](std::string& cell, const std::string& text) {
    cell += (cell.empty() ? "" : ", ") + text;
  };
  for (size_t i = 0; i < keys.size();) {
    const KnownKey& key = keys[i];
    // Neighbours with the same reason share it.
    std::string names;
    for (; i < keys.size() && keys[i].owner == key.owner && keys[i].use == key.use &&
           keys[i].why == key.why && keys[i].name.empty() == key.name.empty();
         ++i)
      append(names, fmt::format("`{}`", keys[i].name));
    const std::string owner(key.owner), why(key.why);
    if (!rows.contains(owner)) owners.push_back(owner);
    Row& row = rows[owner];
    if (key.name.empty()) {
      if (!why.empty()) append(key.use == KeyUse::kIgnored ? row.ignored : row.approximated, why);
      continue;
    }
    const std::string explained = fmt::format("{} ({})", names, why);
    if (key.use == KeyUse::kHarmless)
      append(row.harmless, names);
    else if (key.use == KeyUse::kIgnored)
      append(row.ignored, explained);
    else
      append(why.empty() ? row.exact : row.approximated, why.empty() ? names : explained);
  }
  std::string text = fmt::format(
      "| {} | exact | approximated | ignored, with a warning | without effect "
      "|\n|---|---|---|---|---|\n",
      title);
  for (const std::string& owner : owners) {
    const Row& row = rows[owner];
    text += fmt::format("| {} | {} | {} | {} | {} |\n", owner, row.exact, row.approximated,
                        row.ignored, row.harmless);
  }
  return text;
}

/// Expects that a document has this text between two comments that name it. With
/// WINNOW_WRITE_GENERATED=1, writes it.
inline void expect_generated(const std::string& name, const std::string& generated,
                             const std::filesystem::path& file) {
  std::ostringstream stream;
  stream << std::ifstream(file).rdbuf();
  const std::string text = stream.str(), begin = "<!-- generated: " + name + " -->\n",
                    end = "<!-- end of " + name + " -->\n";
  const size_t first = text.find(begin), last = text.find(end);
  ASSERT_NE(first, std::string::npos) << begin;
  ASSERT_NE(last, std::string::npos) << end;
  const size_t start = first + begin.size();
  const std::string expected = "\n" + generated + "\n";
  if (const char* write = std::getenv("WINNOW_WRITE_GENERATED"); write && std::string(write) == "1")
    std::ofstream(file) << text.substr(0, start) << expected << text.substr(last);
  else
    EXPECT_EQ(text.substr(start, last - start), expected)
        << file << " is not what the table of keys says; WINNOW_WRITE_GENERATED=1 writes it";
}

}  // namespace winnow
