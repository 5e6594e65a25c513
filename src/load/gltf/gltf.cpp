// SPDX-License-Identifier: MIT
#include "load/gltf/gltf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "load/gltf/convert.h"
#include "load/gltf/gltf_keys.h"
#include "load/gltf/pose.h"
#include "load/gltf/values.h"
#include "load/text/blender_notes.h"
#include "scene/frame_scene.h"
#include "scene/open_edges.h"
#include "scene/place_meshes.h"
#include "scene/scene_summary.h"

namespace winnow {
namespace {

/// Returns a matrix that leaves a mesh a millionth of its size in the one direction in which
/// `to_world` flattens it: a flat mesh has no place of its own in a scene.
glm::dmat4 with_thickness(const glm::dmat4& to_world) {
  constexpr double kThickness = 1e-6;
  const glm::dmat3 axes(to_world);
  // If the matrix flattens, each column of the cofactors is a multiple of the direction that is
  // lost in the world; the factors are the direction that is lost in the mesh.
  const glm::dmat3 cofactors(glm::cross(axes[1], axes[2]), glm::cross(axes[2], axes[0]),
                             glm::cross(axes[0], axes[1]));
  glm::dvec3 lost(0.0);
  double size = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    size = std::max(size, glm::length(axes[axis]));
    if (glm::length(cofactors[axis]) > glm::length(lost)) lost = cofactors[axis];
  }
  if (lost == glm::dvec3(0.0)) return to_world;  // the mesh is a line or a point
  lost = glm::normalize(lost);
  const glm::dvec3 lost_in_mesh = glm::normalize(glm::transpose(cofactors) * lost);
  glm::dmat4 thick = to_world;
  for (int axis = 0; axis < 3; ++axis)
    thick[axis] += glm::dvec4(kThickness * size * lost_in_mesh[axis] * lost, 0.0);
  return thick;
}

/// Reads each mesh of a file at its first use, and places it.
class MeshPlacer {
 public:
  MeshPlacer(GltfDocument& document, const std::vector<PlacedNode>& nodes,
             std::optional<uint32_t> variant, size_t most_placements, HostScene& scene)
      : document_(document),
        nodes_(nodes),
        materials_(document, variant, scene),
        most_placements_(most_placements) {}

  void place(const PlacedNode& node) {
    uint32_t index = 0;
    try {
      index = document_.index("meshes", node.json.at("mesh"));
    } catch (const Error& error) {
      return document_.leave_out(error, "the mesh is left out");
    }
    // A mesh that its node deforms becomes a mesh of its own.
    const bool has_skin = node.json.has("skin");
    const bool is_own = has_skin || node.json.has("weights");
    const std::string name =
        is_own ? fmt::format("{} of {}", index, node.json.pointer()) : std::to_string(index);
    const auto [known, is_new] = meshes_.try_emplace(name);
    NamedMesh& named = known->second;
    bool is_in_world = false;
    if (is_new) {
      GltfMesh read = read_gltf_mesh(document_, index, node.json, materials_);
      is_in_world = has_skin && document_.attempt("the mesh is shown without its skin", [&] {
        apply_gltf_skin(document_, node, nodes_, read);
      });
      named.mesh = std::move(read.mesh);
      named.bounds = mesh_bounds(named.mesh);
    }
    if (named.mesh.triangles.empty()) return;
    std::vector<glm::dmat4> copies = {is_in_world ? glm::dmat4(1.0) : node.to_world};
    if (!is_in_world)
      document_.attempt("the mesh is shown once",
                        [&] { copies = place_gltf_copies(document_, node); });
    for (const glm::dmat4& to_world : copies)
      add_placement(
          node,
          glm::mat4(can_place(named.bounds, glm::mat4(to_world)) ? to_world
                                                                 : with_thickness(to_world)),
          named);
  }

  const NamedMeshes& meshes() const { return meshes_; }

 private:
  void add_placement(const PlacedNode& node, const glm::mat4& to_world, NamedMesh& named) {
    if (!can_place(named.bounds, to_world))
      return document_.leave_out(node.json.pointer(),
                                 "a mesh without area or farther away than 1e9 m is left out");
    if (++placement_count_ > most_placements_)
      node.json.fail("the scene has more than {} placed meshes", most_placements_);
    named.placements.push_back({to_world, MeshInstance::kOwnMaterials});
  }

