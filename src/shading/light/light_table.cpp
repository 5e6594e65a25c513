// SPDX-License-Identifier: MIT
#include "shading/light/light_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <numeric>
#include <utility>

#include "math/morton.h"
#include "scene/scene_bounds.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

/// Share of the samples that is divided equally among the kinds of light (local, distant, sky); the
/// rest is divided by power. Power ignores walls and distances: by itself it would give too few
/// samples to the lamps of a house in sunlight, and to the window of a room with lamps.
constexpr double kEqualShare = 0.75;

/// Share of the light of a map that must be above the mean, or of a sky without a map above its
/// darkest part, for leave_smooth_sky() to leave a part of it to samples.
constexpr double kMinPeaks = 0.05;

/// Returns whether emission varies over a surface, by a texture, by colours or by alpha cutouts.
bool has_textured_emission(const Material& material) {
  return material.textures.emission != kNoTexture || has_alpha_cutouts(material) ||
         has_colored_emission(material);
}

/// Returns the mean vertex colour of a triangle, or white if that does not multiply its emission.
glm::vec3 mean_emitted_color(const HostScene& scene, uint32_t triangle) {
  const Material& material = scene.materials[scene.triangle_materials[triangle]];
  if (!has_colored_emission(material) || scene.colors.empty()) return glm::vec3(1.0f);
  const glm::uvec3 corners = scene.triangles[triangle];
  return glm::vec3(scene.colors[corners.x] + scene.colors[corners.y] + scene.colors[corners.z]) /
         3.0f;
}

/// Returns the mean emission of a triangle without its vertex colours, in W sr^-1 m^-2, from
/// samples of its texture.
glm::vec3 mean_emission(const HostScene& scene, const std::vector<Texture>& textures,
                        uint32_t triangle) {
  const Material& material = scene.materials[scene.triangle_materials[triangle]];
  const uint32_t index = material.textures.emission;
  const std::vector<glm::vec2>& uvs =
      is_on_second_uvs(material.textures, TextureUse::kEmission) ? scene.second_uvs : scene.uvs;
  if (index == kNoTexture || uvs.empty()) return material.emission;
  const Texture& texture = textures[index];
  const glm::uvec3 corners = scene.triangles[triangle];
  const glm::vec2 uv = uvs[corners.x], a = uvs[corners.y] - uv, b = uvs[corners.z] - uv;

  // A grid of points, each with the mip level whose texels are as large as a cell of the grid.
  constexpr int kSide = 8;
  const float size = std::sqrt(0.5f * std::abs(a.x * b.y - a.y * b.x)) / float(kSide);
  glm::vec3 sum(0.0f);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const glm::vec2 weights = sample_uniform_triangle(
          {(float(x) + 0.5f) / float(kSide), (float(y) + 0.5f) / float(kSide)});
      sum += glm::vec3(sample_texture(texture, uv + weights.x * a + weights.y * b, size));
    }
  return material.emission * (sum / float(kSide * kSide));
}

/// Fills LightTable::local, and `light_of` if it has entries.
class LocalLights {
 public:
  LocalLights(const HostScene& scene, const std::vector<Texture>& textures, LightTable& table)
      : scene_(scene), textures_(textures), table_(table) {
    for (uint32_t i = 0; i < scene.triangles.size(); ++i) add_triangle(i);
    for (uint32_t i = 0; i < scene.spheres.size(); ++i) add_sphere(i);
    for (const DeltaLight& light : scene.delta_lights) add_delta_light(light);
    sort_in_space();
  }

  const std::vector<float>& powers() const { return powers_; }        ///< [light], W
  const std::vector<LightBounds>& bounds() const { return bounds_; }  ///< [light]

 private:
  /// Adds a light, unless its power is zero or not finite.
  void add(const Light& light, double power, const LightBounds& bounds) {
    const auto watts = float(power);
    if (!(watts > 0.0f && watts <= kMaxFloat)) return;
    table_.local.push_back(light);
    powers_.push_back(watts);
    bounds_.push_back(bounds);
  }

  /// Orders the lights along the Morton curve: samples that are evenly distributed over the list
  /// are also evenly distributed in space.
  void sort_in_space() {
    Bounds middles;
    for (const LightBounds& light : bounds_) middles.extend(middle(light.box));
    const glm::dvec3 first(middles.min), size = glm::dvec3(middles.max) - first;
    const double longest = std::max({size.x, size.y, size.z});
    constexpr double kLastCell = 0x1p21 - 1.0;  // along an axis of the curve
    const double scale = longest > 0.0 ? kLastCell / longest : 0.0;

    std::vector<std::pair<uint64_t, uint32_t>> order;  // place on the curve, light
    for (uint32_t i = 0; i < bounds_.size(); ++i) {
      const glm::dvec3 cell = scale * (glm::dvec3(middle(bounds_[i].box)) - first);
      order.emplace_back(morton_code(glm::uvec3(cell)), i);
    }
    std::sort(order.begin(), order.end());
    apply(order, table_.local);
    apply(order, powers_);
    apply(order, bounds_);
    if (table_.light_of.empty()) return;
    for (uint32_t i = 0; i < table_.local.size(); ++i)
      if (table_.local[i].kind < LightKind::kPoint) table_.light_of[table_.local[i].primitive] = i;
  }

