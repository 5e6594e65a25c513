// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "base/error.h"
#include "load/pbrt/convert.h"
#include "math/constants.h"
#include "math/sampling.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

constexpr glm::vec3 kOrigin(0.0f), kAlongZ(0.0f, 0.0f, 1.0f);

glm::vec3 position_of(const PbrtObject& light, const glm::mat4& to_world) {
  return glm::vec3(to_world * glm::vec4(light.point("from", kOrigin), 1.0f));
}

/// Returns the direction from "from" to "to" in which a light emits, of unit length.
glm::vec3 direction_of(const PbrtObject& light, const glm::mat4& to_world) {
  const glm::vec3 along = light.point("to", kAlongZ) - light.point("from", kOrigin);
  const glm::vec3 direction = glm::mat3(to_world) * along;
  const float length = glm::length(direction);
  if (!(length > 0.0f) || !std::isfinite(length)) light.fail("the light has no direction");
  return direction / length;
}

/// Returns the factor that gives a light its "power".
/// @param normalized  power of the light per unit of intensity
float power_scale(const PbrtObject& light, float normalized) {
  const float power = light.number("power", -1.0f);
  return power > 0.0f && normalized > 0.0f ? power / normalized : 1.0f;
}

/// Reads the colour of a light times its factors except that of its power. A light without an image
/// has the white of its colour space by default.
glm::vec3 read_light_color(const PbrtObject& light, std::string_view name, bool has_image = false) {
  const glm::vec3 one(1.0f), white = has_image ? one : light.color_space.of_lights * one;
  return light.color(name, white, PbrtSpectrumUse::kLight) * light.color("scale", one);
}

DeltaLight read_point_light(const PbrtObject& light, const glm::mat4& to_world) {
  return {.type = DeltaLightType::kPoint,
          .position = position_of(light, to_world),
          .intensity = read_light_color(light, "I") * power_scale(light, 4.0f * kPi)};
}

DeltaLight read_spot_light(const PbrtObject& light, const glm::mat4& to_world) {
  constexpr float kDefaultCone = 30.0f, kDefaultDelta = 5.0f, kMaxCone = 180.0f;  // degrees
  const float cone = light.number("coneangle", kDefaultCone),
              delta = light.number("conedeltaangle", light.number("conedelta", kDefaultDelta));
  if (!(cone > 0.0f && cone <= kMaxCone))
    light.fail(fmt::format("expected a coneangle in (0, 180] degrees, found {}", cone));
  const float start = std::clamp(cone - delta, 0.0f, cone);
  const float cos_cone = std::cos(glm::radians(cone)), cos_start = std::cos(glm::radians(start));
  const float per_intensity = 2.0f * kPi * (1.0f - 0.5f * (cos_start + cos_cone));
  return {.type = DeltaLightType::kSpot,
          .position = position_of(light, to_world),
          .direction = direction_of(light, to_world),
          .intensity = read_light_color(light, "I") * power_scale(light, per_intensity),
          .cone_angle = cone,
          .falloff_start = start,
          .falloff = light.context->is_old ? SpotFalloff::kFourth : SpotFalloff::kSmooth};
}

DeltaLight read_distant_light(const PbrtObject& light, const glm::mat4& to_world) {
  const float illuminance = light.number("illuminance", -1.0f);
  return {.type = DeltaLightType::kDirectional,
          .direction = direction_of(light, to_world),
          .intensity = read_light_color(light, "L") * (illuminance > 0.0f ? illuminance : 1.0f)};
}

/// Reads the image of a light; a white pixel, with a warning, if that is not possible.
Image read_image(const PbrtObject& light) {
  Image image{1, 1, {glm::vec3(1.0f)}};
  const char* name = light.has("mapname") ? "mapname" : "filename";
  const auto file = light.find_file(light.text(name), "the light is white");
  if (!file) return image;
  try {
    std::vector<std::string> warnings;
    image = read_environment_image(*file, warnings, ImageRules::kPbrt);
  } catch (const std::runtime_error& error) {
    light.warn(fmt::format("{}; the light is white", error.what()));
  }
  return image;
}

