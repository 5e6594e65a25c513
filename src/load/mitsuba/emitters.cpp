// SPDX-License-Identifier: MIT
#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "base/error.h"
#include "load/mitsuba/convert.h"
#include "scene/daylight.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

void add_sky(glm::vec3 radiance, Sky& sky) {
  sky.zenith += radiance;
  sky.horizon += radiance;
  sky.ground += radiance;
}

DeltaLight read_point(const MitsubaObject& emitter) {
  return {.type = DeltaLightType::kPoint,
          .position = emitter.point("position", glm::vec3(emitter.transform("to_world")[3])),
          .intensity = emitter.color("intensity", glm::vec3(1.0f))};
}

DeltaLight read_spot(const MitsubaObject& emitter) {
  constexpr float kDefaultCutoff = 20.0f, kMaxCutoff = 180.0f;  // degrees
  const glm::mat4 to_world = emitter.transform("to_world");
  const glm::vec3 forward(to_world[2]);
  if (!(glm::length(forward) > 0.0f)) emitter.fail("the light has no direction");
  const float cutoff = emitter.number("cutoff_angle", kDefaultCutoff);
  const float beam = emitter.number("beam_width", kDefaultFalloffStart * cutoff);
  if (!(cutoff > 0.0f && cutoff <= kMaxCutoff && beam >= 0.0f && beam <= cutoff))
    emitter.fail("expected a cutoff_angle in (0, 180] and a beam_width of at most cutoff_angle");
  const glm::vec3 mean_of_texture = emitter.color("texture", glm::vec3(1.0f));
  return {.type = DeltaLightType::kSpot,
          .position = glm::vec3(to_world[3]),
          .direction = glm::normalize(forward),
          .intensity = mean_of_texture * emitter.color("intensity", glm::vec3(1.0f)),
          .cone_angle = cutoff,
          .falloff_start = beam};
}

DeltaLight read_directional(const MitsubaObject& emitter) {
  const glm::vec3 direction =
      emitter.point("direction", glm::vec3(emitter.transform("to_world")[2]));
  if (!(glm::length(direction) > 0.0f)) emitter.fail("the light has no direction");
  return {.type = DeltaLightType::kDirectional,
          .direction = glm::normalize(direction),
          .intensity = emitter.color("irradiance", glm::vec3(1.0f))};
}

void add_delta_light(const MitsubaObject& emitter, const DeltaLight& light) {
  if (!is_near(light.intensity) || !is_near(light.position))
    emitter.fail("the light is brighter than 1e9 or farther away than 1e9 m");
  emitter.scene().delta_lights.push_back(light);
}

/// Returns the rotation and mirroring of a transform: its axes, made orthonormal.
glm::mat3 orthonormal_axes(const MitsubaObject& emitter) {
  constexpr float kSkewed = 1e-3f;
  const glm::mat4 to_world = emitter.transform("to_world");
  const glm::vec3 x(to_world[0]), y(to_world[1]), z(to_world[2]);
  const glm::vec3 up = glm::normalize(y), side = glm::normalize(x - glm::dot(x, up) * up);
  glm::vec3 front = glm::cross(side, up);
  if (glm::dot(front, z) < 0.0f) front = -front;
  if (!(glm::dot(front, front) > 0.0f)) emitter.fail("the transform of the map has no inverse");
  if (!(glm::dot(front, glm::normalize(z)) > 1.0f - kSkewed &&
        glm::dot(side, glm::normalize(x)) > 1.0f - kSkewed))
    emitter.warn("the skew of an environment map is ignored");
  const glm::vec3 lengths(glm::length(x), glm::length(y), glm::length(z));
  if (glm::length(lengths - 1.0f) > kSkewed)
    emitter.warn("the scale of an environment map is ignored; in Mitsuba it distorts the map");
  return {side, up, front};
}

/// Resamples a map whose first row is at one pole and whose last row is at the other, as in Mitsuba
/// since version 2, to one whose rows are bands between the poles. A whole number of bands for each
/// pair of rows keeps the energy of every texel.
Image with_rows_between_poles(const Image& map) {
  constexpr uint32_t kMinHeight = 1024;  // more bands move the interpolated radiance less
  if (map.height < 2) return map;
  const uint32_t gaps = map.height - 1, bands_per_gap = (kMinHeight + gaps - 1) / gaps;
  Image bands{map.width, gaps * bands_per_gap, {}};
  bands.pixels.reserve(size_t{bands.width} * bands.height);
  for (uint32_t band = 0; band < bands.height; ++band) {
    const glm::vec3* above = &map.pixels[size_t{band / bands_per_gap} * map.width];
    const glm::vec3* below = above + map.width;
    const float down = (float(band % bands_per_gap) + 0.5f) / float(bands_per_gap);
    for (uint32_t column = 0; column < map.width; ++column)
      bands.pixels.push_back(glm::mix(above[column], below[column], down));
  }
  return bands;
}

void read_environment(const MitsubaObject& emitter) {
  HostScene& scene = emitter.scene();
  const std::string name = emitter.text("filename");
  std::vector<std::string> warnings;
  std::optional<Image> image;
  try {
    image = read_environment_file(emitter.document().find_file(emitter.node(), name), warnings,
                                  ImageRules::kMitsuba);
  } catch (const Error&) {
    warnings.push_back(
        fmt::format("the environment map {} is missing; a soft sky is used", in_quotes(name)));
  }
  for (const std::string& warning : warnings) emitter.warn(warning);
  if (!image) {
    scene.sky = soft_sky();
    return;
  }
  constexpr int kFirstVersionWithPolarRows = 2;
  if (emitter.document().version() >= kFirstVersionWithPolarRows)
    image = with_rows_between_poles(*image);
  scene.environment = {.image = std::move(*image),
                       .scale = std::max(emitter.number("scale", 1.0f), 0.0f),
                       .to_world = orthonormal_axes(emitter)};
}

