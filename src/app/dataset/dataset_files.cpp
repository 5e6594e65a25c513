// SPDX-License-Identifier: MIT
#include "app/dataset/dataset_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>
#include <system_error>

#include "app/dataset/camera_files.h"
#include "app/render/outputs.h"
#include "base/error.h"
#include "base/files.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOptionsFile = "dataset.json";
constexpr const char* kTransforms = "transforms.json";
constexpr const char* kContents = "contents";  ///< key of dataset.json
constexpr uint32_t kMaxGray16 = 65535;

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error(fmt::format("{}: cannot be created: {}", folder.string(), failure.message()));
}

struct FileTimes {
  FileTime written, changed;  ///< changed: also when a file was copied or moved to its place
};

std::optional<FileTimes> times_of(const fs::path& file) {
  struct stat status;
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  const auto time = [](const timespec& t) { return FileTime{t.tv_sec, t.tv_nsec}; };
  return FileTimes{time(status.st_mtim), time(status.st_ctim)};
}

/// Gives transforms.json the time of the model's last change, so that the model's file is not read
/// again while it is the same. Where that is not permitted, it is read in each run.
void mark_compared(const fs::path& transforms, const ModelStamp& stamp) {
  const timespec times[] = {{0, UTIME_OMIT}, {stamp.changed.seconds, stamp.changed.nanoseconds}};
  ::utimensat(AT_FDCWD, transforms.c_str(), times, 0);
}

/// Returns whether a file was written before the file of the model came to its place.
bool is_older(const fs::path& file, const DatasetModel& model) {
  const std::optional<FileTimes> own = times_of(file), other = times_of(model.file);
  return own && other && own->written <= other->changed;
}

/// Returns the stamp that transforms.json holds; none in those of earlier versions.
std::optional<ModelStamp> stored_stamp(const fs::path& transforms) {
  const Json json = Json::parse(read_file(transforms), nullptr, false);
  const Json::json_pointer bytes("/winnow/model_bytes"), hash("/winnow/model_hash");
  if (!json.contains(bytes) || !json[bytes].is_number_unsigned() || !json.contains(hash) ||
      !json[hash].is_string())
    return std::nullopt;
  return ModelStamp{json[bytes], json[hash]};
}

/// Returns whether the model's file has another content than transforms.json states. One that
/// cannot be read now has not.
bool has_changed(const fs::path& transforms, const DatasetModel& model) {
  const std::optional<FileTimes> own = times_of(transforms), other = times_of(model.file);
  if (!own || !other || own->written == other->changed) return false;
  const std::optional<ModelStamp> stored = stored_stamp(transforms);
  if (!stored) return false;
  const ModelStamp stamp = stamp_of(model.file);
  if (stamp.hash.empty()) return false;
  if (stamp.bytes != stored->bytes || stamp.hash != stored->hash) return true;
  mark_compared(transforms, stamp);
  return false;
}

std::vector<uint16_t> gray16_of(const std::vector<uint32_t>& ids) {
  return {ids.begin(), ids.end()};
}

std::vector<uint16_t> gray16_of(const std::vector<float>& depth, double factor) {
  std::vector<uint16_t> values;
  for (const float d : depth) {
    const double steps = std::round(d / factor);
    values.push_back(d > 0.0f ? uint16_t(std::clamp(steps, 1.0, double(kMaxGray16))) : 0);
  }
  return values;
}

/// Returns normals as 8-bit colours: 0 for nothing, else 127.5 (n + 1).
ByteImage normal_bytes(const std::vector<glm::vec3>& normals, Size size) {
  constexpr float kHalf = 127.5f;
  ByteImage image{size.width, size.height, {}};
  for (const glm::vec3& n : normals)
    for (int axis = 0; axis < 3; ++axis)
      image.values.push_back(n == glm::vec3(0.0f) ? 0
                                                  : uint8_t(std::lround(kHalf * (n[axis] + 1.0f))));
  return image;
}

template <class Values>
void write_exr_channel(const fs::path& file, Size size, const char* name, Values values) {
  replace_file(file, [&](std::ostream& stream) {
    write_exr(stream, Image{size.width, size.height, {}}, {{name, std::move(values)}});
  });
}

Json matrix_json(const DataCamera& camera) {
  Json rows = Json::array();
  for (int row = 0; row < 3; ++row)
    rows.push_back(
        {camera.axes[0][row], camera.axes[1][row], camera.axes[2][row], camera.position[row]});
  rows.push_back({0.0, 0.0, 0.0, 1.0});
  return rows;
}