glm::vec3 mean_of(const Image& image) {
  glm::dvec3 sum(0.0);
  for (const glm::vec3& pixel : image.pixels) sum += glm::dvec3(pixel);
  return glm::vec3(sum / double(image.pixels.size()));
}

/// Returns the power of a projection of an image per unit of intensity.
/// @param slope  tangent of half the field of view along the shorter side
float power_of_projection(const Image& image, float slope) {
  const glm::vec2 size(image.width, image.height);
  const glm::vec2 half = slope * size / std::min(size.x, size.y);
  double sum = 0.0;
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const glm::vec2 pixel(i % image.width, i / image.width);
    const glm::vec2 point = half * (2.0f * (pixel + 0.5f) / size - 1.0f);
    sum += luminance(image.pixels[i]) / std::pow(1.0f + glm::dot(point, point), 1.5f);
  }
  return float(4.0 * half.x * half.y * sum / double(image.pixels.size()));
}

DeltaLight read_projection_light(const PbrtObject& light, const glm::mat4& to_world) {
  constexpr float kDefaultFov = 90.0f, kMaxFov = 170.0f;  // degrees
  light.warn("a projection becomes a spot of the mean of its image");
  const Image image = read_image(light);
  const float half = 0.5f * std::clamp(light.number("fov", kDefaultFov), 1.0f, kMaxFov);
  const float power = power_scale(light, power_of_projection(image, std::tan(glm::radians(half))));
  const glm::vec3 direction(to_world[2]);
  if (!(glm::length(direction) > 0.0f)) light.fail("the light has no direction");
  return {.type = DeltaLightType::kSpot,
          .position = glm::vec3(to_world[3]),
          .direction = glm::normalize(direction),
          .intensity = read_light_color(light, "I", true) * mean_of(image) * power,
          .cone_angle = half,
          .falloff_start = half};
}

DeltaLight read_goniometric_light(const PbrtObject& light, const glm::mat4& to_world) {
  light.warn("a goniometric light becomes a point of the mean of its image");
  DeltaLight point = read_point_light(light, to_world);
  glm::vec3 mean = mean_of(read_image(light));
  // Version 4 takes the mean of the channels. A power is that with the image.
  if (!light.context->is_old) mean = glm::vec3((mean.r + mean.g + mean.b) / 3.0f);
  if (!(light.number("power", -1.0f) > 0.0f)) point.intensity *= mean;
  return point;
}

constexpr std::pair<std::string_view, DeltaLight (*)(const PbrtObject&, const glm::mat4&)>
    kDeltaLights[] = {{"point", read_point_light},
                      {"spot", read_spot_light},
                      {"distant", read_distant_light},
                      {"goniometric", read_goniometric_light},
                      {"projection", read_projection_light}};

/// Position of an azimuth in the octahedral square, seen from +z. With r as the distance from the
/// centre along the axes, a direction with z >= 0 is at r times `near`.
struct SquareDirection {
  glm::vec2 near;  ///< for z >= 0
  glm::vec2 far;   ///< for z < 0, before the reflection at the diagonal
};

SquareDirection square_direction(float phi) {
  const float x = std::cos(phi), y = std::sin(phi);
  const float along = std::atan2(std::abs(y), std::abs(x)) * 2.0f * kInvPi;  // [0, 1]
  const glm::vec2 sign(std::copysign(1.0f, x), std::copysign(1.0f, y));
  return {sign * glm::vec2(1.0f - along, along), sign};
}

/// Returns the point of the square, [-1, 1].
/// @param r  sqrt(1 - |z|)
glm::vec2 square_point(const SquareDirection& direction, float r, bool is_below) {
  const glm::vec2 point = r * direction.near;
  if (!is_below) return point;
  const glm::vec2 folded(1.0f - std::abs(point.y), 1.0f - std::abs(point.x));
  return direction.far * folded;
}

/// Returns the index of a pixel that may be beyond an edge of the square: edges are folded at their
/// middles.
size_t folded_pixel(int64_t x, int64_t y, int64_t size) {
  auto fold = [&](int64_t& along, int64_t& across) {
    if (along >= 0 && along < size) return;
    along = along < 0 ? -along - 1 : 2 * size - 1 - along;
    across = size - 1 - across;
  };
  fold(x, y);
  fold(y, x);
  return size_t(std::clamp<int64_t>(y, 0, size - 1) * size + std::clamp<int64_t>(x, 0, size - 1));
}

