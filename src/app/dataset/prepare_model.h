// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/dataset/camera_files.h"
#include "app/dataset/dataset_files.h"
#include "scene/host_scene.h"

namespace winnow {

/// A loaded model with its cameras and its light.
struct PreparedModel {
  HostScene scene;
  std::shared_ptr<const DatasetShot> shot;
  ObjectIds objects;
};

/// Loads models for a data set. Several threads may call its functions.
class ModelPreparer {
 public:
  /// Reads the cameras and skies of files. Throws Error and UsageError.
  explicit ModelPreparer(const DatasetOptions& options);

  size_t view_count() const;
  Size size() const { return size_; }

  /// Throws Error, in one line, if the model cannot be rendered.
  PreparedModel prepare(const DatasetModel& model) const;

 private:
  std::vector<DataCamera> cameras_of(const DatasetModel& model) const;
  void light(const DatasetModel& model, HostScene& scene, std::string& sky) const;

  const DatasetOptions& options_;
  Size size_;
  std::vector<DataCamera> of_file_;    ///< empty: cameras on a sphere or a circle
  std::vector<EnvironmentMap> maps_;   ///< [sky], empty for skies without a file
  std::vector<std::string> warnings_;  ///< warnings of the maps
};

/// Returns a number that depends on a seed and a name only, evenly distributed.
uint64_t random_of_name(uint64_t seed, const std::string& name, const char* purpose);

}  // namespace winnow
