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
#include "load/textures/derived_textures.h"
#include "scene/vertex_attributes.h"

namespace winnow {

/// Media of a pbrt scene by name. Media that Winnow lacks have the index kNoMedium.
class PbrtMedia {
 public:
  explicit PbrtMedia(PbrtContext& context) : context_(context) {}

  /// Adds a medium. One that is not homogeneous is left out, with a warning.
  void define(const PbrtObject& medium);

  /// Returns the index of a medium; kNoMedium for an empty name and, with a warning, an unknown
  /// one.
  uint32_t find(const std::string& name, const PbrtPlace& place);

 private:
  PbrtContext& context_;
  std::map<std::string, uint32_t> known_;
};

/// Light that the shapes of an AreaLightSource emit.
struct PbrtEmission {
  glm::vec3 radiance{0.0f};       ///< W sr^-1 m^-2, or the factor of the texture
  uint32_t texture = kNoTexture;  ///< index in HostScene::textures
  bool is_two_sided = false;
};

/// True for a material with a normal, bump or displacement map.
bool has_pbrt_bumps(const PbrtObject& material);

/// Material of a shape, with the properties of the shape that affect it.
struct PbrtSurface {
  std::shared_ptr<const PbrtObject> material;  ///< null for the default
  PbrtEmission emission;
  PbrtTextured alpha;
  uint32_t inside = kNoMedium, outside = kNoMedium;
  UvLayout uvs;
};

/// Converts the materials of a pbrt scene.
class PbrtMaterials {
 public:
  PbrtMaterials(PbrtContext& context, PbrtTextures& textures)
      : context_(context), textures_(textures) {}

  /// Adds a named material.
  void define(const PbrtObject& material);

  /// Returns the material of this name, or one that is looked up when it is used.
  std::shared_ptr<const PbrtObject> named(const std::string& name, const PbrtPlace& place) const;

  /// Returns the index of the material of a shape; nothing if light passes through the shape
  /// unchanged.
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

  /// Converts a material without the properties of a shape; nothing for an interface.
  std::optional<Material> base(const std::shared_ptr<const PbrtObject>& material, int depth);
  std::optional<Material> read(const PbrtObject& material, int depth);
  std::optional<Material> read_mix(const PbrtObject& mix, int depth);
  /// Converts a mix with a missing surface to a surface with cutouts.
  std::optional<Material> read_cutout(const PbrtObject& mix, const std::optional<Material>& a,
                                      const std::optional<Material>& b, const PbrtTextured& amount);
  void add_normal_map(const PbrtObject& material, Material& to);
  /// Adds a normal map for heights.
  /// @param uv_size  UvLayout::size of the shape
  void add_bumps(const PbrtObject& material, glm::vec2 uv_size, Material& to);
  /// Mixes two diffuse surfaces, textured or not.
  std::optional<Material> mix_diffuse(const Material& a, const Material& b,
                                      const PbrtTextured& amount);
  std::optional<Material> complete(const PbrtSurface& surface);

  PbrtContext& context_;
  PbrtTextures& textures_;
  std::map<std::string, std::shared_ptr<const PbrtObject>> named_;
  std::map<std::shared_ptr<const PbrtObject>, std::optional<Material>> bases_;
  std::map<Key, std::optional<uint32_t>> known_;
  BumpMaps bumps_{textures_.library()};
};

}  // namespace winnow