  GltfDocument& document_;
  const std::vector<PlacedNode>& nodes_;
  GltfMaterials materials_;
  NamedMeshes meshes_;
  size_t most_placements_, placement_count_ = 0;
};

/// @param placed        meshes whose triangles have no area where they are placed, or no placement
/// @param hides_meshes  whether the file has meshes that KHR_node_visibility hides
[[noreturn]] void fail_without_geometry(const GltfDocument& document, const NamedMeshes& placed,
                                        bool hides_meshes) {
  constexpr size_t kMaxReasons = 4;
  std::vector<std::string> reasons = document.left_out();
  if (std::ranges::any_of(placed, [](const auto& mesh) { return !mesh.second.placements.empty(); }))
    reasons.emplace_back("no triangle of its meshes has an area where it is placed");
  if (hides_meshes) reasons.emplace_back("KHR_node_visibility hides its meshes");
  if (reasons.empty())
    throw Error(fmt::format(
        "{}: has no geometry; expected at least one node of its scene with a mesh of triangles",
        document.name()));
  if (reasons.size() > kMaxReasons) reasons.resize(kMaxReasons);
  throw Error(fmt::format("{}: has no geometry: {}", document.name(), fmt::join(reasons, "; ")));
}

struct NamedCamera {
  size_t node = 0;       ///< item of the placed nodes
  std::string name;      ///< name of its node, or else its own; no earlier camera has it
  std::string own_name;  ///< several nodes may have the same camera
};

/// Returns the cameras of a scene, in the order of their nodes. Broken ones are left out with a
/// warning.
std::vector<NamedCamera> find_cameras(GltfDocument& document,
                                      const std::vector<PlacedNode>& nodes) {
  std::vector<NamedCamera> cameras;
  std::set<std::string> names;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const JsonReader& node = nodes[i].json;
    if (!node.has("camera")) continue;
    document.attempt("the camera is left out", [&] {
      HostScene scene;
      read_gltf_camera(document, nodes[i], scene);
      const std::string own = text_of(document.item("cameras", node.at("camera")), "name", "");
      std::string name = text_of(node, "name", "");
      const std::string number = fmt::format("node {}", nodes[i].index);
      if (name.empty()) name = own.empty() ? number : own;
      if (!names.insert(name).second) name += fmt::format(" ({})", number);
      cameras.push_back({i, name, own});
    });
  }
  return cameras;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(in_quotes(name));
  return fmt::format("{}", fmt::join(quoted, ", "));
}

std::vector<std::string> camera_names(const std::vector<NamedCamera>& cameras) {
  std::vector<std::string> names;
  for (const NamedCamera& camera : cameras) names.push_back(camera.name);
  return names;
}

/// Returns the camera of a name, or the first one if the name is empty; nothing if there is none.
/// Throws UsageError for another name.
std::optional<NamedCamera> choose_camera(const GltfDocument& document,
                                         const std::vector<NamedCamera>& cameras,
                                         const std::string& name) {
  if (name.empty()) return cameras.empty() ? std::nullopt : std::optional(cameras.front());
  for (const auto key : {&NamedCamera::name, &NamedCamera::own_name})
    for (const NamedCamera& camera : cameras)
      if (camera.*key == name) return camera;
  throw UsageError(fmt::format("--camera-name {}: {} has {}{}", in_quotes(name), document.name(),
                               cameras.empty() ? "no camera" : "the cameras ",
                               quoted_list(camera_names(cameras))));
}

std::vector<std::string> variants_of(GltfDocument& document) {
  std::vector<std::string> names;
  document.attempt("the variants are ignored", [&] {
    const auto extension = find_extension(document.root(), "KHR_materials_variants");
    for (const JsonReader& variant : items_of(find_member(extension, "variants")))
      names.push_back(text_of(variant, "name", ""));
  });
  return names;
}

