// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <glm/geometric.hpp>

#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"
#include "math/constants.h"

namespace winnow {
namespace {

/// @param area  m^2, of both sides if both emit
glm::vec3 read_radiance(const JsonReader& light, float area) {
  std::optional<JsonReader> radiance = light.find("radiance"), power = light.find("power");
  if (radiance.has_value() == power.has_value())
    light.fail("expected either \"radiance\" or \"power\"");
  if (radiance) return radiance->color(kNonNegative);
  glm::vec3 emission = power->color(kNonNegative) / (kPi * area);
  constexpr float kMaxEmission = 1e15f;
  if (!(glm::length(emission) <= kMaxEmission))
    power->fail("expected a lower power: the radiance is too large for the area of the light");
  return emission;
}

float area_of(const HostScene& scene, size_t first_triangle) {
  float area = 0.0f;
  for (size_t i = first_triangle; i < scene.triangles.size(); ++i) {
    glm::vec3 a = scene.positions[scene.triangles[i].x];
    area += 0.5f * glm::length(glm::cross(scene.positions[scene.triangles[i].y] - a,
                                          scene.positions[scene.triangles[i].z] - a));
  }
  return area;
}

/// Adds an emissive shape.
void read_emitter(const JsonReader& light, bool is_rectangle, HostScene& scene) {
  light.expect_keys(is_rectangle ? scene_keys::kRectangleLight : scene_keys::kSphereLight);

  uint32_t material = uint32_t(scene.materials.size());
  float area = 0.0f;
  if (is_rectangle) {
    size_t first_triangle = scene.triangles.size();
    add_shape(light, read_rectangle(light), material, scene);
    area = 2.0f * area_of(scene, first_triangle);
  } else {
    scene.spheres.push_back(read_sphere(light, material));
    area = 4.0f * kPi * scene.spheres.back().radius * scene.spheres.back().radius;
  }
  glm::vec3 emission = read_radiance(light, area);
  scene.materials.push_back({.reflectance = glm::vec3(0.0f), .emission = emission});
  scene.material_names.push_back("light " + light.pointer().substr(light.pointer().rfind('/') + 1));
}

/// The axis of a spot: a direction, or the direction to a point.
glm::vec3 read_axis(const JsonReader& light, glm::vec3 position) {
  auto look_at = light.find("look_at");
  if (look_at.has_value() == light.has("direction"))
    light.fail("expected either \"direction\" or \"look_at\"");
  if (!look_at) return light.at("direction").direction();
  const glm::vec3 axis = look_at->vector() - position;
  if (!(glm::length(axis) > 1e-15f))
    look_at->fail("expected a point other than position, to define a direction");
  return glm::normalize(axis);
}

DeltaLight read_point(const JsonReader& light) {
  light.expect_keys(scene_keys::kPointLight);
  return {.type = DeltaLightType::kPoint,
          .position = light.at("position").vector(),
          .intensity = light.at("intensity").color(kNonNegative)};
}

DeltaLight read_spot(const JsonReader& light) {
  constexpr Range kConeAngle{0.0, 180.0, true};
  light.expect_keys(scene_keys::kSpotLight);
  DeltaLight spot{.type = DeltaLightType::kSpot, .position = light.at("position").vector()};
  spot.direction = read_axis(light, spot.position);
  spot.intensity = light.at("intensity").color(kNonNegative);
  if (auto angle = light.find("cone_angle")) spot.cone_angle = angle->number(kConeAngle);
  spot.falloff_start = kDefaultFalloffStart * spot.cone_angle;
  if (auto start = light.find("falloff_start"))
    spot.falloff_start = start->number({0.0, spot.cone_angle});
  return spot;
}

DeltaLight read_directional(const JsonReader& light) {
  constexpr Range kAngle{0.0, 90.0, false, true};
  light.expect_keys(scene_keys::kDirectionalLight);
  DeltaLight sun{.type = DeltaLightType::kDirectional,
                 .direction = light.at("direction").direction(),
                 .intensity = light.at("irradiance").color(kNonNegative)};
  if (auto angle = light.find("angle")) sun.disk_angle = angle->number(kAngle);
  return sun;
}

void read_light(const JsonReader& light, HostScene& scene) {
  enum { kRectangle, kSphere, kPoint, kSpot, kDirectional };  // in the order of kLightTypes
  switch (light.at("type").choice(scene_keys::kLightTypes)) {
    case kRectangle:
      return read_emitter(light, true, scene);
    case kSphere:
      return read_emitter(light, false, scene);
    case kPoint:
      return scene.delta_lights.push_back(read_point(light));
    case kSpot:
      return scene.delta_lights.push_back(read_spot(light));
    default:
      return scene.delta_lights.push_back(read_directional(light));
  }
}

}  // namespace

void read_lights(const JsonReader& lights, HostScene& scene) {
  for (size_t i = 0; i < lights.size("a list of lights"); ++i) read_light(lights[i], scene);
}

}  // namespace winnow
