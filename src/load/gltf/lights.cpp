#include "load/gltf/lights.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "base/one_line.h"
#include "load/gltf/values.h"
#include "load/json/json_reader.h"

namespace winnow {
namespace {

/// glTF measures its lights as an eye does, in candela and lux; Winnow has watts. This is how many
/// lumens the eye makes of a watt of the green that it sees best, and what programs that write glTF
/// divide by. (Emission of surfaces is taken as it is: there nobody multiplies.)
constexpr double kLumensPerWatt = 683.0;

void set_cone(const GltfDocument& document, const tinygltf::SpotLight& spot,
              const std::string& place, DeltaLight& light) {
  const double outer = spot.outerConeAngle;
  if (!(outer > 0.0 && outer <= glm::radians(180.0)))
    document.fail(place + "/spot/outerConeAngle",
                  fmt::format("expected an angle in (0, pi], found {}", outer));
  light.cone_angle = float(glm::degrees(outer));
  light.falloff_start = float(glm::degrees(std::clamp(spot.innerConeAngle, 0.0, outer)));
}

}  // namespace

void add_gltf_light(GltfDocument& document, const PlacedNode& node, HostScene& scene) {
  const tinygltf::Value* extension = find_extension(node.node->extensions, "KHR_lights_punctual");
  if (!extension) return;
  const int number = integer_of(*extension, "light", -1);
  const tinygltf::Light& source = document.item(
      document.model().lights, number, node.place + "/extensions/KHR_lights_punctual/light");
  const std::string place = fmt::format("/extensions/KHR_lights_punctual/lights/{}", number);
  DeltaLight light;
  if (source.type == "directional")
    light.type = DeltaLightType::kDirectional;
  else if (source.type == "spot")
    light.type = DeltaLightType::kSpot;
  else if (source.type != "point")
    return document.warn(place,
                         fmt::format("a light of the type {} is left out", in_quotes(source.type)));
  if (light.type == DeltaLightType::kSpot) set_cone(document, source.spot, place, light);

  const glm::dvec3 direction = -glm::dvec3(node.to_world[2]);
  const double length = glm::length(direction);
  light.position = node.to_world[3];
  if (!is_near(light.position) || !(length > 0.0) || !std::isfinite(length))
    document.fail(node.place, "the light has no place or direction");
  light.direction = direction / length;
  const double intensity = std::clamp(source.intensity / kLumensPerWatt, 0.0, kMaxSceneValue);
  light.intensity = glm::dvec3(color(source.color, glm::vec3(1.0f), kMaxSceneValue)) * intensity;
  if (source.range > 0.0)
    document.warn(place,
                  "the range of a light is left out: light goes on until it meets something");
  if (light.intensity != glm::vec3(0.0f)) scene.delta_lights.push_back(light);
}

}  // namespace winnow
