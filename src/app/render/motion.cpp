// SPDX-License-Identifier: MIT
#include "app/render/motion.h"

#include <cmath>
#include <memory>
#include <utility>

#include "base/error.h"
#include "load/load_scene.h"
#include "load/textures/image_files.h"
#include "scene/camera_motion.h"

namespace winnow {

void check_shutter(const RenderOptions& options) {
  if (!options.shutter || options.sequence.is_given()) return;
  if (!is_gltf(options.scene) && has_animation(options.scene))
    throw UsageError("--shutter: " + options.scene.string() +
                     " states itself when its shutter is open; leave it out, or add a sequence, "
                     "whose camera it blurs");
  if (!options.time)
    throw UsageError(
        "--shutter: opens around a moment; add --time S of a glTF, or a sequence: "
        "--camera-path FILE, --turntable N or --frames A:B");
}

std::optional<double> time_of_objects(const RenderOptions& options, double frame_time) {
  const bool follows = options.sequence.follows_scene() && !options.time;
  return follows ? frame_time : options.time;
}

std::optional<Shutter> shutter_of_objects(const RenderOptions& options,
                                          const std::optional<Shutter>& file_shutter,
                                          double frame_time) {
  const std::optional<double> time = time_of_objects(options, frame_time);
  if (!time) return file_shutter;
  if (!options.shutter || !is_gltf(options.scene)) return std::nullopt;
  return Shutter{*time + options.shutter->open, *time + options.shutter->close};
}

void blur_camera(const RenderOptions& options, const std::optional<Shutter>& shutter,
                 HostScene& scene) {
  if (options.sequence.is_given()) return;
  if (!shutter) scene.camera.motion.clear();  // --time shows a moment
  if (!options.shutter) return;
  if (shutter && is_gltf(options.scene)) {
    const std::vector<CameraDescription> places = find_gltf_motion(
        options.scene, times_of_steps(*shutter), scene.camera, options.choice.camera);
    if (!places.empty()) {
      if (std::string warning = far_clip_warning(scene); !warning.empty())
        scene.warnings.push_back(std::move(warning));
      set_motion(scene.camera, places);
    }
  }
  if (!scene.is_animated && scene.camera.motion.empty())
    scene.warnings.push_back("--shutter: nothing in the scene moves");
}

MovingRenderer::SceneAt scenes_of_file(const RenderOptions& options,
                                       const std::optional<Shutter>& file_shutter,
                                       double frame_time) {
  const std::optional<Shutter> shutter = shutter_of_objects(options, file_shutter, frame_time);
  const std::optional<double> time = time_of_objects(options, frame_time);
  GltfChoice choice = options.choice;
  choice.has_hash = false;  // that of the whole scene is known
  return [options, choice, shutter, time, images = std::make_shared<KeptImages>()](double moment) {
    const KeptImages::Use use(*images);
    return load_scene(options.scene, options.parameters,
                      shutter ? std::lerp(shutter->open, shutter->close, moment) : time,
                      options.outside, choice);
  };
}

MovingRenderer::SceneAt with_options(const RenderOptions& options, const HostScene& scene,
                                     MovingRenderer::SceneAt scene_at) {
  return [sky = options.sky, &scene, scene_at = std::move(scene_at)](double moment) {
    HostScene at = scene_at(moment);
    if (sky) replace_sky(*sky, at);
    at.width = scene.width;
    at.height = scene.height;
    at.filter = scene.filter;
    at.camera_medium = scene.camera_medium;
    return at;
  };
}

}  // namespace winnow
