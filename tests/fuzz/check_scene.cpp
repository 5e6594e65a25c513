// SPDX-License-Identifier: MIT
#include "tests/fuzz/check_scene.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/fuzz/target.h"

namespace winnow {
namespace {

bool all_finite(const glm::vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void check_vertices(const Mesh& mesh, const std::string& what) {
  const size_t vertices = mesh.positions.size();
  const auto fits = [&](size_t size) { return size == 0 || size == vertices; };
  expect_in_fuzz(fits(mesh.normals.size()) && fits(mesh.uvs.size()) &&
                     fits(mesh.second_uvs.size()) && fits(mesh.colors.size()),
                 what + ": attributes of other vertices");
}

/// @param material_count  0 where triangles may have none
void check_triangles(const Mesh& mesh, size_t material_count, const std::string& what) {
  // Vertices of no triangle may be anything.
  for (const glm::uvec3& triangle : mesh.triangles)
    for (int corner = 0; corner < 3; ++corner) {
      const uint32_t vertex = triangle[corner];
      expect_in_fuzz(vertex < mesh.positions.size(), what + ": a vertex too many");
      expect_in_fuzz(is_near(mesh.positions[vertex]), what + ": a vertex out of range");
      expect_in_fuzz(mesh.normals.empty() || all_finite(mesh.normals[vertex]),
                     what + ": a normal that is not finite");
    }
  expect_in_fuzz(mesh.triangle_materials.size() == mesh.triangles.size(),
                 what + ": materials of other triangles");
  for (const uint32_t material : mesh.triangle_materials)
    expect_in_fuzz(material < material_count, what + ": a material too many");
}

void check_instances(const HostScene& scene) {
  for (const SharedMesh& mesh : scene.meshes) {
    const uint64_t triangle_end = uint64_t(mesh.first_triangle) + mesh.triangle_count;
    const uint64_t vertex_end = uint64_t(mesh.first_vertex) + mesh.vertex_count;
    expect_in_fuzz(triangle_end <= scene.shared.triangles.size() &&
                       vertex_end <= scene.shared.positions.size(),
                   "a shared mesh beyond the end");
  }
  for (const MeshInstance& instance : scene.instances) {
    expect_in_fuzz(instance.mesh < scene.meshes.size(), "an instance of no mesh");
    expect_in_fuzz(instance.material == MeshInstance::kOwnMaterials ||
                       instance.material < scene.materials.size(),
                   "an instance without a material");
    for (int column = 0; column < 4; ++column)
      expect_in_fuzz(all_finite(instance.to_world[column]), "an instance that is nowhere");
  }
}

void check_material(const Material& material, const HostScene& scene) {
  const MaterialTextures& t = material.textures;
  for (const uint32_t texture : {t.reflectance, t.emission, t.roughness_metallic, t.normal, t.alpha,
                                 t.transmission, t.specular, t.coat, t.sheen, t.anisotropy,
                                 t.iridescence, t.specular_tint, t.diffuse_transmission})
    expect_in_fuzz(texture == kNoTexture || texture < scene.textures.size(), "a texture too many");
  for (const uint32_t medium : {material.interior, material.exterior})
    expect_in_fuzz(medium == kNoMedium || medium < scene.media.size(), "a medium too many");
  expect_in_fuzz(all_finite(material.reflectance) && all_finite(material.emission),
                 "a colour that is not finite");
  expect_in_fuzz(material.roughness >= 0.0f && material.roughness <= 1.0f,
                 "a roughness out of range");
}

void check_images(const HostScene& scene) {
  for (const TextureDescription& texture : scene.textures)
    expect_in_fuzz(texture.image < scene.images.size(), "an image too many");
  for (const TextureImage& image : scene.images)
    expect_in_fuzz(
        image.width > 0 && image.height > 0 &&
            image.texels.size() == size_t(image.width) * image.height * texel_bytes(image.format),
        "texels of another image");
  const Image& sky = scene.environment.image;
  expect_in_fuzz(sky.pixels.size() == size_t(sky.width) * sky.height, "pixels of another sky");
}

void check_view(const HostScene& scene) {
  const CameraDescription& camera = scene.camera;
  expect_in_fuzz(all_finite(camera.position) && all_finite(camera.look_at) && all_finite(camera.up),
                 "a camera that is nowhere");
  expect_in_fuzz(camera.vertical_fov > 0.0f && camera.vertical_fov < 180.0f,
                 "a camera without a view");
  expect_in_fuzz(scene.camera_medium == kNoMedium || scene.camera_medium < scene.media.size(),
                 "a camera in no medium");
  expect_in_fuzz(scene.width > 0 && scene.height > 0 && scene.spp > 0, "an image of nothing");
}

}  // namespace

void check_scene(const HostScene& scene) {
  check_vertices(scene, "world");
  check_triangles(scene, scene.materials.size(), "world");
  check_vertices(scene.shared, "shared");
  check_triangles(scene.shared, scene.materials.size(), "shared");
  check_instances(scene);
  for (const Material& material : scene.materials) check_material(material, scene);
  for (const Sphere& sphere : scene.spheres)
    expect_in_fuzz(
        is_near(sphere.center) && sphere.radius > 0.0f && sphere.material < scene.materials.size(),
        "a sphere that is none");
  for (const DeltaLight& light : scene.delta_lights)
    expect_in_fuzz(
        all_finite(light.position) && all_finite(light.direction) && all_finite(light.intensity),
        "a light that is not finite");
  check_images(scene);
  check_media(scene);
  check_view(scene);
  for (const std::string& warning : scene.warnings)
    expect_in_fuzz(warning.find('\n') == warning.npos, "a warning of several lines: " + warning);
}

void check_media(const HostScene& scene) {
  expect_in_fuzz(scene.grid_placements.size() <= scene.media.size(), "a grid of no medium");
  for (const GridPlacement& placement : scene.grid_placements)
    expect_in_fuzz(placement.grid == GridPlacement::kNone || placement.grid < scene.grids.size(),
                   "a grid too many");
  for (const DensityGrid& grid : scene.grids) {
    std::vector<bool> is_used(grid.values.size() / GridBrick::kValues);
    for (const GridBrick& brick : grid.bricks) {
      expect_in_fuzz(brick.max_density >= 0.0f && std::isfinite(brick.max_density),
                     "a density that is negative or not finite");
      if (brick.max_density == 0.0f) continue;
      expect_in_fuzz(brick.stored < is_used.size(), "a brick of another grid");
      const auto first = grid.values.begin() + ptrdiff_t(brick.stored * GridBrick::kValues);
      expect_in_fuzz(*std::max_element(first, first + GridBrick::kValues) == brick.max_density,
                     "a brick of another grid");
      is_used[brick.stored] = true;
    }
    const glm::uvec3 counts = grid.brick_counts;
    expect_in_fuzz(grid.bricks.size() == size_t(counts.x) * counts.y * counts.z &&
                       grid.values.size() == is_used.size() * GridBrick::kValues &&
                       std::find(is_used.begin(), is_used.end(), false) == is_used.end(),
                   "bricks of another grid");
  }
}

}  // namespace winnow
