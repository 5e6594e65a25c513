#include "scene/mitsuba_emitters.h"

#include <fmt/format.h>

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>

#include "scene/frame_scene.h"
#include "scene/json_reader.h"
#include "scene/mitsuba_color.h"
#include "scene/one_line.h"
#include "scene/scene_bounds.h"
#include "scene/shapes.h"

namespace winnow {
namespace {

constexpr float kPi = glm::pi<float>();
constexpr float kSmall = 1e-3f;  // radius of a small light, of the size of the scene

uint32_t add_light(const MitsubaObject& emitter, glm::vec3 radiance, MitsubaMaterials& materials) {
  if (!is_near(radiance)) emitter.fail("the light is brighter than 1e9 W sr^-1 m^-2");
  return materials.add({.reflectance = glm::vec3(0.0f), .emission = radiance}, "light");
}

void add_sky(glm::vec3 radiance, Sky& sky) {
  sky.zenith += radiance;
  sky.horizon += radiance;
  sky.ground += radiance;
}

float scene_size(const HostScene& scene) {
  glm::vec3 size = scene_bounds(scene).size();
  float length = glm::length(size);
  return length > 0.0f && std::isfinite(length) ? length : 1.0f;
}

/// A sphere of radiance I / (pi r^2) has the intensity I in every direction.
void add_point(const MitsubaObject& emitter, MitsubaMaterials& materials, HostScene& scene) {
  emitter.warn("a point light becomes a small sphere: its shadows are a little soft");
  float radius = kSmall * scene_size(scene);
  glm::vec3 position = emitter.point(
      "position", glm::vec3(emitter.transform("to_world") * glm::vec4(0.0f, 0.0f, 0.0f, 1.0f)));
  glm::vec3 intensity = read_mitsuba_color(emitter, "intensity", glm::vec3(1.0f));
  scene.spheres.push_back(
      {.center = position,
       .radius = radius,
       .material = add_light(emitter, intensity / (kPi * radius * radius), materials)});
}

/// A disk of radiance I / (pi r^2), black from behind, has the intensity I straight ahead.
void add_spot(const MitsubaObject& emitter, MitsubaMaterials& materials, HostScene& scene) {
  emitter.warn("a spot light becomes a small disk: the edge of its cone is lost");
  float radius = kSmall * scene_size(scene);
  glm::mat4 to_world = emitter.transform("to_world");
  glm::vec3 position(to_world[3]), forward(to_world[2]);
  if (!(glm::length(forward) > 0.0f)) emitter.fail("the light has no direction");
  forward = glm::normalize(forward);
  glm::vec3 intensity = read_mitsuba_color(emitter, "intensity", glm::vec3(1.0f));
  uint32_t light = add_light(emitter, intensity / (kPi * radius * radius), materials);
  const glm::mat4 kHere(1.0f);
  add_mesh(scene, make_disk(position, forward, radius), kHere, light);
  add_mesh(scene, make_disk(position - kSmall * radius * forward, forward, radius), kHere,
           materials.black());
}

/// A distant sphere, as large in the sky as the sun: of radiance L it gives the irradiance
/// pi L sin^2(angle).
void add_directional(const MitsubaObject& emitter, MitsubaMaterials& materials, HostScene& scene) {
  constexpr float kSunAngle = 0.265f, kDistance = 100.0f;  // degrees; sizes of the scene
  emitter.warn("a directional light becomes a distant sphere of the size of the sun");
  glm::vec3 direction = emitter.point("direction", glm::vec3(emitter.transform("to_world")[2]));
  if (!(glm::length(direction) > 0.0f)) emitter.fail("the light has no direction");
  float sine = std::sin(glm::radians(kSunAngle));
  glm::vec3 irradiance = read_mitsuba_color(emitter, "irradiance", glm::vec3(1.0f));
  float distance = kDistance * scene_size(scene);
  scene.spheres.push_back(
      {.center = scene_bounds(scene).center() - distance * glm::normalize(direction),
       .radius = sine * distance,
       .material = add_light(emitter, irradiance / (kPi * sine * sine), materials)});
}

}  // namespace

void add_mitsuba_emitter(const MitsubaObject& emitter, MitsubaMaterials& materials,
                         HostScene& scene) {
  const std::string type = emitter.type();
  if (type == "constant" || emitter.tag() == "background")  // the latter in some exporters' files
    return add_sky(read_mitsuba_color(emitter, "radiance", glm::vec3(1.0f)), scene.sky);
  if (type == "envmap")
    return add_sky(emitter.number("scale", 1.0f) * mean_image_color(emitter), scene.sky);
  if (type == "point") return add_point(emitter, materials, scene);
  if (type == "spot") return add_spot(emitter, materials, scene);
  if (type == "directional") return add_directional(emitter, materials, scene);
  if (type == "sky" || type == "sun" || type == "sunsky") {
    emitter.warn(fmt::format("an emitter of the type {} becomes a soft sky", type));
    scene.sky = soft_sky();
    return;
  }
  emitter.warn(fmt::format("an emitter of the type {} is left out", in_quotes(type)));
}

}  // namespace winnow
