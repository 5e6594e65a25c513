// SPDX-License-Identifier: MIT
#include "app/dataset/prepare_model.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "base/error.h"
#include "load/load_scene.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

/// The sphere around a model: the centre of its box, and the distance of its farthest corner.
struct Surrounding {
  glm::dvec3 center{0.0};
  double radius = 0.0;
};

Surrounding surrounding_of(const HostScene& scene, const DatasetModel& model) {
  const Bounds bounds = scene_bounds(scene);
  if (bounds.is_empty()) throw Error(fmt::format("{}: has nothing to render", model.file.string()));
  Surrounding sphere{.center = 0.5 * (glm::dvec3(bounds.min) + glm::dvec3(bounds.max))};
  for_each_outline_point(scene, [&](glm::vec3 point) {
    sphere.radius = std::max(sphere.radius, glm::distance(glm::dvec3(point), sphere.center));
  });
  if (!(sphere.radius > 0.0) || !std::isfinite(sphere.radius))
    throw Error(fmt::format("{}: has no extent", model.file.string()));
  return sphere;
}

}  // namespace

uint64_t random_of_name(uint64_t seed, const std::string& name, const char* purpose) {
  const std::string text = fmt::format("{}/{}", purpose, name);
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

ModelPreparer::ModelPreparer(const DatasetOptions& options)
    : options_(options), size_(options.view_size()) {
  if (!options.cameras.empty()) {
    CameraList list = load_cameras(options.cameras, options.size, options.view_size(), options.fov);
    size_ = list.size;
    of_file_ = std::move(list.cameras);
  }
  for (const SkyRequest& sky : options.skies) maps_.push_back(load_sky(sky, warnings_));
}

size_t ModelPreparer::view_count() const {
  if (!of_file_.empty()) return of_file_.size();
  return options_.orbit ? options_.orbit->count : options_.views;
}

std::vector<DataCamera> ModelPreparer::cameras_of(const DatasetModel& model) const {
  if (!of_file_.empty()) return of_file_;
  const DataCamera lens = centered_camera(size_, options_.fov);
  const double distance = options_.distance.value_or(fitting_distance(lens, size_));
  if (options_.orbit)
    return orbit_cameras(lens, options_.orbit->count, distance, options_.orbit->elevation);
  const double turn =
      std::ldexp(double(random_of_name(options_.settings.seed, model.name, "cameras") >> 11), -53);
  return sphere_cameras(lens, options_.views, distance, options_.elevations, turn);
}

void ModelPreparer::light(const DatasetModel& model, HostScene& scene, std::string& sky) const {
  if (options_.skies.empty()) return;
  const size_t chosen =
      random_of_name(options_.settings.seed, model.name, "sky") % options_.skies.size();
  replace_sky(options_.skies[chosen], maps_[chosen], scene);
  sky = options_.skies[chosen].text;
}

PreparedModel ModelPreparer::prepare(const DatasetModel& model) const {
  const ModelStamp stamp = stamp_of(model.file);
  HostScene scene = load_scene(model.file, {}, options_.time, options_.outside, options_.choice);
  warn_of_motion(scene);
  const Surrounding sphere = surrounding_of(scene, model);
  DatasetShot shot{.model = model, .stamp = stamp, .size = size_, .cameras = cameras_of(model)};
  light(model, scene, shot.sky);
  if (options_.strict && !scene.warnings.empty())
    throw Error(fmt::format("{} (--strict)", scene.warnings.front()));
  if (options_.normalizes()) {
    shot.placement = {sphere.center, 1.0 / sphere.radius};
  } else if (of_file_.empty()) {
    // Moves the cameras into the model's own space, for the same pictures.
    for (DataCamera& camera : shot.cameras)
      camera.position = camera.position * sphere.radius + sphere.center;
  }
  const glm::dvec3 center = options_.normalizes() ? glm::dvec3(0.0) : sphere.center;
  const double radius = options_.normalizes() ? 1.0 : sphere.radius;
  double farthest = 0.0;
  for (const DataCamera& camera : shot.cameras)
    farthest = std::max(farthest, glm::distance(camera.position, center) + radius);
  shot.depth_factor = depth_factor_for(farthest);
  scene.width = size_.width, scene.height = size_.height;
  scene.max_bounces = options_.max_bounces.value_or(scene.max_bounces);
  ObjectIds objects(scene);
  return {std::move(scene), std::make_shared<const DatasetShot>(std::move(shot)),
          std::move(objects)};
}

}  // namespace winnow