/// Returns the index of the variant of a name; nothing if the name is empty. Throws UsageError for
/// another name.
std::optional<uint32_t> choose_variant(const GltfDocument& document,
                                       const std::vector<std::string>& variants,
                                       const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto found = std::ranges::find(variants, name);
  if (found != variants.end()) return uint32_t(found - variants.begin());
  throw UsageError(fmt::format("--variant {}: {} has {}{}", in_quotes(name), document.name(),
                               variants.empty() ? "no variants" : "the variants ",
                               quoted_list(variants)));
}

/// Poses the nodes and all other animated parts at a time.
void set_time(GltfDocument& document, std::optional<double> time, bool is_sequence) {
  const bool has_animations = document.count("animations") > 0;
  if (time && has_animations)
    GltfAnimations(document).set_time(document, *time);
  else if (time)
    document.warn("/animations", "the file has no animation; --time changes nothing");
  else if (has_animations && !is_sequence)
    document.warn("/animations",
                  "animations are ignored: the scene is shown in its rest pose; --time shows a "
                  "moment of them");
}

/// Returns what Blender could not write. An area lamp leaves a node with nothing, as an empty does.
std::string note_of_blender(const GltfDocument& document, const std::vector<PlacedNode>& nodes) {
  std::set<double> joints;
  for (const JsonReader& skin : items_of(find_member(document.root(), "skins")))
    for (const JsonReader& joint : items_of(find_member(skin, "joints")))
      joints.insert(joint.number_or(-1.0));
  auto is_empty = [&](const PlacedNode& node) {
    return !joints.contains(node.index) &&
           std::ranges::none_of(
               std::initializer_list<const char*>{"mesh", "camera", "children", "extensions"},
               [&](const char* key) { return node.json.has(key); });
  };
  const auto count = std::ranges::count_if(nodes, is_empty);
  const std::string lamps = count == 0 ? ""
                                       : fmt::format(" (of {} node{}, only names are left)", count,
                                                     count == 1 ? "" : "s");
  return blender_note(document.name(),
                      fmt::format("the world, area lamps{}, lens shift, depth of field, IOR of "
                                  "opaque surfaces, and most shader nodes",
                                  lamps));
}

/// Returns whether a member that animations change belongs to a camera.
bool is_of_camera(const GltfDocument& document, const GltfAnimatedMember& member,
                  const PlacedNode& camera, const std::vector<PlacedNode>& nodes) {
  using Pointer = nlohmann::json::json_pointer;
  const Pointer object = member.pointer.parent_pointer();
  if (member.owner.starts_with("cameras."))
    return object.parent_pointer() ==
           Pointer() / "cameras" / size_t(document.index("cameras", camera.json.at("camera")));
  if (member.owner != "nodes" || member.name == "weights") return false;
  for (const PlacedNode* node = &camera;; node = &nodes[*node->parent]) {
    if (object == Pointer() / "nodes" / size_t(node->index)) return true;
    if (!node->parent) return false;
  }
}

/// Returns whether animations change anything but the camera, or the scene has none.
bool moves_more_than(const std::optional<NamedCamera>& camera, const GltfDocument& document,
                     const GltfAnimations& animations, const std::vector<PlacedNode>& nodes) {
  return animations.change([&](const GltfAnimatedMember& member) {
    return !camera || !is_of_camera(document, member, nodes[camera->node], nodes);
  });
}

/// Reads the cameras of load_gltf_cameras(); none if the camera rests. Returns whether anything
/// moves.
bool read_frames(GltfDocument& document, const std::vector<double>& times,
                 const CameraDescription& like, const std::string& name, GltfCameraFrames& frames) {
  if (document.count("animations") == 0) return false;
  const GltfAnimations animations(document);
  std::vector<PlacedNode> nodes = place_gltf_nodes(document, GltfNodes::kOfScene);
  const auto chosen = choose_camera(document, find_cameras(document, nodes), name);
  const bool moves = chosen && animations.change([&](const GltfAnimatedMember& member) {
    return is_of_camera(document, member, nodes[chosen->node], nodes);
  });
  if (!moves) return moves_more_than(chosen, document, animations, nodes);

  std::optional<uint32_t> width;  // pixels; the height is always the same
  for (const double time : times) {
    animations.set_time(document, time);
    nodes = place_gltf_nodes(document, GltfNodes::kOfScene);
    HostScene scene;
    scene.camera = like;
    read_gltf_camera(document, nodes[chosen->node], scene);
    if (scene.width != width.value_or(scene.width))
      document.warn("/animations", "all images of a sequence have the same aspect ratio");
    width = scene.width;
    frames.cameras.push_back(scene.camera);
  }
  frames.warnings = document.warnings();
  return true;
}

}  // namespace

