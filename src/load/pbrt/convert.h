// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "image/image.h"
#include "load/pbrt/object.h"
#include "load/volumes/vol.h"
#include "scene/boundary.h"
#include "scene/material.h"
#include "scene/place_meshes.h"
#include "scene/vertex_attributes.h"

namespace winnow {

/// Meaning of a roughness of pbrt, as a function to the alpha of microfacets.
enum class PbrtRoughness {
  kAlpha,     ///< alpha itself
  kVersion4,  ///< alpha is the square root
  kVersion3,  ///< alpha is a polynomial of the logarithm
};

/// Converts a pbrt material that contains no other to the most similar one of Winnow. Warnings
/// state the differences.
/// @return  nothing if the type is unknown
std::optional<Material> read_pbrt_surface(const PbrtObject& object);

/// Converts a material of a type that only version 3 has: matte, plastic, uber, ...
std::optional<Material> read_old_pbrt_surface(const PbrtObject& object);

/// Sets the reflectance from a colour or a texture. A colour is clamped to 1, with a warning.
void read_pbrt_base_color(const PbrtObject& object, std::string_view name, float fallback,
                          Material& material);

/// Makes a principled material reflect and transmit diffuse light.
/// @param reflected, transmitted  albedos; their sum is at most 1
void set_pbrt_diffuse_transmission(const PbrtObject& object, const Textured& reflected,
                                   const Textured& transmitted, Material& material);

/// Sets the roughness and the anisotropy of a material from "roughness", or "uroughness" and
/// "vroughness", after a prefix.
/// @param unit  meaning of the values, unless the material has "remaproughness" false
void read_pbrt_roughness(const PbrtObject& object, const std::string& prefix, float fallback,
                         PbrtRoughness unit, Material& material);

/// Makes a rough material the smooth one of type `smooth` if its roughness is one at which pbrt
/// treats a surface as perfectly smooth.
void smooth_if_pbrt_does(Material& material, MaterialType smooth);

/// Sets eta and k of a metal from "eta" and "k" after a prefix; copper by default.
void read_pbrt_metal(const PbrtObject& object, const std::string& prefix, Material& material);

/// Returns false, with a warning, for a medium that is left out: one of an unknown type or without
/// its file.
bool keeps_pbrt_medium(const PbrtObject& medium);

/// Adds a named medium unless it is left out.
///
/// @param to_world  to the world of the file, in which its grid is placed at first
void define_pbrt_medium(const PbrtObject& medium, const glm::dmat4& to_world);

struct PbrtEmission {
  glm::vec3 radiance{0.0f};       ///< W sr^-1 m^-2, or the factor of the texture
  uint32_t texture = kNoTexture;  ///< index in HostScene::textures
  bool is_two_sided = false;
};

/// Material of a shape, with the properties of the shape that affect it.
struct PbrtSurface {
  std::shared_ptr<const PbrtObject> material;  ///< null for the default
  PbrtEmission emission;
  Textured alpha;
  uint32_t inside = kNoMedium, outside = kNoMedium;
  UvLayout uvs;
};

class PbrtMaterials {
 public:
  explicit PbrtMaterials(PbrtContext& context) : context_(context) {}

  void define(const PbrtObject& material);
  /// Makes the materials so far those of names that are used before their definition.
  void keep_for_earlier_uses();

  /// True if a material was used that was unknown there and is defined by now.
  bool defines_earlier_uses() const;

  /// Returns the material of this name, or a reference that is looked up when it is used.
  std::shared_ptr<const PbrtObject> named(const std::string& name, const PbrtPlace& place) const;
  /// Returns the material that a reference names if it is known; otherwise `material`.
  std::shared_ptr<const PbrtObject> defined(std::shared_ptr<const PbrtObject> material) const;

  /// Returns the material that a mix becomes if it is only one of its materials; otherwise
  /// `material`.
  std::shared_ptr<const PbrtObject> without_mixes(std::shared_ptr<const PbrtObject> material);
  /// True for a material with a normal, bump or displacement map, which may be in a mix.
  bool has_bumps(const std::shared_ptr<const PbrtObject>& material);
  /// True for a material with a normal map, which may be in a mix.
  bool has_normal_map(const std::shared_ptr<const PbrtObject>& material);

