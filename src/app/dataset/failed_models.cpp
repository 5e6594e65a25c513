// SPDX-License-Identifier: MIT
#include "app/dataset/failed_models.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <fstream>
#include <ostream>
#include <utility>

#include "app/cli/json.h"
#include "base/files.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Holds a lock on a folder against other processes, where the file system has such locks.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_.value() >= 0) ::flock(descriptor_.value(), LOCK_EX);
  }

 private:
  FileDescriptor descriptor_;  // closing it ends the lock
};

}  // namespace

FailedModels::FailedModels(fs::path file) : file_(std::move(file)), lines_(read()) {}

FailedModels::Lines FailedModels::read() const {
  Lines lines;
  std::ifstream stream(file_);
  for (std::string line; std::getline(stream, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("name") && json["name"].is_string())
      lines[json["name"].get<std::string>()] = line;
  }
  return lines;
}

void FailedModels::change(const std::string& name, const std::string& line) {
  const std::scoped_lock threads(mutex_);
  const FolderLock processes(file_.parent_path());
  lines_ = read();
  if (line.empty())
    lines_.erase(name);
  else
    lines_[name] = line;
  replace_file(file_, [&](std::ostream& stream) {
    for (const auto& [key, text] : lines_) stream << text << '\n';
  });
}

bool FailedModels::contains(const std::string& name) const {
  const std::scoped_lock threads(mutex_);
  return lines_.contains(name);
}

void FailedModels::add(const DatasetModel& model, const std::string& error) {
  const Json json = {{"name", model.name}, {"model", model.file.string()}, {"error", error}};
  std::string line = json_text(json, -1);
  line.pop_back();  // the end of the line
  change(model.name, line);
}

void FailedModels::remove(const DatasetModel& model) {
  if (contains(model.name)) change(model.name, "");
}

size_t FailedModels::count(const std::vector<DatasetModel>& models) const {
  return size_t(std::ranges::count_if(
      models, [&](const DatasetModel& model) { return contains(model.name); }));
}

}  // namespace winnow
