#include "scene/read_lights.h"

#include <fmt/format.h>

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include "scene/read_shapes.h"
#include "scene/scene_keys.h"

namespace winnow {
namespace {

constexpr float kPi = glm::pi<float>();

/// @param area  m^2 of all sides that emit to the outside
glm::vec3 read_radiance(const JsonReader& light, float area) {
  std::optional<JsonReader> radiance = light.find("radiance"), power = light.find("power");
  if (radiance.has_value() == power.has_value())
    light.fail("expected either \"radiance\" or \"power\"");
  if (radiance) return radiance->color(kNonNegative);
  glm::vec3 emission = power->color(kNonNegative) / (kPi * area);
  constexpr float kBrightest = 1e15f;
  if (!(glm::length(emission) <= kBrightest))
    power->fail("expected a power that the area of the light can send out");
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

void read_light(const JsonReader& light, HostScene& scene) {
  bool is_rectangle = light.at("type").choice(scene_keys::kLightTypes) == 0;
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

}  // namespace

void read_lights(const JsonReader& lights, HostScene& scene) {
  for (size_t i = 0; i < lights.size("a list of lights"); ++i) read_light(lights[i], scene);
}

}  // namespace winnow
