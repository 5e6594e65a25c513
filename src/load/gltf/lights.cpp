// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>

#include "base/limits.h"
#include "base/one_line.h"
#include "load/gltf/convert.h"
#include "load/gltf/values.h"

namespace winnow {
namespace {

/// The units of lights in glTF are photometric, candela and lux; those of Winnow are radiometric.
/// The factor is that of light at 555 nm, which exporters use. (The emission of surfaces has no
/// unit in glTF, and is not converted.)
constexpr double kLumensPerWatt = 683.0;

void set_cone(const JsonReader& spot, DeltaLight& light) {
  const double outer = number_of(spot, "outerConeAngle", glm::quarter_pi<double>());
  if (!(outer > 0.0 && outer <= glm::radians(180.0)))
    spot.at("outerConeAngle").fail(fmt::format("expected an angle in (0, pi], found {}", outer));
  light.cone_angle = float(glm::degrees(outer));
  light.falloff_start =
      float(glm::degrees(std::clamp(number_of(spot, "innerConeAngle", 0.0), 0.0, outer)));
}

}  // namespace

void add_gltf_light(GltfDocument& document, const PlacedNode& node, HostScene& scene) {
  constexpr const char* kName = "KHR_lights_punctual";
  const std::optional<JsonReader> use = find_extension(node.json, kName);
  if (!use) return;
  const auto extension = find_extension(document.root(), kName);
  const auto lights = extension ? extension->find("lights") : std::nullopt;
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
    return document.warn(source.pointer(),
                         fmt::format("a light of the type {} is left out", in_quotes(type)));
  if (light.type == DeltaLightType::kSpot) set_cone(source.at("spot"), light);

  const glm::dvec3 direction = -glm::dvec3(node.to_world[2]);
  const double length = glm::length(direction);
  light.position = node.to_world[3];
  if (!is_near(light.position) || !(length > 0.0) || !std::isfinite(length))
    node.json.fail("the light needs a finite position and a direction");
  light.direction = direction / length;
  const double intensity =
      std::clamp(number_of(source, "intensity", 1.0) / kLumensPerWatt, 0.0, kMaxSceneValue);
  light.intensity =
      glm::dvec3(color_of(source, "color", glm::vec3(1.0f), kMaxSceneValue)) * intensity;
  if (number_of(source, "range", 0.0) > 0.0)
    document.warn(source.pointer(),
                  "the range of a light is ignored: its light reaches any distance");
  if (light.intensity != glm::vec3(0.0f)) scene.delta_lights.push_back(light);
}

}  // namespace winnow
