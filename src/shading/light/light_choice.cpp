#include "shading/light/light_choice.h"

#include "scene/host_scene.h"

namespace winnow {

bool needs_full_lights(const HostScene& scene, LightChoice by) {
  if (by == LightChoice::kPower) return false;
  size_t lights = 0;
  for (uint32_t material : scene.triangle_materials) lights += emits(scene.materials[material]);
  for (const Sphere& sphere : scene.spheres) lights += emits(scene.materials[sphere.material]);
  if (by == LightChoice::kUniform) return lights > 1;
  return uses_light_tree(lights, by);
}

}  // namespace winnow
