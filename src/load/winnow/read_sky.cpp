// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>

#include "load/textures/environment_file.h"
#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"
#include "scene/daylight.h"
#include "scene/frame_scene.h"

namespace winnow {
namespace {

/// Checks that `key` is not combined with one of `others`.
void expect_alone(const JsonReader& json, const char* key,
                  std::initializer_list<const char*> others) {
  for (const char* other : others)
    if (json.has(other))
      json.fail(fmt::format("expected either \"{}\" or \"{}\", found both", key, other));
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
  if (auto factor = json.find("scale")) {
    float scale = factor->number(kNonNegative);
    sky.zenith *= scale;
    sky.horizon *= scale;
    sky.ground *= scale;
  }
  return sky;
}

/// The orientation of an environment map: a rotation about +y, or any orthogonal transform.
glm::mat3 read_orientation(const JsonReader& json) {
  constexpr Range kDegrees{-36000.0, 36000.0};
  constexpr float kTolerance = 1e-4f;
  glm::mat4 transform(1.0f);
  if (auto rotation = json.find("rotation"))
    transform =
        glm::rotate(transform, glm::radians(rotation->number(kDegrees)), glm::vec3(0, 1, 0));
  if (auto steps = json.find("transform")) {
    expect_alone(json, "transform", {"rotation"});
    transform = read_transform_steps(*steps);
  }
  const glm::mat3 linear(transform), product = glm::transpose(linear) * linear;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row)
      if (!(std::abs(product[column][row] - (column == row ? 1.0f : 0.0f)) <= kTolerance))
        json.at("transform").fail("expected only rotations and mirroring");
  return linear;
}

/// A sun above the horizon, and its sky.
Daylight read_daylight(const JsonReader& json) {
  expect_alone(json, "sun",
               {"radiance", "zenith", "horizon", "ground", "file", "rotation", "transform"});
  Daylight daylight;
  if (auto up = json.find("up")) daylight.up = up->direction();
  daylight.to_sun = json.at("sun").direction();
  if (!(glm::dot(daylight.to_sun, daylight.up) >= 0.0f))
    json.at("sun").fail("expected a direction above the horizon");
  if (auto turbidity = json.find("turbidity"))
    daylight.turbidity = turbidity->number({Daylight::kMinTurbidity, Daylight::kMaxTurbidity});
  if (auto scale = json.find("scale"))
    daylight.sky_scale = daylight.sun_scale = scale->number(kNonNegative);
  return daylight;
}

}  // namespace

void read_sky(const JsonReader& json, const std::filesystem::path& folder, HostScene& scene) {
  json.expect_keys(scene_keys::kSky);
  if (json.has("sun")) return add_daylight(read_daylight(json), scene);
  if (json.has("turbidity")) json.at("turbidity").fail("expected it together with \"sun\" only");
  auto file = json.find("file");
  if (!file) {
    for (const char* key : {"rotation", "transform"})
      if (json.has(key)) json.at(key).fail("expected it together with \"file\" only");
    scene.sky = read_gradient(json);
    return;
  }
  expect_alone(json, "file", {"radiance", "zenith", "horizon", "ground", "up"});
  if (auto scale = json.find("scale")) scene.environment.scale = scale->number(kNonNegative);
  scene.environment.to_world = read_orientation(json);
  if (auto image = read_environment_file(folder / file->text(), scene.warnings))
    scene.environment.image = std::move(*image);
  else
    scene.sky = soft_sky();
}

}  // namespace winnow
