// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <utility>
#include <vector>

#include "base/one_line.h"
#include "load/pbrt/lights.h"
#include "load/textures/image_files.h"
#include "math/constants.h"
#include "math/sampling.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

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
  if (x < 0) {
    x = -x - 1;
    y = size - 1 - y;
  } else if (x >= size) {
    x = 2 * size - 1 - x;
    y = size - 1 - y;
  }
  if (y < 0) {
    x = size - 1 - x;
    y = -y - 1;
  } else if (y >= size) {
    x = size - 1 - x;
    y = 2 * size - 1 - y;
  }
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

/// Returns the illuminance of a surface that faces the pole of an equirectangular map.
float illuminance_of(const Image& map) {
  double sum = 0.0;
  for (uint32_t row = 0; row < map.height / 2; ++row) {
    const double theta = double(kPi) * (row + 0.5) / map.height;
    double of_row = 0.0;
    for (uint32_t column = 0; column < map.width; ++column)
      of_row += luminance(map.pixels[size_t{row} * map.width + column]);
    sum += of_row * std::sin(theta) * std::cos(theta);
  }
  return float(sum * 2.0 * kPi * kPi / (double(map.width) * map.height));
}

/// Returns the orthonormalized axes of a light in world space, as EnvironmentMap::to_world.
glm::mat3 axes_of_map(const PbrtObject& light, const glm::mat3& to_world, PbrtContext& context) {
  constexpr float kSkewed = 1e-3f;
  const glm::vec3 z = glm::normalize(to_world[2]),
                  x = glm::normalize(to_world[0] - glm::dot(to_world[0], z) * z);
  glm::vec3 y = glm::cross(z, x);
  if (glm::dot(y, to_world[1]) < 0.0f) y = -y;
  if (!std::isfinite(glm::dot(y, y)))
    fail_at(light.place, "the transform of the light has no inverse");
  if (!(glm::dot(x, glm::normalize(to_world[0])) > 1.0f - kSkewed &&
        glm::dot(y, glm::normalize(to_world[1])) > 1.0f - kSkewed))
    context.warn(light.place, "the skew of an environment map is ignored");
  // The pole z of the light is +y of an EnvironmentMap, and x of the light is its first column, -z.
  return {y, z, -x};
}

/// Reads the image of a light; nothing, with a warning, if it cannot be read.
std::optional<Image> read_map(const PbrtObject& light, const std::string& name, bool is_old,
                              PbrtContext& context) {
  const auto file = context.find_file(light.place, name, "a soft sky is used");
  if (!file) return {};
  std::vector<std::string> warnings;
  std::optional<Image> image = read_environment_file(*file, warnings);
  for (const std::string& warning : warnings) context.warn(light.place, warning);
  if (!image) return {};
  const bool is_square = image->width == image->height;
  if (!is_square && !is_old)
    context.warn(light.place, "an environment map that is not square is taken as equirectangular");
  return is_square && !is_old ? equirectangular_of_equal_area(*image) : std::move(image);
}

}  // namespace

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

void add_pbrt_infinite_light(const PbrtObject& light, const PbrtState& state,
                             PbrtContext& context) {
  HostScene& scene = context.scene;
  const PbrtParameters& parameters = light.parameters;
  if (!scene.environment.image.pixels.empty())
    return context.warn(light.place,
                        "the scene has an environment map already; another sky is ignored");
  if (parameters.has("portal")) {
    parameters.ignore("portal");
    context.warn(light.place, "the portal of a light is ignored");
  }
  const glm::vec3 color = read_pbrt_light_color(light, "L", context);
  const float illuminance = parameters.number("illuminance", -1.0f);
  const bool is_old = parameters.has("mapname");
  const std::string name = parameters.text(is_old ? "mapname" : "filename");
  context.warn_about_unused(light, "a light of the type");
  if (name.empty()) {
    const glm::vec3 radiance = color * (illuminance > 0.0f ? illuminance * kInvPi : 1.0f);
    if (!is_near(radiance)) fail_at(light.place, "the light is brighter than 1e9");
    for (glm::vec3* part : {&scene.sky.zenith, &scene.sky.horizon, &scene.sky.ground})
      *part += radiance;
    return;
  }
  if (scene.sky.zenith != glm::vec3(0.0f))
    context.warn(light.place, "beside an environment map, the constant sky is left out");
  scene.sky = {};
  std::optional<Image> image = read_map(light, name, is_old, context);
  if (!image) {
    scene.sky = soft_sky();
    return;
  }
  float scale = std::max({color.r, color.g, color.b});
  if (scale > 0.0f && color != glm::vec3(scale))
    for (glm::vec3& pixel : image->pixels) pixel *= color / scale;
  if (illuminance > 0.0f) scale *= illuminance / std::max(illuminance_of(*image), 1e-20f);
  if (!is_near(glm::vec3(scale))) fail_at(light.place, "the light is brighter than 1e9");
  const glm::mat4 to_world = context.from_pbrt * glm::mat4(state.ctm);
  scene.environment = {.image = std::move(*image),
                       .scale = scale,
                       .to_world = axes_of_map(light, glm::mat3(to_world), context)};
}

}  // namespace winnow
