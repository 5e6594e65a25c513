// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <glm/mat4x4.hpp>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "load/json/json_reader.h"
#include "load/textures/texture_library.h"
#include "load/winnow/winnow_json.h"
#include "scene/host_scene.h"
#include "scene/mesh.h"
#include "scene/place_meshes.h"
#include "scene/scene_hash.h"

namespace winnow {

struct MaterialField {
  const char* key;
  std::variant<float Material::*, glm::vec3 Material::*> member;
  Range range;
};
const std::vector<MaterialField>& material_fields();

/// Converts an angle of a scene file to rad, in double precision so that each float is reachable.
float radians_of_degrees(double degrees);

/// The "textures" of a scene file. An image is read when a material names it, as the use determines
/// whether its bytes are colours.
class NamedTextures {
 public:
  /// @param json    member "textures", if the file has it
  /// @param folder  folder to which file names are relative
  NamedTextures(std::optional<JsonReader> json, const std::filesystem::path& folder,
                HostScene& scene);

  /// Returns the index of the texture that a material names; kNoTexture, with a warning, if its
  /// file is missing.
  uint32_t find(const JsonReader& name, TexelMeaning meaning);

 private:
  std::optional<JsonReader> json_;
  std::filesystem::path folder_;
  TextureLibrary library_;
};

// Readers of the members of a scene in Winnow's format. File names are relative to `folder`.

/// Index in HostScene::materials or HostScene::media of each name that the file defines.
using MaterialIds = std::map<std::string, uint32_t>;
using MediumIds = std::map<std::string, uint32_t>;

/// The moment of a scene that is read.
struct SceneMoment {
  static constexpr size_t kMostKeys = 1025;

  double at = 0.5;         ///< from the opening (0) to the closing of the shutter (1)
  bool moves = false;      ///< whether the file says that anything moves but the camera
  bool has_hash = false;   ///< whether `motion` is wanted: it reads the files of all keys
  MotionHash motion = {};  ///< hash of the keys so far

  /// The keys of a motion between which the moment is.
  struct Keys {
    size_t first = 0;  ///< the other one is the next
    double t = 0.0;    ///< [0, 1], from the first to the next
  };
  /// Notes that something moves. Throws Error unless `keys` is a list of 2 to kMostKeys.
  Keys between(const JsonReader& keys);
};

/// Adds the members of "media" to `scene`.
MediumIds read_media(const JsonReader& media, const std::filesystem::path& folder,
                     SceneMoment& moment, HostScene& scene);

/// Sets the media on both sides of a material, if `json` names any.
void read_media_of_material(const JsonReader& json, const MediumIds& media, Material& material);

/// Adds the members of "materials" to `scene`.
MaterialIds read_materials(const JsonReader& materials, NamedTextures& textures,
                           const MediumIds& media, HostScene& scene);

/// Returns the member "transform" of `shape` at a moment as one matrix, or the identity.
glm::mat4 read_transform(const JsonReader& shape, SceneMoment& moment);

/// Returns a list of steps, which apply in the order of the list, as one matrix:
/// {"translate": [x, y, z]}, {"rotate": {"axis": [x, y, z], "angle": degrees}}, {"scale": s} or
/// {"scale": [x, y, z]}, {"matrix": four rows of four numbers, for column vectors}, and
/// {"motion": [steps, steps, ...]}, which is between two of these lists.
/// @param moment  null if nothing may move
glm::mat4 read_transform_steps(const JsonReader& steps, SceneMoment* moment);

/// Reads the members of "meshes". Adds the materials of OBJ files among them to `scene`.
NamedMeshes read_meshes(const JsonReader& json, const MaterialIds& materials,
                        const std::filesystem::path& folder, SceneMoment& moment, HostScene& scene);

/// Adds the items of "shapes" to `scene`, and those of the type "instances" to `meshes`.
void read_shapes(const JsonReader& shapes, const MaterialIds& materials, NamedMeshes& meshes,
                 const std::filesystem::path& folder, SceneMoment& moment, HostScene& scene);

/// Adds meshes in memory to `meshes`, or to `scene` as shapes.
void add_scene_meshes(const std::string& name, const std::vector<SceneMesh>& scene_meshes,
                      const MaterialIds& materials, NamedMeshes& meshes, HostScene& scene);

/// Returns the path of the "file" of a shape or density. Throws Error if there is no such file; its
/// message names the script in "made_by".
std::filesystem::path find_file(const JsonReader& json, const std::filesystem::path& folder);

/// Returns the path of a file of `json` by its name.
std::filesystem::path find_file(const JsonReader& json, const JsonReader& name,
                                const std::filesystem::path& folder);

/// Reads the parallelogram that "corner", "edge_u" and "edge_v" describe.
Mesh read_rectangle(const JsonReader& shape);

/// Reads the sphere that "center", "radius" and "transform" describe.
Sphere read_sphere(const JsonReader& shape, uint32_t material, SceneMoment& moment);

/// Adds `mesh` with the transform of `shape`. Throws Error if no triangle has an area.
/// @param material  material of the triangles, unless the mesh has its own
void add_shape(const JsonReader& shape, const Mesh& mesh, uint32_t material, SceneMoment& moment,
               HostScene& scene);

/// Adds the items of "lights" to `scene`: emissive shapes that reflect nothing, and delta lights.
/// A shape has a "radiance", or a "power" in W per colour channel over all directions and the whole
/// surface. A Lambertian emitter of radiance L and area A emits pi A L on each side: a rectangle,
/// which emits from both sides, has L = power / (2 pi A); a sphere has L = power / (4 pi^2 r^2).
void read_lights(const JsonReader& lights, SceneMoment& moment, HostScene& scene);

/// Reads "sky": a gradient, an environment map, or daylight.
void read_sky(const JsonReader& json, const std::filesystem::path& folder, HostScene& scene);

}  // namespace winnow
