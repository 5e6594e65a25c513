// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>
#include <limits>

#include "base/error.h"
#include "base/limits.h"
#include "load/gltf/convert.h"
#include "load/gltf/values.h"

namespace winnow {
namespace {

/// @param aspect  width over height; 0 if the file does not state it
void set_film_size(double aspect, HostScene& scene) {
  constexpr uint32_t kHeight = 720;  // pixels
  constexpr double kDefault = 16.0 / 9.0, kMinAspect = 0.1, kMaxAspect = 10.0;
  scene.height = kHeight;
  scene.width = uint32_t(std::lround(
      kHeight * (aspect > 0.0 ? std::clamp(aspect, kMinAspect, kMaxAspect) : kDefault)));
}

/// Sets the clipping planes. Values that glTF does not allow leave the view as it is.
void set_clip_planes(const JsonReader& projection, CameraDescription& camera) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double near = number_of(projection, "znear", 0.0),
               far = number_of(projection, "zfar", kInfinity);
  if (near >= 0.0 && near < kMaxSceneValue) camera.near_clip = float(near);
  if (far > near) camera.far_clip = far < kMaxSceneValue ? float(far) : float(kInfinity);
}

/// Returns the start of the falloff of a spot of Blender, radians. Cycles fades by the cosine, over
/// the share of 1 - cos(outer) that Blender calls blend and writes as 1 - inner / outer.
double falloff_start_in_blender(double inner, double outer) {
  const double half = std::sin(0.5 * outer);
  return 2.0 * std::asin(half * std::sqrt(inner / outer));
}

/// Returns whether the columns of a matrix are equally long.
bool is_uniform_scale(const glm::dmat3& matrix) {
  constexpr double kNear = 1e-3;
  const glm::dvec3 lengths(glm::length(matrix[0]), glm::length(matrix[1]), glm::length(matrix[2]));
  const auto [least, most] = std::minmax({lengths.x, lengths.y, lengths.z});
  return most - least <= kNear * most;
}

void set_cone(const GltfDocument& document, const std::optional<JsonReader>& spot,
              DeltaLight& light) {
  auto angle = [&](const char* key, double by_default) {
    return spot ? number_of(*spot, key, by_default) : by_default;
  };
  const double outer = angle("outerConeAngle", glm::quarter_pi<double>());
  if (!(outer > 0.0 && outer <= glm::radians(180.0)))
    spot->at("outerConeAngle").fail("expected an angle in (0, pi], found {}", outer);
  const double inner = std::clamp(angle("innerConeAngle", 0.0), 0.0, outer);
  const bool is_blender = document.is_by_blender();
  light.cone_angle = float(glm::degrees(outer));
  light.falloff_start =
      float(glm::degrees(is_blender ? falloff_start_in_blender(inner, outer) : inner));
  light.falloff = is_blender ? SpotFalloff::kSmooth : SpotFalloff::kSquared;
}

}  // namespace

void read_gltf_camera(const GltfDocument& document, const PlacedNode& node, HostScene& scene) {
  const JsonReader source = document.item("cameras", node.json.at("camera"));
  const bool is_orthographic = source.at("type").choice({"perspective", "orthographic"}) == 1;
  const glm::dmat3 linear(node.to_world);
  const glm::dvec3 position(node.to_world[3]);
  auto has_direction = [](glm::dvec3 v) {
    const double length = glm::length(v);
    return length > 0.0 && std::isfinite(length);
  };
  if (!is_near(position) || !has_direction(linear[1]) || !has_direction(linear[2]) ||
      !has_direction(glm::cross(glm::normalize(linear[1]), glm::normalize(linear[2]))))
    node.json.fail("the camera needs a finite position and a direction");

  CameraDescription& camera = scene.camera;
  const glm::dvec3 forward = -glm::normalize(linear[2]);
  camera.position = position;
  // A target as far away as the origin keeps rounding from changing the direction.
  camera.look_at = position + std::max(glm::length(position), 1.0) * forward;
  camera.up = glm::normalize(linear[1]);
  scene.camera_origin = CameraOrigin::kDirection;
  if (is_orthographic) {
    constexpr double kMin = 1e-6;  // m
    const JsonReader orthographic = source.at("orthographic");
    const double width = std::abs(orthographic.at("xmag").any_number());
    const double height = std::abs(orthographic.at("ymag").any_number());
    if (!(width > kMin && height > kMin && height < kMaxSceneValue))
      orthographic.fail("expected an xmag and a ymag above 0");
    camera.projection = Projection::kOrthographic;
    camera.view_height = float(2.0 * height);
    set_clip_planes(orthographic, camera);
    set_film_size(width / height, scene);
    return;
  }
  constexpr float kMinFov = 0.01f, kMaxFov = 179.9f;  // degrees
  const JsonReader perspective = source.at("perspective");
  const double yfov = perspective.at("yfov").any_number();
  const auto fov = float(glm::degrees(yfov));
  if (!(fov >= kMinFov && fov <= kMaxFov))
    perspective.at("yfov").fail("expected an angle in (0, pi), found {}", yfov);
  camera.vertical_fov = fov;
  set_clip_planes(perspective, camera);
  set_film_size(number_of(perspective, "aspectRatio", 0.0), scene);
}

bool add_gltf_light(GltfDocument& document, const PlacedNode& node, HostScene& scene) {
  constexpr const char* kName = "KHR_lights_punctual";
  const std::optional<JsonReader> use = find_extension(node.json, kName);
  if (!use) return false;
  const auto lights = find_member(find_extension(document.root(), kName), "lights");
  const JsonReader reference = use->at("light");
  const uint32_t index = check_gltf_index(reference, lights ? lights->size() : 0);
  const JsonReader source = (*lights)[index];
  const std::string type = source.at("type").text();
  DeltaLight light;
  if (type == "directional")
    light.type = DeltaLightType::kDirectional;
  else if (type == "spot")
    light.type = DeltaLightType::kSpot;
  else if (type != "point")
    source.fail("found a light of the type {}", in_quotes(type));
  if (light.type == DeltaLightType::kSpot) {
    set_cone(document, source.find("spot"), light);
    if (document.is_by_blender() && !is_uniform_scale(glm::dmat3(node.to_world)))
      document.warn(node.json.pointer(),
                    "Blender scales the cone of a spot with the spot; here it stays round");
  }

  const glm::dvec3 direction = -glm::dvec3(node.to_world[2]);
  const double length = glm::length(direction);
  light.position = node.to_world[3];
  if (!is_near(light.position) || !(length > 0.0) || !std::isfinite(length))
    node.json.fail("the light needs a finite position and a direction");
  light.direction = direction / length;
  const double intensity = std::clamp(number_of(source, "intensity", 1.0), 0.0, kMaxSceneValue);
  light.intensity =
      glm::dvec3(color_of(source, "color", glm::vec3(1.0f), kMaxSceneValue)) * intensity;
  if (number_of(source, "range", 0.0) > 0.0)
    document.warn(source.pointer(),
                  "the range of a light is ignored: its light reaches any distance");
  if (light.intensity != glm::vec3(0.0f)) scene.delta_lights.push_back(light);
  return true;
}

}  // namespace winnow
