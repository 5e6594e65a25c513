// SPDX-License-Identifier: MIT
#include "app/render/motion.h"

#include <cmath>

#include "base/error.h"
#include "load/load_scene.h"
#include "scene/camera_motion.h"

namespace winnow {
namespace {

/// Returns the motion of a camera during a slice.
std::vector<CameraPose> motion_during(uint32_t slice, const TimeSlices& slices,
                                      const std::vector<CameraPose>& motion) {
  constexpr uint32_t kSteps = 8;
  std::vector<CameraPose> part;
  if (motion.empty()) return part;
  for (uint32_t step = 0; step <= kSteps; ++step)
    part.push_back(pose_at({motion.data(), motion.size()},
                           float(slice * kSteps + step) / float(slices.count * kSteps)));
  return part;
}

}  // namespace

void check_shutter(const RenderOptions& options) {
  if (!options.shutter || options.sequence.is_given() || options.time) return;
  throw UsageError(
      "--shutter: opens around a moment; add --time S of a glTF, or a sequence: "
      "--camera-path FILE, --turntable N or --frames A:B");
}

std::optional<Shutter> blur_motion(const RenderOptions& options, HostScene& scene) {
  if (options.sequence.is_given()) {
    warn_of_motion(scene);
    return std::nullopt;
  }
  if (!options.shutter) {
    // That of the file. --time shows a moment.
    const bool moves = scene.is_animated || !scene.camera.motion.empty();
    return scene.shutter && moves && !options.time ? scene.shutter : std::nullopt;
  }
  const Shutter shutter{*options.time + options.shutter->open,
                        *options.time + options.shutter->close};
  if (is_gltf(options.scene)) {
    const std::vector<CameraDescription> places = find_gltf_motion(
        options.scene, times_of_steps(shutter), scene.camera, options.choice.camera);
    if (!places.empty()) {
      if (std::string warning = far_clip_warning(scene); !warning.empty())
        scene.warnings.push_back(std::move(warning));
      set_motion(scene.camera, places);
    }
  }
  if (scene.is_animated || !scene.camera.motion.empty()) return shutter;
  scene.warnings.push_back("--shutter: nothing in the scene moves");
  return std::nullopt;
}

HostScene scene_of_slice(const RenderOptions& options, const HostScene& scene,
                         const Shutter& shutter, const TimeSlices& slices, uint32_t slice) {
  const double time = std::lerp(shutter.open, shutter.close, slices.middle(slice));
  HostScene at =
      load_scene(options.scene, options.parameters, time, options.outside, options.choice);
  if (options.sky) replace_sky(*options.sky, at);
  at.width = scene.width;
  at.height = scene.height;
  at.filter = scene.filter;
  at.camera = scene.camera;
  at.camera_medium = scene.camera_medium;
  at.camera.motion = motion_during(slice, slices, scene.camera.motion);
  return at;
}

}  // namespace winnow
