// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <utility>

#include "base/limits.h"
#include "load/gltf/convert.h"
#include "load/gltf/textures.h"
#include "load/gltf/values.h"
#include "load/textures/texels.h"
#include "math/constants.h"

namespace winnow {
namespace {

constexpr size_t kCubeFaces = 6;

/// The faces of a cube: +x, -x, +y, -y, +z, -z. Each is square, and all have the same size.
using CubeMap = std::array<Image, kCubeFaces>;

/// Returns a face as radiance. The colours of an image of 8 bits are sRGB, and divided by alpha:
/// its format is RGBD.
Image radiance_of(const TextureImage& texture) {
  constexpr float kLeastAlpha = 1.0f / 255.0f;
  Image face{texture.width, texture.height, {}};
  for (size_t i = 0; i < texel_count(texture); ++i) {
    const glm::vec4 texel = linear_texel(texture, i);
    const float divisor =
        texture.format == TexelFormat::kFloat ? 1.0f : std::max(texel.a, kLeastAlpha);
    face.pixels.push_back(glm::clamp(glm::vec3(texel) / divisor, 0.0f, float(kMaxSceneValue)));
  }
  return face;
}

CubeMap read_cube_map(GltfDocument& document, const JsonReader& references) {
  if (references.size() != kCubeFaces)
    references.fail("expected {} images, found {}", kCubeFaces, references.size());
  CubeMap faces;
  for (size_t i = 0; i < kCubeFaces; ++i) {
    std::vector<std::string> warnings;
    faces[i] =
        radiance_of(read_gltf_image(document.image(references[i]), TexelMeaning::kColor, warnings));
    for (const std::string& warning : warnings) document.warn(references[i].pointer(), warning);
    if (faces[i].width != faces[i].height || faces[i].width != faces[0].width)
      references[i].fail("expected square images of one size, found {}x{}", faces[i].width,
                         faces[i].height);
  }
  return faces;
}

/// Interpolates the texels of a face at (u, v) in [0, 1].
glm::vec3 look_up_face(const Image& face, glm::vec2 uv) {
  const uint32_t last = face.width - 1;
  const glm::vec2 at = glm::clamp(uv * float(face.width) - 0.5f, 0.0f, float(last));
  const glm::vec2 low = glm::floor(at), part = at - low;
  auto texel = [&](uint32_t x, uint32_t y) {
    return face.pixels[size_t{std::min(uint32_t(low.y) + y, last)} * face.width +
                       std::min(uint32_t(low.x) + x, last)];
  };
  return glm::mix(glm::mix(texel(0, 0), texel(1, 0), part.x),
                  glm::mix(texel(0, 1), texel(1, 1), part.x), part.y);
}

/// Returns the radiance from direction `w`. The faces are those of OpenGL's cube maps, mirrored
/// about their vertical axes, so they are seen unmirrored from inside.
glm::vec3 look_up_cube(const CubeMap& faces, glm::vec3 w) {
  const glm::vec3 size = glm::abs(w);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const bool is_negative = w[axis] < 0.0f;
  const float sign = is_negative ? -1.0f : 1.0f;
  glm::vec2 across;  // to the right and down, seen from inside
  if (axis == 0)
    across = {sign * w.z, -w.y};
  else if (axis == 1)
    across = {-w.x, sign * w.z};
  else
    across = {-sign * w.x, -w.y};
  return look_up_face(faces[size_t(2 * axis + is_negative)], 0.5f + 0.5f * across / size[axis]);
}

/// Converts a cube map to an equirectangular image with about as many texels per solid angle.
Image to_equirectangular(const CubeMap& faces) {
  constexpr uint32_t kMinHeight = 128, kMaxHeight = 4096;
  constexpr int kSamples = 2;  // along each side of a pixel: faces have more texels at corners
  const uint32_t height = std::clamp(2 * faces[0].width, kMinHeight, kMaxHeight);
  const float step = kPi / float(height);
  Image map{2 * height, height, {}};
  map.pixels.reserve(size_t{map.width} * height);
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < map.width; ++x) {
      glm::vec3 sum(0.0f);
      for (int i = 0; i < kSamples * kSamples; ++i) {
        auto angle = [&](uint32_t pixel, int sample) {
          return step * (float(pixel) + (float(sample) + 0.5f) / float(kSamples));
        };
        const float theta = angle(y, i / kSamples), phi = angle(x, i % kSamples);
        sum += look_up_cube(faces, {std::sin(theta) * std::sin(phi), std::cos(theta),
                                    -std::sin(theta) * std::cos(phi)});
      }
      map.pixels.push_back(sum / float(kSamples * kSamples));
    }
  return map;
}

}  // namespace

bool add_gltf_environment(GltfDocument& document, HostScene& scene) {
  constexpr const char* kName = "EXT_lights_image_based";
  const size_t count = document.count("scenes");
  if (count == 0) return false;
  const auto chosen = size_t(std::max(integer_of(document.root(), "scene", 0), 0));
  const JsonReader shown = document.item("scenes", uint32_t(chosen < count ? chosen : 0));
  const std::optional<JsonReader> use = find_extension(shown, kName);
  if (!use) return false;
  return document.attempt("the light of the surroundings is left out", [&] {
    const auto lights = find_member(find_extension(document.root(), kName), "lights");
    const uint32_t index = check_gltf_index(use->at("light"), lights ? lights->size() : 0);
    const JsonReader light = (*lights)[index];
    const JsonReader levels = light.at("specularImages");
    if (levels.size() == 0) levels.fail("expected the six images of a cube map");
    EnvironmentMap environment{.image = to_equirectangular(read_cube_map(document, levels[0]))};
    environment.scale = number_in(light, "intensity", 1.0, 0.0, kMaxSceneValue);
    const std::vector<double> q = numbers_of(light, "rotation");
    constexpr size_t kComponents = 4;
    if (const glm::dquat rotation =
            q.size() == kComponents ? glm::dquat(q[3], q[0], q[1], q[2]) : glm::dquat(1, 0, 0, 0);
        glm::length(rotation) > 0.0)
      environment.to_world = glm::mat3_cast(glm::normalize(rotation));
    scene.environment = std::move(environment);
  });
}

}  // namespace winnow
