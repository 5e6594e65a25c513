// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/json.h"
#include "app/dataset/dataset.h"
#include "app/dataset/models.h"

namespace winnow {

// The files of a data set: OUT/dataset.json, OUT/failed.jsonl and, for each model, OUT/NAME with
// transforms.json and a folder for each kind of image.

/// True if the folder of a model must not have this name.
bool is_dataset_file(const std::string& name);

/// A kind of image files.
struct ViewFolder {
  std::string name;  ///< "depth_z"
  std::string key;   ///< key of its files in transforms.json, "depth_file_path"
};

/// Returns the kinds of files of each view. The first one is that of `file_path`.
std::vector<ViewFolder> view_folders(const DatasetOptions& options);

/// Returns "rgba/0007.png", relative to the folder of the model.
std::string view_file(const ViewFolder& folder, const DatasetOptions& options, size_t view,
                      size_t view_count);

/// A time of the file system.
struct FileTime {
  int64_t seconds = 0, nanoseconds = 0;
  auto operator<=>(const FileTime&) const = default;
};

/// Size and content of a model's file.
struct ModelStamp {
  uint64_t bytes = 0;
  std::string hash;  ///< 16 hexadecimal digits, by XXH3 of each MiB with the hash before as seed
  FileTime changed = {};  ///< st_ctim before the file was read
};

/// Returns the stamp of a file, without the files that it names. That of a file that cannot be read
/// has no hash.
ModelStamp stamp_of(const std::filesystem::path& file);

/// A model whose views are rendered.
struct DatasetShot {
  DatasetModel model;
  ModelStamp stamp = {};
  Size size;
  std::vector<DataCamera> cameras;  ///< [view], in the space of the data set
  Placement placement = {};
  double depth_factor = 1.0;  ///< units of the data set per step of a 16-bit PNG
  std::string sky = {};       ///< value of --sky; empty: the model's own sky
};

/// Returns the factor of depths in 16-bit PNG: 0.001, or a larger power of ten that lets the
/// farthest point of a model fit.
/// @param farthest  largest distance that a camera may see
double depth_factor_for(double farthest);

/// Throws Error if ids up to `count` are to be written in a format that cannot hold them.
/// @param what  has the ids, such as "objects"
void check_ids_fit(const DatasetOptions& options, const DatasetModel& model, size_t count,
                   const char* what);

/// Writes all files of a view. Those that exist are replaced. Throws Error, which names the file.
void write_view(const DatasetOptions& options, const DatasetShot& shot, size_t view,
                const ViewImages& images);

/// Returns the content of transforms.json.
Json transforms_json(const DatasetOptions& options, const DatasetShot& shot);

/// Writes transforms.json, after all views. Its time of writing is that of the stamp,
/// the last change of the model.
void write_transforms(const DatasetOptions& options, const DatasetShot& shot);

/// Removes the views and transforms.json of a model if its file has another content than
/// transforms.json states. Returns whether it has. Throws Error.
bool remove_outdated(const DatasetOptions& options, const DatasetModel& model, size_t view_count);

/// Returns the views whose files are not all there, or, before transforms.json is, are older than
/// the model's file.
std::vector<size_t> missing_views(const DatasetOptions& options, const DatasetModel& model,
                                  size_t view_count);

/// Returns whether a model needs no work: all of its files are there.
bool is_complete(const DatasetOptions& options, const DatasetModel& model, size_t view_count);

/// Creates OUT with dataset.json, which holds the options that its files depend on. Throws Error,
/// which names the difference, if it is there with other options.
void begin_folder(const DatasetOptions& options);

}  // namespace winnow
