// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "load/pbrt/context.h"
#include "load/textures/texture_library.h"

namespace winnow {

/// A colour, or a texture of colours. A number is grey.
struct PbrtTextured {
  glm::vec3 factor{1.0f};         ///< factor of the texture, or the colour itself
  uint32_t texture = kNoTexture;  ///< index in HostScene::textures
};

/// The named textures of a pbrt scene. A texture is converted at its first use. Types that Winnow
/// lacks become their mean, with a warning.
class PbrtTextures {
 public:
  explicit PbrtTextures(PbrtContext& context) : context_(context), library_(context.scene) {}

  /// Adds the texture of a statement, which may replace an earlier one of the same name.
  void define(const PbrtStatement& statement, const PbrtState& state);

  /// Reads a parameter that is a colour or a texture of colours.
  PbrtTextured color(const PbrtObject& object, std::string_view name, glm::vec3 fallback);

  /// Reads a parameter that is a number or a texture of numbers.
  PbrtTextured number(const PbrtObject& object, std::string_view name, float fallback);

  /// Returns a texture whose colours times its factor are clamped to 1.
  PbrtTextured limited(const PbrtTextured& texture);

  /// Returns the mean of a value.
  glm::vec3 mean(const PbrtTextured& value) const;

  TextureLibrary& library() { return library_; }

 private:
  struct Definition {
    PbrtObject object;
    bool is_float = false;
    int depth = 0;  ///< depth of nested textures
    /// Textures that its parameters name, by parameter.
    std::map<std::string, std::shared_ptr<Definition>, std::less<>> inner;
    std::optional<PbrtTextured> converted;
  };
  using Definitions = std::map<std::string, std::shared_ptr<Definition>>;

  std::shared_ptr<Definition> find(const PbrtParameter& parameter, bool is_float) const;
  const PbrtTextured& convert(Definition& texture);
  PbrtTextured read(const Definition& texture);
  PbrtTextured read_image(const Definition& texture);
  PbrtTextured read_checkerboard(const Definition& texture);
  PbrtTextured read_scale(const Definition& texture);
  PbrtTextured read_mix(const Definition& texture);
  PbrtTextured mean_of_others(const Definition& texture);
  TextureDescription read_mapping(const Definition& texture);
  PbrtTextured value(const Definition& texture, std::string_view name, float fallback);
  PbrtTextured named(const PbrtParameter& parameter, bool is_float, glm::vec3 fallback);

  PbrtContext& context_;
  TextureLibrary library_;
  Definitions colors_, numbers_;
  std::map<std::tuple<uint32_t, float, float, float>, PbrtTextured> limited_;
};

}  // namespace winnow
