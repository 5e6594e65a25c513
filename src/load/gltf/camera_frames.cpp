// SPDX-License-Identifier: MIT
#include "load/gltf/camera_frames.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "load/gltf/convert.h"

namespace winnow {
namespace {

/// Returns the first camera that is not broken, as look_through_camera() in gltf.cpp does.
CameraDescription first_camera(const GltfDocument& document, const std::vector<PlacedNode>& nodes,
                               const CameraDescription& like) {
  HostScene scene;
  for (const PlacedNode& node : nodes) {
    if (!node.json.has("camera")) continue;
    scene.camera = like;
    try {
      read_gltf_camera(document, node, scene);
      return scene.camera;
    } catch (const Error&) {
      continue;  // the reader of the scene has warned about it
    }
  }
  throw Error(
      fmt::format("{}: has no camera that --frames could follow; add --camera-path FILE or "
                  "--turntable N",
                  document.name()));
}

}  // namespace

std::vector<CameraDescription> load_gltf_cameras(const std::filesystem::path& file,
                                                 const std::vector<double>& times,
                                                 const CameraDescription& like) {
  const std::string bytes = read_file(file);
  GltfDocument document(bytes, file);
  if (document.count("animations") == 0)
    throw Error(
        fmt::format("{}: has no animation that --frames could follow; add --camera-path "
                    "FILE or --turntable N",
                    document.name()));
  std::vector<CameraDescription> cameras;
  for (const double time : times) {
    const GltfPose pose(document, time);
    cameras.push_back(
        first_camera(document, place_gltf_nodes(document, GltfNodes::kOfScene, pose), like));
  }
  return cameras;
}

}  // namespace winnow