  static glm::vec3 middle(const Bounds& box) { return 0.5f * box.min + 0.5f * box.max; }

  template <class T>
  static void apply(const std::vector<std::pair<uint64_t, uint32_t>>& order,
                    std::vector<T>& items) {
    std::vector<T> sorted;
    sorted.reserve(items.size());
    for (const auto& place : order) sorted.push_back(items[place.second]);
    items = std::move(sorted);
  }

  void add_triangle(uint32_t triangle) {
    const Material& material = scene_.materials[scene_.triangle_materials[triangle]];
    if (!emits(material)) return;
    const glm::uvec3 v = scene_.triangles[triangle];
    const glm::vec3 p = scene_.positions[v.x];
    const glm::vec3 edge1 = scene_.positions[v.y] - p, edge2 = scene_.positions[v.z] - p;
    // Uses double precision: in float, the normal of a sliver could be mostly rounding error.
    const glm::dvec3 cross = glm::cross(glm::dvec3(edge1), glm::dvec3(edge2));
    const double twice_area = glm::length(cross);
    if (!(twice_area > 0.0)) return;
    const glm::vec3 mean =
        mean_emission(scene_, textures_, triangle) * mean_emitted_color(scene_, triangle);
    const glm::vec3 n(cross / twice_area);
    Bounds box;
    for (glm::vec3 corner : {p, p + edge1, p + edge2}) box.extend(corner);
    add({.kind = LightKind::kTriangle,
         .emission = material.emission,
         .p = p,
         .edge1 = edge1,
         .edge2 = edge2,
         .n = n,
         .two_sided = material.two_sided_emission,
         .primitive = triangle,
         .textured = has_textured_emission(material)},
        0.5 * twice_area * triangle_radiosity(mean, material.two_sided_emission),
        {.box = box,
         .axis = n,
         .spread = 0.0f,
         .emission = 0.5f * kPi,
         .intensity = float(0.5 * twice_area * luminance(mean)),
         .two_sided = material.two_sided_emission});
  }

  void add_sphere(uint32_t index) {
    const Sphere& sphere = scene_.spheres[index];
    const Material& material = scene_.materials[sphere.material];
    const double r2 = double(sphere.radius) * sphere.radius;
    Bounds box;
    box.extend(sphere.center - sphere.radius);
    box.extend(sphere.center + sphere.radius);
    add({.kind = LightKind::kSphere,
         .emission = material.emission,
         .p = sphere.center,
         .radius = sphere.radius,
         .two_sided = material.two_sided_emission,
         .primitive = uint32_t(scene_.triangles.size()) + index,
         .textured = has_textured_emission(material)},
        4.0 * kPi * r2 * sphere_radiosity(material.emission),
        {.box = box, .intensity = float(kPi * r2 * luminance(material.emission))});
  }

  void add_delta_light(const DeltaLight& light) {
    if (light.type == DeltaLightType::kDirectional) return;
    Bounds box;
    box.extend(light.position);
    const float intensity = luminance(light.intensity);
    if (light.type == DeltaLightType::kPoint) {
      add({.kind = LightKind::kPoint, .emission = light.intensity, .p = light.position},
          4.0 * kPi * intensity, {.box = box, .intensity = intensity});
      return;
    }
    const float cone = glm::radians(light.cone_angle), start = glm::radians(light.falloff_start);
    const float spread = std::max(start, cone - 0.5f * kPi);
    add({.kind = LightKind::kSpot,
         .emission = light.intensity,
         .p = light.position,
         .n = light.direction,
         .spot_edge = spot_coordinate(light.falloff, cone),
         .falloff_start = spot_coordinate(light.falloff, start),
         .falloff = light.falloff},
        kTwoPi * intensity * spot_falloff_integral(light.falloff, cone, start),
        {.box = box,
         .axis = light.direction,
         .spread = spread,
         .emission = cone - spread,
         .intensity = intensity});
  }

  const HostScene& scene_;
  const std::vector<Texture>& textures_;
  LightTable& table_;
  std::vector<float> powers_;
  std::vector<LightBounds> bounds_;
};

/// Adds the distant lights. Returns the irradiance of surfaces that face them, W m^-2 of luminance.
double add_distant_lights(const HostScene& scene, LightTable& table) {
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
  return sum;
}

/// Returns the flux of the whole sky through a unit area, W m^-2 of luminance.
double sky_strength(const HostScene& scene, const LightTable& table) {
  if (!table.environment.rows.empty()) return scene.environment.scale * table.environment.total;
  return 2.0 * kPi * (upper_sky_luminance(scene.sky) + luminance(scene.sky.ground));
}

/// Returns the area of the disk through which distant light reaches the scene, m^2: pi times the
/// squared half diagonal of its bounds.
double scene_disk(const HostScene& scene) {
  const glm::dvec3 size(scene_bounds(scene).size());
  const double area = 0.25 * kPi * glm::dot(size, size);
  return area > 0.0 && std::isfinite(area) ? area : 1.0;
}

