// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>

#include "load/pbrt/context.h"
#include "load/pbrt/materials.h"
#include "load/pbrt/textures.h"
#include "scene/place_meshes.h"

namespace winnow {

/// Returns the mesh of a shape in its own space; nothing if it is left out, with a warning.
/// Triangles face the side of their pbrt normals, without ReverseOrientation.
std::optional<Mesh> read_pbrt_mesh(const PbrtObject& shape, PbrtContext& context);

/// Returns the mesh of a shape defined by a formula: sphere, disk, cylinder, ...
/// @param sides  sides of a full circle
/// @return       nothing for other types of shapes
std::optional<Mesh> make_pbrt_quadric(const PbrtObject& shape, uint32_t sides);

/// Returns a curve as a tube; nothing if it is left out, with a warning.
std::optional<Mesh> make_pbrt_curve(const PbrtObject& shape, PbrtContext& context);

/// Returns how often a mesh that requests `levels` is subdivided: less if it would become too
/// large.
int subdivision_levels(size_t triangle_count, int levels);

/// Subdivides a mesh `levels` times by Loop's scheme and moves its vertices to the limit surface.
/// Loop, "Smooth Subdivision Surfaces Based on Triangles", 1987.
/// @param mesh  has positions and triangles with valid indices
/// @return      nothing if more than two triangles meet at an edge
std::optional<Mesh> subdivide_loop(const Mesh& mesh, int levels);

/// Converts the shapes of a pbrt scene and the objects that its instances share.
class PbrtShapes {
 public:
  PbrtShapes(PbrtContext& context, PbrtTextures& textures, PbrtMaterials& materials,
             PbrtMedia& media)
      : context_(context), textures_(textures), materials_(materials), media_(media) {}

  void add(const PbrtObject& shape, const PbrtState& state);

  /// Starts an object of this name, to which shapes belong until end_object().
  void begin_object(const std::string& name, const PbrtPlace& place);
  void end_object(const PbrtPlace& place);
  void add_instance(const std::string& name, const PbrtState& state, const PbrtPlace& place);

  /// Adds the instances. Call it once, after all shapes.
  void place_instances(const std::string& file);

 private:
  std::optional<uint32_t> material_of(const PbrtObject& shape, const PbrtState& state,
                                      const Mesh& mesh);
  bool add_exact_sphere(const PbrtObject& shape, const PbrtState& state);

  PbrtContext& context_;
  PbrtTextures& textures_;
  PbrtMaterials& materials_;
  PbrtMedia& media_;
  NamedMeshes objects_;
  std::map<std::string, PbrtPlace> object_places_;
  NamedMesh ignored_;            ///< receives a second object of the same name
  NamedMesh* object_ = nullptr;  ///< object being defined, or null
};

}  // namespace winnow