Json intrinsics_json(const DataCamera& camera, Size size) {
  return {{"w", size.width},     {"h", size.height}, {"fl_x", camera.fl_x},
          {"fl_y", camera.fl_y}, {"cx", camera.cx},  {"cy", camera.cy}};
}

bool have_same_lens(const std::vector<DataCamera>& cameras) {
  return std::ranges::all_of(cameras, [&](const DataCamera& camera) {
    const DataCamera& first = cameras.front();
    return camera.fl_x == first.fl_x && camera.fl_y == first.fl_y && camera.cx == first.cx &&
           camera.cy == first.cy;
  });
}

/// Adds the lists of training and test: every eighth view is for tests, as in LLFF; of less than
/// eight views the last one, and a single view is for all.
void add_split(const std::vector<std::string>& files, Json& json) {
  constexpr size_t kEach = 8;
  Json train = Json::array(), test = Json::array();
  for (size_t i = 0; i < files.size(); ++i) {
    const bool is_test = files.size() < kEach ? i + 1 == files.size() : i % kEach == 0;
    (is_test ? test : train).push_back(files[i]);
  }
  if (train.empty()) train = test;
  json["train_filenames"] = train;
  json["val_filenames"] = test;
  json["test_filenames"] = test;
}

/// Returns true for the high quality, as versions without a choice wrote it.
Json denoise_json(const DatasetOptions& options) {
  if (!options.denoise || options.denoise_quality == DenoiseQuality::kHigh) return options.denoise;
  return enum_name(options.denoise_quality);
}

/// Returns the options that the files of a data set depend on.
Json options_json(const DatasetOptions& options) {
  const RenderSettings& settings = options.settings;
  Json json = {{"spp", options.spp},
               {"format", enum_name(options.format)},
               {"exposure", options.exposure},
               {"tone_map", enum_name(options.tone_curve)},
               {"denoise", denoise_json(options)},
               {"normalize", options.normalizes()},
               {"seed", settings.seed},
               {"depth", enum_name(options.depth)},
               {"normals", enum_name(options.normals)},
               {"fov", options.fov},
               {"distance", nullable(options.distance)},
               {"max_bounces", nullable(options.max_bounces)},
               {"time", nullable(options.time)},
               {"variant", options.choice.variant}};
  json["size"] = options.size || options.cameras.empty()
                     ? Json({options.view_size().width, options.view_size().height})
                     : Json(nullptr);
  if (!options.cameras.empty())
    json["cameras"] = options.cameras.string();
  else if (options.orbit)
    json["orbit"] = {options.orbit->count, options.orbit->elevation};
  else
    json["views"] = options.views,
    json["elevation"] = {options.elevations.low, options.elevations.high};
  for (const DataOutput output : options.outputs) json["outputs"].push_back(enum_name(output));
  json["sky"] = Json::array();
  for (const SkyRequest& sky : options.skies) json["sky"].push_back(sky.text);
  return json;
}

/// Returns the hashes of the files, besides models, that the files of a data set depend on.
Json contents_json(const DatasetOptions& options) {
  Json json = Json::object();
  auto add = [&](const fs::path& file) {
    const std::string hash = stamp_of(file).hash;
    if (!hash.empty()) json[file.string()] = hash;
  };
  if (!options.cameras.empty())
    for (const fs::path& file : files_of_cameras(options.cameras)) add(file);
  for (const SkyRequest& sky : options.skies)
    if (sky.kind == SkyRequest::Kind::kFile) add(sky.file);
  return json;
}

}  // namespace

bool is_dataset_file(const std::string& name) {
  return name == kOptionsFile || name == "failed.jsonl";
}

std::vector<ViewFolder> view_folders(const DatasetOptions& options) {
  std::vector<ViewFolder> folders;
  for (const DataOutput output : options.outputs) switch (output) {
      case DataOutput::kRgba:
        folders.push_back({"rgba", "rgba_file_path"});
        break;
      case DataOutput::kDepth:
        folders.push_back({"depth_" + enum_name(options.depth), "depth_file_path"});
        break;
      case DataOutput::kNormal:
        folders.push_back({"normal_" + enum_name(options.normals), "normal_file_path"});
        break;
      case DataOutput::kAlbedo:
        folders.push_back({"albedo", "albedo_file_path"});
        break;
      case DataOutput::kIds:
        folders.push_back({"object_ids", "object_ids_file_path"});
        folders.push_back({"material_ids", "material_ids_file_path"});
        break;
    }
  return folders;
}

