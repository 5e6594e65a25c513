// SPDX-License-Identifier: MIT
#include "scene/scene_hash.h"

#include <xxhash.h>

#include <memory>
#include <type_traits>

namespace winnow {
namespace {

/// Hashes values by their bits. Structs with padding are added field by field; the structured
/// bindings below do not compile if a field is missing.
class SceneHasher {
 public:
  SceneHasher() { XXH3_64bits_reset(state_.get()); }

  void add_bytes(const void* data, size_t bytes) { XXH3_64bits_update(state_.get(), data, bytes); }

  template <class... Values>
  void add(const Values&... values) {
    (add_one(values), ...);
  }

  uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  /// Adds an enumeration, a number, or a vector of numbers, which have no padding.
  template <class T>
  void add_one(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_bytes(&value, sizeof value);
  }

  template <class T>
  void add_one(const std::vector<T>& items) {
    const uint64_t count = items.size();
    add_bytes(&count, sizeof count);
    if constexpr (std::is_same_v<T, Material> || std::is_same_v<T, TextureImage> ||
                  std::is_same_v<T, TextureDescription> || std::is_same_v<T, DeltaLight> ||
                  std::is_same_v<T, Sphere> || std::is_same_v<T, Medium> ||
                  std::is_same_v<T, SharedMesh> || std::is_same_v<T, MeshInstance>)
      for (const T& item : items) add_one(item);
    else
      add_bytes(items.data(), items.size() * sizeof(T));
  }

  void add_one(const Mesh& mesh) {
    const auto& [positions, normals, uvs, second_uvs, colors, triangles, triangle_materials] = mesh;
    add(positions, normals, uvs, second_uvs, colors, triangles, triangle_materials);
  }
  void add_one(const Sphere& sphere) {
    const auto& [center, radius, material] = sphere;
    add(center, radius, material);
  }
  void add_one(const SharedMesh& mesh) {
    const auto& [first_triangle, triangle_count, first_vertex, vertex_count] = mesh;
    add(first_triangle, triangle_count, first_vertex, vertex_count);
  }
  void add_one(const MeshInstance& instance) {
    const auto& [mesh, to_world, material] = instance;
    add(mesh, to_world, material);
  }
  void add_one(const Medium& medium) {
    const auto& [absorption, scattering, asymmetry] = medium;
    add(absorption, scattering, asymmetry);
  }
  void add_one(const MaterialTextures& textures) {
    const auto& [reflectance, emission, roughness_metallic, normal, alpha, transmission, specular,
                 coat, sheen, anisotropy, iridescence, on_second_uvs] = textures;
    add(reflectance, emission, roughness_metallic, normal, alpha, transmission, specular, coat,
        sheen, anisotropy, iridescence, on_second_uvs);
  }
  void add_one(const Material& material) {
    const auto& [type, reflectance, emission, roughness, ior, anisotropy, specular, metallic,
                 transmission, coat, coat_roughness, sheen, sheen_roughness, metal_n, metal_k,
                 alpha, alpha_cutoff, normal_scale, anisotropy_rotation, iridescence,
                 iridescence_ior, film_thickness, dispersion, masking, distribution, nonlinear,
                 two_sided_emission, vertex_colors, vertex_alpha, bounds_media, interior, exterior,
                 textures] = material;
    add(type, reflectance, emission, roughness, ior, anisotropy, specular, metallic, transmission,
        coat, coat_roughness, sheen, sheen_roughness, metal_n, metal_k, alpha, alpha_cutoff,
        normal_scale, anisotropy_rotation, iridescence, iridescence_ior, film_thickness, dispersion,
        masking, distribution, nonlinear, two_sided_emission, vertex_colors, vertex_alpha,
        bounds_media, interior, exterior, textures);
  }
  void add_one(const TextureImage& image) {
    const auto& [name, width, height, format, texels] = image;
    add(width, height, format, texels);
  }
  void add_one(const TextureDescription& texture) {
    const auto& [image, wrap_u, wrap_v, filter, from_uv] = texture;
    add(image, wrap_u, wrap_v, filter, from_uv);
  }
  void add_one(const DeltaLight& light) {
    const auto& [type, position, direction, intensity, cone_angle, falloff_start, disk_angle] =
        light;
    add(type, position, direction, intensity, cone_angle, falloff_start, disk_angle);
  }
  void add_one(const Sky& sky) {
    const auto& [zenith, horizon, ground, up] = sky;
    add(zenith, horizon, ground, up);
  }
  void add_one(const EnvironmentMap& map) {
    const auto& [image, scale, to_world] = map;
    add(image.width, image.height, image.pixels, scale, to_world);
  }
  void add_one(const CameraDescription& camera) {
    const auto& [position, look_at, up, vertical_fov, lens_radius, focus_distance, projection,
                 view_height, blades, blade_rotation] = camera;
    add(position, look_at, up, vertical_fov, lens_radius, focus_distance, projection, view_height,
        blades, blade_rotation);
  }
  void add_one(const FilterDescription& filter) {
    const auto& [type, radius] = filter;
    add(type, radius);
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
  hash[size_t(ScenePart::kMaterials)] = hash_of_values(scene.materials, scene.media);
  hash[size_t(ScenePart::kTextures)] = hash_of_values(scene.images, scene.textures);
  hash[size_t(ScenePart::kLights)] =
      hash_of_values(scene.sky, scene.environment, scene.delta_lights);
  hash[size_t(ScenePart::kCamera)] = hash_of_values(scene.camera, scene.camera_medium);
  hash[size_t(ScenePart::kFilter)] = hash_of_values(scene.filter);
  return hash;
}

}  // namespace winnow
