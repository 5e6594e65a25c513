// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace winnow {

/// A model of a data set.
struct DatasetModel {
  std::filesystem::path file;
  std::string name;  ///< name of its folder; unique, whatever the order of the models is
};

/// Returns the lines of a text file, without empty ones; "-" is the standard input.
std::vector<std::filesystem::path> read_model_list(const std::filesystem::path& list);

/// Replaces folders by the models in them (.glb, .gltf, .obj, .ply) and leaves out files that are
/// named twice. Throws UsageError if a folder has no models.
std::vector<std::filesystem::path> find_models(const std::vector<std::filesystem::path>& paths);

/// Names each model by its file without the extension; models of the same name get the names of as
/// many parent folders as tell them apart, as in "chair__model". The result is in the order of the
/// names.
std::vector<DatasetModel> name_models(const std::vector<std::filesystem::path>& files);

}  // namespace winnow
