// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "load/textures/image_files.h"
#include "scene/host_scene.h"
#include "scene/material.h"

namespace winnow {

/// A colour, or a texture of colours. A number is grey.
struct Textured {
  glm::vec3 factor{1.0f};         ///< factor of the texture, or the colour itself
  uint32_t texture = kNoTexture;  ///< index in HostScene::textures
};

/// A texture of a material.
struct TextureSlot {
  const char* key;  ///< key in "textures" of a material of a Winnow scene
  uint32_t MaterialTextures::*texture;
  TexelMeaning meaning;
};
/// Returns the textures of a material in the order of TextureUse.
const std::array<TextureSlot, 13>& texture_slots();

/// Adds textures to a scene. Each file is read once. A missing or broken file gives one warning and
/// no texture.
class TextureLibrary {
 public:
  /// Image, wraps, filter and transform of a texture.
  using TextureBits = std::array<uint32_t, 10>;

  /// @param rules  rules of the format that the scene is read from
  explicit TextureLibrary(HostScene& scene, ImageRules rules = ImageRules::kPlain)
      : scene_(scene), rules_(rules) {}

  /// Adds the texture of an image file.
  /// @param description  mapping; its image is ignored
  /// @return             index of the texture, or kNoTexture
  uint32_t add_file(const std::filesystem::path& file, TexelMeaning meaning,
                    TextureDescription description);

  uint32_t add_image(TextureImage image, TextureDescription description);

  /// Adds a texture of two by two squares with sharp edges; `a` is at the upper left.
  uint32_t add_checkerboard(glm::vec3 a, glm::vec3 b, TextureDescription description,
                            TexelMeaning meaning = TexelMeaning::kColor);

  /// Adds a texture of an image that is already in the scene.
  uint32_t add(const TextureDescription& description);

  /// Adds a texture with `change` applied to the linear texels of another one, which are numbers,
  /// not colours.
  /// @param use  name of `change`: each change of an image is made once
  uint32_t add_changed(uint32_t texture, const std::string& use,
                       glm::vec4 (*change)(glm::vec4 texel));

  /// Adds a copy of a texture with 1 - green: its normals point the other way along v.
  uint32_t add_with_green_inverted(uint32_t texture);

  /// Adds a copy of a texture of normals whose bumps are turned with its image.
  uint32_t add_turned_normals(uint32_t texture);

  /// Adds a texture whose coverage is the luminance of another one.
  uint32_t add_luminance_as_coverage(uint32_t texture);

  /// Adds a texture of normals for a texture of heights; see normals_from_heights().
  uint32_t add_normals_from_heights(const TextureDescription& heights, float height);

  /// Returns the index of the image of a file, or kNoTexture.
  uint32_t image_of(const std::filesystem::path& file, TexelMeaning meaning);
  const TextureImage& image(uint32_t index) const { return scene_.images[index]; }
  const TextureDescription& description(uint32_t texture) const { return scene_.textures[texture]; }
  glm::vec3 mean(const Textured& value) const;

  /// Adds an image without a texture and returns its index.
  uint32_t keep(TextureImage image) {
    scene_.images.push_back(std::move(image));
    return uint32_t(scene_.images.size() - 1);
  }

 private:
  /// Adds a texture with `change` applied to the image of another one.
  template <class Change>
  uint32_t add_derived(const TextureDescription& from, const std::string& use, Change change);

  HostScene& scene_;
  ImageRules rules_;
  std::map<std::pair<std::filesystem::path, TexelMeaning>, uint32_t> images_;
  std::set<std::string> reported_;  ///< warnings: a file may be read for several uses
  std::map<std::pair<uint32_t, std::string>, uint32_t> changed_;  ///< by image and use
  std::map<TextureBits, uint32_t> known_;          ///< indices of the textures of the scene
  std::map<std::string, uint32_t> checkerboards_;  ///< indices of images, by their texels
};

/// Meaning of a roughness value: the square root of the microfacets' alpha, or alpha itself.
enum class RoughnessUnit { kRoughness, kAlpha };

/// Returns a texture whose green and blue are roughness and metallic, from the luminances of two
/// textures. If their mappings differ, it has that of the first.
///
/// @param roughness, metallic  indices of textures; one may be kNoTexture, for 1 everywhere
uint32_t pack_roughness_metallic(uint32_t roughness, uint32_t metallic, RoughnessUnit unit,
                                 TextureLibrary& textures);

/// Function from the texels of several textures to a texel.
using CombineColors = std::function<glm::vec3(std::span<const glm::vec3>)>;

/// Returns a texture whose texels are `combine` of the texels of `values` at the same places. It is
/// as wide and as high as the largest of their images.
///
/// @param values  textures, or colours that are the same everywhere
/// @return        nothing if there is no texture, or they have different mappings or are too large
std::optional<Textured> combine_textures(std::span<const Textured> values,
                                         const CombineColors& combine, TextureLibrary& library);

/// Multiplies the coverage of a material, which may have a texture already.
/// @return  false if both are textures that lie differently: `coverage` then counts by its mean
bool multiply_coverage(const Textured& coverage, Material& material, TextureLibrary& library);

/// Limits the texels of textures so that materials get values that scene files may state: each
/// factor times its texels is in [0, 1], or in [0, 1e9] for emission. Textures of normals may have
/// any values. Factors of `reflectance` above 1 become part of the texels. Adds one warning for
/// each image and use that changes.
void limit_texels(HostScene& scene);

/// Normal maps that replace bump maps. Similar surfaces share them: there is one for each height
/// map and rounded ratio of its sides on the surface.
class BumpMaps {
 public:
  explicit BumpMaps(TextureLibrary& textures) : textures_(textures) {}

  /// Sets the normal map of `material` for a surface displaced by the luminance of a texture:
  /// (-dh/du, -dh/dv, 1), not of unit length, as red, green (against v) and blue around 0.5. The
  /// derivatives are those of heights between four texels, which jump where texels of heights have
  /// their centres; small images have several texels of normals in each of these parts. Those of
  /// large images are central differences.
  ///
  /// @param height   height of luminance 1, m
  /// @param uv_size  UvLayout::size of the surface, above 0
  void add(uint32_t heights, float height, glm::vec2 uv_size, Material& material);

 private:
  TextureLibrary& textures_;
  std::map<std::pair<uint32_t, float>, uint32_t> normals_;  ///< by height map and ratio
};

}  // namespace winnow
