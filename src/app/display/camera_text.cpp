// SPDX-License-Identifier: MIT
#include "app/display/camera_text.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace winnow {
namespace {

/// Returns the number with the shortest decimal form of this float.
double shortest_number(float value) {
  return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}

nlohmann::ordered_json short_point_json(glm::vec3 point) {
  return {shortest_number(point.x), shortest_number(point.y), shortest_number(point.z)};
}

/// Returns the member `name`, three finite numbers.
glm::vec3 point_of(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  glm::vec3 point(0.0f);
  bool is_point = found != json.end() && found->is_array() && found->size() == 3;
  for (int axis = 0; is_point && axis < 3; ++axis) {
    const nlohmann::json& number = (*found)[size_t(axis)];
    is_point = number.is_number();
    if (is_point) point[axis] = number.get<float>();
    is_point = is_point && std::isfinite(point[axis]);
  }
  if (!is_point) throw Error(fmt::format("\"{}\" is not three finite numbers", name));
  return point;
}

}  // namespace

std::string view_text(const CameraDescription& camera, Size size) {
  const glm::vec3 eye = camera.position, ahead = glm::normalize(camera.look_at - eye);
  const double half_height = std::tan(0.5 * glm::radians(double(camera.vertical_fov)));
  const auto fov =
      float(2.0 * glm::degrees(std::atan(half_height * double(size.width) / double(size.height))));
  return fmt::format("{},{},{},{},{},{},{}", eye.x, eye.y, eye.z, ahead.x, ahead.y, ahead.z, fov);
}

std::string camera_json(const CameraDescription& camera) {
  const bool is_orthographic = camera.projection == Projection::kOrthographic;
  nlohmann::ordered_json json = {{"type", is_orthographic ? "orthographic" : "perspective"},
                                 {"position", short_point_json(camera.position)},
                                 {"look_at", short_point_json(camera.look_at)},
                                 {"up", short_point_json(camera.up)}};
  auto add = [&](const char* key, float value) { json[key] = shortest_number(value); };
  if (is_orthographic)
    add("view_height", camera.view_height);
  else
    add("vertical_fov", camera.vertical_fov);
  if (camera.lens_radius > 0.0f) {
    add("lens_radius", camera.lens_radius);
    if (camera.focus_distance > 0.0f) add("focus_distance", camera.focus_distance);
    if (camera.blades > 0) {
      json["blades"] = camera.blades;
      add("blade_rotation", camera.blade_rotation);
    }
  }
  return json.dump();
}

CameraDescription moved_camera(const CameraDescription& camera, const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) throw Error("a camera is a JSON object");
  CameraDescription moved = camera;
  moved.position = point_of(json, "position");
  moved.look_at = point_of(json, "look_at");
  const float distance = glm::distance(moved.position, moved.look_at);
  if (!(distance > 0.0f && std::isfinite(distance)))
    throw Error("\"position\" and \"look_at\" are the same point, or too far from each other");
  if (moved.lens_radius > 0.0f && moved.focus_distance == 0.0f)
    moved.focus_distance = glm::distance(camera.position, camera.look_at);
  return moved;
}

}  // namespace winnow
