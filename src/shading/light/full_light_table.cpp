#include "shading/light/full_light_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <numeric>

#include "scene/scene_bounds.h"
#include "shading/light/build_light_tree.h"
#include "shading/light/mean_emission.h"

namespace winnow {
namespace {

/// Of the samples, what each kind of light (with a place, distant, sky) gets for being there at
/// all; its power decides about the rest. Power knows nothing of walls and of how far away a light
/// is: it would starve the lamps of a house under the sun, and the window of a room of lamps.
constexpr double kEqualShare = 0.5;

/// Lights with a place, and how strong they are.
class LocalLights {
 public:
  LocalLights(const HostScene& scene, const std::vector<Texture>& textures, FullLightTable& table)
      : scene_(scene), textures_(textures), table_(table) {
    table.light_of.assign(scene.triangles.size() + scene.spheres.size(), FullLights::kNoLight);
    for (uint32_t i = 0; i < scene.triangles.size(); ++i) add_triangle(i);
    for (uint32_t i = 0; i < scene.spheres.size(); ++i) add_sphere(i);
    for (const DeltaLight& light : scene.delta_lights) add_delta_light(light);
  }

  const std::vector<float>& powers() const { return powers_; }        ///< [local], W
  const std::vector<LightBounds>& bounds() const { return bounds_; }  ///< [local]

 private:
  /// @return  whether it sends out anything
  bool add(const LocalLight& light, double power, const LightBounds& bounds) {
    const auto watts = float(power);
    if (!(watts > 0.0f && watts <= kMaxFloat)) return false;
    table_.local.push_back(light);
    powers_.push_back(watts);
    bounds_.push_back(bounds);
    return true;
  }

  void add_primitive(const LocalLight& light, double power, const LightBounds& bounds) {
    if (add(light, power, bounds))
      table_.light_of[light.primitive] = uint32_t(table_.local.size() - 1);
  }

  void add_triangle(uint32_t triangle) {
    const Material& material = scene_.materials[scene_.triangle_materials[triangle]];
    if (!emits(material)) return;
    const glm::uvec3 v = scene_.triangles[triangle];
    const glm::vec3 p = scene_.positions[v.x];
    const glm::vec3 edge1 = scene_.positions[v.y] - p, edge2 = scene_.positions[v.z] - p;
    const glm::dvec3 cross = glm::cross(glm::dvec3(edge1), glm::dvec3(edge2));
    const double twice_area = glm::length(cross);
    if (!(twice_area > 0.0)) return;
    const glm::vec3 mean = mean_emission(scene_, textures_, triangle);
    const glm::vec3 n(cross / twice_area);
    Bounds box;
    for (glm::vec3 corner : {p, p + edge1, p + edge2}) box.extend(corner);
    add_primitive({.kind = LocalLightKind::kTriangle,
                   .emission = material.emission,
                   .p = p,
                   .edge1 = edge1,
                   .edge2 = edge2,
                   .n = n,
                   .primitive = triangle,
                   .textured = emits_unevenly(material)},
                  0.5 * twice_area * triangle_radiosity(mean),
                  {.box = box,
                   .axis = n,
                   .spread = 0.0f,
                   .emission = 0.5f * kPi,
                   .intensity = float(0.5 * twice_area * luminance(mean)),
                   .two_sided = true});
  }

  void add_sphere(uint32_t number) {
    const Sphere& sphere = scene_.spheres[number];
    const Material& material = scene_.materials[sphere.material];
    const double r2 = double(sphere.radius) * sphere.radius;
    Bounds box;
    box.extend(sphere.center - sphere.radius);
    box.extend(sphere.center + sphere.radius);
    add_primitive({.kind = LocalLightKind::kSphere,
                   .emission = material.emission,
                   .p = sphere.center,
                   .radius = sphere.radius,
                   .primitive = uint32_t(scene_.triangles.size()) + number,
                   .textured = emits_unevenly(material)},
                  4.0 * kPi * r2 * sphere_radiosity(material.emission),
                  {.box = box, .intensity = float(kPi * r2 * luminance(material.emission))});
  }

