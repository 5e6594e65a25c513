// SPDX-License-Identifier: MIT
#include "app/dataset/camera_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <map>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "load/json/json_reader.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr Range kViewAngle{0.0, glm::pi<double>(), true, true};  // rad
constexpr Range kPixels{0.0, 1e7, true};
constexpr Range kPictureSide{1.0, double(kMaxImageSide)};

/// Intrinsics of a file in pixels of its own size.
struct FileCamera {
  DataCamera camera;
  std::optional<Size> size;
};

std::optional<double> number_at(const JsonReader& frame, const JsonReader& root, const char* key,
                                Range range) {
  for (const JsonReader* from : {&frame, &root})
    if (from->is_object())
      if (const auto member = from->find(key)) {
        const double number = member->any_number();
        if (!range.contains(number))
          member->fail("expected a number from {} to {}, found {}", range.min, range.max, number);
        return number;
      }
  return std::nullopt;
}

/// A camera model of COLMAP that is a pinhole if its distortion is 0. nerfstudio has the same
/// names.
struct PinholeModel {
  const char* name;
  int focal_count;  ///< 1 or 2
  int others;       ///< parameters of COLMAP after the principal point, which must be 0
};
constexpr PinholeModel kPinholeModels[] = {{"SIMPLE_PINHOLE", 1, 0},
                                           {"PINHOLE", 2, 0},
                                           {"SIMPLE_RADIAL", 1, 1},
                                           {"RADIAL", 1, 2},
                                           {"OPENCV", 2, 4}};

/// Returns null for a model that is no pinhole.
const PinholeModel* find_model(const std::string& name) {
  const auto* found = std::ranges::find_if(
      kPinholeModels, [&](const PinholeModel& known) { return known.name == name; });
  return found == std::end(kPinholeModels) ? nullptr : found;
}

/// Refuses a lens that is no pinhole, such as a fisheye, even if no distortion is given.
void refuse_other_models(const JsonReader& json) {
  if (!json.is_object()) return;
  if (const auto model = json.find("camera_model"); model && !find_model(model->text()))
    model->fail("the camera model {} is not supported; undistort the pictures first",
                in_quotes(model->text()));
  if (const auto fisheye = json.find("is_fisheye"); fisheye && fisheye->boolean())
    fisheye->fail("a fisheye is not supported; undistort the pictures first");
}

void refuse_distortion(const JsonReader& frame, const JsonReader& root) {
  for (const char* key : {"k1", "k2", "k3", "k4", "p1", "p2"})
    if (number_at(frame, root, key, kCoordinate).value_or(0.0) != 0.0)
      root.fail("{} is not 0; cameras with lens distortion are not supported, undistort them first",
                key);
}

/// Sets position and axes from a matrix of a camera whose axes are right, up and back.
void read_camera_matrix(const JsonReader& json, DataCamera& camera) {
  const size_t rows = json.size("a matrix of 4 rows");
  if (rows != 3 && rows != 4) json.fail("expected a matrix of 3 or 4 rows, found {}", rows);
  for (int row = 0; row < 3; ++row) {
    const JsonReader numbers = json[size_t(row)];
    numbers.expect_size(4, "a row of 4 numbers");
    for (int column = 0; column < 3; ++column)
      camera.axes[column][row] = numbers[size_t(column)].any_number();
    const double place = numbers[3].any_number();
    if (!kCoordinate.contains(place)) numbers[3].fail("expected a coordinate, found {}", place);
    camera.position[row] = place;
  }
  constexpr double kTolerance = 1e-3;
  for (int axis = 0; axis < 3; ++axis) {
    const double length = glm::length(camera.axes[axis]);
    if (!(length > 0.0) || !std::isfinite(length)) json.fail("is not a rotation");
    camera.axes[axis] /= length;
  }
  const glm::dmat3 &axes = camera.axes, product = glm::transpose(axes) * axes;
  double error = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      error = std::max(error, std::abs(product[i][k] - (i == k ? 1.0 : 0.0)));
  if (error > kTolerance) json.fail("its axes are not at right angles");
  if (glm::determinant(axes) < 0.0) json.fail("is mirrored");
  const glm::dvec3 back = axes[2], right = glm::normalize(glm::cross(axes[1], back));
  camera.axes = {right, glm::cross(back, right), back};
}