std::string view_file(const ViewFolder& folder, const DatasetOptions& options, size_t view,
                      size_t view_count) {
  const size_t digits = std::max<size_t>(4, std::to_string(view_count - 1).size());
  return fmt::format("{}/{:0{}}.{}", folder.name, view, digits, enum_name(options.format));
}

ModelStamp stamp_of(const fs::path& file) {
  constexpr uint64_t kChunk = uint64_t{1} << 20;
  ModelStamp stamp;
  uint64_t hash = 0;
  stamp.changed = times_of(file).value_or(FileTimes{}).changed;
  try {
    const InputFile input(file);
    std::vector<std::byte> chunk(kChunk);
    for (; stamp.bytes < input.size(); stamp.bytes += chunk.size()) {
      chunk.resize(std::min(kChunk, input.size() - stamp.bytes));
      input.read(stamp.bytes, chunk.data(), chunk.size());
      hash = XXH3_64bits_withSeed(chunk.data(), chunk.size(), hash);
    }
  } catch (const Error&) {
    return {};
  }
  stamp.hash = fmt::format("{:016x}", hash);
  return stamp;
}

double depth_factor_for(double farthest) {
  constexpr double kMillimetre = 0.001;
  double factor = kMillimetre;
  for (int power = -3; factor * kMaxGray16 < farthest; ++power) factor = std::pow(10.0, power + 1);
  return factor;
}

void check_ids_fit(const DatasetOptions& options, const DatasetModel& model, size_t count,
                   const char* what) {
  if (options.format == DataFormat::kPng && options.wants(DataOutput::kIds) && count > kMaxGray16)
    throw Error(fmt::format("{}: has {} {}, whose ids do not fit into 16 bits; use --format exr",
                            model.file.string(), count, what));
}

void write_view(const DatasetOptions& options, const DatasetShot& shot, size_t view,
                const ViewImages& images) {
  const bool is_exr = options.format == DataFormat::kExr;
  const ToneMapping mapping{.curve = options.tone_curve, .exposure = options.exposure};
  const Size size = shot.size;
  std::vector<fs::path> files;
  for (const ViewFolder& folder : view_folders(options)) {
    files.push_back(options.out / shot.model.name /
                    view_file(folder, options, view, shot.cameras.size()));
    make_folder(files.back().parent_path());
  }
  auto file = files.begin();
  auto write_gray = [&](const std::vector<uint16_t>& values) {
    replace_file(*file, [&](std::ostream& stream) {
      write_gray16_png(stream, size.width, size.height, values);
    });
    ++file;
  };
  auto write_ids = [&](const std::vector<uint32_t>& ids) {
    if (!is_exr) return write_gray(gray16_of(ids));
    write_exr_channel(*file++, size, "id", ids);
  };
  for (const DataOutput output : options.outputs) switch (output) {
      case DataOutput::kRgba:
        write_covered_image(*file++, images.rgba, mapping);
        break;
      case DataOutput::kDepth:
        if (!is_exr)
          write_gray(gray16_of(images.depth, shot.depth_factor));
        else
          write_exr_channel(*file++, size, "Z", images.depth);
        break;
      case DataOutput::kNormal:
        if (is_exr)
          write_image(*file++, Image{size.width, size.height, images.normal});
        else
          replace_file(*file++, [&](std::ostream& stream) {
            write_rgb_png(stream, normal_bytes(images.normal, size));
          });
        break;
      case DataOutput::kAlbedo:
        write_covered_image(*file++, images.albedo, {});
        break;
      case DataOutput::kIds:
        write_ids(images.object_ids);
        write_ids(images.material_ids);
        break;
    }
}