/// Returns the direction to the sun from place and time, in world space, of unit length.
glm::vec3 read_sun_place(const MitsubaObject& emitter, bool is_z_up) {
  const PlaceAndTime defaults;
  auto number = [&](const char* name, double fallback) {
    return double(emitter.number(name, float(fallback)));
  };
  constexpr double kMinutes = 60.0, kSeconds = 3600.0;
  constexpr int kFirstYear = -4000, kLastYear = 10000;
  PlaceAndTime when;
  when.year = std::clamp(emitter.integer("year", when.year), kFirstYear, kLastYear);
  when.month = std::clamp(emitter.integer("month", when.month), 1, 12);
  when.day = std::clamp(emitter.integer("day", when.day), 1, 31);
  when.hour = number("hour", defaults.hour) + number("minute", 0.0) / kMinutes +
              number("second", 0.0) / kSeconds;
  when.latitude = number("latitude", defaults.latitude);
  when.longitude = number("longitude", defaults.longitude);
  when.timezone = number("timezone", defaults.timezone);
  const glm::vec3 local = sun_direction(when);
  const glm::vec3 direction = is_z_up ? local : glm::vec3(-local.y, local.z, local.x);
  return glm::normalize(glm::mat3(emitter.transform("to_world")) * direction);
}

/// Adds a sky, a sun or both. In Mitsuba, radiance is a mean over wavelengths, weighted by the
/// luminous efficiency, whose integral is 106.75 nm; +z is up since version 2. The sky is black
/// below the horizon.
void add_sun_and_sky(const MitsubaObject& emitter) {
  HostScene& scene = emitter.scene();
  constexpr float kEfficiencyNanometres = 106.7502593f, kDefaultTurbidity = 3.0f;
  constexpr float kDefaultAlbedo = 0.3f, kSunAngle = 0.5358f;
  const std::string type = emitter.type();
  if (!scene.environment.image.pixels.empty())
    return emitter.warn("the scene has an environment map already; another sky is ignored");
  const bool is_z_up = emitter.document().version() >= 2;
  const glm::vec3 up = is_z_up ? glm::vec3(0, 0, 1) : glm::vec3(0, 1, 0);
  const glm::mat3 to_world(emitter.transform("to_world"));
  const glm::vec3 to_sun = emitter.has("sun_direction")  // in world space
                               ? emitter.point("sun_direction", up)
                               : read_sun_place(emitter, is_z_up);
  Daylight daylight{.model = SkyModel::kHosekWilkie,
                    .to_sun = glm::normalize(to_sun),
                    .up = glm::normalize(to_world * up),
                    .ground_albedo = 0.0f,
                    .sky_albedo = emitter.color("albedo", glm::vec3(kDefaultAlbedo))};
  if (!(glm::dot(daylight.to_sun, daylight.up) >= 0.0f))
    return emitter.warn(
        fmt::format("the sun is below the horizon; the emitter of the type {} is left out", type));
  daylight.turbidity =
      std::clamp(emitter.number("turbidity", kDefaultTurbidity), 1.0f, Daylight::kMaxTurbidity);
  const float scale =
      emitter.number("scale", 1.0f) / (Daylight::kWattsOfWeighted * kEfficiencyNanometres);
  daylight.sky_scale =
      type == "sun" ? 0.0f : std::max(scale * emitter.number("sky_scale", 1.0f), 0.0f);
  daylight.sun_scale =
      type == "sky" ? 0.0f : std::max(scale * emitter.number("sun_scale", 1.0f), 0.0f);
  daylight.sun_angle = std::clamp(emitter.number("sun_aperture", kSunAngle), 0.0f, 89.0f);
  if (daylight.sky_scale > 0.0f) scene.sky = {};
  add_daylight(daylight, scene);
}

}  // namespace

void add_mitsuba_emitter(const MitsubaObject& emitter) {
  HostScene& scene = emitter.scene();
  const std::string type = emitter.type();
  // Some exporters write <background>.
  const bool is_constant = type == "constant" || emitter.tag() == "background";
  if ((is_constant || type == "envmap") && !scene.environment.image.pixels.empty())
    return emitter.warn("the scene has an environment map already; another sky is ignored");
  if (is_constant) return add_sky(emitter.color("radiance", glm::vec3(1.0f)), scene.sky);
  if (type == "envmap") {
    scene.sky = {};
    return read_environment(emitter);
  }
  if (type == "point") return add_delta_light(emitter, read_point(emitter));
  if (type == "spot") return add_delta_light(emitter, read_spot(emitter));
  if (type == "directional") return add_delta_light(emitter, read_directional(emitter));
  if (type == "sky" || type == "sun" || type == "sunsky" || type == "sun_sky")
    return add_sun_and_sky(emitter);
  if (!emitter.document().is_referred_to(emitter.node()))  // such as by a shape
    emitter.warn(fmt::format("an emitter of the type {} is left out", in_quotes(type)));
}

}  // namespace winnow
