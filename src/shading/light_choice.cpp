#include "shading/light_choice.h"

#include "scene/host_scene.h"

namespace winnow {

bool needs_full_lights(const HostScene& scene, LightChoice by) {
  if (by == LightChoice::kPower) return false;
  auto emits = [&](uint32_t material) {
    return scene.materials[material].emission != glm::vec3(0.0f);
  };
  size_t lights = 0;
  for (uint32_t material : scene.triangle_materials) lights += emits(material);
  for (const Sphere& sphere : scene.spheres) lights += emits(sphere.material);
  if (by == LightChoice::kUniform) return lights > 1;
  return uses_light_tree(lights, by);
}

}  // namespace winnow