/// @param equal_share  share that is divided equally
std::array<float, 3> kind_probabilities(const std::array<double, 3>& powers, double equal_share) {
  double sum = 0.0;
  int kinds = 0;
  for (double power : powers) {
    sum += power;
    kinds += power > 0.0;
  }
  std::array<float, 3> probabilities{};
  for (size_t kind = 0; kind < powers.size(); ++kind)
    if (powers[kind] > 0.0)
      probabilities[kind] =
          float(equal_share * (1.0 / kinds) + (1.0 - equal_share) * powers[kind] / sum);
  return probabilities;
}

/// Returns whether choose_by_distance() applies: the lights are a few spheres.
bool are_few_spheres(const std::vector<Light>& lights) {
  return lights.size() > 1 && lights.size() <= kFewLights &&
         std::all_of(lights.begin(), lights.end(),
                     [](const Light& light) { return light.kind == LightKind::kSphere; });
}

/// Divides the samples among local lights, the sky and distant lights by LightTable::powers.
void choose_by_powers(LightTable& table) {
  const std::array<float, 3> kinds = kind_probabilities(table.powers, table.equal_share);
  table.local_probability = kinds[0];
  table.sky_probability = kinds[1];
  table.distant_probability = kinds[2];
  std::vector<float> weights;
  float sum = table.sky_probability;
  for (float pmf : table.local_pmfs) sum += weights.emplace_back(pmf * table.local_probability);
  weights.push_back(table.sky_probability);
  for (const DistantLight& light : table.distant)
    sum += weights.emplace_back(light.pmf * table.distant_probability);
  table.choices.clear();
  if (sum > 0.0f) append_cdf_table(weights, table.choices);
}

}  // namespace

LightTable build_light_table(const HostScene& scene, const std::vector<Texture>& textures,
                             LightChoice by, Features features) {
  LightTable table;
  if (features.extended)
    table.light_of.assign(scene.triangles.size() + scene.spheres.size(), kNoLight);
  LocalLights local(scene, textures, table);
  const std::vector<float>& powers = local.powers();
  const double power = std::accumulate(powers.begin(), powers.end(), 0.0);
  table.total_power = float(power);
  const bool uniform = by == LightChoice::kUniform;
  if (by == LightChoice::kBvh && powers.size() > 1) {
    table.tree = build_light_tree(local.bounds(), table.local);
    table.local_pmfs = {1.0f};
  } else {
    for (size_t i = 0; i < powers.size(); ++i) {
      table.local[i].pmf = float(uniform ? 1.0 / double(powers.size()) : powers[i] / power);
      table.local_pmfs.push_back(table.local[i].pmf);
    }
    table.by_distance =
        features.extended && by == LightChoice::kPower && are_few_spheres(table.local);
    if (table.by_distance) table.local_pmfs = {1.0f};
    table.by_power = !uniform && !table.by_distance;
  }
  if (features.extended) {
    table.environment = build_environment_table(scene.environment);
    const double irradiance = add_distant_lights(scene, table), disk = scene_disk(scene);
    table.powers = {power, disk * sky_strength(scene, table), disk * irradiance};
    table.equal_share = uniform ? 1.0 : kEqualShare;
  } else {
    table.powers = {power, is_black(scene.sky) ? 0.0 : 1.0, 0.0};
  }
  choose_by_powers(table);
  return table;
}

Sky sky_above(const Sky& sky, float floor) {
  if (floor == 0.0f) return sky;
  const auto above = [&](glm::vec3 radiance) {
    return glm::vec3(std::max(luminance(radiance) - floor, 0.0f));
  };
  return {above(sky.zenith), above(sky.horizon), above(sky.ground), sky.up};
}

void leave_smooth_sky(const HostScene& scene, LightTable& table) {
  const bool has_map = table.environment.total > 0.0;
  if (has_map) {
    // The table of a map of few rows covers less than the sphere.
    const uint32_t rows = scene.environment.image.height;
    const double total = table.environment.total;
    const double covered =
        build_environment_table({.image = {1, rows, std::vector(rows, glm::vec3(1.0f))}}).total;
    EnvironmentTable peaks = build_environment_table(scene.environment, float(total / covered));
    if (peaks.total > kMinPeaks * total) {
      table.powers[1] *= peaks.total / total;
      table.environment = std::move(peaks);
      return choose_by_powers(table);
    }
  }
  const bool is_alone = table.powers[0] == 0.0 && table.powers[2] == 0.0;
  if (!is_alone || has_media(scene)) return;
  if (!has_map) {
    const Sky& sky = scene.sky;
    const float floor =
        std::min({luminance(sky.zenith), luminance(sky.horizon), luminance(sky.ground)});
    const float mean = 0.5f * (upper_sky_luminance(sky) + luminance(sky.ground));
    if (mean - floor > float(kMinPeaks) * mean) {
      table.sky_floor = floor;
      return;
    }
  }
  table.powers[1] = 0.0;
  choose_by_powers(table);
}

}  // namespace winnow