/// Looks up a point with bilinear interpolation.
glm::vec3 lookup_square(const Image& square, glm::vec2 point) {
  const int64_t size = square.width;
  const glm::vec2 place = 0.5f * (point + 1.0f) * float(size) - 0.5f, low = glm::floor(place);
  const glm::vec2 t = place - low;
  const auto x = int64_t(low.x), y = int64_t(low.y);
  auto pixel = [&](int64_t i, int64_t j) { return square.pixels[folded_pixel(i, j, size)]; };
  return glm::mix(glm::mix(pixel(x, y), pixel(x + 1, y), t.x),
                  glm::mix(pixel(x, y + 1), pixel(x + 1, y + 1), t.x), t.y);
}

/// Returns what pbrt takes for the illuminance of a surface that faces the pole of an
/// equirectangular map: half of it.
float illuminance_of(const Image& map) {
  double sum = 0.0;
  for (uint32_t row = 0; row < map.height / 2; ++row) {
    const double theta = double(kPi) * (row + 0.5) / map.height;
    double of_row = 0.0;
    for (uint32_t column = 0; column < map.width; ++column)
      of_row += luminance(map.pixels[size_t{row} * map.width + column]);
    sum += of_row * std::sin(theta) * std::cos(theta);
  }
  return float(sum * kPi * kPi / (double(map.width) * map.height));
}

/// Returns the orthonormalized axes of a light in world space, as EnvironmentMap::to_world.
glm::mat3 axes_of_map(const PbrtObject& light, const glm::mat3& to_world) {
  constexpr float kSkewed = 1e-3f;
  const glm::vec3 z = glm::normalize(to_world[2]),
                  x = glm::normalize(to_world[0] - glm::dot(to_world[0], z) * z);
  glm::vec3 y = glm::cross(z, x);
  if (glm::dot(y, to_world[1]) < 0.0f) y = -y;
  if (!std::isfinite(glm::dot(y, y))) light.fail("the transform of the light has no inverse");
  if (!(glm::dot(x, glm::normalize(to_world[0])) > 1.0f - kSkewed &&
        glm::dot(y, glm::normalize(to_world[1])) > 1.0f - kSkewed))
    light.warn("the skew of an environment map is ignored");
  // The pole z of the light is +y of an EnvironmentMap, and x of the light is its first column, -z.
  return {y, z, -x};
}

/// Reads the image of a light; nothing, with a warning, if it cannot be read.
std::optional<Image> read_map(const PbrtObject& light, const std::string& name, bool is_old) {
  const auto file = light.find_file(name, "a soft sky is used");
  if (!file) return {};
  std::vector<std::string> warnings;
  std::optional<Image> image = read_environment_file(*file, warnings, ImageRules::kPbrt);
  for (const std::string& warning : warnings) light.warn(warning);
  if (!image) return {};
  const bool is_square = image->width == image->height;
  if (!is_square && !is_old)
    light.warn("an environment map that is not square is taken as equirectangular");
  return is_square && !is_old ? equirectangular_of_equal_area(*image) : std::move(image);
}

void add_infinite_light(const PbrtObject& light, const glm::mat4& to_world) {
  HostScene& scene = light.context->scene;
  if (!scene.environment.image.pixels.empty())
    return light.warn("the scene has an environment map already; another sky is ignored");
  const bool is_old = light.has("mapname");
  const std::string name = light.text(is_old ? "mapname" : "filename");
  const glm::vec3 color = read_light_color(light, "L", !name.empty());
  const float illuminance = light.number("illuminance", -1.0f);
  light.warn_about_unused("light");
  if (name.empty()) {
    const glm::vec3 radiance = color * (illuminance > 0.0f ? illuminance * kInvPi : 1.0f);
    if (!is_near(radiance)) light.fail("the light is brighter than 1e9");
    for (glm::vec3* part : {&scene.sky.zenith, &scene.sky.horizon, &scene.sky.ground})
      *part += radiance;
    return;
  }
  if (scene.sky.zenith != glm::vec3(0.0f))
    light.warn("beside an environment map, the constant sky is left out");
  scene.sky = {};
  std::optional<Image> image = read_map(light, name, is_old);
  if (!image) {
    scene.sky = soft_sky();
    return;
  }
  float scale = std::max({color.r, color.g, color.b});
  if (scale > 0.0f && color != glm::vec3(scale))
    for (glm::vec3& pixel : image->pixels) pixel *= color / scale;
  if (illuminance > 0.0f) scale *= illuminance / std::max(illuminance_of(*image), 1e-20f);
  if (!is_near(glm::vec3(scale))) light.fail("the light is brighter than 1e9");
  scene.environment = {.image = std::move(*image),
                       .scale = scale,
                       .to_world = axes_of_map(light, glm::mat3(to_world))};
}

}  // namespace

