// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "load/mitsuba/bsdf.h"
#include "load/mitsuba/media.h"
#include "load/mitsuba/object.h"
#include "load/mitsuba/texture.h"
#include "load/textures/derived_textures.h"
#include "load/textures/texture_library.h"
#include "scene/host_scene.h"
#include "scene/place_meshes.h"
#include "scene/vertex_attributes.h"

namespace winnow {

/// Converts the <bsdf>s of a Mitsuba scene. A BSDF that Winnow lacks becomes the most similar
/// material, with a warning that says what differs.
class MitsubaMaterials {
 public:
  MitsubaMaterials(HostScene& scene, MitsubaMedia& media)
      : scene_(scene), media_(media), textures_(scene) {}

  /// Returns the radiance that a shape emits; black if it is not an area light.
  MitsubaTextured emission_of(const MitsubaObject& shape);

  /// Returns the index of a shape's material; nothing if light passes through the shape unchanged.
  /// @param has_colors  true if the shape has the colours that its mesh_attribute names
  std::optional<uint32_t> of_shape(const MitsubaObject& shape, const MitsubaTextured& emission,
                                   const UvLayout& uvs, bool has_colors = false);

  /// Returns the index of a black material.
  uint32_t black();

 private:
  uint32_t add(const Material& material, const std::string& name);
  std::optional<uint32_t> without_bsdf(const MitsubaObject& shape, const MediaOfShape& media);

  HostScene& scene_;
  MitsubaMedia& media_;
  TextureLibrary textures_;
  /// Materials by XML node, whether v is left of u, whether the shape has colours, and the media on
  /// its sides.
  std::map<std::tuple<const void*, bool, bool, MediaOfShape>, std::optional<uint32_t>> known_;
  BumpMaps bumps_{textures_};
  std::optional<uint32_t> default_, black_;
};

/// Converts the <shape>s of a Mitsuba scene.
///
/// Spheres stay exact unless they are scaled nonuniformly or instanced. Cylinders and disks get 128
/// sides. Emissive rectangles and disks get a black back: in Mitsuba they emit only to the front.
class MitsubaShapes {
 public:
  MitsubaShapes(HostScene& scene, MitsubaMaterials& materials)
      : scene_(scene), materials_(materials) {}

  void add(const MitsubaObject& shape);

  /// Adds the instances. Call it once, after all shapes.
  void place_instances(const std::string& file) { place_meshes(file, groups_, scene_); }

 private:
  void add_group(const MitsubaObject& group);
  void add_instance(const MitsubaObject& instance);
  void add_sphere(const MitsubaObject& shape, Mesh& to, bool is_instanced);
  void add_placed(const MitsubaObject& shape, const Mesh& mesh, const glm::mat4& to_world,
                  uint32_t material, Mesh& to);
  void add_shape(const MitsubaObject& shape, Mesh& to, bool is_instanced);
  /// Returns the number of sides of a round shape; nothing, with a warning, if there are too many
  /// round shapes.
  std::optional<uint32_t> circle_sides(const MitsubaObject& shape) const;

  HostScene& scene_;
  MitsubaMaterials& materials_;
  NamedMeshes groups_;          ///< shape groups by id
  size_t round_triangles_ = 0;  ///< triangles of spheres, disks and cylinders
};

/// Adds an <emitter> that belongs to no shape.
void add_mitsuba_emitter(const MitsubaObject& emitter, HostScene& scene);

/// Reads the camera, the film and the sample count of a <sensor> into `scene`.
void read_mitsuba_sensor(const MitsubaObject& sensor, HostScene& scene);

/// Reads the maximum number of bounces.
void read_mitsuba_integrator(const MitsubaObject& integrator, HostScene& scene);

}  // namespace winnow
