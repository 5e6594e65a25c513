// SPDX-License-Identifier: MIT
#include "app/dataset/models.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "app/dataset/dataset_files.h"
#include "base/error.h"
#include "base/files.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Returns the parts of a path without ".", the last one without its extension.
std::vector<std::string> parts_of(const fs::path& file) {
  std::vector<std::string> parts;
  const fs::path normal = file.lexically_normal(), path = normal.parent_path() / normal.stem();
  for (const fs::path& part : path)
    if (part != "." && part != "/" && !part.empty()) parts.push_back(part.string());
  if (parts.empty() || parts.back() == "..") parts.emplace_back("model");
  return parts;
}

/// Returns the last `count` parts, as in "chair__model".
std::string joined_parts(const std::vector<std::string>& parts, size_t count) {
  std::string name;
  for (size_t i = parts.size() - std::min(count, parts.size()); i < parts.size(); ++i)
    name += (name.empty() ? "" : "__") + parts[i];
  return name;
}

/// Returns distinct names for files without extension that have the same last part.
std::vector<std::string> names_of_group(const std::vector<fs::path>& files) {
  size_t deepest = 1;
  for (const fs::path& file : files) deepest = std::max(deepest, parts_of(file).size());
  for (size_t count = 1; count <= deepest; ++count) {
    std::vector<std::string> names;
    for (const fs::path& file : files) names.push_back(joined_parts(parts_of(file), count));
    if (std::set<std::string>(names.begin(), names.end()).size() == files.size()) return names;
  }
  std::vector<std::string> names;  // they differ by extension only, or by steps to parent folders
  for (const fs::path& file : files)
    names.push_back(joined_parts(parts_of(file), deepest) + file.extension().string());
  return names;
}

std::string hash_text(const fs::path& file) {
  const std::string text = file.string();
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace

std::vector<fs::path> read_model_list(const fs::path& list) {
  const std::string text = list == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {})
                                       : read_text_file(list);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  constexpr const char* kBlanks = " \t\r";
  std::vector<fs::path> files;
  std::istringstream lines(text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size())
                                                            : text);
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string::npos) continue;
    files.emplace_back(line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin));
  }
  return files;
}

std::vector<fs::path> find_models(const std::vector<fs::path>& paths) {
  std::map<fs::path, fs::path> found;  // by its absolute path
  auto add = [&](const fs::path& file) {
    std::error_code failure;
    const fs::path spelling = file.lexically_normal();
    const fs::path absolute = fs::absolute(spelling, failure).lexically_normal();
    const auto [place, is_new] = found.emplace(absolute, spelling);
    if (!is_new) place->second = std::min(place->second, spelling);
  };
  for (const fs::path& path : paths) {
    std::error_code failure;
    if (!fs::is_directory(path, failure)) {
      add(path);
      continue;
    }
    bool has_models = false;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(
             path, fs::directory_options::skip_permission_denied, failure))
      if (is_model(entry.path()) && entry.is_regular_file(failure)) {
        add(entry.path());
        has_models = true;
      }
    if (!has_models)
      throw UsageError(
          fmt::format("{}: the folder has no .glb, .gltf, .obj or .ply", path.string()));
  }
  std::vector<fs::path> files;
  for (const auto& [absolute, spelling] : found) files.push_back(spelling);
  return files;
}

std::vector<DatasetModel> name_models(const std::vector<fs::path>& files) {
  std::map<std::string, std::vector<fs::path>> groups;
  for (const fs::path& file : files) groups[parts_of(file).back()].push_back(file);
  std::map<std::string, fs::path> models;
  std::vector<fs::path> others;
  for (auto& [stem, group] : groups) {
    std::sort(group.begin(), group.end());
    const std::vector<std::string> names = names_of_group(group);
    for (size_t i = 0; i < group.size(); ++i)
      if (is_dataset_file(names[i]) || !models.emplace(names[i], group[i]).second)
        others.push_back(group[i]);
  }
  for (const fs::path& file : others)
    models.emplace(parts_of(file).back() + "-" + hash_text(file), file);
  std::vector<DatasetModel> result;
  for (const auto& [name, file] : models) result.push_back({file, name});
  return result;
}

}  // namespace winnow