  /// Returns the index of the material; nothing if light passes through the shape unchanged.
  std::optional<uint32_t> of_shape(const PbrtSurface& surface);

  /// True for a material that depends on texture coordinates.
  bool has_textures(uint32_t material) const;

 private:
  using Key = std::tuple<std::shared_ptr<const PbrtObject>, float, float, float, uint32_t, bool,
                         float, uint32_t, uint32_t, uint32_t, bool, float, float>;

  /// Converts a material without the properties of a shape; nothing for an interface.
  std::optional<Material> base(const std::shared_ptr<const PbrtObject>& material, int depth);
  std::optional<Material> read(const PbrtObject& material, int depth);
  std::optional<Material> read_mix(const PbrtObject& mix, int depth);
  /// @param uv_size  UvLayout::size of the shape
  void add_bumps(const PbrtObject& material, glm::vec2 uv_size, Material& to);
  std::optional<Material> complete(const PbrtSurface& surface);

  PbrtContext& context_;
  std::map<std::string, std::shared_ptr<const PbrtObject>> named_, named_later_;
  std::set<std::string> unknown_;  ///< names that were unknown where they were used
  std::map<std::shared_ptr<const PbrtObject>, std::optional<Material>> bases_;
  /// Materials that mixes become, by the mix.
  std::map<const PbrtObject*, std::shared_ptr<const PbrtObject>> instead_of_mix_;
  std::map<Key, std::optional<uint32_t>> known_;
  BumpMaps bumps_{context_.library()};
};

/// Adds the light of a LightSource. A type that Winnow lacks becomes the most similar one or is
/// left out, with a warning.
void add_pbrt_light(const PbrtObject& light, const PbrtState& state);

/// Reads the emission of the shapes of an AreaLightSource.
/// @param area  area of the shape, m^2, for a light given by its power
PbrtEmission read_pbrt_emission(const PbrtObject& light, float area);

/// Converts a square image in the equal-area octahedral mapping to an equirectangular image, whose
/// poles are +z and -z and whose columns start at +x and turn towards +y.
/// Clarberg, "Fast Equal-Area Mapping of the (Hemi)Sphere using SIMD", 2008.
Image equirectangular_of_equal_area(const Image& square);

/// Returns the mesh of a shape in its own space; nothing if it is left out, with a warning.
/// Triangles face the side of their pbrt normals, without ReverseOrientation. Those without texture
/// coordinates have the corners in the order of the file until face_vertex_normals() turns them.
/// @param quadrilaterals  set to the number of faces of a PLY file that became two triangles
std::optional<Mesh> read_pbrt_mesh(const PbrtObject& shape, size_t& quadrilaterals);

/// Turns triangles to the side of their vertex normals, as pbrt does.
void face_vertex_normals(Mesh& mesh);

/// Returns a curve as a tube; nothing if it is left out, with a warning.
std::optional<Mesh> make_pbrt_curve(const PbrtObject& shape);

/// Returns `levels`, or fewer if a mesh subdivided so often would become too large.
int subdivision_levels(size_t triangle_count, int levels);

/// Subdivides a mesh `levels` times by Loop's scheme and moves its vertices to the limit surface.
/// Loop, "Smooth Subdivision Surfaces Based on Triangles", 1987.
/// @param mesh  has positions and triangles with valid indices
/// @return      nothing if more than two triangles meet at an edge
std::optional<Mesh> subdivide_loop(const Mesh& mesh, int levels);

/// Converts the shapes of a pbrt scene and the objects that its instances share.
class PbrtShapes {
 public:
  PbrtShapes(PbrtContext& context, PbrtMaterials& materials)
      : context_(context), materials_(materials), reversed_(context.scene) {}

  void add(const PbrtObject& shape, const PbrtState& state);