void add_pbrt_light(const PbrtObject& light, const PbrtState& state) {
  const glm::mat4 to_world = light.context->to_world(state);
  if (light.type == "infinite") return add_infinite_light(light, to_world);
  for (const auto& [type, read] : kDeltaLights) {
    if (type != light.type) continue;
    const DeltaLight delta = read(light, to_world);
    light.warn_about_unused("light");
    if (!is_near(delta.intensity) || !is_near(delta.position))
      light.fail("the light is brighter than 1e9 or farther away than 1e9 m");
    return light.context->scene.delta_lights.push_back(delta);
  }
  light.warn(fmt::format("a light of the type {} is left out", in_quotes(light.type)));
}

PbrtEmission read_pbrt_emission(const PbrtObject& light, float area) {
  if (light.type != "diffuse" && light.type != "area") {
    light.warn(fmt::format("an area light of the type {} is left out", in_quotes(light.type)));
    return {};
  }
  TextureLibrary& textures = light.library();
  const std::string name = light.text("filename");
  PbrtEmission emission{.radiance = read_light_color(light, "L", !name.empty()),
                        .texture = kNoTexture,
                        .is_two_sided = light.boolean("twosided", false)};
  float normalized = 1.0f;  // luminance without the factor of the power
  if (!name.empty()) {
    TextureDescription description;
    description.wrap_u = description.wrap_v = TextureWrap::kClamp;
    description.filter = TextureFilter::kBilinear;
    if (const auto file = light.find_file(name, "the light is white"))
      emission.texture = textures.add_file(*file, TexelMeaning::kColor, description);
    normalized = luminance(textures.mean({glm::vec3(1.0f), emission.texture}));
  }
  emission.radiance *=
      power_scale(light, normalized * (emission.is_two_sided ? 2.0f : 1.0f) * area * kPi);
  if (!is_near(emission.radiance)) light.fail("the light is brighter than 1e9");
  light.warn_about_unused("area light");
  return emission;
}

Image equirectangular_of_equal_area(const Image& square) {
  constexpr uint32_t kMaxHeight = 4096, kSamples = 4;
  const uint32_t height = std::min(square.height, kMaxHeight), width = 2 * height;
  std::vector<SquareDirection> columns(size_t{width} * kSamples);
  for (size_t i = 0; i < columns.size(); ++i)
    columns[i] = square_direction(2.0f * kPi * (float(i) + 0.5f) / float(columns.size()));
  Image map{width, height, std::vector<glm::vec3>(size_t{width} * height)};
  for (uint32_t row = 0; row < height; ++row) {
    glm::vec3* pixels = &map.pixels[size_t{row} * width];
    float sum_of_weights = 0.0f;
    for (uint32_t sample = 0; sample < kSamples; ++sample) {
      const float theta = kPi * (float(row * kSamples + sample) + 0.5f) / float(height * kSamples);
      const float z = std::cos(theta), weight = std::sin(theta);
      // 1 - |z| without cancellation at the poles.
      const float half = std::sin(0.5f * std::min(theta, kPi - theta)), r = std::sqrt(2.0f) * half;
      for (uint32_t i = 0; i < columns.size(); ++i)
        pixels[i / kSamples] += weight * lookup_square(square, square_point(columns[i], r, z < 0));
      sum_of_weights += weight;
    }
    for (uint32_t column = 0; column < width; ++column)
      pixels[column] /= sum_of_weights * float(kSamples);
  }
  return map;
}

}  // namespace winnow
