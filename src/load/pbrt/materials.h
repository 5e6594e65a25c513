// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <glm/vec2.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "load/pbrt/context.h"
#include "load/pbrt/textures.h"

namespace winnow {

/// The media of a pbrt scene, by name. Those that Winnow lacks are known, too, as kNoMedium.
class PbrtMedia {
 public:
  explicit PbrtMedia(PbrtContext& context) : context_(context) {}

  /// Adds a medium. Any other than a homogeneous one is left out, with a warning.
  void define(const PbrtObject& medium);

  /// Index of a medium; kNoMedium for an empty name or, with a warning, an unknown one.
  uint32_t find(const std::string& name, const PbrtPlace& place);

 private:
  PbrtContext& context_;
  std::map<std::string, uint32_t> known_;
};

/// The light that the shapes of an AreaLightSource emit.
struct PbrtEmission {
  glm::vec3 radiance{0.0f};       ///< W sr^-1 m^-2, or the factor of the texture
  uint32_t texture = kNoTexture;  ///< index in HostScene::textures
  bool is_two_sided = false;
};

/// How the texture coordinates of a shape lie on it.
struct PbrtUvLayout {
  /// v is right of u in the world of the file. Green of a normal map points to the left of u in
  /// pbrt, and along v in Winnow.
  bool is_v_right = false;
  glm::vec2 size{0.0f};  ///< m, mean length of a unit of u and of v; 0 without any
};

/// True for a material that bends normals by an image.
bool has_pbrt_bumps(const PbrtObject& material);

/// What a shape asks of its material.
struct PbrtSurface {
  std::shared_ptr<const PbrtObject> material;  ///< none: the default
  PbrtEmission emission;
  PbrtTextured alpha;
  uint32_t inside = kNoMedium, outside = kNoMedium;
  PbrtUvLayout uvs;
};

/// Converts the materials of a pbrt scene.
class PbrtMaterials {
 public:
  PbrtMaterials(PbrtContext& context, PbrtTextures& textures)
      : context_(context), textures_(textures) {}

  /// Adds a named material.
  void define(const PbrtObject& material);

  /// The material of this name, or one that is looked up when it is used.
  std::shared_ptr<const PbrtObject> named(const std::string& name, const PbrtPlace& place) const;

  /// Index of the material of a shape; nothing if light passes through the shape unchanged.
  std::optional<uint32_t> of_shape(const PbrtSurface& surface);

  /// True for a material that depends on texture coordinates.
  bool has_textures(uint32_t material) const;

 private:
  struct Key {
    std::shared_ptr<const PbrtObject> material;
    std::tuple<float, float, float, uint32_t, bool> emission;
    std::tuple<float, uint32_t> alpha;
    uint32_t inside, outside;
    std::tuple<bool, float, float> uvs;
    auto operator<=>(const Key&) const = default;
  };

  /// The material without what shapes add; nothing for an interface.
  std::optional<Material> base(const std::shared_ptr<const PbrtObject>& material, int depth);
  std::optional<Material> read(const PbrtObject& material, int depth);
  std::optional<Material> read_mix(const PbrtObject& mix, int depth);
  /// A surface, of which parts are missing.
  std::optional<Material> read_cutout(const PbrtObject& mix, const std::optional<Material>& a,
                                      const std::optional<Material>& b, const PbrtTextured& amount);
  void add_normal_map(const PbrtObject& material, Material& to);
  /// Adds the normals of heights.
  /// @param uv_size  as in PbrtUvLayout
  void add_bumps(const PbrtObject& material, glm::vec2 uv_size, Material& to);
  /// Two diffuse surfaces, textured or not.
  std::optional<Material> mix_diffuse(const Material& a, const Material& b,
                                      const PbrtTextured& amount);
  std::optional<Material> complete(const PbrtSurface& surface);

  PbrtContext& context_;
  PbrtTextures& textures_;
  std::map<std::string, std::shared_ptr<const PbrtObject>> named_;
  std::map<std::shared_ptr<const PbrtObject>, std::optional<Material>> bases_;
  std::map<Key, std::optional<uint32_t>> known_;
  /// The normals of heights, by the ratio of their sides on the surface.
  std::map<std::pair<uint32_t, float>, uint32_t> bumps_;
};

}  // namespace winnow