  /// Starts an object of this name, to which shapes belong until end_object().
  void begin_object(const std::string& name, const PbrtPlace& place);
  void end_object(const PbrtPlace& place);
  void add_instance(const std::string& name, const PbrtState& state, const PbrtPlace& place);

  /// Adds the instances. Call it once, after all shapes.
  void place_instances(const std::string& file);

 private:
  /// @param light_area  area that emits the power of a light, m^2
  std::optional<uint32_t> material_of(const PbrtObject& shape, const PbrtState& state,
                                      const Mesh& mesh, float light_area);
  bool add_exact_sphere(const PbrtObject& shape, const PbrtState& state);
  /// Adds triangles of a shape that have one material. Returns false if none of them has an area.
  bool add_part(const PbrtObject& shape, const PbrtState& state, Mesh mesh, float light_area);
  void place_instance(const std::string& name, const glm::mat4& to_world, const PbrtPlace& place);

  PbrtContext& context_;
  PbrtMaterials& materials_;
  ReversedMaterials reversed_;  ///< materials of spheres whose normals point inwards
  NamedMeshes objects_;
  std::map<std::string, PbrtPlace> object_places_;
  NamedMesh ignored_;            ///< receives a second object of the same name
  NamedMesh* object_ = nullptr;  ///< object being defined, or null

  struct EarlyInstance {
    std::string name;
    glm::mat4 to_world;
    PbrtPlace place;
  };
  std::vector<EarlyInstance> early_instances_;  ///< those before the definition of their object
};

/// The shape of the medium "cloud".
struct PbrtCloud {
  double density = 1.0, wispiness = 1.0, frequency = 5.0;
};

/// Returns the density at a point in the space of the medium, from 0 to 1.
float cloud_density(glm::dvec3 p, const PbrtCloud& cloud);

/// Returns the densities in a box, at samples that are finer than the noise but for its last
/// octave.
GridVolume cloud_volume(const PbrtCloud& cloud, glm::dvec3 low, glm::dvec3 high);

/// Statements before WorldBegin: camera, film, filter, sampler and integrator. The camera needs the
/// size of the film, which may follow it.
class PbrtOptions {
 public:
  explicit PbrtOptions(PbrtContext& context);

  /// Sets the camera, and PbrtContext::from_pbrt from its transform.
  void set_camera(const PbrtObject& camera, const PbrtState& state);
  /// Sets the times of the two transforms, s.
  void set_transform_times(double start, double end) {
    transform_times_ = {start, end};
    context_.motion.add_value(transform_times_);
  }
  /// Returns the moment of PbrtContext for a time, s; for none, that of the middle of the shutter.
  double moment_of(std::optional<double> time) const;
  void set_film(const PbrtObject& film);
  void set_filter(const PbrtObject& filter);
  void set_sampler(const PbrtObject& sampler);
  void set_integrator(const PbrtObject& integrator);

  /// Completes the camera of the scene; returns true if there is one.
  bool finish();

  /// Warns of media that the integrator leaves out. The default of version 3 does.
  /// @param file  of the scene
  void warn_about_media(const std::string& file) const;

  /// Returns the factor of all radiance: exposure time in seconds times ISO / 100.
  float exposure() const { return film_time_.value_or(shutter_) * iso_ / 100.0f; }

 private:
  /// @param to_world  from camera space to the world of the file
  CameraDescription placed(const glm::dmat4& to_file) const;
  void set_motion_of_camera();
  void set_view(float unit);

  PbrtContext& context_;
  std::optional<PbrtObject> camera_, integrator_;
  PbrtTransforms to_world_;               ///< from camera space to the world of the file
  glm::dvec2 transform_times_{0.0, 1.0};  ///< s
  Shutter times_{0.0, 1.0};
  float shutter_ = 1.0f, iso_ = 100.0f;
  std::optional<float> film_time_;  ///< s, exposure time that replaces that of the shutter
  std::optional<glm::ivec4> crop_;  ///< pixels of the film that are rendered: x, y, end of x and y
};

}  // namespace winnow
