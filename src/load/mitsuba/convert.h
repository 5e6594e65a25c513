// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "base/known_keys.h"
#include "load/mitsuba/object.h"
#include "math/bounds.h"
#include "scene/boundary.h"
#include "scene/host_scene.h"
#include "scene/material.h"
#include "scene/place_meshes.h"
#include "scene/vertex_attributes.h"

namespace winnow {

struct MitsubaBsdf {
  Material material;              ///< with a black back if it is so in Mitsuba
  uint32_t heights = kNoTexture;  ///< texture of a bump map, whose luminance is the height
  float height_scale = 1.0f;      ///< m
};

/// Reads a <bsdf> and the <bsdf>s inside of it. One that Winnow lacks becomes the most similar
/// material, with a warning that says what differs.
///
/// @param depth  number of <bsdf>s that contain it
/// @return       nothing if light passes through the surface unchanged
std::optional<MitsubaBsdf> read_mitsuba_bsdf(const MitsubaObject& bsdf, int depth);

/// Media on both sides of a shape: indices in HostScene::media, or kNoMedium.
struct MediaOfShape {
  uint32_t interior = kNoMedium, exterior = kNoMedium;

  bool any() const { return interior != kNoMedium || exterior != kNoMedium; }
  auto operator<=>(const MediaOfShape&) const = default;
};

/// Converts the <medium>s of a shape. A kind that Winnow lacks becomes homogeneous or is left out,
/// with a warning.
MediaOfShape read_mitsuba_media(const MitsubaObject& shape);

/// Returns the medium that contains a sensor, or kNoMedium.
uint32_t read_mitsuba_sensor_medium(const MitsubaObject& sensor);

/// Converts the <bsdf>s of a Mitsuba scene with read_mitsuba_bsdf().
class MitsubaMaterials {
 public:
  explicit MitsubaMaterials(MitsubaDocument& document)
      : scene_(document.scene), bumps_(document.textures) {}

  /// Returns the radiance that a shape emits; black if it is not an area light.
  Textured emission_of(const MitsubaObject& shape);

  /// Returns the index of a shape's material; nothing if light passes through the shape unchanged.
  /// @param has_colors  true if the shape has the colours that its mesh_attribute names
  std::optional<uint32_t> of_shape(const MitsubaObject& shape, const Textured& emission,
                                   const UvLayout& uvs, const MediaOfShape& media,
                                   bool has_colors = false);

  uint32_t black();

  /// Returns the index of a material without its black back.
  uint32_t without_black_back(uint32_t material);

 private:
  uint32_t add(const Material& material, const std::string& name);
  std::optional<uint32_t> without_bsdf(const MitsubaObject& shape, const MediaOfShape& media);

  HostScene& scene_;
  /// Materials by XML node, whether v is left of u, whether the shape has colours, and the media on
  /// its sides.
  std::map<std::tuple<const void*, bool, bool, MediaOfShape>, std::optional<uint32_t>> known_;
  BumpMaps bumps_;
  std::map<uint32_t, uint32_t> without_black_back_;
  std::optional<uint32_t> default_, black_;
};

struct SerializedMesh {
  Mesh mesh;             ///< with texture coordinates as in the file, without materials
  bool is_flat = false;  ///< its flags request face normals
};

/// Reads one mesh of a .serialized file, version 3 or 4: compressed by zlib, with numbers of single
/// or double precision. Vertex colours are linear.
///
/// Reads only the bytes of that mesh, and allocates memory for at most as many vertices as they can
/// hold at the best compression.
/// @param index  index of the mesh in the file
/// Throws Error, in one line that names the file. Wenzel Jakob, "Mitsuba Documentation", 2014,
/// section 8.2.3.
SerializedMesh read_serialized_mesh(const std::filesystem::path& file, uint32_t index);

/// Reads one mesh from its bytes, including the header; messages name `file`.
SerializedMesh parse_serialized_mesh(std::string_view bytes, const std::string& file);

/// Converts the <shape>s of a Mitsuba scene.
///
/// Spheres stay exact unless they are scaled nonuniformly or instanced. Cylinders and disks get 128
/// sides. Emissive rectangles and disks get a black back: in Mitsuba they emit only to the front.
class MitsubaShapes {
 public:
  explicit MitsubaShapes(MitsubaDocument& document);

  void add(const MitsubaObject& shape);

  /// Adds the instances. Call it once, after all shapes.
  void place_instances(const std::string& file);

 private:
  /// A black surface behind a flat lamp. Shadow rays from far away may end before it; then the
  /// lamp emits to the front alone.
  struct LampBack {
    uint32_t material;  ///< material of the lamp
    float distance;     ///< m, from the lamp
  };

  void add_group(const MitsubaObject& group);
  void add_instance(const MitsubaObject& instance);
  void add_sphere(const MitsubaObject& shape, Mesh& to, bool is_instanced);
  void add_placed(const MitsubaObject& shape, const Mesh& mesh, const glm::mat4& to_world,
                  uint32_t material, Mesh& to);
  void add_shape(const MitsubaObject& shape, Mesh& to, bool is_instanced);
  void add_back(const Mesh& lamp, const glm::mat4& to_world, bool is_flipped, uint32_t material,
                Mesh& to);
  /// Returns the sides of a round shape; nothing, with a warning, after too many such shapes.
  std::optional<uint32_t> circle_sides(const MitsubaObject& shape) const;

  HostScene& scene_;
  MitsubaMaterials materials_;
  ReversedMaterials reversed_;  ///< materials of spheres whose normals point inwards
  NamedMeshes groups_;          ///< shape groups by id
  std::vector<LampBack> backs_;
  size_t round_triangles_ = 0;    ///< triangles of spheres, disks and cylinders
  std::optional<glm::vec3> eye_;  ///< m, position of the first sensor
};

/// Adds an <emitter> that belongs to no shape.
void add_mitsuba_emitter(const MitsubaObject& emitter);

/// Returns all plugins of Mitsuba 0.5 to 3.9 and their parameters. The owner of a parameter is the
/// tag and the type of its plugin, such as "bsdf diffuse", or the tag alone for those of all types.
/// A row without a name is the plugin itself. A used row with a reason is read approximately.
/// scenes/README.md is generated from the table.
const KeyTable& mitsuba_keys();

/// Warns about the parameters of all objects of a document that are not read.
void warn_about_ignored_keys(MitsubaDocument& document);

}  // namespace winnow
