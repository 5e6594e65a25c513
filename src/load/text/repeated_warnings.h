// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace winnow {

/// Warnings of a file. Each text is reported once, with its first place and its number of
/// occurrences.
class RepeatedWarnings {
 public:
  void add(const std::string& what, const std::function<std::string()>& place) {
    const auto [known, is_new] = index_.try_emplace(what, warnings_.size());
    if (is_new)
      warnings_.push_back({what, place()});
    else
      ++warnings_[known->second].count;
  }

  /// Returns "place: what (3 times)" for each text.
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const auto& [what, place, count] : warnings_)
      lines.push_back(fmt::format("{}: {}", place, what) +
                      (count > 1 ? fmt::format(" ({} times)", count) : ""));
    return lines;
  }

  /// Returns the first three lines as one; `none` if there are no warnings.
  std::string summary(const std::string& none) const {
    std::vector<std::string> first = lines();
    first.resize(std::min<size_t>(first.size(), 3));
    return first.empty() ? none : fmt::format("{}", fmt::join(first, "; "));
  }

 private:
  struct Warning {
    std::string what, place;
    size_t count = 1;
  };
  std::vector<Warning> warnings_;
  std::unordered_map<std::string, size_t> index_;  ///< index in `warnings_`, by text
};

}  // namespace winnow
