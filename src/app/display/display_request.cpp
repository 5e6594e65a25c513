// SPDX-License-Identifier: MIT
#include "app/display/display_request.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/option_values.h"
#include "app/cli/scene_changes.h"
#include "base/error.h"
#include "load/winnow/winnow_json.h"

namespace winnow {

namespace {

constexpr uint16_t kTevPort = 14158, kWebPort = 8080;
constexpr uint64_t kMaxPort = 65535;

/// Parses "HOST:PORT", or "PORT" with the host of `address`.
Address parse_address(const std::string& option, const std::string& text, Address address) {
  const size_t colon = text.rfind(':');
  if (colon != std::string::npos) {
    address.host = text.substr(0, colon);
    const bool has_brackets =
        address.host.size() > 2 && address.host.front() == '[' && address.host.back() == ']';
    if (has_brackets) address.host = address.host.substr(1, address.host.size() - 2);
  }
  if (address.host.empty()) throw UsageError(fmt::format("{}: \"{}\" names no host", option, text));
  address.port =
      uint16_t(parse_whole_number(option, text.substr(colon + 1), 0, kMaxPort));  // npos + 1 is 0
  return address;
}

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

OptionRow display_option(std::optional<DisplayRequest>& display) {
  return option(
      "--display", "WHERE", display,
      parsed_by(parse_display, "tev, tev:HOST:PORT, web, web:PORT or web:HOST:PORT"),
      fmt::format(
          "Show the image while it renders: tev, in the image viewer of that name "
          "(tev:localhost:{}), or web, on a page for a browser of this machine (web:{}) with "
          "stop, save, and a camera to move. web:HOST:PORT lets other machines in.",
          kTevPort, kWebPort),
      {.default_text = "none"});
}

DisplayRequest parse_display(const std::string& option, const std::string& text) {
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const bool has_address = colon != std::string::npos;
  const std::string rest = has_address ? text.substr(colon + 1) : "";
  DisplayRequest request;
  if (name == "web") {
    request = {DisplayRequest::Kind::kWeb, {"127.0.0.1", kWebPort}};
  } else if (name == "tev" && (!has_address || rest.find(':') != std::string::npos)) {
    request = {DisplayRequest::Kind::kTev, {"localhost", kTevPort}};
  } else {
    throw UsageError(fmt::format(
        "{}: \"{}\" is none of tev, tev:HOST:PORT, web, web:PORT and web:HOST:PORT", option, text));
  }
  if (has_address) request.address = parse_address(option, rest, request.address);
  return request;
}

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
  if (camera.shift != glm::vec2(0.0f))
    json["shift"] = {shortest_number(camera.shift.x), shortest_number(camera.shift.y)};
  if (camera.near_clip > 0.0f) add("near_clip", camera.near_clip);
  if (std::isfinite(camera.far_clip)) add("far_clip", camera.far_clip);
  return json.dump();
}

CameraDescription moved_camera(const CameraDescription& camera, const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) throw Error("a camera is a JSON object");
  CameraDescription moved = camera;
  moved.position = point_of(json, "position");
  moved.look_at = point_of(json, "look_at");
  moved.motion.clear();
  if (moved.lens_radius > 0.0f && moved.focus_distance == 0.0f)
    moved.focus_distance = glm::distance(camera.position, camera.look_at);
  // The page offers the camera as text, so what reads that text must accept it.
  parse_camera(camera_json(moved), "camera");
  parse_view("--camera", view_text(moved, {1, 1}));
  return moved;
}

}  // namespace winnow
