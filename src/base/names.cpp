// SPDX-License-Identifier: MIT
#include "base/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace winnow {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::optional<std::string> nearest_name(std::string_view misspelled,
                                        const std::vector<std::string>& names) {
  constexpr size_t kMaxNameLength = 100;  // longer ones are not typing errors
  if (misspelled.size() > kMaxNameLength) return std::nullopt;

  size_t least = std::max<size_t>(2, misspelled.size() / 2);
  std::optional<std::string> nearest;
  for (const std::string& name : names) {
    if (name.size() > kMaxNameLength) continue;
    size_t distance = edit_distance(misspelled, name);
    if (distance > least || distance >= name.size() || (nearest && distance == least)) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

std::string suggest_name(std::string_view misspelled, const std::vector<std::string>& names) {
  if (std::optional<std::string> nearest = nearest_name(misspelled, names))
    return fmt::format("did you mean {}?", in_quotes(*nearest));
  if (names.empty()) return "none are known here";

  constexpr size_t kMaxNames = 12;
  std::string known = "known are ";
  for (size_t i = 0; i < std::min(names.size(), kMaxNames); ++i)
    known += (i ? ", " : "") + one_line(names[i]);
  return names.size() > kMaxNames ? known + ", ..." : known;
}

}  // namespace winnow