HostScene load_gltf(const std::filesystem::path& file, std::optional<double> time,
                    const GltfChoice& choice) {
  return parse_gltf(read_file(file), file, time, kMaxPlacements, choice);
}

HostScene parse_gltf(std::string_view bytes, const std::filesystem::path& file,
                     std::optional<double> time, size_t most_placements, const GltfChoice& choice) {
  GltfDocument document(bytes, file);
  account_for_gltf_keys(document);
  // Hashes the document before set_time() changes it, and all of it, because the scene of one
  // moment does not hold all numbers by which morph targets and skins move.
  const bool has_hash = choice.has_hash && time && document.count("animations") > 0;
  const uint32_t hash = has_hash ? document.hash() : 0;
  HostScene scene;
  scene.variant_names = variants_of(document);
  set_time(document, time, choice.is_sequence);
  const std::vector<PlacedNode> nodes = place_gltf_nodes(document, GltfNodes::kOfScene);
  MeshPlacer placer(document, nodes, choose_variant(document, scene.variant_names, choice.variant),
                    most_placements, scene);
  bool hides_meshes = false;
  for (const PlacedNode& node : nodes) {
    if (!node.json.has("mesh")) continue;
    if (node.is_visible)
      placer.place(node);
    else
      hides_meshes = true;
  }
  place_meshes(document.name(), placer.meshes(), scene);
  if (!summarize(scene).has_geometry())
    fail_without_geometry(document, placer.meshes(), hides_meshes);

  bool has_light = false;
  for (const PlacedNode& node : nodes)
    if (node.is_visible)
      document.attempt("the light is left out",
                       [&] { has_light |= add_gltf_light(document, node, scene); });
  const std::vector<NamedCamera> cameras = find_cameras(document, nodes);
  scene.camera_names = camera_names(cameras);
  const auto camera = choose_camera(document, cameras, choice.camera);
  if (time && document.count("animations") > 0)
    scene.is_animated = moves_more_than(camera, document, GltfAnimations(document), nodes);
  if (scene.is_animated) scene.motion_hash = hash;
  if (camera) {
    read_gltf_camera(document, nodes[camera->node], scene);
  } else {
    constexpr uint32_t kSize = 768;  // pixels
    scene.width = scene.height = kSize;
    frame_scene(scene);
  }
  // Emissive parts of an object are seldom meant to light it.
  if (!add_gltf_environment(document, scene) && !has_light) light_scene(scene);
  for (const Mesh* mesh : std::initializer_list<const Mesh*>{&scene, &scene.shared})
    warn_about_open_glass(*mesh, scene.materials, scene.material_names, document.name(),
                          scene.warnings);
  const std::vector<std::string> warnings = document.warnings();
  scene.warnings.insert(scene.warnings.end(), warnings.begin(), warnings.end());
  if (document.is_by_blender()) scene.notes.push_back(note_of_blender(document, nodes));
  return scene;
}

GltfCameraFrames load_gltf_cameras(const std::filesystem::path& file,
                                   const std::vector<double>& times, const CameraDescription& like,
                                   const std::string& name) {
  const std::string bytes = read_file(file);
  GltfDocument document(bytes, file);
  GltfCameraFrames frames;
  if (!read_frames(document, times, like, name, frames))
    throw Error(fmt::format(
        "{}: has no animation that --frames could show; add --camera-path FILE or --turntable N",
        document.name()));
  frames.move = !frames.cameras.empty();
  if (!frames.move) frames.cameras.assign(times.size(), like);
  return frames;
}

std::vector<CameraDescription> find_gltf_motion(const std::filesystem::path& file,
                                                const std::vector<double>& times,
                                                const CameraDescription& like,
                                                const std::string& name) {
  const std::string bytes = read_file(file);
  GltfDocument document(bytes, file);
  GltfCameraFrames frames;
  read_frames(document, times, like, name, frames);
  return frames.cameras;
}

}  // namespace winnow
