// SPDX-License-Identifier: MIT
#include "load/winnow/winnow_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "base/files.h"
#include "load/json/json_reader.h"
#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"
#include "scene/camera_motion.h"
#include "scene/frame_scene.h"
#include "scene/scene_summary.h"

namespace winnow {
namespace {

void read_film(const JsonReader& film, HostScene& scene) {
  constexpr uint32_t kMaxSize = 32768;  // pixels
  film.expect_keys(scene_keys::kFilm);
  if (auto width = film.find("width")) scene.width = width->integer(1, kMaxSize);
  if (auto height = film.find("height")) scene.height = height->integer(1, kMaxSize);
  if (auto filter = film.find("filter")) {
    scene.filter.type = FilterType(filter->choice(enum_names<FilterType>()));
    scene.filter.radius = default_filter_radius(scene.filter.type);
  }
  film.read("filter_radius", scene.filter.radius, {0.0, kMaxFilterRadius, true});
}

void read_render(const JsonReader& render, HostScene& scene) {
  render.expect_keys(scene_keys::kRender);
  if (auto spp = render.find("spp")) scene.spp = spp->integer(1, kMaxSpp);
  if (auto bounces = render.find("max_bounces"))
    scene.max_bounces = bounces->integer(0, kMaxBounces);
}

void read_projection(const JsonReader& json, CameraDescription& camera) {
  constexpr Range kFieldOfView{0.0, 180.0, true, true};
  json.read("type", camera.projection, scene_keys::kCameraTypes);
  const bool orthographic = camera.projection == Projection::kOrthographic;
  const char* other = orthographic ? "vertical_fov" : "view_height";
  if (json.has(other))
    json.at(other).fail("a camera of the type {} has no such key; expected \"{}\"",
                        scene_keys::kCameraTypes[size_t(camera.projection)],
                        orthographic ? "view_height" : "vertical_fov");
  if (orthographic) camera.view_height = json.at("view_height").number(kPositive);
  json.read("vertical_fov", camera.vertical_fov, kFieldOfView);
}

/// Reads the aperture, if it is a polygon.
void read_blades(const JsonReader& json, CameraDescription& camera) {
  constexpr uint32_t kMinBlades = 3, kMaxBlades = 64;
  if (auto blades = json.find("blades")) {
    camera.blades = blades->integer(0, kMaxBlades);
    if (camera.blades > 0 && camera.blades < kMinBlades)
      blades->fail("expected 0 for a disk, or {} to {} blades, found {}", kMinBlades, kMaxBlades,
                   camera.blades);
  }
  json.read("blade_rotation", camera.blade_rotation, kCoordinate);
}

/// Reads what part of its view the camera sees: lens shift and clipping planes.
void read_part_of_view(const JsonReader& json, CameraDescription& camera) {
  constexpr Range kShift{-kMaxCameraShift, kMaxCameraShift};
  if (const auto shift = json.find("shift")) {
    shift->expect_size(2, "two fractions of the film: of its width and of its height");
    camera.shift = {(*shift)[0].number(kShift), (*shift)[1].number(kShift)};
  }
  json.read("near_clip", camera.near_clip, kNonNegative);
  json.read("far_clip", camera.far_clip, kPositive);
  if (camera.near_clip >= camera.far_clip)
    json.fail("expected a far_clip above near_clip, found {} and {}", camera.far_clip,
              camera.near_clip);
}

/// Reads position, `look_at` and `up`.
void read_place(const JsonReader& json, CameraDescription& camera) {
  constexpr float kMinSine = 1e-4f;
  camera.position = json.at("position").vector();
  camera.look_at = json.at("look_at").vector();
  if (auto up = json.find("up")) camera.up = up->direction();
  glm::vec3 view = camera.look_at - camera.position;
  if (!(glm::length(view) > 1e-15f))
    json.at("look_at").fail("expected a point other than position, to define a view direction");
  if (glm::length(glm::cross(glm::normalize(view), camera.up)) < kMinSine)
    json.fail("up is parallel to the view from position to look_at; expected another direction");
}

CameraPose read_pose(const JsonReader& json) {
  constexpr float kTolerance = 1e-3f;
  json.expect_keys(scene_keys::kPose);
  const JsonReader turn = json.at("turn");
  turn.expect_size(4, "a quaternion x, y, z, w");
  constexpr Range kUnit{-1.0, 1.0};
  CameraPose pose{.position = json.at("position").vector()};
  for (int i = 0; i < 4; ++i) pose.turn[i] = turn[size_t(i)].number(kUnit);
  if (!(std::abs(glm::length(pose.turn) - 1.0f) <= kTolerance))
    turn.fail("expected a quaternion of length 1");
  return pose;
}

/// Reads the places of the camera while the shutter is open.
void read_motion(const JsonReader& json, CameraDescription& camera) {
  const auto list = json.find("motion");
  if (!list) return;
  if (list->size() < 2 || list->size() > SceneMoment::kMostKeys)
    list->fail("expected 2 to {} places, from the opening to the closing of the shutter, found {}",
               SceneMoment::kMostKeys, list->size());
  if (std::isfinite(camera.far_clip))
    json.at("far_clip").fail("a camera with motion has no far clipping plane; leave it out");
  std::vector<CameraDescription> places;
  for (size_t i = 0; i < list->size(); ++i) {
    const JsonReader place = (*list)[i];
    if ((*list)[0].has("turn")) {
      camera.motion.push_back(read_pose(place));
      continue;
    }
    place.expect_keys(scene_keys::kPlace);
    read_place(place, places.emplace_back(CameraDescription{.up = camera.up}));
  }
  if (!places.empty()) set_motion(camera, shutter_steps(places));
}

/// Places a camera where its motion has it at a moment, without the motion.
void rest_at(double moment, CameraDescription& camera) {
  if (camera.motion.empty()) return;
  const CameraPose pose = pose_at({camera.motion.data(), camera.motion.size()}, float(moment));
  camera.look_at = pose.position + pose.turn * (camera.look_at - camera.position);
  camera.up = pose.turn * camera.up;
  camera.position = pose.position;
  camera.motion.clear();
}

CameraDescription read_camera(const JsonReader& json) {
  json.expect_keys(scene_keys::kCamera);
  CameraDescription camera;
  read_place(json, camera);
  read_projection(json, camera);
  json.read("lens_radius", camera.lens_radius, kNonNegative);
  json.read("focus_distance", camera.focus_distance, kPositive);
  read_blades(json, camera);
  read_part_of_view(json, camera);
  read_motion(json, camera);
  return camera;
}

}  // namespace

CameraDescription parse_camera(std::string_view text, const std::string& name) {
  const nlohmann::json document = parse_json(text, name);
  return read_camera(JsonReader(document, name));
}

HostScene load_winnow_json(const std::filesystem::path& file, std::optional<double> moment) {
  return read_winnow_json(read_text_file(file), file.string(), file.parent_path(), {}, moment);
}

HostScene read_winnow_json(std::string_view text, const std::string& name,
                           const std::filesystem::path& folder,
                           const std::vector<SceneMesh>& scene_meshes,
                           std::optional<double> given_moment) {
  const nlohmann::json document = parse_json(text, name);
  JsonReader root(document, name);
  root.expect_keys(scene_keys::kScene);

  HostScene scene;
  SceneMoment moment{.has_hash = !given_moment};
  if (given_moment) moment.at = std::clamp(*given_moment, 0.0, 1.0);
  if (auto schema = root.find("$schema")) schema->text();
  if (auto description = root.find("description")) scene.description = description->text();
  if (auto film = root.find("film")) read_film(*film, scene);
  if (auto render = root.find("render")) read_render(*render, scene);
  if (auto sky = root.find("sky")) read_sky(*sky, folder, scene);
  NamedTextures textures(root.find("textures"), folder, scene);
  MediumIds media;
  if (auto json = root.find("media")) media = read_media(*json, folder, moment, scene);
  MaterialIds materials;
  if (auto json = root.find("materials")) materials = read_materials(*json, textures, media, scene);
  NamedMeshes meshes;
  if (auto json = root.find("meshes"))
    meshes = read_meshes(*json, materials, folder, moment, scene);
  add_scene_meshes(name, scene_meshes, materials, meshes, scene);
  if (auto shapes = root.find("shapes"))
    read_shapes(*shapes, materials, meshes, folder, moment, scene);
  if (auto lights = root.find("lights")) read_lights(*lights, moment, scene);
  place_meshes(name, meshes, scene);

  SceneSummary summary = summarize(scene);
  if (!summary.has_geometry())
    root.fail("the scene has no geometry; expected at least one item in \"shapes\" or \"lights\"");
  if (!summary.has_light())
    scene.warnings.push_back(
        fmt::format("{}: the image will be black: the scene has no light and no sky", name));
  if (auto camera = root.find("camera")) {
    scene.camera = read_camera(*camera);
    if (auto medium = camera->find("medium"))
      scene.camera_medium = medium->look_up(media, "medium");
  } else {
    frame_scene(scene);
  }
  scene.is_animated = moment.moves;
  scene.motion_hash = moment.motion.value();
  if (moment.moves || !scene.camera.motion.empty()) scene.shutter = {0.0, 1.0};
  if (given_moment) rest_at(moment.at, scene.camera);
  return scene;
}

}  // namespace winnow
