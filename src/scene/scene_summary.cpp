// SPDX-License-Identifier: MIT
#include "scene/scene_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

uint64_t mesh_bytes(const Mesh& mesh) {
  return mesh.positions.size() * sizeof(glm::vec3) + mesh.normals.size() * sizeof(glm::vec3) +
         (mesh.uvs.size() + mesh.second_uvs.size()) * sizeof(glm::vec2) +
         mesh.colors.size() * sizeof(glm::vec4) + mesh.triangles.size() * sizeof(glm::uvec3) +
         mesh.triangle_materials.size() * sizeof(uint32_t);
}

std::string vector_text(glm::vec3 v) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", v.x, v.y, v.z);
}

std::string view_text(const CameraDescription& camera) {
  if (camera.projection == Projection::kOrthographic)
    return fmt::format("orthographic, {:.4g} m high", camera.view_height);
  return fmt::format("vertical field of view {:.4g} degrees", camera.vertical_fov);
}

std::string lens_text(const CameraDescription& camera) {
  if (camera.lens_radius == 0.0f) return "pinhole";
  return fmt::format("lens radius {:.4g} m{}", camera.lens_radius,
                     camera.blades > 0 ? fmt::format(", {} blades", camera.blades) : "");
}

std::string media_text(const HostScene& scene) {
  const auto scattering = std::ranges::count_if(
      scene.media, [](const Medium& medium) { return medium.scattering != glm::vec3(0.0f); });
  std::set<uint32_t> emitting;
  for (const EmissionPart& part : scene.emission) emitting.insert(part.medium);
  return fmt::format("{}, {} of them scatter{}{}", scene.media.size(), scattering,
                     emitting.empty() ? "" : fmt::format(", {} emit", emitting.size()),
                     scene.camera_medium == kNoMedium ? "" : "; the camera is in one");
}

/// Describes the filter; empty for the default, a box of one pixel.
std::string filter_text(const FilterDescription& filter) {
  const FilterDescription by_default;
  if (filter.type == by_default.type && filter.radius == by_default.radius) return "";
  return fmt::format(", {} filter of radius {:.4g} pixels", enum_name(filter.type), filter.radius);
}

/// @param after_first  follows the first name
std::string names_text(const std::vector<std::string>& names, const char* after_first = "") {
  std::string text;
  for (const std::string& name : names)
    text += fmt::format("{}\"{}\"{}", text.empty() ? "" : ", ", one_line(name, kMaxPathLength),
                        text.empty() ? after_first : "");
  return text;
}

std::string bytes_text(uint64_t bytes) {
  constexpr double kKibi = 1024.0;
  if (bytes < kKibi) return fmt::format("{} B", bytes);
  if (bytes < kKibi * kKibi) return fmt::format("{:.1f} KiB", double(bytes) / kKibi);
  return fmt::format("{:.1f} MiB", double(bytes) / (kKibi * kKibi));
}

std::string grids_text(const std::vector<DensityGrid>& grids) {
  std::string text;
  for (const DensityGrid& grid : grids)
    text +=
        fmt::format("{}{} x {} x {}, {} of {} bricks stored, {}", text.empty() ? "" : "; ",
                    grid.size.x, grid.size.y, grid.size.z, grid.values.size() / GridBrick::kValues,
                    grid.bricks.size(), bytes_text(grid_bytes(grid)));
  return text;
}

}  // namespace

SceneSummary summarize(const HostScene& scene) {
  SceneSummary summary;
  summary.vertices = scene.positions.size() + scene.shared.positions.size();
  summary.triangles = scene.triangles.size();
  summary.spheres = scene.spheres.size();
  summary.materials = scene.materials.size();
  for (uint32_t material : scene.triangle_materials)
    summary.emissive_triangles += emits(scene.materials[material]);
  for (const Sphere& sphere : scene.spheres)
    summary.emissive_spheres += emits(scene.materials[sphere.material]);
  summary.instances = scene.instances.size();
  summary.shared_meshes = scene.meshes.size();
  summary.shared_triangles = scene.shared.triangles.size();
  for (const MeshInstance& instance : scene.instances)
    summary.instanced_triangles += scene.meshes[instance.mesh].triangle_count;
  const glm::vec3 kBlack(0.0f);
  summary.has_sky = scene.sky.zenith != kBlack || scene.sky.horizon != kBlack ||
                    scene.sky.ground != kBlack || !scene.environment.image.pixels.empty();
  summary.has_emissive_media = !scene.emission.empty();
  summary.delta_lights = scene.delta_lights.size();
  summary.bytes = mesh_bytes(scene) + mesh_bytes(scene.shared) +
                  scene.environment.image.pixels.size() * sizeof(glm::vec3) +
                  scene.instances.size() * sizeof(MeshInstance) +
                  scene.spheres.size() * sizeof(Sphere) + scene.materials.size() * sizeof(Material);
  for (const DensityGrid& grid : scene.grids) summary.bytes += grid_bytes(grid);
  return summary;
}

std::string summary_text(const HostScene& scene) {
  SceneSummary summary = summarize(scene);
  const Bounds bounds = scene_bounds(scene);
  const CameraDescription& camera = scene.camera;
  std::string text;
  auto line = [&text](const char* key, const std::string& value) {
    text += fmt::format("{:<12}{}\n", key, value);
  };
  line("scene", one_line(scene.name, kMaxPathLength));
  if (!scene.description.empty()) line("about", one_line(scene.description, kMaxPathLength));
  line("film", fmt::format("{} x {}{}", scene.width, scene.height, filter_text(scene.filter)));
  line("render", fmt::format("{} samples per pixel, {} bounces", scene.spp, scene.max_bounces));
  line("camera", fmt::format("at {} looking at {}, {}, {}", vector_text(camera.position),
                             vector_text(camera.look_at), view_text(camera), lens_text(camera)));
  if (!scene.camera_names.empty()) line("cameras", names_text(scene.camera_names, " (default)"));
  if (!scene.variant_names.empty()) line("variants", names_text(scene.variant_names));
  line("bounds", fmt::format("{} to {}", vector_text(bounds.min), vector_text(bounds.max)));
  line("triangles",
       fmt::format("{}, {} of them emit", summary.triangles + summary.instanced_triangles,
                   summary.emissive_triangles));
  if (summary.instances > 0)
    line("instances",
         fmt::format("{} of {} {}, {} triangles, of which {} are kept", summary.instances,
                     summary.shared_meshes, summary.shared_meshes == 1 ? "mesh" : "meshes",
                     summary.instanced_triangles, summary.shared_triangles));
  line("vertices", fmt::format("{}", summary.vertices));
  line("spheres", fmt::format("{}, {} of them emit", summary.spheres, summary.emissive_spheres));
  line("materials", fmt::format("{}", summary.materials));
  if (!scene.media.empty()) line("media", media_text(scene));
  if (!scene.grids.empty()) line("grids", grids_text(scene.grids));
  if (summary.delta_lights > 0)
    line("lights", fmt::format("{} without a size", summary.delta_lights));
  const Image& environment = scene.environment.image;
  line("sky", !summary.has_sky ? "no"
              : environment.pixels.empty()
                  ? "yes"
                  : fmt::format("an image of {} x {}", environment.width, environment.height));
  line("memory", bytes_text(summary.bytes));
  return text;
}

}  // namespace winnow