/// Completes a camera by the lens shift of Blender, with sensor fit AUTO and square pixels.
void shift_as_blender(const JsonReader& frame, Size size, DataCamera& camera) {
  const double longest = std::max(size.width, size.height);
  if (const auto shift = frame.find("shift_x"))
    camera.cx = 0.5 * size.width - longest * shift->any_number();
  if (const auto shift = frame.find("shift_y"))
    camera.cy = 0.5 * size.height + longest * shift->any_number();
}

FileCamera read_intrinsics(const JsonReader& frame, const JsonReader& root, Size otherwise,
                           double fov) {
  const auto number = [&](const char* key, Range range) {
    return number_at(frame, root, key, range);
  };
  FileCamera read;
  const auto w = number("w", kPictureSide), h = number("h", kPictureSide);
  if (w && h) read.size = Size{uint32_t(*w), uint32_t(*h)};
  const Size size = read.size.value_or(otherwise);
  refuse_other_models(frame);
  refuse_other_models(root);
  refuse_distortion(frame, root);
  const auto focal = [&](const char* angle, double side) -> std::optional<double> {
    const auto radians = number(angle, kViewAngle);
    if (!radians) return std::nullopt;
    return 0.5 * side / std::tan(0.5 * *radians);
  };
  auto fl_x = number("fl_x", kPixels), fl_y = number("fl_y", kPixels);
  if (!fl_x) fl_x = focal("camera_angle_x", size.width);
  if (!fl_y) fl_y = focal("camera_angle_y", size.height);
  // Blender's angle_x is that of the longer side: sensor fit AUTO.
  if (!fl_x && !fl_y) fl_x = focal("angle_x", std::max(size.width, size.height));
  if (!fl_x) fl_x = fl_y;
  if (!fl_x) fl_x = centered_camera(size, fov).fl_x;
  read.camera.fl_x = *fl_x;
  read.camera.fl_y = fl_y.value_or(*fl_x);
  read.camera.cx = number("cx", kCoordinate).value_or(0.5 * size.width);
  read.camera.cy = number("cy", kCoordinate).value_or(0.5 * size.height);
  if (frame.is_object()) shift_as_blender(frame, size, read.camera);
  return read;
}

/// Scales the intrinsics of all cameras to pictures of one size.
CameraList scaled_cameras(const std::vector<FileCamera>& read, std::optional<Size> size,
                          Size otherwise, const std::string& file) {
  CameraList list;
  list.size = size.value_or(read.front().size.value_or(otherwise));
  for (const FileCamera& from : read) {
    const Size own = from.size.value_or(otherwise);
    const bool is_same = own.width == list.size.width && own.height == list.size.height;
    if (!size && !is_same)
      throw Error(
          fmt::format("{}: has pictures of {}x{} and of {}x{}; --size makes all of one size", file,
                      list.size.width, list.size.height, own.width, own.height));
    DataCamera camera = from.camera;
    const double x = double(list.size.width) / own.width, y = double(list.size.height) / own.height;
    camera.fl_x *= x, camera.cx *= x;
    camera.fl_y *= y, camera.cy *= y;
    list.cameras.push_back(camera);
  }
  return list;
}

/// Returns the lines that are not comments.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (!line.starts_with('#')) lines.push_back(line);
  return lines;
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

FileCamera read_colmap_camera(std::istringstream& line, const std::string& where) {
  std::string name;
  int64_t width = 0, height = 0;
  line >> name >> width >> height;
  if (!line || width < 1 || height < 1 || width > kMaxImageSide || height > kMaxImageSide)
    throw Error(fmt::format("{}: expected MODEL WIDTH HEIGHT PARAMS", where));
  const PinholeModel* model = find_model(name);
  if (!model)
    throw Error(
        fmt::format("{}: the camera model {} is not supported; undistort the pictures "
                    "first (colmap image_undistorter)",
                    where, in_quotes(name)));
  FileCamera camera{.camera = {}, .size = Size{uint32_t(width), uint32_t(height)}};
  line >> camera.camera.fl_x;
  camera.camera.fl_y = camera.camera.fl_x;
  if (model->focal_count == 2) line >> camera.camera.fl_y;
  line >> camera.camera.cx >> camera.camera.cy;
  if (!line || !(camera.camera.fl_x > 0.0) || !(camera.camera.fl_y > 0.0))
    throw Error(fmt::format("{}: expected the parameters of {}", where, name));
  for (int i = 0; i < model->others; ++i) {
    double parameter = 0.0;
    if (line >> parameter && parameter != 0.0)
      throw Error(
          fmt::format("{}: has lens distortion, which is not supported; undistort the "
                      "pictures first (colmap image_undistorter)",
                      where));
  }
  return camera;
}

