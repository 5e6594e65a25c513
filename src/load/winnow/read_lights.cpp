// SPDX-License-Identifier: MIT

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>

#include "load/textures/image_files.h"
#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"
#include "math/constants.h"
#include "scene/daylight.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

/// Reads "radiance", or "power" as the radiance that gives it.
/// @param area  emitting area, m^2: both sides if both emit
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

void read_emitter(const JsonReader& light, bool is_rectangle, SceneMoment& moment,
                  HostScene& scene) {
  const auto material = uint32_t(scene.materials.size());
  float area = 0.0f;
  if (is_rectangle) {
    size_t first_triangle = scene.triangles.size();
    add_shape(light, read_rectangle(light), material, moment, scene);
    area = 2.0f * area_of(scene, first_triangle);
  } else {
    scene.spheres.push_back(read_sphere(light, material, moment));
    area = 4.0f * kPi * scene.spheres.back().radius * scene.spheres.back().radius;
  }
  glm::vec3 emission = read_radiance(light, area);
  scene.materials.push_back({.reflectance = glm::vec3(0.0f), .emission = emission});
  scene.material_names.push_back("light " + light.pointer().substr(light.pointer().rfind('/') + 1));
}

/// Reads the axis of a spot: a direction, or a point at which it is directed.
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
  return {.type = DeltaLightType::kPoint,
          .position = light.at("position").vector(),
          .intensity = light.at("intensity").color(kNonNegative)};
}

DeltaLight read_spot(const JsonReader& light) {
  constexpr Range kConeAngle{0.0, 180.0, true};
  DeltaLight spot{.type = DeltaLightType::kSpot, .position = light.at("position").vector()};
  spot.direction = read_axis(light, spot.position);
  spot.intensity = light.at("intensity").color(kNonNegative);
  light.read("cone_angle", spot.cone_angle, kConeAngle);
  spot.falloff_start = kDefaultFalloffStart * spot.cone_angle;
  light.read("falloff_start", spot.falloff_start, {0.0, spot.cone_angle});
  light.read("falloff", spot.falloff, enum_names<SpotFalloff>());
  return spot;
}

DeltaLight read_directional(const JsonReader& light) {
  constexpr Range kAngle{0.0, 90.0, false, true};
  DeltaLight sun{.type = DeltaLightType::kDirectional,
                 .direction = light.at("direction").direction(),
                 .intensity = light.at("irradiance").color(kNonNegative)};
  light.read("angle", sun.disk_angle, kAngle);
  return sun;
}

void read_light(const JsonReader& light, SceneMoment& moment, HostScene& scene) {
  const std::string& type =
      scene_keys::kLightTypes[light.at("type").choice(scene_keys::kLightTypes)];
  light.expect_keys(scene_keys::kLights.at(type));
  if (type == "rectangle" || type == "sphere")
    read_emitter(light, type == "rectangle", moment, scene);
  else
    scene.delta_lights.push_back(type == "point"  ? read_point(light)
                                 : type == "spot" ? read_spot(light)
                                                  : read_directional(light));
}

/// Checks that `key` is not combined with one of `others`.
void expect_alone(const JsonReader& json, const char* key,
                  std::initializer_list<const char*> others) {
  for (const char* other : others)
    if (json.has(other)) json.fail("expected either \"{}\" or \"{}\", found both", key, other);
}

Sky read_gradient(const JsonReader& json) {
  Sky sky;
  if (auto radiance = json.find("radiance")) {
    expect_alone(json, "radiance", {"zenith", "horizon", "ground", "up"});
    sky.zenith = sky.horizon = sky.ground = radiance->color(kNonNegative);
  } else {
    sky.zenith = json.at("zenith").color(kNonNegative);
    sky.horizon = json.at("horizon").color(kNonNegative);
    sky.ground = json.at("ground").color(kNonNegative);
    if (auto up = json.find("up")) sky.up = up->direction();
  }
  float scale = 1.0f;
  json.read("scale", scale, kNonNegative);
  for (glm::vec3* radiance : {&sky.zenith, &sky.horizon, &sky.ground}) *radiance *= scale;
  return sky;
}

/// Reads the orientation of an environment map: a rotation about +y, or any orthogonal transform.
glm::mat3 read_orientation(const JsonReader& json) {
  constexpr Range kDegrees{-36000.0, 36000.0};
  constexpr float kTolerance = 1e-4f;
  glm::mat4 transform(1.0f);
  if (auto rotation = json.find("rotation"))
    transform =
        glm::rotate(transform, glm::radians(rotation->number(kDegrees)), glm::vec3(0, 1, 0));
  if (auto steps = json.find("transform")) {
    expect_alone(json, "transform", {"rotation"});
    transform = read_transform_steps(*steps, nullptr);
  }
  const glm::mat3 linear(transform), product = glm::transpose(linear) * linear;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row)
      if (!(std::abs(product[column][row] - (column == row ? 1.0f : 0.0f)) <= kTolerance))
        json.at("transform").fail("expected only rotations and mirroring");
  return linear;
}

Daylight read_daylight(const JsonReader& json) {
  expect_alone(json, "sun",
               {"radiance", "zenith", "horizon", "ground", "file", "rotation", "transform"});
  Daylight daylight;
  if (auto up = json.find("up")) daylight.up = up->direction();
  daylight.to_sun = json.at("sun").direction();
  if (!(glm::dot(daylight.to_sun, daylight.up) >= 0.0f))
    json.at("sun").fail("expected a direction above the horizon");
  json.read("model", daylight.model, scene_keys::kSkyModels);
  json.read("turbidity", daylight.turbidity, {Daylight::kMinTurbidity, Daylight::kMaxTurbidity});
  json.read("scale", daylight.sky_scale, kNonNegative);
  daylight.sun_scale = daylight.sky_scale;
  return daylight;
}

}  // namespace

void read_lights(const JsonReader& lights, SceneMoment& moment, HostScene& scene) {
  for (size_t i = 0; i < lights.size("a list of lights"); ++i) read_light(lights[i], moment, scene);
}

void read_sky(const JsonReader& json, const std::filesystem::path& folder, HostScene& scene) {
  json.expect_keys(scene_keys::kSky);
  if (json.has("sun")) return add_daylight(read_daylight(json), scene);
  for (const char* key : {"turbidity", "model"})
    if (json.has(key)) json.at(key).fail("expected it together with \"sun\" only");
  auto file = json.find("file");
  if (!file) {
    for (const char* key : {"rotation", "transform"})
      if (json.has(key)) json.at(key).fail("expected it together with \"file\" only");
    scene.sky = read_gradient(json);
    return;
  }
  expect_alone(json, "file", {"radiance", "zenith", "horizon", "ground", "up"});
  json.read("scale", scene.environment.scale, kNonNegative);
  scene.environment.to_world = read_orientation(json);
  if (auto image = read_environment_file(folder / file->text(), scene.warnings))
    scene.environment.image = std::move(*image);
  else
    scene.sky = soft_sky();
}

}  // namespace winnow
