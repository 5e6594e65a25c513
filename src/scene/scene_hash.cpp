// SPDX-License-Identifier: MIT
#include "scene/scene_hash.h"

#include <xxhash.h>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace winnow {
namespace {

// The bytes of these are hashed: they have 32-bit members only, and so no padding. A member of
// another size needs an add_one() that leaves the padding out.
static_assert(sizeof(Sphere) == 5 * 4 && sizeof(SharedMesh) == 4 * 4 &&
              sizeof(MeshInstance) == 14 * 4 && sizeof(Medium) == 7 * 4 &&
              sizeof(MaterialTextures) == 14 * 4 && sizeof(TextureDescription) == 10 * 4 &&
              sizeof(DeltaLight) == 14 * 4 && sizeof(Sky) == 12 * 4 &&
              offsetof(CameraDescription, pixel_aspect) == 20 * 4 &&
              sizeof(FilterDescription) == 2 * 4 && sizeof(GridBrick) == 2 * 4 &&
              sizeof(GridPlacement) == 13 * 4 && sizeof(ScatteringFactors) == 40 * 4);

/// Hashes values by their bits. Structs with padding are added field by field; the structured
/// bindings below do not compile if a field is missing.
class SceneHasher {
 public:
  SceneHasher() { XXH3_64bits_reset(state_.get()); }

  template <class... Values>
  void add(const Values&... values) {
    (add_one(values), ...);
  }
  uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  void add_bytes(const void* data, size_t bytes) { XXH3_64bits_update(state_.get(), data, bytes); }

  /// Adds a value without padding.
  template <class T>
  void add_one(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_bytes(&value, sizeof value);
  }
  template <class T>
  void add_one(const std::vector<T>& items) {
    add_one(uint64_t(items.size()));
    if constexpr (std::is_same_v<T, Material> || std::is_same_v<T, TextureImage> ||
                  std::is_same_v<T, DensityGrid> || std::is_same_v<T, EmissionPart>)
      for (const T& item : items) add_one(item);
    else
      add_bytes(items.data(), items.size() * sizeof(T));
  }
  /// Cameras with square pixels keep the hashes from before pixels could have other shapes, and
  /// cameras at rest those from before cameras could move.
  void add_one(const CameraDescription& camera) {
    add_bytes(&camera, offsetof(CameraDescription, pixel_aspect));
    if (camera.pixel_aspect != 1.0f) add(camera.pixel_aspect);
    if (!camera.motion.empty()) add(camera.motion);
  }
  void add_one(const Mesh& mesh) {
    const auto& [positions, normals, uvs, second_uvs, colors, triangles, triangle_materials] = mesh;
    add(positions, normals, uvs, second_uvs, colors, triangles, triangle_materials);
  }
  /// Materials without a black back keep the hashes from before there were black backs.
  void add_one(const Material& material) {
    const auto& [type, reflectance, emission, roughness, ior, anisotropy, specular, metallic,
                 transmission, specular_tint, diffuse_transmission, diffuse_transmission_color,
                 coat, coat_roughness, sheen, sheen_roughness, metal_n, metal_k, alpha,
                 alpha_cutoff, normal_scale, anisotropy_rotation, iridescence, iridescence_ior,
                 film_thickness, dispersion, masking, distribution, normal_mapping, thin, nonlinear,
                 two_sided_emission, vertex_colors, vertex_alpha, black_back, bounds_media,
                 interior, exterior, textures] = material;
    add(type, reflectance, emission, roughness, ior, anisotropy, specular, metallic, transmission,
        specular_tint, diffuse_transmission, diffuse_transmission_color, coat, coat_roughness,
        sheen, sheen_roughness, metal_n, metal_k, alpha, alpha_cutoff, normal_scale,
        anisotropy_rotation, iridescence, iridescence_ior, film_thickness, dispersion, masking,
        distribution, normal_mapping, thin, nonlinear, two_sided_emission, vertex_colors,
        vertex_alpha, bounds_media, interior, exterior, textures);
    if (black_back) add(black_back);
  }
  void add_one(const DensityGrid& grid) {
    const auto& [size, border, brick_counts, bricks, values] = grid;
    add(size, border, brick_counts, bricks, values);
  }
  /// Parts without factors keep the hashes from before there were any.
  void add_one(const EmissionPart& part) {
    const auto& [medium, placement, step, radiances, factors] = part;
    add(medium, placement, step, radiances);
    if (factors.grid != GridPlacement::kNone) add(factors);
  }
  void add_one(const TextureImage& image) {
    const auto& [name, width, height, format, texels] = image;
    add(width, height, format, texels);
  }
  void add_one(const EnvironmentMap& map) {
    const auto& [image, scale, to_world] = map;
    add(image.width, image.height, image.pixels, scale, to_world);
  }

  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_{XXH3_createState()};
};

template <class... Values>
uint64_t hash_of_values(const Values&... values) {
  SceneHasher hasher;
  hasher.add(values...);
  return hasher.value();
}

}  // namespace

SceneHash scene_hash(const HostScene& scene) {
  const Mesh& triangles = scene;
  SceneHash hash;
  hash[size_t(ScenePart::kGeometry)] =
      hash_of_values(triangles, scene.spheres, scene.shared, scene.meshes, scene.instances);
  // Scenes without grids, emission or factors keep the hashes from before there were any.
  SceneHasher materials;
  materials.add(scene.materials, scene.media);
  if (!scene.grids.empty()) materials.add(scene.grids, scene.grid_placements);
  if (!scene.emission.empty()) materials.add(scene.emission);
  if (!scene.scattering_factors.empty()) materials.add(scene.scattering_factors);
  hash[size_t(ScenePart::kMaterials)] = materials.value();
  hash[size_t(ScenePart::kTextures)] = hash_of_values(scene.images, scene.textures);
  hash[size_t(ScenePart::kLights)] =
      hash_of_values(scene.sky, scene.environment, scene.delta_lights);
  hash[size_t(ScenePart::kCamera)] = hash_of_values(scene.camera, scene.camera_medium);
  hash[size_t(ScenePart::kFilter)] = hash_of_values(scene.filter);
  return hash;
}

void MotionHash::add(std::string_view bytes) {
  value_ = XXH3_64bits_withSeed(bytes.data(), bytes.size(), value_);
}

}  // namespace winnow