/// Sets position and axes from world to camera, whose axes are right, down and ahead.
void set_pose(const glm::dquat& rotation, const glm::dvec3& translation, DataCamera& camera) {
  const glm::dmat3 to_world = glm::transpose(glm::mat3_cast(rotation));
  camera.position = -(to_world * translation);
  camera.axes = {to_world[0], -to_world[1], -to_world[2]};
}

}  // namespace

CameraList parse_json_cameras(std::string_view text, const std::string& file,
                              std::optional<Size> size, Size otherwise, double fov) {
  const nlohmann::json document = parse_json(text, file);
  const JsonReader root(document, file);
  const JsonReader frames = root.is_array() ? root : root.at("frames");
  if (frames.size() == 0) frames.fail("expected at least one camera");
  if (size) otherwise = *size;
  std::vector<FileCamera> cameras;
  for (size_t i = 0; i < frames.size(); ++i) {
    const JsonReader frame = frames[i];
    FileCamera camera = read_intrinsics(frame, root, otherwise, fov);
    const bool is_matrix = frame.is_array();
    const char* key = !is_matrix && frame.has("matrix_world") ? "matrix_world" : "transform_matrix";
    read_camera_matrix(is_matrix ? frame : frame.at(key), camera.camera);
    cameras.push_back(camera);
  }
  return scaled_cameras(cameras, size, otherwise, file);
}

CameraList parse_colmap_cameras(const std::string& cameras, const std::string& images,
                                const std::string& folder, std::optional<Size> size) {
  std::map<int64_t, FileCamera> known;
  const std::string of_cameras = (fs::path(folder) / "cameras.txt").string();
  for (const std::string& text : lines_of(cameras)) {
    if (is_blank(text)) continue;
    std::istringstream line(text);
    int64_t id = 0;
    if (!(line >> id)) throw Error(fmt::format("{}: expected the id of a camera", of_cameras));
    known[id] = read_colmap_camera(line, fmt::format("{}: camera {}", of_cameras, id));
  }
  const std::string of_images = (fs::path(folder) / "images.txt").string();
  std::vector<FileCamera> read;
  const std::vector<std::string> lines = lines_of(images);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (is_blank(lines[i])) continue;
    std::istringstream line(lines[i]);
    int64_t id = 0, camera = 0;
    glm::dquat rotation;
    glm::dvec3 place;
    line >> id >> rotation.w >> rotation.x >> rotation.y >> rotation.z >> place.x >> place.y >>
        place.z >> camera;
    const double length = glm::length(rotation);
    if (!line || !(length > 0.0))
      throw Error(fmt::format("{}: expected IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME, found {}",
                              of_images, in_quotes(lines[i])));
    const auto found = known.find(camera);
    if (found == known.end())
      throw Error(fmt::format("{}: image {} names camera {}, which cameras.txt lacks", of_images,
                              id, camera));
    read.push_back(found->second);
    set_pose(rotation / length, place, read.back().camera);
    ++i;  // the line of its points, which may be empty
  }
  if (read.empty()) throw Error(fmt::format("{}: has no images", of_images));
  return scaled_cameras(read, size, {}, of_images);
}

CameraList load_cameras(const fs::path& file, std::optional<Size> size, Size otherwise,
                        double fov) {
  std::error_code failure;
  if (!fs::is_directory(file, failure))
    return parse_json_cameras(read_text_file(file), file.string(), size, otherwise, fov);
  if (!fs::exists(file / "images.txt", failure))
    throw Error(
        fmt::format("{}: the folder has no images.txt; expected COLMAP's text model, or "
                    "name a transforms.json",
                    file.string()));
  return parse_colmap_cameras(read_text_file(file / "cameras.txt"),
                              read_text_file(file / "images.txt"), file.string(), size);
}

}  // namespace winnow
