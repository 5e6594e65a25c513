// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "scene/host_scene.h"

namespace winnow {

/// What is read of a file that offers a choice.
struct GltfChoice {
  /// Name of a variant of KHR_materials_variants; empty: the file's own materials
  std::string variant = {};
  /// Name of a camera: that of its node, or else its own, as in HostScene::camera_names; empty: the
  /// first one
  std::string camera = {};
  bool is_sequence = false;  ///< load_gltf_cameras() follows: the rest pose needs no warning
  bool has_hash = true;      ///< whether HostScene::motion_hash is wanted, which takes all bytes
};

/// Loads a glTF 2.0 scene, .gltf or .glb.
/// Meshes that are placed once become triangles of the scene; others become instances. Extensions
/// and features that Winnow lacks are ignored with a warning. A scene without a camera is framed;
/// one without a visible KHR_lights_punctual light gets a soft sky, even if materials emit. Broken
/// primitives, attributes, skins, textures, cameras, lights and animations, and indices of parts
/// that the file lacks, are left out with a warning. If anything else is broken, or no geometry is
/// left, throws Error in one line that names the file and the JSON pointer. Throws UsageError for a
/// choice that the file does not offer.
/// @param time  time on the clock of its animations, s; nothing for the rest pose
/// Khronos Group, "glTF 2.0 Specification", 2021.
HostScene load_gltf(const std::filesystem::path& file, std::optional<double> time = {},
                    const GltfChoice& choice = {});

/// Loads a glTF scene from the bytes of a file of this name.
/// @param most_placements  largest number of placements of all meshes
HostScene parse_gltf(std::string_view bytes, const std::filesystem::path& file,
                     std::optional<double> time = {}, size_t most_placements = kMaxPlacements,
                     const GltfChoice& choice = {});

struct GltfCameraFrames {
  std::vector<CameraDescription> cameras;  ///< [frame]
  bool move = true;                        ///< whether the file moves the camera
  std::vector<std::string> warnings;       ///< what is ignored
};

/// Returns a camera of a glTF file at several times of its animations, as load_gltf() places it:
/// translation, rotation and scale of its node and of the nodes above it are animated, and its
/// field of view.
/// @param times   [frame], s, each clamped to the range of the channels
/// @param like    camera with the properties that glTF cameras lack, such as the lens; returned for
///                all times if the camera of the file rests
/// @param camera  name as in GltfChoice; empty: the first one
/// Throws Error, which names the file, if nothing in it moves.
GltfCameraFrames load_gltf_cameras(const std::filesystem::path& file,
                                   const std::vector<double>& times, const CameraDescription& like,
                                   const std::string& camera = "");

/// Returns the cameras of load_gltf_cameras(); none if the file does not move its camera.
std::vector<CameraDescription> find_gltf_motion(const std::filesystem::path& file,
                                                const std::vector<double>& times,
                                                const CameraDescription& like,
                                                const std::string& camera = "");

/// Writes a scene as binary glTF 2.0 with embedded PNG textures: triangles and instances, materials
/// as metallic-roughness with extensions, camera and delta lights. Emissive surfaces stay surfaces;
/// spheres become triangles. The format has no size, samples and filter of the film. Reading the
/// file gives a scene that looks the same if its materials are diffuse or principled.
/// @return  what glTF cannot represent, one line for each kind
/// Throws Error if the file cannot be written, or would exceed the 4 GiB of the format.
std::vector<std::string> write_glb(const std::filesystem::path& file, const HostScene& scene);

}  // namespace winnow
