// SPDX-License-Identifier: MIT
#include "app/cli/scene_changes.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>
#include <optional>

#include "base/error.h"
#include "base/limits.h"
#include "base/names.h"
#include "image/image_io.h"
#include "load/textures/image_files.h"
#include "scene/daylight.h"
#include "scene/mesh.h"
#include "scene/scene_summary.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

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
      "{}: \"{}\" is not none, soft, sun or FILE[:SCALE[:ROTATION]] with a file of the type .hdr, "
      ".exr, .pfm, .png or .jpg{}",
      option, text, nearest ? "; did you mean " + *nearest + "?" : ""));
}

/// A clear day, scaled so that surfaces reflect about as much as under the soft sky. Its radiance
/// in physical units would need an exposure of -7 or -8 stops.
void add_clear_day(HostScene& scene) {
  constexpr float kElevation = 45.0f;  // degrees of the sun above +z
  constexpr float kScale = 0.005f;
  Daylight day{
      .to_sun = {0.0f, std::sin(glm::radians(kElevation)), std::cos(glm::radians(kElevation))},
      .sky_scale = kScale,
      .sun_scale = kScale};
  add_daylight(day, scene);
}

}  // namespace

SkyRequest parse_sky(const std::string& option, const std::string& text) {
  using Kind = SkyRequest::Kind;
  if (text == "none") return {.kind = Kind::kNone, .file = {}, .text = text};
  if (text == "soft") return {.kind = Kind::kSoft, .file = {}, .text = text};
  if (text == "sun") return {.kind = Kind::kSun, .file = {}, .text = text};

  SkyRequest sky{.kind = Kind::kFile, .file = {}, .text = text};
  std::string name = text;
  const std::optional<float> last = cut_number(name);
  const std::optional<float> previous = last ? cut_number(name) : std::nullopt;
  if (!is_image_name(name)) refuse_sky(option, text);
  sky.file = name;
  if (last) sky.scale = previous ? *previous : *last;
  if (previous) sky.rotation = *last;
  if (!(sky.scale >= 0.0f && sky.scale <= float(kMaxSceneValue)))  // NaN compares false
    throw UsageError(
        fmt::format("{}: the factor of \"{}\" is not a number from 0 to 1e9", option, text));
  if (!(std::abs(sky.rotation) <= kMaxRotation))
    throw UsageError(
        fmt::format("{}: the rotation of \"{}\" is not a number of degrees from {} to "
                    "{}",
                    option, text, -kMaxRotation, kMaxRotation));
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
      add_clear_day(scene);
      break;
    case SkyRequest::Kind::kFile:
      scene.environment = map;
      break;
  }
  if (!summarize(scene).has_light())
    scene.warnings.push_back(
        "--sky leaves the scene without any light: the image is black; --sky soft lights it");
}

View parse_view(const std::string& option, const std::string& text) {
  constexpr float kMaxFov = 180.0f;  // degrees
  const std::vector<float> n = parse_numbers(option, text, "X,Y,Z,DX,DY,DZ,FOV", 7);
  const View view{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, n[6]};
  if (!is_near(view.eye)) throw UsageError(option + ": the eye is farther away than 1e9 m");
  if (view.direction == glm::vec3(0.0f)) throw UsageError(option + ": the direction is 0,0,0");
  if (!(view.horizontal_fov > 0.0f && view.horizontal_fov < kMaxFov))
    throw UsageError(fmt::format("{}: the field of view is {:g} degrees, not between 0 and 180",
                                 option, view.horizontal_fov));
  return view;
}

CameraDescription camera_of(const View& view, Size size) {
  const float half_width = std::tan(0.5f * glm::radians(view.horizontal_fov));
  const float half_height = half_width * float(size.height) / float(size.width);
  return {.position = view.eye,
          .look_at = view.eye + glm::normalize(view.direction),
          .vertical_fov = 2.0f * glm::degrees(std::atan(half_height))};
}

}  // namespace winnow