Json transforms_json(const DatasetOptions& options, const DatasetShot& shot) {
  const std::vector<DataCamera>& cameras = shot.cameras;
  const bool is_same = have_same_lens(cameras);
  const std::vector<ViewFolder> folders = view_folders(options);
  Json json = {{"camera_model", "OPENCV"}};
  if (is_same) json.update(intrinsics_json(cameras.front(), shot.size));
  for (const char* key : {"k1", "k2", "p1", "p2"}) json[key] = 0.0;
  if (options.wants(DataOutput::kDepth) && options.format == DataFormat::kPng)
    json["depth_unit_scale_factor"] = shot.depth_factor;
  Json frames = Json::array();
  std::vector<std::string> files;
  for (size_t view = 0; view < cameras.size(); ++view) {
    Json frame = Json::object();
    for (const ViewFolder& folder : folders) {
      const std::string file = view_file(folder, options, view, cameras.size());
      if (!frame.contains("file_path")) {
        frame["file_path"] = file;
        files.push_back(file);
      }
      if (folder.name != "rgba") frame[folder.key] = file;
    }
    if (!is_same) frame.update(intrinsics_json(cameras[view], shot.size));
    frame["transform_matrix"] = matrix_json(cameras[view]);
    frames.push_back(std::move(frame));
  }
  json["frames"] = std::move(frames);
  add_split(files, json);
  const glm::dvec3& center = shot.placement.center;
  json["winnow"] = {{"model", shot.model.file.string()},
                    {"model_bytes", shot.stamp.bytes},
                    {"model_hash", shot.stamp.hash},
                    {"sky", shot.sky.empty() ? Json(nullptr) : Json(shot.sky)},
                    {"center", {center.x, center.y, center.z}},
                    {"scale", shot.placement.scale}};
  return json;
}

bool remove_outdated(const DatasetOptions& options, const DatasetModel& model, size_t view_count) {
  const fs::path folder = options.out / model.name, transforms = folder / kTransforms;
  if (!has_changed(transforms, model)) return false;
  const auto remove = [](const fs::path& file) {
    std::error_code failure;
    fs::remove(file, failure);  // another run may have been first
    if (failure)
      throw Error(fmt::format("{}: cannot be removed: {}", file.string(), failure.message()));
  };
  for (const ViewFolder& kind : view_folders(options))
    for (size_t view = 0; view < view_count; ++view)
      remove(folder / view_file(kind, options, view, view_count));
  remove(transforms);  // last, as it shows the change if the run ends here
  return true;
}

std::vector<size_t> missing_views(const DatasetOptions& options, const DatasetModel& model,
                                  size_t view_count) {
  const fs::path folder = options.out / model.name;
  std::error_code failure;
  const bool may_be_old = !fs::exists(folder / kTransforms, failure);
  std::vector<size_t> missing;
  const std::vector<ViewFolder> folders = view_folders(options);
  for (size_t view = 0; view < view_count; ++view)
    if (!std::ranges::all_of(folders, [&](const ViewFolder& kind) {
          const fs::path file = folder / view_file(kind, options, view, view_count);
          const auto bytes = fs::file_size(file, failure);
          return !failure && bytes > 0 && !(may_be_old && is_older(file, model));
        }))
      missing.push_back(view);
  return missing;
}

bool is_complete(const DatasetOptions& options, const DatasetModel& model, size_t view_count) {
  std::error_code failure;
  return fs::exists(options.out / model.name / kTransforms, failure) &&
         missing_views(options, model, view_count).empty();
}

void write_transforms(const DatasetOptions& options, const DatasetShot& shot) {
  const fs::path folder = options.out / shot.model.name;
  make_folder(folder);
  replace_file(folder / kTransforms, [&](std::ostream& stream) {
    stream << json_text(transforms_json(options, shot), 1);
  });
  mark_compared(folder / kTransforms, shot.stamp);
}

void begin_folder(const DatasetOptions& options) {
  make_folder(options.out);
  const fs::path file = options.out / kOptionsFile;
  Json wanted = options_json(options);
  wanted[kContents] = contents_json(options);
  wanted = Json::parse(json_text(wanted, 1));  // names of files need not be UTF-8
  std::error_code failure;
  if (!fs::exists(file, failure))
    return replace_file(file, [&](std::ostream& stream) { stream << json_text(wanted, 1); });
  const Json found = Json::parse(read_text_file(file), nullptr, false);
  if (!found.is_object())
    throw Error(fmt::format("{}: is damaged; use another folder", file.string()));
  if (!found.contains(kContents)) wanted.erase(kContents);  // of an earlier version
  if (found == wanted) return;
  for (const auto& [key, value] : wanted.items()) {
    if (found.contains(key) && found.at(key) == value) continue;
    if (key == kContents)
      throw Error(fmt::format(
          "{}: the files of cameras or skies have changed since the data set was begun; use "
          "another folder",
          options.out.string()));
    throw Error(fmt::format(
        "{}: the folder holds a data set of other options: {} is {}, not {}; use the same "
        "options or another folder",
        options.out.string(), key, found.contains(key) ? found.at(key).dump() : "not there",
        value.dump()));
  }
  throw Error(fmt::format("{}: the folder holds a data set of other options; use another folder",
                          options.out.string()));
}

}  // namespace winnow
