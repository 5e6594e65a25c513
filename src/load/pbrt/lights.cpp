// SPDX-License-Identifier: MIT
#include "load/pbrt/lights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "base/error.h"
#include "base/one_line.h"
#include "load/pbrt/color.h"
#include "load/textures/image_files.h"
#include "math/constants.h"
#include "math/sampling.h"

namespace winnow {
namespace {

constexpr glm::vec3 kOrigin(0.0f), kAlongZ(0.0f, 0.0f, 1.0f);

glm::mat4 light_to_world(const PbrtState& state, const PbrtContext& context) {
  return context.from_pbrt * glm::mat4(state.ctm);
}

glm::vec3 position_of(const PbrtObject& light, const glm::mat4& to_world) {
  return glm::vec3(to_world * glm::vec4(light.parameters.point("from", kOrigin), 1.0f));
}

/// Returns the direction from "from" to "to" in which a light emits, of unit length.
glm::vec3 direction_of(const PbrtObject& light, const glm::mat4& to_world) {
  const glm::vec3 along =
      light.parameters.point("to", kAlongZ) - light.parameters.point("from", kOrigin);
  const glm::vec3 direction = glm::mat3(to_world) * along;
  const float length = glm::length(direction);
  if (!(length > 0.0f) || !std::isfinite(length))
    fail_at(light.place, "the light has no direction");
  return direction / length;
}

/// Returns the factor that gives a light its "power".
/// @param normalized  power of the light per unit of intensity
float power_scale(const PbrtObject& light, float normalized) {
  const float power = light.parameters.number("power", -1.0f);
  return power > 0.0f && normalized > 0.0f ? power / normalized : 1.0f;
}

DeltaLight read_point_light(const PbrtObject& light, const glm::mat4& to_world,
                            PbrtContext& context) {
  return {.type = DeltaLightType::kPoint,
          .position = position_of(light, to_world),
          .intensity = read_pbrt_light_color(light, "I", context) * power_scale(light, 4.0f * kPi)};
}

DeltaLight read_spot_light(const PbrtObject& light, const glm::mat4& to_world,
                           PbrtContext& context) {
  constexpr float kDefaultCone = 30.0f, kDefaultDelta = 5.0f, kMaxCone = 180.0f;  // degrees
  const float cone = light.parameters.number("coneangle", kDefaultCone),
              delta = light.parameters.number("conedeltaangle",
                                              light.parameters.number("conedelta", kDefaultDelta));
  if (!(cone > 0.0f && cone <= kMaxCone))
    fail_at(light.place, fmt::format("expected a coneangle in (0, 180] degrees, found {}", cone));
  const float start = std::clamp(cone - delta, 0.0f, cone);
  const float cos_cone = std::cos(glm::radians(cone)), cos_start = std::cos(glm::radians(start));
  const float per_intensity = 2.0f * kPi * (1.0f - 0.5f * (cos_start + cos_cone));
  return {
      .type = DeltaLightType::kSpot,
      .position = position_of(light, to_world),
      .direction = direction_of(light, to_world),
      .intensity = read_pbrt_light_color(light, "I", context) * power_scale(light, per_intensity),
      .cone_angle = cone,
      .falloff_start = start};
}

DeltaLight read_distant_light(const PbrtObject& light, const glm::mat4& to_world,
                              PbrtContext& context) {
  const float illuminance = light.parameters.number("illuminance", -1.0f);
  return {.type = DeltaLightType::kDirectional,
          .direction = direction_of(light, to_world),
          .intensity = read_pbrt_light_color(light, "L", context) *
                       (illuminance > 0.0f ? illuminance : 1.0f)};
}

/// Returns the mean of the image of a light; white, with a warning, if it cannot be read.
glm::vec3 mean_of_image(const PbrtObject& light, PbrtContext& context) {
  const char* name = light.parameters.has("mapname") ? "mapname" : "filename";
  const auto file =
      context.find_file(light.place, light.parameters.text(name), "the light is white");
  if (!file) return glm::vec3(1.0f);
  try {
    std::vector<std::string> warnings;
    const Image image = read_environment_image(*file, warnings);
    glm::dvec3 sum(0.0);
    for (const glm::vec3& pixel : image.pixels) sum += glm::dvec3(pixel);
    return glm::vec3(sum / double(std::max<size_t>(image.pixels.size(), 1)));
  } catch (const std::runtime_error& error) {
    context.warn(light.place, fmt::format("{}; the light is white", error.what()));
    return glm::vec3(1.0f);
  }
}

DeltaLight read_projection_light(const PbrtObject& light, const glm::mat4& to_world,
                                 PbrtContext& context) {
  constexpr float kDefaultFov = 90.0f, kMaxFov = 170.0f;  // degrees
  context.warn(light.place, "a projection becomes a spot of the mean of its image");
  const float fov = std::clamp(light.parameters.number("fov", kDefaultFov), 1.0f, kMaxFov);
  const float power = power_scale(light, 2.0f * kPi * (1.0f - std::cos(glm::radians(0.5f * fov))));
  DeltaLight spot{.type = DeltaLightType::kSpot, .position = glm::vec3(to_world[3])};
  const glm::vec3 direction(to_world[2]);
  if (!(glm::length(direction) > 0.0f)) fail_at(light.place, "the light has no direction");
  spot.direction = glm::normalize(direction);
  spot.intensity =
      read_pbrt_light_color(light, "I", context) * mean_of_image(light, context) * power;
  spot.cone_angle = spot.falloff_start = 0.5f * fov;
  return spot;
}

DeltaLight read_goniometric_light(const PbrtObject& light, const glm::mat4& to_world,
                                  PbrtContext& context) {
  context.warn(light.place, "a goniometric light becomes a point of the mean of its image");
  DeltaLight point = read_point_light(light, to_world, context);
  point.intensity *= mean_of_image(light, context);
  return point;
}

}  // namespace

glm::vec3 read_pbrt_light_color(const PbrtObject& light, std::string_view name,
                                PbrtContext& context) {
  const glm::vec3 white(1.0f);
  return read_pbrt_color(light, name, white, PbrtSpectrumUse::kLight, context) *
         read_pbrt_color(light, "scale", white, PbrtSpectrumUse::kSurface, context);
}

void add_pbrt_light(const PbrtObject& light, const PbrtState& state, PbrtContext& context) {
  for (const char* name : {"nsamples", "samples"}) light.parameters.ignore(name);
  const std::string& type = light.type;
  if (type == "infinite") return add_pbrt_infinite_light(light, state, context);
  const glm::mat4 to_world = light_to_world(state, context);
  DeltaLight delta;
  if (type == "point") {
    delta = read_point_light(light, to_world, context);
  } else if (type == "spot") {
    delta = read_spot_light(light, to_world, context);
  } else if (type == "distant") {
    delta = read_distant_light(light, to_world, context);
  } else if (type == "goniometric") {
    delta = read_goniometric_light(light, to_world, context);
  } else if (type == "projection") {
    delta = read_projection_light(light, to_world, context);
  } else {
    return context.warn(light.place,
                        fmt::format("a light of the type {} is left out", in_quotes(type)));
  }
  context.warn_about_unused(light, "a light of the type");
  if (!is_near(delta.intensity) || !is_near(delta.position))
    fail_at(light.place, "the light is brighter than 1e9 or farther away than 1e9 m");
  context.scene.delta_lights.push_back(delta);
}

PbrtEmission read_pbrt_emission(const PbrtObject& light, float area, PbrtTextures& textures,
                                PbrtContext& context) {
  const PbrtParameters& parameters = light.parameters;
  for (const char* name : {"nsamples", "samples"}) parameters.ignore(name);
  if (light.type != "diffuse" && light.type != "area") {
    context.warn(light.place,
                 fmt::format("an area light of the type {} is left out", in_quotes(light.type)));
    return {};
  }
  PbrtEmission emission{.radiance = read_pbrt_light_color(light, "L", context),
                        .texture = kNoTexture,
                        .is_two_sided = parameters.boolean("twosided", false)};
  float normalized = 1.0f;  // luminance without the factor of the power
  if (const std::string name = parameters.text("filename"); !name.empty()) {
    if (const auto file = context.find_file(light.place, name, "the light is white"))
      emission.texture = textures.library().add_file(*file, TexelMeaning::kColor, {});
    normalized = luminance(textures.mean({glm::vec3(1.0f), emission.texture}));
  }
  emission.radiance *=
      power_scale(light, normalized * (emission.is_two_sided ? 2.0f : 1.0f) * area * kPi);
  if (!is_near(emission.radiance)) fail_at(light.place, "the light is brighter than 1e9");
  context.warn_about_unused(light, "an area light of the type");
  return emission;
}

void scale_light(float factor, HostScene& scene) {
  if (factor == 1.0f) return;
  for (Material& material : scene.materials) material.emission *= factor;
  for (DeltaLight& light : scene.delta_lights) light.intensity *= factor;
  for (glm::vec3* color : {&scene.sky.zenith, &scene.sky.horizon, &scene.sky.ground})
    *color *= factor;
  scene.environment.scale *= factor;
}

}  // namespace winnow
