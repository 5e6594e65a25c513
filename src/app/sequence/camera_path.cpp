// SPDX-License-Identifier: MIT
#include "app/sequence/camera_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "base/files.h"
#include "load/json/json_reader.h"

namespace winnow {
namespace {

constexpr double kMinKeyDistance = 1e-6;  // s; keeps velocities finite
constexpr Range kPathFieldOfView{0.0, 180.0, true, true};

constexpr size_t kPathValues = 13;
using PathValues = std::array<double, kPathValues>;

PathValues values_of(const CameraDescription& camera) {
  PathValues values;
  auto next = values.begin();
  for (const glm::vec3& vector : {camera.position, camera.look_at, camera.up})
    for (int axis = 0; axis < 3; ++axis) *next++ = vector[axis];
  for (const float value :
       {camera.vertical_fov, camera.view_height, camera.lens_radius, camera.focus_distance})
    *next++ = value;
  return values;
}

/// @param like  camera with the other values
CameraDescription camera_of_values(const PathValues& v, CameraDescription like) {
  like.position = {v[0], v[1], v[2]};
  like.look_at = {v[3], v[4], v[5]};
  like.up = {v[6], v[7], v[8]};
  // A spline may leave the range of its keys.
  constexpr double kMinFov = 0.01, kMaxFov = 179.9, kMinHeight = 1e-6;
  like.vertical_fov = float(std::clamp(v[9], kMinFov, kMaxFov));
  like.view_height = float(std::max(v[10], kMinHeight));
  like.lens_radius = float(std::max(v[11], 0.0));
  like.focus_distance = float(std::max(v[12], 0.0));
  return like;
}

/// @param s       [0, 1] from `from` to `to`
/// @param length  s, between the keys
/// @param v0, v1  velocities at the keys, per second
double hermite_value(double from, double to, double v0, double v1, double s, double length) {
  const double s2 = s * s, s3 = s2 * s;
  return (2.0 * s3 - 3.0 * s2 + 1.0) * from + length * (s3 - 2.0 * s2 + s) * v0 +
         (3.0 * s2 - 2.0 * s3) * to + length * (s3 - s2) * v1;
}

/// Returns the velocity of value `i` at a key, per second.
double velocity_at(const std::vector<CameraKey>& keys, size_t key, size_t i) {
  auto slope = [&](size_t from) {
    return (values_of(keys[from + 1].camera)[i] - values_of(keys[from].camera)[i]) /
           (keys[from + 1].time - keys[from].time);
  };
  if (key == 0) return slope(0);
  if (key + 1 == keys.size()) return slope(key - 1);
  const double before = keys[key].time - keys[key - 1].time,
               after = keys[key + 1].time - keys[key].time;
  return (slope(key - 1) * after + slope(key) * before) / (before + after);
}

/// Throws Error unless the key has a direction.
void check_direction(const JsonReader& json, const CameraDescription& camera) {
  constexpr float kMinSine = 1e-4f;
  const glm::vec3 view = camera.look_at - camera.position;
  if (!(glm::length(view) > 0.0f)) json.fail("look_at is the position; expected another point");
  if (!(glm::length(glm::cross(glm::normalize(view), glm::normalize(camera.up))) >= kMinSine))
    json.fail("up is parallel to the view; expected another direction");
}

CameraDescription read_key(const JsonReader& json, const CameraDescription& before) {
  json.expect_keys({"time", "position", "look_at", "direction", "up", "vertical_fov", "view_height",
                    "lens_radius", "focus_distance"});
  CameraDescription camera = before;
  const glm::vec3 direction = before.look_at - before.position;
  if (auto position = json.find("position")) camera.position = position->vector();
  if (json.has("look_at") && json.has("direction"))
    json.fail("has both look_at and direction; expected one of them");
  if (auto look_at = json.find("look_at")) camera.look_at = look_at->vector();
  if (auto towards = json.find("direction"))
    camera.look_at = camera.position + glm::length(direction) * towards->direction();
  if (auto up = json.find("up")) camera.up = up->direction();
  json.read("vertical_fov", camera.vertical_fov, kPathFieldOfView);
  json.read("view_height", camera.view_height, kPositive);
  json.read("lens_radius", camera.lens_radius, kNonNegative);
  json.read("focus_distance", camera.focus_distance, kPositive);
  check_direction(json, camera);
  return camera;
}

}  // namespace

std::vector<CameraKey> parse_camera_path(std::string_view text, const std::string& file,
                                         const CameraDescription& start) {
  const nlohmann::json document = parse_json(text, file);
  const JsonReader root(document, file);
  root.expect_keys({"keys"});
  const JsonReader list = root.at("keys");
  if (list.size() == 0) list.fail("expected at least one key");
  std::vector<CameraKey> keys;
  for (size_t i = 0; i < list.size(); ++i) {
    const JsonReader moment = list[i].at("time");
    const double time = moment.any_number();
    if (!kCoordinate.contains(time))
      moment.fail("expected seconds of at most {}, found {}", kCoordinate.max, time);
    if (!keys.empty() && !(time >= keys.back().time + kMinKeyDistance))
      moment.fail("expected a time after that of the key before it, {}, found {}", keys.back().time,
                  time);
    keys.push_back({time, read_key(list[i], keys.empty() ? start : keys.back().camera)});
  }
  return keys;
}

std::vector<CameraKey> load_camera_path(const std::filesystem::path& file,
                                        const CameraDescription& start) {
  return parse_camera_path(read_text_file(file), file.string(), start);
}

CameraDescription camera_at(const std::vector<CameraKey>& keys, double time) {
  auto is_before = [](double moment, const CameraKey& key) { return moment < key.time; };
  const auto next = std::upper_bound(keys.begin(), keys.end(), time, is_before);
  if (next == keys.begin()) return keys.front().camera;
  if (next == keys.end()) return keys.back().camera;
  const auto to = size_t(next - keys.begin()), from = to - 1;
  const PathValues a = values_of(keys[from].camera), b = values_of(keys[to].camera);
  const double length = keys[to].time - keys[from].time;
  const double s = (time - keys[from].time) / length;
  if (s == 0.0) return keys[from].camera;
  PathValues values;
  for (size_t i = 0; i < kPathValues; ++i)
    values[i] =
        hermite_value(a[i], b[i], velocity_at(keys, from, i), velocity_at(keys, to, i), s, length);
  return camera_of_values(values, keys[from].camera);
}

}  // namespace winnow
