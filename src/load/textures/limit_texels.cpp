// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <compare>
#include <glm/common.hpp>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/limits.h"
#include "load/textures/texels.h"
#include "load/textures/texture_library.h"
#include "math/constants.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

/// Largest texel of each channel; infinite for channels that are not used or may have any value.
using TexelLimits = std::array<float, 4>;

constexpr TexelLimits kAnyTexel = {kInfinity, kInfinity, kInfinity, kInfinity};

/// A change of an image: its texels are multiplied by a factor and then limited.
struct TexelChange {
  std::array<float, 3> factor{1.0f, 1.0f, 1.0f};
  TexelLimits limits = kAnyTexel;
  auto operator<=>(const TexelChange&) const = default;
};

/// Returns the largest texel whose product with `factor` is at most `largest`.
float largest_texel(float factor, float largest) {
  return factor > 0.0f ? largest / factor : kInfinity;
}

TexelLimits color_limits(glm::vec3 factor, float largest) {
  return {largest_texel(factor.r, largest), largest_texel(factor.g, largest),
          largest_texel(factor.b, largest), kInfinity};
}

TexelLimits limits_of(const Material& material, TextureUse use) {
  auto limit = [](float factor) { return largest_texel(factor, 1.0f); };
  constexpr float kNone = kInfinity;
  switch (use) {
    case TextureUse::kReflectance:
      return color_limits(material.reflectance, 1.0f);
    case TextureUse::kEmission:
      return color_limits(material.emission, float(kMaxSceneValue));
    case TextureUse::kSpecular:  // the factor may be above 1
      return color_limits(glm::min(material.specular, 1.0f), 1.0f);
    case TextureUse::kRoughnessMetallic:
      return {kNone, limit(material.roughness), limit(material.metallic), kNone};
    case TextureUse::kAlpha:
      return {kNone, kNone, kNone, limit(material.alpha)};
    case TextureUse::kTransmission:
      return {limit(material.transmission), kNone, kNone, kNone};
    case TextureUse::kCoat:
      return {limit(material.coat), limit(material.coat_roughness), kNone, kNone};
    case TextureUse::kSheen: {
      TexelLimits limits = color_limits(material.sheen, 1.0f);
      limits[3] = limit(material.sheen_roughness);
      return limits;
    }
    case TextureUse::kAnisotropy:
      return {1.0f, 1.0f, limit(std::abs(material.anisotropy)), kNone};
    case TextureUse::kIridescence:
      return {limit(material.iridescence), 1.0f, kNone, kNone};
    case TextureUse::kSpecularTint:  // the factors may be above 1
      return {1.0f, 1.0f, 1.0f, 1.0f};
    case TextureUse::kDiffuseTransmission: {
      TexelLimits limits = color_limits(material.diffuse_transmission_color, 1.0f);
      limits[3] = limit(material.diffuse_transmission);
      return limits;
    }
    case TextureUse::kNormal:
      break;
  }
  return kAnyTexel;
}

/// Makes the textures of a scene obey the limits of the materials that use them.
class TexelLimiter {
 public:
  explicit TexelLimiter(HostScene& scene) : scene_(scene) {}

  void limit_all() {
    for (Material& material : scene_.materials)
      for (size_t i = 0; i < texture_slots().size(); ++i) {
        const auto use = TextureUse(i);
        uint32_t& texture = material.textures.*texture_slots()[i].texture;
        if (texture == kNoTexture) continue;
        TexelChange change;
        if (use == TextureUse::kReflectance) {
          const glm::vec3 above = glm::max(material.reflectance, 1.0f);
          change.factor = {above.r, above.g, above.b};
          material.reflectance /= above;
        }
        change.limits = limits_of(material, use);
        texture = changed(texture, change, use);
      }
  }

 private:
  /// Returns a texture that obeys the limits: the same one if it does already.
  uint32_t changed(uint32_t texture, const TexelChange& change, TextureUse use) {
    const uint32_t image = changed_image(scene_.textures[texture].image, change, use);
    if (image == scene_.textures[texture].image) return texture;
    const auto [known, is_new] =
        textures_.try_emplace({texture, image}, uint32_t(scene_.textures.size()));
    if (is_new) {
      scene_.textures.push_back(scene_.textures[texture]);
      scene_.textures.back().image = image;
    }
    return known->second;
  }

  uint32_t changed_image(uint32_t image, const TexelChange& change, TextureUse use) {
    if (change.factor == TexelChange{}.factor && obeys(image, change.limits)) return image;
    const auto [known, is_new] = images_.try_emplace({image, change}, 0u);
    if (!is_new) return known->second;
    TextureImage changed{.name = scene_.images[image].name,
                         .width = scene_.images[image].width,
                         .height = scene_.images[image].height,
                         .format = TexelFormat::kFloat};
    size_t count = 0;
    fill_texels(changed, [&](uint32_t x, uint32_t y) {
      glm::vec4 texel = texel_at(scene_.images[image], x, y, changed);
      for (int i = 0; i < 3; ++i) texel[i] *= change.factor[size_t(i)];
      glm::vec4 limited = texel;
      bool is_outside = false;
      for (int i = 0; i < 4; ++i) {
        const float most = change.limits[size_t(i)];
        if (most == kInfinity) continue;
        constexpr float kRounding = 1e-4f;
        is_outside = is_outside || !(texel[i] >= -kRounding && texel[i] <= most * (1 + kRounding));
        limited[i] = texel[i] > 0.0f ? glm::min(texel[i], most) : 0.0f;  // 0 for NaN
      }
      count += size_t(is_outside);
      return limited;
    });
    if (count > 0)
      scene_.warnings.push_back(fmt::format(
          "{}: as {}, {} texel{} {}, and limited", one_line(changed.name, kMaxPathLength),
          texture_slots()[size_t(use)].key, count, count == 1 ? " is" : "s are",
          use == TextureUse::kEmission ? "negative or above 1e9" : "outside of [0, 1]"));
    scene_.images.push_back(std::move(changed));
    return known->second = uint32_t(scene_.images.size() - 1);
  }

  bool obeys(uint32_t image, const TexelLimits& limits) {
    const auto& [least, most] = range_of(image);
    for (int i = 0; i < 4; ++i)
      if (limits[size_t(i)] != kInfinity && !(least[i] >= 0.0f && most[i] <= limits[size_t(i)]))
        return false;
    return true;
  }

  /// Returns the least and the largest texel of an image, by channel.
  const std::pair<glm::vec4, glm::vec4>& range_of(uint32_t image) {
    const auto [known, is_new] =
        ranges_.try_emplace(image, std::pair(glm::vec4(0.0f), glm::vec4(1.0f)));
    auto& [least, most] = known->second;
    const TextureImage& texels = scene_.images[image];
    if (!is_new || texels.format != TexelFormat::kFloat) return known->second;
    least = most = linear_texel(texels, 0);
    for (size_t i = 1; i < texel_count(texels); ++i) {
      const glm::vec4 texel = linear_texel(texels, i);
      least = glm::min(least, texel);
      most = glm::max(most, texel);
    }
    return known->second;
  }

  HostScene& scene_;
  std::map<uint32_t, std::pair<glm::vec4, glm::vec4>> ranges_;   ///< by image
  std::map<std::pair<uint32_t, TexelChange>, uint32_t> images_;  ///< by image and change
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> textures_;   ///< by texture and image
};

}  // namespace

void limit_texels(HostScene& scene) {
  TexelLimiter(scene).limit_all();
}

}  // namespace winnow
