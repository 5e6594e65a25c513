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
constexpr Range kViewDegrees{0.0, 180.0, true, true};
constexpr Range kPixels{0.0, 1e7, true};
constexpr Range kShift{-1e3, 1e3};  // in longer sides
constexpr Range kPictureSide{1.0, double(kMaxImageSide)};

/// Intrinsics of a file in pixels of its own size.
struct FileCamera {
  DataCamera camera;
  std::optional<Size> size;
};

std::optional<double> number_at(const JsonReader& frame, const JsonReader& root,
                                const std::string& key, Range range) {
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
  for (const char* key : {"is_fisheye", "latlong", "equirectangular"})
    if (const auto is_other = json.find(key); is_other && is_other->boolean())
      is_other->fail("only pinholes are supported; undistort the pictures first");
  if (const auto fisheye = json.find("ftheta_p0"))
    fisheye->fail("only pinholes are supported; undistort the pictures first");
}

void refuse_distortion(const JsonReader& frame, const JsonReader& root) {
  for (const JsonReader* from : {&frame, &root})
    if (from->is_object())
      if (const auto list = from->find("distortion_params"))
        for (size_t i = 0; i < list->size(); ++i)
          if ((*list)[i].any_number() != 0.0)
            (*list)[i].fail("is not 0; cameras with lens distortion are not supported");
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
  if (rows == 4) {
    const JsonReader last = json[3];
    last.expect_size(4, "a row of 4 numbers");
    for (size_t column = 0; column < 4; ++column)
      if (std::abs(last[column].any_number() - (column == 3 ? 1.0 : 0.0)) > kTolerance)
        last.fail("expected [0, 0, 0, 1]; is the matrix transposed?");
  }
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
  if (const auto shift = number_at(frame, frame, "shift_x", kShift))
    camera.cx = 0.5 * size.width - longest * *shift;
  if (const auto shift = number_at(frame, frame, "shift_y", kShift))
    camera.cy = 0.5 * size.height + longest * *shift;
}

/// Returns the focal length in pixels of an angle of view.
double focal_length(double radians, double side) {
  return 0.5 * side / std::tan(0.5 * radians);
}

FileCamera read_intrinsics(const JsonReader& frame, const JsonReader& root, Size otherwise,
                           double fov) {
  const auto number = [&](const std::string& key, Range range) {
    return number_at(frame, root, key, range);
  };
  FileCamera read;
  const auto w = number("w", kPictureSide), h = number("h", kPictureSide);
  if (w && h) read.size = Size{uint32_t(*w), uint32_t(*h)};
  const Size size = read.size.value_or(otherwise);
  refuse_other_models(frame);
  refuse_other_models(root);
  refuse_distortion(frame, root);
  // The order of Instant-NGP; its x_fov is in degrees.
  const auto focal = [&](const std::string& axis, double side) -> std::optional<double> {
    for (const JsonReader* from : {&frame, &root}) {
      const auto own = [&](const std::string& key, Range range) {
        return number_at(*from, *from, key, range);
      };
      if (const auto degrees = own(axis + "_fov", kViewDegrees))
        return focal_length(glm::radians(*degrees), side);
      if (const auto pixels = own("fl_" + axis, kPixels)) return pixels;
      if (const auto radians = own("camera_angle_" + axis, kViewAngle))
        return focal_length(*radians, side);
    }
    return std::nullopt;
  };
  auto fl_x = focal("x", size.width);
  const auto fl_y = focal("y", size.height);
  // Blender's angle_x is that of the longer side: sensor fit AUTO.
  if (const auto angle = number("angle_x", kViewAngle); angle && !fl_x && !fl_y)
    fl_x = focal_length(*angle, std::max(size.width, size.height));
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

/// Returns the lines of a text of COLMAP that are not comments.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (!line.starts_with('#')) lines.push_back(line);
  return lines;
}

constexpr const char* kBlanks = " \t\r";

bool is_blank(const std::string& line) {
  return line.find_first_not_of(kBlanks) == std::string::npos;
}

size_t word_count(const std::string& line) {
  size_t count = 0;
  for (size_t end = 0, begin; (begin = line.find_first_not_of(kBlanks, end)) != std::string::npos;
       end = std::min(line.find_first_of(kBlanks, begin), line.size()))
    ++count;
  return count;
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
  if (!line || !kPixels.contains(camera.camera.fl_x) || !kPixels.contains(camera.camera.fl_y) ||
      !kCoordinate.contains(camera.camera.cx) || !kCoordinate.contains(camera.camera.cy))
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
    const bool is_near = kCoordinate.contains(place.x) && kCoordinate.contains(place.y) &&
                         kCoordinate.contains(place.z);
    if (!line || !(length > 0.0) || !std::isfinite(length) || !is_near)
      throw Error(fmt::format("{}: expected IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME, found {}",
                              of_images, in_quotes(lines[i])));
    const auto found = known.find(camera);
    if (found == known.end())
      throw Error(fmt::format("{}: image {} names camera {}, which cameras.txt lacks", of_images,
                              id, camera));
    read.push_back(found->second);
    set_pose(rotation / length, place, read.back().camera);
    ++i;  // the line of its points, which may be empty
    constexpr size_t kWordsOfPoint = 3;
    if (i < lines.size() && word_count(lines[i]) % kWordsOfPoint != 0)
      throw Error(
          fmt::format("{}: expected the points of image {}, X Y POINT3D_ID each, or an empty line, "
                      "found {}",
                      of_images, id, in_quotes(lines[i])));
  }
  if (read.empty()) throw Error(fmt::format("{}: has no images", of_images));
  return scaled_cameras(read, size, {}, of_images);
}

std::vector<fs::path> files_of_cameras(const fs::path& file) {
  std::error_code failure;
  fs::path folder = file;
  const fs::path stem = file.stem(), extension = file.extension();
  if ((stem == "cameras" || stem == "images") && (extension == ".txt" || extension == ".bin"))
    folder = (file.parent_path() / ".").lexically_normal();  // a file of COLMAP's model
  else if (!fs::is_directory(file, failure))
    return {file};
  const bool is_text = fs::exists(folder / "images.txt", failure);
  if (!is_text && fs::exists(folder / "images.bin", failure))
    throw Error(
        fmt::format("{}: the folder has COLMAP's binary model; expected the text model, which "
                    "colmap model_converter --output_type TXT writes",
                    folder.string()));
  if (!is_text)
    throw Error(
        fmt::format("{}: the folder has no images.txt; expected COLMAP's text model, or "
                    "name a transforms.json",
                    folder.string()));
  return {folder / "cameras.txt", folder / "images.txt"};
}

CameraList load_cameras(const fs::path& file, std::optional<Size> size, Size otherwise,
                        double fov) {
  const std::vector<fs::path> files = files_of_cameras(file);
  if (files.size() == 1)
    return parse_json_cameras(read_text_file(file), file.string(), size, otherwise, fov);
  return parse_colmap_cameras(read_text_file(files[0]), read_text_file(files[1]),
                              files[0].parent_path().string(), size);
}

}  // namespace winnow
