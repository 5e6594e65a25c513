// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "app/dataset/models.h"

namespace winnow {

/// Models that could not be rendered, in a file of one JSON object a line: model, name and error,
/// in the order of the names. Several processes may write it at once. Several threads may call the
/// functions.
class FailedModels {
 public:
  /// Reads the file if it exists.
  explicit FailedModels(std::filesystem::path file);

  bool contains(const std::string& name) const;

  /// Records the failure of a model, or that it has not failed after all.
  void add(const DatasetModel& model, const std::string& error);
  void remove(const DatasetModel& model);

  /// Returns the number of models in the file that are in `names`.
  size_t count(const std::vector<DatasetModel>& models) const;

 private:
  using Lines = std::map<std::string, std::string>;  ///< name -> line
  Lines read() const;
  void change(const std::string& name, const std::string& line);

  std::filesystem::path file_;
  mutable std::mutex mutex_;
  Lines lines_;
};

}  // namespace winnow
