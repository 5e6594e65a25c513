// SPDX-License-Identifier: MIT
#include "app/cli/scene_changes.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "base/limits.h"
#include "base/names.h"
#include "image/image_io.h"
#include "load/textures/image_files.h"
#include "scene/daylight.h"
#include "scene/frame_scene.h"
#include "scene/mesh.h"
#include "scene/scene_summary.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

/// Returns whether all pixels of an image are equal.
bool is_even(const Image& image) {
  return std::ranges::adjacent_find(image.pixels, std::not_equal_to()) == image.pixels.end();
}

constexpr float kMaxRotation = 36000.0f;  // degrees; a larger float does not resolve them

/// Removes the last colon of `text` and the number after it. Returns the number.
std::optional<float> cut_number(std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  float number = 0.0f;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data() + colon + 1, end, number);
  if (failure != std::errc() || rest != end) return std::nullopt;
  text.resize(colon);
  return number;
}

bool is_image_name(const std::string& name) {
  try {
    (void)image_format(name);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

[[noreturn]] void refuse_sky(const std::string& option, const std::string& text) {
  const std::optional<std::string> nearest = nearest_name(text, {"none", "soft", "sun"});
  throw UsageError(fmt::format(
      "{}: \"{}\" is not none, soft, sun[:AZIMUTH[:ELEVATION]] or FILE[:SCALE[:ROTATION]] with a "
      "file of the type .hdr, .exr, .pfm, .png or .jpg{}",
      option, text, nearest ? "; did you mean " + *nearest + "?" : ""));
}

void check_rotation(const std::string& option, const std::string& text, const char* what,
                    float degrees) {
  if (!(std::abs(degrees) <= kMaxRotation))  // NaN compares false
    throw UsageError(fmt::format("{}: the {} of \"{}\" is not a number of degrees from {} to {}",
                                 option, what, text, -kMaxRotation, kMaxRotation));
}

/// Returns the request of "sun", "sun:AZIMUTH" or "sun:AZIMUTH:ELEVATION".
SkyRequest sun_request(const std::string& option, const std::string& text,
                       std::optional<float> last, std::optional<float> previous) {
  constexpr float kZenith = 90.0f;  // degrees
  SkyRequest sky{.kind = SkyRequest::Kind::kSun, .file = {}, .text = text};
  sky.azimuth = previous ? previous : last;
  if (previous) sky.elevation = *last;
  if (sky.azimuth) check_rotation(option, text, "azimuth", *sky.azimuth);
  if (!(sky.elevation > 0.0f && sky.elevation <= kZenith))  // NaN compares false
    throw UsageError(
        fmt::format("{}: the elevation of \"{}\" is not a number of degrees above 0, at most 90",
                    option, text));
  return sky;
}

/// Returns the azimuth of the side from which a framed scene is seen, degrees from +z towards +x.
float front_azimuth(const HostScene& scene) {
  constexpr float kQuarter = 90.0f;  // degrees
  if (scene.camera_origin != CameraOrigin::kFramed) return 0.0f;
  const glm::vec3 back = scene.camera.position - scene.camera.look_at;
  return kQuarter * std::round(glm::degrees(std::atan2(back.x, back.z)) / kQuarter);
}

/// A clear day, scaled so that surfaces reflect about as much as under the soft sky. Its radiance
/// in physical units would need an exposure of -7 or -8 stops.
void add_clear_day(const SkyRequest& sky, HostScene& scene) {
  constexpr float kScale = 0.005f;
  const float azimuth = glm::radians(sky.azimuth ? *sky.azimuth : front_azimuth(scene));
  const float elevation = glm::radians(sky.elevation);
  const float across = std::cos(elevation);
  Daylight day{
      .to_sun = {std::sin(azimuth) * across, std::sin(elevation), std::cos(azimuth) * across},
      .sky_scale = kScale,
      .sun_scale = kScale};
  add_daylight(day, scene);
}

void check_fov(const std::string& option, float degrees) {
  constexpr float kMaxFov = 180.0f;  // degrees
  if (!(degrees > 0.0f && degrees < kMaxFov))
    throw UsageError(fmt::format("{}: the field of view is {:g} degrees, not between 0 and 180",
                                 option, degrees));
}

std::string point_text(glm::vec3 point) {
  return fmt::format("{},{},{}", point.x, point.y, point.z);
}

}  // namespace

SkyRequest parse_sky(const std::string& option, const std::string& text) {
  using Kind = SkyRequest::Kind;
  if (text == "none") return {.kind = Kind::kNone, .file = {}, .text = text};
  if (text == "soft") return {.kind = Kind::kSoft, .file = {}, .text = text};

  std::string name = text;
  const std::optional<float> last = cut_number(name);
  const std::optional<float> previous = last ? cut_number(name) : std::nullopt;
  if (name == "sun") return sun_request(option, text, last, previous);

  SkyRequest sky{.kind = Kind::kFile, .file = {}, .text = text};
  if (!is_image_name(name)) refuse_sky(option, text);
  sky.file = name;
  if (last) sky.scale = previous ? *previous : *last;
  if (previous) sky.rotation = *last;
  if (!(sky.scale >= 0.0f && sky.scale <= float(kMaxSceneValue)))  // NaN compares false
    throw UsageError(
        fmt::format("{}: the factor of \"{}\" is not a number from 0 to 1e9", option, text));
  check_rotation(option, text, "rotation", sky.rotation);
  return sky;
}

EnvironmentMap load_sky(const SkyRequest& sky, std::vector<std::string>& warnings) {
  if (sky.kind != SkyRequest::Kind::kFile) return {};
  return {.image = read_environment_image(sky.file, warnings),
          .scale = sky.scale,
          .to_world = glm::mat3(
              glm::rotate(glm::mat4(1.0f), glm::radians(sky.rotation), glm::vec3(0, 1, 0)))};
}

void replace_sky(const SkyRequest& sky, HostScene& scene) {
  std::vector<std::string> warnings;
  const EnvironmentMap map = load_sky(sky, warnings);
  scene.warnings.insert(scene.warnings.end(), warnings.begin(), warnings.end());
  replace_sky(sky, map, scene);
}

void replace_sky(const SkyRequest& sky, const EnvironmentMap& map, HostScene& scene) {
  scene.sky = {};
  scene.environment = {};
  switch (sky.kind) {
    case SkyRequest::Kind::kNone:
      break;
    case SkyRequest::Kind::kSoft:
      add_soft_sky(scene);
      break;
    case SkyRequest::Kind::kSun:
      add_clear_day(sky, scene);
      break;
    case SkyRequest::Kind::kFile:
      scene.environment = map;
      if (is_even(map.image)) {  // a sky without a map takes less time
        scene.environment = {};
        scene.sky.zenith = scene.sky.horizon = scene.sky.ground = map.scale * map.image.pixels[0];
      }
      break;
  }
  if (!summarize(scene).has_light())
    scene.warnings.push_back(
        "--sky leaves the scene without any light: the image is black; --sky soft lights it");
}

View parse_view(const std::string& option, const std::string& text) {
  constexpr size_t kEye = 3, kWhole = 7;  // numbers
  const size_t count = split(text, ',').size();
  if (count != kEye && count != kWhole)
    throw UsageError(
        fmt::format("{}: \"{}\" is neither X,Y,Z nor X,Y,Z,DX,DY,DZ,FOV: {} numbers, not 3 or 7",
                    option, text, count));
  const char* names = count == kEye ? "X,Y,Z" : "X,Y,Z,DX,DY,DZ,FOV";
  const std::vector<float> n = parse_numbers(option, text, names, count);
  View view{.eye = {n[0], n[1], n[2]}};
  if (!is_near(view.eye)) throw UsageError(option + ": the eye is farther away than 1e9 m");
  if (count == kEye) return view;
  view.direction = {n[3], n[4], n[5]};
  view.horizontal_fov = n[6];
  if (view.direction == glm::vec3(0.0f)) throw UsageError(option + ": the direction is 0,0,0");
  check_fov(option, view.horizontal_fov);
  return view;
}

glm::vec3 parse_point(const std::string& option, const std::string& text) {
  const std::vector<float> n = parse_numbers(option, text, "X,Y,Z", 3);
  const glm::vec3 point(n[0], n[1], n[2]);
  if (!is_near(point)) throw UsageError(option + ": the point is farther away than 1e9 m");
  return point;
}

float parse_fov(const std::string& option, const std::string& text) {
  const float fov = parse_numbers(option, text, "a field of view in degrees", 1).front();
  check_fov(option, fov);
  return fov;
}

CameraDescription camera_of(const View& view, Size size) {
  const float half_width = std::tan(0.5f * glm::radians(view.horizontal_fov));
  const float half_height = half_width * float(size.height) / float(size.width);
  return {.position = view.eye,
          .look_at = view.eye + glm::normalize(view.direction),
          .vertical_fov = 2.0f * glm::degrees(std::atan(half_height))};
}

void check_camera_change(const CameraChange& change) {
  if (!change.camera || !change.camera->is_whole()) return;
  for (const auto& [is_given, option, what] :
       {std::tuple(change.look_at.has_value(), "--look-at", "direction"),
        std::tuple(change.vertical_fov.has_value(), "--fov", "field of view")})
    if (is_given)
      throw UsageError(fmt::format(
          "{}: --camera has a {} already; give --camera the eye alone, X,Y,Z", option, what));
}

void change_camera(const CameraChange& change, HostScene& scene) {
  check_camera_change(change);
  CameraDescription& camera = scene.camera;
  if (change.camera && change.camera->is_whole()) {
    camera = camera_of(*change.camera, {scene.width, scene.height});
    scene.camera_origin = CameraOrigin::kDirection;
    return;
  }
  if (change.camera || change.look_at) {
    camera.motion.clear();
    const glm::vec3 target = change.look_at ? *change.look_at : camera_target(scene);
    if (change.camera) camera.position = change.camera->eye;
    if (camera.position == target)
      throw UsageError(fmt::format("{}: the camera is at {} and looks at the same point",
                                   change.look_at ? "--look-at" : "--camera", point_text(target)));
    camera.look_at = target;
    scene.camera_origin = CameraOrigin::kTarget;
  }
  if (!change.vertical_fov) return;
  camera.projection = Projection::kPerspective;
  camera.vertical_fov = *change.vertical_fov;
}

std::string camera_options_text(const HostScene& scene) {
  const CameraDescription& camera = scene.camera;
  if (camera.projection == Projection::kOrthographic) return "";
  return fmt::format("--camera {} --look-at {} --fov {}", point_text(camera.position),
                     point_text(camera.look_at), camera.vertical_fov);
}

}  // namespace winnow
