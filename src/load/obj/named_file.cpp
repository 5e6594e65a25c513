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

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

/// Returns a name without quotes and with slashes.
fs::path plain_path(std::string name) {
  std::ranges::replace(name, '\\', '/');
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
    name = name.substr(1, name.size() - 2);
  return name;
}

}  // namespace

const NamedFiles::Listing& NamedFiles::listing(const fs::path& folder) {
  const auto [known, is_new] = listings_.try_emplace(folder.string());
  if (!is_new) return known->second;
  std::error_code failure;
  const fs::path place = folder.empty() ? "." : folder;
  for (fs::directory_iterator entry(place, failure), end; entry != end; entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    std::string& first = known->second.try_emplace(lower_case(name), name).first->second;
    first = std::min(first, name);
  }
  return known->second;
}

fs::path NamedFiles::find_entry(const fs::path& folder, const fs::path& name) {
  std::error_code failure;
  if (fs::exists(folder / name, failure)) return folder / name;
  const Listing& entries = listing(folder);
  const auto found = entries.find(lower_case(name.string()));
  return found == entries.end() ? fs::path() : folder / found->second;
}

template <class Iterator>
fs::path NamedFiles::find_below(const fs::path& folder, Iterator first, Iterator last) {
  fs::path found = folder;
  for (; first != last; ++first)
    if (found = find_entry(found, *first); found.empty()) return {};
  std::error_code failure;
  const fs::file_status status = fs::status(found, failure);
  return fs::exists(status) && !fs::is_directory(status) ? found : fs::path();
}

fs::path NamedFiles::find(const Folders& folders, const std::string& name) {
  const fs::path path = plain_path(name);
  for (const fs::path& folder : folders)
    if (fs::path found = find_below(folder, path.begin(), path.end()); !found.empty()) return found;
  return {};
}

fs::path NamedFiles::find_end(const Folders& folders, const std::string& name,
                              const std::string& place) {
  std::vector<fs::path> parts;
  for (const fs::path& part : plain_path(name).relative_path())
    if (!part.empty() && part != "." && part != "..") parts.push_back(part);
  for (auto first = parts.begin(); first != parts.end(); ++first)
    for (const fs::path& folder : folders)
      if (fs::path found = find_below(folder, first, parts.end()); !found.empty()) {
        warnings_.add(
            fmt::format("{} is not at its path; {} is used", in_quotes(name), found.string()),
            [&] { return place; });
        return found;
      }
  return {};
}

std::vector<std::string> NamedFiles::warnings() const {
  constexpr size_t kMaxShown = 3;
  std::vector<std::string> lines = warnings_.lines();
  if (lines.size() <= kMaxShown + 1) return lines;
  const size_t others = lines.size() - kMaxShown;
  lines.resize(kMaxShown);
  lines.push_back(
      fmt::format("{} more files are not at their paths; files found elsewhere are used", others));
  return lines;
}

fs::path NamedFiles::path_of(const Folders& folders, const std::string& name,
                             const std::string& place) {
  fs::path found = find(folders, name);
  if (found.empty()) found = find_end(folders, name, place);
  return found.empty() ? folders.front() / plain_path(name) : found;
}

}  // namespace winnow
