// SPDX-License-Identifier: MIT
#include "tests/soak/draw_scene.h"

#include <ostream>

#include "base/files.h"
#include "base/names.h"
#include "image/image_io.h"
#include "load/winnow/scene_keys.h"
#include "scene/pixel_filter.h"
#include "scene/spot_falloff.h"
#include "tests/soak/draw_parts.h"

namespace winnow {
namespace {

void add_random_film(DrawnParts& parts) {
  constexpr uint32_t kMaxSide = 48, kMaxStrip = 300, kMaxBounces = 12, kManyBounces = 100;
  constexpr float kMaxRadius = 3.0f;
  Draw& draw = parts.draw;
  uint32_t width = draw.from(1, kMaxSide), height = draw.from(1, kMaxSide);
  if (draw.one_in(16)) width = height = 1;
  if (draw.one_in(16)) width = draw.from(1, kMaxStrip), height = draw.from(1, 3);
  DrawnJson& film = parts.json["film"] = {{"width", width}, {"height", height}};
  if (draw.one_in(3)) film["filter"] = draw.of(enum_names<FilterType>());
  if (draw.one_in(3)) film["filter_radius"] = draw.between(0.1f, kMaxRadius);
  parts.json["render"] = {
      {"max_bounces", draw.one_in(8) ? kManyBounces : draw.from(0, kMaxBounces)}};
}

/// Adds a lens with its plane of focus somewhere in the scene.
void add_random_lens(DrawnParts& parts, DrawnJson& camera) {
  constexpr uint32_t kMinBlades = 3, kMaxBlades = 9;
  Draw& draw = parts.draw;
  camera["lens_radius"] = parts.scale * draw.log_between(1e-3f, 0.5f);
  if (draw.one_in(2)) camera["focus_distance"] = parts.scale * draw.between(0.5f, 5);
  if (!draw.one_in(2)) return;
  camera["blades"] = draw.from(kMinBlades, kMaxBlades);
  camera["blade_rotation"] = draw.between(-90, 90);
}

/// Returns places around that of a camera.
DrawnJson random_motion(DrawnParts& parts, const DrawnJson& camera) {
  Draw& draw = parts.draw;
  const auto moved = [&](const char* key, float distance) {
    const DrawnJson& p = camera[key];
    return json_of(glm::vec3(p[0], p[1], p[2]) + distance * draw_point(draw));
  };
  DrawnJson places = DrawnJson::array();
  for (uint32_t count = draw.from(2, 4); count > 0; --count)
    places.push_back({{"position", moved("position", 0.02f * parts.scale)},
                      {"look_at", moved("look_at", 0.05f * parts.scale)},
                      {"up", camera["up"]}});
  return places;
}

/// Adds a camera in or around the scene; it may be inside a shape.
void add_random_camera(DrawnParts& parts) {
  constexpr float kMinDistance = 0.3f, kMaxDistance = 4.0f, kMinSine = 0.05f;
  Draw& draw = parts.draw;
  const glm::vec3 look_at = parts.center + 0.3f * parts.scale * draw_point(draw);
  const glm::vec3 view = draw_direction(draw);
  glm::vec3 up = draw_direction(draw);
  while (glm::length(glm::cross(view, up)) < kMinSine) up = draw_direction(draw);
  const float distance = parts.scale * draw.between(kMinDistance, kMaxDistance);
  DrawnJson camera = {{"position", json_of(look_at - distance * view)},
                      {"look_at", json_of(look_at)},
                      {"up", json_of(up)}};
  if (draw.one_in(4)) {
    camera["type"] = "orthographic";
    camera["view_height"] = parts.scale * draw.between(0.5f, 4);
  } else {
    camera["vertical_fov"] = draw.one_in(8) ? 170.0f : draw.between(10, 90);
  }
  if (draw.one_in(4)) add_random_lens(parts, camera);
  if (draw.one_in(4)) camera["shift"] = {draw.between(-0.7f, 0.7f), draw.between(-0.7f, 0.7f)};
  if (draw.one_in(8)) camera["near_clip"] = 0.5f * distance;
  if (draw.one_in(8))
    camera["far_clip"] = 1.2f * distance;
  else if (draw.one_in(8))
    camera["motion"] = random_motion(parts, camera);
  if (!parts.media.empty() && draw.one_in(4)) camera["medium"] = draw.of(parts.media);
  parts.json["camera"] = camera;
}

DrawnJson draw_light(DrawnParts& parts) {
  constexpr float kMaxCone = 180.0f, kMaxDisk = 60.0f;
  Draw& draw = parts.draw;
  const std::string type = draw.of(scene_keys::kLightTypes);
  const float area = parts.scale * parts.scale, size = 0.3f * parts.length();
  DrawnJson light = {{"type", type}};
  auto add_strength = [&] {
    if (draw.one_in(2))
      light["radiance"] = draw_bright_color(draw);
    else
      light["power"] = area * draw.log_between(0.1f, 100.0f);
  };
  const auto add_motion = [&] {
    DrawnJson steps = DrawnJson::array();
    add_random_motion(parts, steps);
    if (!steps.empty()) light["transform"] = steps;
  };
  if (type == "rectangle") {
    const glm::vec3 u = draw_direction(draw), v = glm::cross(u, draw_direction(draw) + 2.0f * u);
    light["corner"] = json_of(parts.point());
    light["edge_u"] = json_of(size * u);
    light["edge_v"] = json_of(size * (v + 0.1f * draw_direction(draw)));
    add_strength();
    add_motion();
  } else if (type == "sphere") {
    light["center"] = json_of(parts.point());
    light["radius"] = size;
    add_strength();
    add_motion();
  } else if (type == "directional") {
    light["direction"] = json_of(draw_direction(draw));
    light["irradiance"] = draw_bright_color(draw);
    if (draw.one_in(2)) light["angle"] = draw.between(0, kMaxDisk);
  } else {
    light["position"] = json_of(parts.point());
    light["intensity"] = area * draw.log_between(0.1f, 100.0f);
    if (type == "point") return light;
    light["direction"] = json_of(draw_direction(draw));
    const float cone = draw.one_in(4) ? kMaxCone : draw.between(1, kMaxCone);
    light["cone_angle"] = cone;
    if (draw.one_in(2)) light["falloff_start"] = cone * draw.uniform();
    if (draw.one_in(2)) light["falloff"] = draw.of(enum_names<SpotFalloff>());
  }
  return light;
}

/// Draws a sky of any kind.
DrawnJson draw_sky(DrawnParts& parts) {
  constexpr uint32_t kMaxHeight = 16, kKinds = 4;
  constexpr float kMaxTurbidity = 10.0f, kOutdoors = 0.005f;
  Draw& draw = parts.draw;
  DrawnJson sky;
  const uint32_t kind = draw.below(kKinds);
  if (kind == 0) {
    sky = {{"radiance", draw_bright_color(draw)}};
  } else if (kind == 1) {
    for (const char* key : {"zenith", "horizon", "ground"}) sky[key] = draw_bright_color(draw);
    if (draw.one_in(2)) sky["up"] = json_of(draw_direction(draw));
  } else if (kind == 2) {
    Image image{draw.from(1, 2 * kMaxHeight), draw.from(1, kMaxHeight), {}};
    for (size_t i = 0; i < size_t(image.width) * image.height; ++i)
      image.pixels.push_back(glm::vec3(draw.fraction() * draw.log_between(0.01f, 100.0f)));
    write_image(parts.folder / "sky.exr", image);
    sky = {{"file", "sky.exr"}, {"rotation", draw.between(-360, 360)}};
  } else {
    glm::vec3 sun = draw_direction(draw);
    sun.y = std::abs(sun.y);
    sky = {{"sun", json_of(sun)},
           {"turbidity", draw.between(2, kMaxTurbidity)},
           {"model", draw.of(scene_keys::kSkyModels)},
           {"scale", kOutdoors}};
  }
  return sky;
}

void add_random_light(DrawnParts& parts) {
  constexpr uint32_t kMaxLights = 4;
  Draw& draw = parts.draw;
  if (parts.is_furnace()) {
    parts.json["sky"] = {{"radiance", 1}};
    return;
  }
  if (draw.one_in(2)) parts.json["sky"] = draw_sky(parts);
  if (draw.one_in(4)) return;
  for (uint32_t i = draw.from(1, kMaxLights); i > 0; --i)
    parts.json["lights"].push_back(draw_light(parts));
}

}  // namespace

DrawnJson json_of(glm::vec3 v) {
  return {v.x, v.y, v.z};
}

DrawnJson draw_color(Draw& draw) {
  if (draw.one_in(2)) return draw.fraction();
  const float red = draw.fraction(), green = draw.fraction();
  return json_of({red, green, draw.fraction()});
}

DrawnJson draw_bright_color(Draw& draw) {
  const float most = draw.log_between(0.1f, 1000.0f);
  const float red = draw.fraction(), green = draw.fraction();
  return json_of(most * glm::vec3(red, green, draw.fraction()));
}

DrawnScene draw_scene(const std::filesystem::path& folder, Draw& draw) {
  constexpr float kMinScale = 1e-3f, kMaxScale = 1e3f, kMaxOffset = 1e3f;
  DrawnParts parts(folder, draw);
  if (draw.one_in(4)) parts.kind = DrawnSceneKind::kFurnace;
  if (!draw.one_in(3)) parts.scale = draw.log_between(kMinScale, kMaxScale);
  if (draw.one_in(4))
    parts.center = parts.scale * draw.log_between(1.0f, kMaxOffset) * draw_direction(draw);
  add_random_film(parts);
  add_random_media(parts);
  add_random_textures(parts);
  add_random_materials(parts);
  add_random_geometry(parts);
  add_random_light(parts);
  add_random_camera(parts);
  const std::filesystem::path file = folder / "scene.json";
  constexpr int kIndent = 1;
  replace_file(file, [&](std::ostream& stream) { stream << parts.json.dump(kIndent) << '\n'; });
  return {file, parts.kind};
}

}  // namespace winnow