  void add_delta_light(const DeltaLight& light) {
    if (light.type == DeltaLightType::kDirectional) return;
    Bounds box;
    box.extend(light.position);
    const float intensity = luminance(light.intensity);
    if (light.type == DeltaLightType::kPoint) {
      add({.kind = LocalLightKind::kPoint, .emission = light.intensity, .p = light.position},
          4.0 * kPi * intensity, {.box = box, .intensity = intensity});
      return;
    }
    const float cone = glm::radians(light.cone_angle), falloff = glm::radians(light.falloff_start);
    const float spread = std::max(falloff, cone - 0.5f * kPi);
    // The integral of the falloff over the sphere, by parts.
    const double fading =
        cone > falloff ? (std::sin(double(cone)) - std::sin(double(falloff))) / (cone - falloff)
                       : std::cos(double(cone));
    add({.kind = LocalLightKind::kSpot,
         .emission = light.intensity,
         .p = light.position,
         .n = light.direction,
         .cone = cone,
         .falloff = falloff},
        kTwoPi * intensity * (1.0 - fading),
        {.box = box,
         .axis = light.direction,
         .spread = spread,
         .emission = cone - spread,
         .intensity = intensity});
  }

  const HostScene& scene_;
  const std::vector<Texture>& textures_;
  FullLightTable& table_;
  std::vector<float> powers_;
  std::vector<LightBounds> bounds_;
};

/// Irradiance of what faces a distant light, W m^-2 of luminance.
double add_distant_lights(const HostScene& scene, FullLightTable& table) {
  std::vector<float> strengths;
  auto add = [&](const DeltaLight& light) {
    DistantLight distant{.to_light = -light.direction, .radiance = light.intensity};
    if (light.disk_angle > 0.0f) {
      const double half = 0.5 * glm::radians(double(light.disk_angle));
      const double sine = std::sin(half), small = std::sin(0.5 * half);
      distant.one_minus_cos = float(2.0 * small * small);
      distant.radiance = light.intensity / float(kPi * sine * sine);
    }
    const float strength = luminance(light.intensity);
    if (!(strength > 0.0f)) return;
    table.distant.push_back(distant);
    strengths.push_back(strength);
  };
  for (bool disks : {true, false}) {
    for (const DeltaLight& light : scene.delta_lights)
      if (light.type == DeltaLightType::kDirectional && (light.disk_angle > 0.0f) == disks)
        add(light);
    if (disks) table.disk_count = uint32_t(table.distant.size());
  }
  const double sum = std::accumulate(strengths.begin(), strengths.end(), 0.0);
  for (size_t i = 0; i < strengths.size(); ++i) table.distant[i].pmf = float(strengths[i] / sum);
  table.distant_table = build_alias_table(strengths);
  return sum;
}

/// What crosses a square metre, W of luminance, from all of the sky.
double sky_strength(const HostScene& scene, const FullLightTable& table) {
  if (!table.environment.cells.empty()) return scene.environment.scale * table.environment.total;
  return 2.0 * kPi * (upper_sky_luminance(scene.sky) + luminance(scene.sky.ground));
}

/// Half the size of the scene, squared, times pi: the disk through which distant light comes, m^2.
double scene_disk(const HostScene& scene) {
  const glm::dvec3 size(scene_bounds(scene).size());
  const double area = 0.25 * kPi * glm::dot(size, size);
  return area > 0.0 && std::isfinite(area) ? area : 1.0;
}

/// Sets the chances of the three kinds of light.
void share_out(const std::array<double, 3>& powers, bool uniformly, FullLightTable& table) {
  double sum = 0.0;
  int kinds = 0;
  for (double power : powers) {
    sum += power;
    kinds += power > 0.0;
  }
  if (kinds == 0) return;
  auto chance = [&](double power) {
    if (!(power > 0.0)) return 0.0;
    const double equal = 1.0 / kinds;
    return uniformly ? equal : kEqualShare * equal + (1.0 - kEqualShare) * power / sum;
  };
  table.local_chance = float(chance(powers[0]));
  table.sky_chance = float(chance(powers[1]));
  table.distant_chance = float(chance(powers[2]));
}

}  // namespace

FullLightTable build_full_light_table(const HostScene& scene, const std::vector<Texture>& textures,
                                      LightChoice by) {
  FullLightTable table;
  const LocalLights local(scene, textures, table);
  const std::vector<float>& powers = local.powers();
  const double power = std::accumulate(powers.begin(), powers.end(), 0.0);
  const bool uniformly = by == LightChoice::kUniform;
  if (uses_light_tree(table.local.size(), by)) {
    table.tree = build_light_tree(local.bounds(), table.local);
  } else {
    for (size_t i = 0; i < powers.size(); ++i)
      table.local[i].pmf = float(uniformly ? 1.0 / double(powers.size()) : powers[i] / power);
    table.local_table =
        build_alias_table(uniformly ? std::vector<float>(powers.size(), 1.0f) : powers);
  }

  table.environment = build_environment_table(scene.environment);
  const double irradiance = add_distant_lights(scene, table), disk = scene_disk(scene);
  share_out({power, disk * sky_strength(scene, table), disk * irradiance}, uniformly, table);
  return table;
}

}  // namespace winnow
