#include "shading/light/light_table.h"

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <numeric>

namespace winnow {

LightTable build_light_table(const HostScene& scene) {
  LightTable lights;
  std::vector<float> powers;  // [shape], W
  auto add = [&](const EmissiveShape& shape, double power) {
    auto watts = float(power);
    if (!(watts > 0.0f && watts <= kMaxFloat)) return;
    lights.shapes.push_back(shape);
    powers.push_back(watts);
  };

  for (size_t triangle = 0; triangle < scene.triangles.size(); ++triangle) {
    const Material& material = scene.materials[scene.triangle_materials[triangle]];
    if (!emits(material)) continue;
    glm::uvec3 v = scene.triangles[triangle];
    glm::vec3 p = scene.positions[v.x];
    glm::vec3 edge1 = scene.positions[v.y] - p, edge2 = scene.positions[v.z] - p;

    // In double: the normal of a sliver must not come from rounding.
    glm::dvec3 cross = glm::cross(glm::dvec3(edge1), glm::dvec3(edge2));
    double length = glm::length(cross);
    if (!(length > 0.0)) continue;
    add({.kind = EmissiveKind::kTriangle,
         .emission = material.emission,
         .p = p,
         .edge1 = edge1,
         .edge2 = edge2,
         .n = glm::vec3(cross / length)},
        0.5 * length * triangle_radiosity(material.emission));
  }

  for (const Sphere& sphere : scene.spheres) {
    const Material& material = scene.materials[sphere.material];
    double area = 4.0 * kPi * double(sphere.radius) * sphere.radius;
    add({.kind = EmissiveKind::kSphere,
         .emission = material.emission,
         .p = sphere.center,
         .radius = sphere.radius},
        area * sphere_radiosity(material.emission));
  }

  lights.table = build_alias_table(powers);
  lights.total_power = float(std::accumulate(powers.begin(), powers.end(), 0.0));
  if (!lights.shapes.empty()) lights.shape_probability = is_black(scene.sky) ? 1.0f : 0.5f;
  return lights;
}

}  // namespace winnow
