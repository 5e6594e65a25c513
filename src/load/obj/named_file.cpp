// SPDX-License-Identifier: MIT
#include "load/obj/named_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <system_error>

#include "base/error.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

bool are_equal_but_for_case(const std::string& a, const std::string& b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Returns the entry of `folder` with this name, or else the first one that differs in case only;
/// an empty path if there is none.
fs::path find_entry(const fs::path& folder, const fs::path& name) {
  std::error_code failure;
  if (fs::exists(folder / name, failure)) return folder / name;
  fs::path found;
  const fs::path place = folder.empty() ? "." : folder;
  for (fs::directory_iterator entry(place, failure), end; entry != end; entry.increment(failure)) {
    const fs::path other = entry->path().filename();
    if (are_equal_but_for_case(other, name) && (found.empty() || other < found)) found = other;
  }
  return found.empty() ? found : folder / found;
}

/// Returns the file with this path below `folder`; an empty path if there is none.
fs::path find_below(const fs::path& folder, const fs::path& path) {
  fs::path found = folder;
  for (const fs::path& part : path)
    if (found = find_entry(found, part); found.empty()) return {};
  return found;
}

}  // namespace

fs::path find_named_file(const std::vector<fs::path>& folders, const std::string& name,
                         const std::string& place, std::vector<std::string>& warnings) {
  std::string text = name;
  std::ranges::replace(text, '\\', '/');
  if (text.size() > 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  const fs::path path = text;
  for (const fs::path& folder : folders)
    if (fs::path found = find_below(folder, path); !found.empty()) return found;
  constexpr size_t kMostNames = 3;
  const std::vector<fs::path> names(path.begin(), path.end());
  for (size_t count = std::min(names.size(), kMostNames); count > 0; --count) {
    fs::path end;
    for (size_t i = names.size() - count; i < names.size(); ++i) end /= names[i];
    for (const fs::path& folder : folders)
      if (fs::path found = find_below(folder, end); !found.empty()) {
        warnings.push_back(fmt::format("{}: {} is not at its path; {} is used", place,
                                       in_quotes(name), found.string()));
        return found;
      }
  }
  return folders.front() / path;
}

}  // namespace winnow
