#pragma once

#include "shading/light/full_light_table.h"
#include "shading/texture/texture_table.h"
#include "tests/shading/light/support/lit_scene.h"

namespace winnow {

/// Lights of a FullScene, with the arrays they look at.
class FullyLitScene {
 public:
  explicit FullyLitScene(const HostScene& scene, LightChoice by = LightChoice::kPower)
      : scene_(scene),
        textures_(build_texture_table(scene)),
        table_(build_full_light_table(scene, textures_.textures, by)) {
    lights = make_full_lights(scene_, table_, []<class T>(const std::vector<T>& items) {
      return simt::Span<const T>(items.data(), items.size());
    });
  }
  FullyLitScene(const FullyLitScene&) = delete;

  /// What comes from afar in direction w, and the densities of it, all lights together.
  EnvironmentLookup look_far(glm::vec3 w) const {
    EnvironmentLookup sum = look_up_sky(lights, scene_.sky, w);
    for (uint32_t i = 0; i < lights.disk_count; ++i) {
      if (!is_in_disk(lights.distant[i], w)) continue;
      sum.radiance += lights.distant[i].radiance;
      sum.pdf += disk_pdf(lights, lights.distant[i]);
    }
    return sum;
  }

  const FullLightTable& table() const { return table_; }
  FullLights lights;

 private:
  HostScene scene_;
  TextureTable textures_;
  FullLightTable table_;
};

/// A map of `height` rows and twice as many columns.
/// @param radiance  (glm::vec3 w) -> glm::vec3, at the centers of texels
template <class Radiance>
EnvironmentMap environment_of(uint32_t height, const Radiance& radiance) {
  EnvironmentMap map;
  map.image = {2 * height, height, {}};
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < 2 * height; ++x) {
      const float theta = kPi * (float(y) + 0.5f) / float(height);
      const float phi = kPi * (float(x) + 0.5f) / float(height);
      map.image.pixels.push_back(radiance(glm::vec3(
          std::sin(theta) * std::sin(phi), std::cos(theta), -std::sin(theta) * std::cos(phi))));
    }
  return map;
}

}  // namespace winnow
