// SPDX-License-Identifier: MIT
#include "load/gltf/gltf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <glm/mat4x4.hpp>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "load/gltf/convert.h"
#include "load/gltf/gltf_keys.h"
#include "scene/frame_scene.h"
#include "scene/place_meshes.h"
#include "scene/scene_summary.h"

namespace winnow {
namespace {

/// Reads each mesh of a file at its first use, and places it.
class MeshPlacer {
 public:
  MeshPlacer(GltfDocument& document, const std::vector<PlacedNode>& nodes, const GltfPose& pose,
             size_t most_placements, HostScene& scene)
      : document_(document),
        nodes_(nodes),
        pose_(pose),
        materials_(document, scene),
        most_placements_(most_placements) {}

  void place(const PlacedNode& node) {
    uint32_t index = 0;
    try {
      index = document_.index("meshes", node.json.at("mesh"));
    } catch (const Error& error) {
      return document_.leave_out(error, "the mesh is left out");
    }
    const GltfNodePose* pose = pose_.find(node.index);
    // A mesh that its node deforms becomes a mesh of its own.
    const bool has_skin = node.json.has("skin");
    const bool is_own = has_skin || node.json.has("weights") || (pose && !pose->weights.empty());
    const std::string name =
        is_own ? fmt::format("{} of {}", index, node.json.pointer()) : std::to_string(index);
    const auto [known, is_new] = meshes_.try_emplace(name);
    NamedMesh& named = known->second;
    bool is_in_world = false;
    if (is_new) {
      GltfMesh read = read_gltf_mesh(document_, index, node.json, pose, materials_);
      is_in_world = has_skin && document_.attempt("the mesh is shown without its skin", [&] {
        apply_gltf_skin(document_, node, nodes_, pose_, read);
      });
      named.mesh = std::move(read.mesh);
      named.bounds = mesh_bounds(named.mesh);
    }
    if (named.mesh.triangles.empty()) return;
    std::vector<glm::dmat4> copies = {is_in_world ? glm::dmat4(1.0) : node.to_world};
    if (!is_in_world)
      document_.attempt("the mesh is shown once",
                        [&] { copies = place_gltf_copies(document_, node); });
    for (const glm::dmat4& to_world : copies) add_placement(node, glm::mat4(to_world), named);
  }

  const NamedMeshes& meshes() const { return meshes_; }

 private:
  void add_placement(const PlacedNode& node, const glm::mat4& to_world, NamedMesh& named) {
    if (!can_place(named.bounds, to_world))
      return document_.leave_out(node.json.pointer(),
                                 "a mesh that is flat or farther away than 1e9 m is left out");
    if (++placement_count_ > most_placements_)
      node.json.fail("the scene has more than {} placed meshes", most_placements_);
    named.placements.push_back({to_world, MeshInstance::kOwnMaterials});
  }

  GltfDocument& document_;
  const std::vector<PlacedNode>& nodes_;
  const GltfPose& pose_;
  GltfMaterials materials_;
  NamedMeshes meshes_;
  size_t most_placements_, placement_count_ = 0;
};

[[noreturn]] void fail_without_geometry(const GltfDocument& document) {
  constexpr size_t kMaxReasons = 4;
  std::vector<std::string> reasons = document.left_out();
  if (reasons.empty())
    throw Error(fmt::format(
        "{}: has no geometry; expected at least one node of its scene with a mesh of triangles",
        document.name()));
  if (reasons.size() > kMaxReasons) reasons.resize(kMaxReasons);
  throw Error(fmt::format("{}: has no geometry: {}", document.name(), fmt::join(reasons, "; ")));
}

/// Sets the first camera of the file. Returns false if there is none.
bool look_through_camera(GltfDocument& document, const std::vector<PlacedNode>& nodes,
                         HostScene& scene) {
  return std::ranges::any_of(nodes, [&](const PlacedNode& node) {
    return node.json.has("camera") && document.attempt("the camera is left out", [&] {
      read_gltf_camera(document, node, scene);
    });
  });
}

}  // namespace

HostScene load_gltf(const std::filesystem::path& file, std::optional<double> time) {
  return parse_gltf(read_file(file), file, time);
}

HostScene parse_gltf(std::string_view bytes, const std::filesystem::path& file,
                     std::optional<double> time, size_t most_placements) {
  GltfDocument document(bytes, file);
  account_for_gltf_keys(document);
  HostScene scene;
  const GltfPose pose(document, time);
  const std::vector<PlacedNode> nodes = place_gltf_nodes(document, GltfNodes::kOfScene, pose);
  MeshPlacer placer(document, nodes, pose, most_placements, scene);
  for (const PlacedNode& node : nodes)
    if (node.json.has("mesh")) placer.place(node);
  place_meshes(document.name(), placer.meshes(), scene);
  if (!summarize(scene).has_geometry()) fail_without_geometry(document);

  for (const PlacedNode& node : nodes)
    document.attempt("the light is left out", [&] { add_gltf_light(document, node, scene); });
  if (!look_through_camera(document, nodes, scene)) {
    constexpr uint32_t kSize = 768;  // pixels
    scene.width = scene.height = kSize;
    frame_scene(scene);
  }
  // Emissive parts of an object are seldom meant to light it.
  if (scene.delta_lights.empty()) light_scene(scene);
  const std::vector<std::string> warnings = document.warnings();
  scene.warnings.insert(scene.warnings.end(), warnings.begin(), warnings.end());
  return scene;
}

std::vector<CameraDescription> load_gltf_cameras(const std::filesystem::path& file,
                                                 const std::vector<double>& times,
                                                 const CameraDescription& like) {
  const std::string bytes = read_file(file);
  GltfDocument document(bytes, file);
  auto fail = [&](const char* lacks) {
    throw Error(fmt::format(
        "{}: has no {} that --frames could follow; add --camera-path FILE or --turntable N",
        document.name(), lacks));
  };
  if (document.count("animations") == 0) fail("animation");
  std::vector<CameraDescription> cameras;
  for (const double time : times) {
    const GltfPose pose(document, time);
    HostScene scene;
    scene.camera = like;
    if (!look_through_camera(document, place_gltf_nodes(document, GltfNodes::kOfScene, pose),
                             scene))
      fail("camera");
    cameras.push_back(scene.camera);
  }
  return cameras;
}

}  // namespace winnow
