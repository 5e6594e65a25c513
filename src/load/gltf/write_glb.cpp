// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>
#include <glm/trigonometric.hpp>
#include <map>
#include <utility>

#include "load/gltf/glb_document.h"
#include "load/gltf/gltf.h"
#include "math/frame.h"
#include "scene/scene_summary.h"
#include "scene/shapes.h"
#include "scene/soft_sky.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

using Json = GlbDocument::Json;

/// Triangles of a mesh with one material and the vertices that they use.
class GlbPrimitive {
 public:
  /// @param is_reversed  whether the normal of the triangle is reversed
  void add_triangle(const Mesh& mesh, glm::uvec3 triangle, bool is_reversed) {
    if (is_reversed) std::swap(triangle.y, triangle.z);
    normal_sign_ = is_reversed ? -1.0f : 1.0f;
    const glm::vec3 a = mesh.positions[triangle.x], b = mesh.positions[triangle.y],
                    c = mesh.positions[triangle.z];
    for (int corner = 0; corner < 3; ++corner)
      indices_.push_back(vertex_of(mesh, triangle[corner], glm::cross(b - a, c - a)));
  }

  struct Attributes {
    bool has_normals = false, has_uvs = false, has_second_uvs = false, has_colors = false,
         has_alpha = false;
  };

  Json write(GlbDocument& document, uint32_t material, const Attributes& written) const {
    Json attributes{{"POSITION", document.add_positions(positions_)}};
    if (written.has_normals) attributes["NORMAL"] = document.add_items(normals_);
    if (written.has_uvs) attributes["TEXCOORD_0"] = document.add_items(uvs_);
    if (written.has_second_uvs) attributes["TEXCOORD_1"] = document.add_items(second_uvs_);
    if (written.has_colors) attributes["COLOR_0"] = add_colors(document, written.has_alpha);
    return {{"attributes", attributes},
            {"indices", document.add_items(indices_)},
            {"material", material}};
  }

 private:
  /// Returns the index of a vertex, which is added at its first use.
  /// @param face  normal of the face, of any length, for a vertex without a normal
  uint32_t vertex_of(const Mesh& mesh, uint32_t vertex, glm::vec3 face) {
    const auto [known, is_new] = vertices_.try_emplace(vertex, uint32_t(positions_.size()));
    if (!is_new) return known->second;
    const glm::vec3 normal = mesh.normals.empty() ? glm::vec3(0.0f) : mesh.normals[vertex];
    positions_.push_back(mesh.positions[vertex]);
    normals_.push_back(normal == glm::vec3(0.0f) ? glm::normalize(face) : normal_sign_ * normal);
    uvs_.push_back(vertex < mesh.uvs.size() ? mesh.uvs[vertex] : glm::vec2(0.0f));
    second_uvs_.push_back(vertex < mesh.second_uvs.size() ? mesh.second_uvs[vertex]
                                                          : glm::vec2(0.0f));
    colors_.push_back(vertex < mesh.colors.size() ? mesh.colors[vertex] : glm::vec4(1.0f));
    return known->second;
  }

  uint32_t add_colors(GlbDocument& document, bool has_alpha) const {
    if (has_alpha) return document.add_items(colors_);
    return document.add_items(std::vector<glm::vec3>(colors_.begin(), colors_.end()));
  }

  std::map<uint32_t, uint32_t> vertices_;  ///< index by vertex of the mesh
  float normal_sign_ = 1.0f;
  std::vector<glm::vec3> positions_, normals_;
  std::vector<glm::vec2> uvs_, second_uvs_;
  std::vector<glm::vec4> colors_;
  std::vector<uint32_t> indices_;
};

bool is_flat(const Mesh& mesh, glm::uvec3 triangle) {
  const glm::vec3 kNone(0.0f);
  return mesh.normals.empty() ||
         (mesh.normals[triangle.x] == kNone && mesh.normals[triangle.y] == kNone &&
          mesh.normals[triangle.z] == kNone);
}

/// True if texture coordinates matter: for textures, or for the direction of anisotropy.
bool uses_uvs(const HostScene& scene) {
  return !scene.textures.empty() || std::ranges::any_of(scene.materials, [](const Material& one) {
    return one.anisotropy != 0.0f;
  });
}

class SceneExporter {
 public:
  SceneExporter(const HostScene& scene, GlbDocument& document)
      : scene_(scene), document_(document) {}

  void add_scene() {
    document_.root["scene"] = 0;
    add_camera();
    add_glb_materials(scene_, document_);
    if (!scene_.triangles.empty())
      nodes_.push_back(document_.add(
          "nodes", {{"mesh", add_mesh_part(scene_, 0, scene_.triangles.size(), std::nullopt)}}));
    for (const MeshInstance& instance : scene_.instances) add_instance(instance);
    for (const Sphere& sphere : scene_.spheres) add_sphere(sphere);
    for (const DeltaLight& light : scene_.delta_lights) add_light(light);
    say_what_is_left_out();
    document_.root["scenes"] = Json::array({Json{{"nodes", nodes_}}});
  }

 private:
  /// Adds a part of a mesh. Returns the index of the new mesh.
  /// @param material  material of all triangles, unless they have their own
  uint32_t add_mesh_part(const Mesh& mesh, size_t first, size_t count,
                         std::optional<uint32_t> material) {
    std::map<std::pair<uint32_t, bool>, GlbPrimitive> primitives;
    for (size_t i = first; i < first + count; ++i) {
      const uint32_t used =
          material.value_or(mesh.triangle_materials.empty() ? 0u : mesh.triangle_materials[i]);
      primitives[{used, is_flat(mesh, mesh.triangles[i])}].add_triangle(
          mesh, mesh.triangles[i], is_reversed_in_glb(scene_.materials[used]));
    }
    GlbPrimitive::Attributes written;
    written.has_second_uvs = !scene_.textures.empty() && !mesh.second_uvs.empty();
    written.has_uvs = (uses_uvs(scene_) && !mesh.uvs.empty()) || written.has_second_uvs;
    Json list = Json::array();
    for (const auto& [key, primitive] : primitives) {
      const Material& used = scene_.materials[key.first];
      written.has_normals = !key.second;
      written.has_colors = uses_vertex_colors(used) && !mesh.colors.empty();
      written.has_alpha = used.vertex_alpha;
      list.push_back(primitive.write(document_, key.first, written));
    }
    return document_.add("meshes", {{"primitives", std::move(list)}});
  }

  void add_node(const glm::mat4& to_world, Json node) {
    if (to_world != glm::mat4(1.0f))
      for (int i = 0; i < 16; ++i) node["matrix"].push_back(to_world[i / 4][i % 4]);
    nodes_.push_back(document_.add("nodes", std::move(node)));
  }

  void add_instance(const MeshInstance& instance) {
    const auto [known, is_new] = meshes_.try_emplace({instance.mesh, instance.material}, 0u);
    const SharedMesh& part = scene_.meshes[instance.mesh];
    const bool has_own = instance.material == MeshInstance::kOwnMaterials;
    if (is_new)
      known->second = add_mesh_part(scene_.shared, part.first_triangle, part.triangle_count,
                                    has_own ? std::nullopt : std::optional(instance.material));
    add_node(glm::mat4(instance.to_world), {{"mesh", known->second}});
  }

  void add_sphere(const Sphere& sphere) {
    document_.leave_out("exact spheres: they become 128 x 64 faces");
    const auto [known, is_new] = spheres_.try_emplace(sphere.material, 0u);
    const Mesh unit = is_new ? make_sphere_mesh() : Mesh();
    if (is_new) known->second = add_mesh_part(unit, 0, unit.triangles.size(), sphere.material);
    const glm::mat4 placed = glm::translate(glm::mat4(1.0f), sphere.center);
    add_node(glm::scale(placed, glm::vec3(sphere.radius)), {{"mesh", known->second}});
  }

  void add_camera() {
    const CameraDescription& camera = scene_.camera;
    const float aspect = float(scene_.width) / float(scene_.height);
    const float distance = glm::distance(camera.position, camera.look_at);
    // Other programs require both planes.
    const float near = camera.near_clip > 0.0f ? camera.near_clip : 1e-3f * distance;
    const float far =
        std::isfinite(camera.far_clip) ? camera.far_clip : std::max(1e4f * distance, 2.0f * near);
    Json json;
    if (camera.projection == Projection::kPerspective) {
      json = {{"type", "perspective"},
              {"perspective",
               {{"yfov", glm::radians(camera.vertical_fov)},
                {"aspectRatio", aspect},
                {"znear", near},
                {"zfar", far}}}};
    } else {
      const float half = 0.5f * camera.view_height;
      json = {{"type", "orthographic"},
              {"orthographic",
               {{"xmag", aspect * half}, {"ymag", half}, {"znear", near}, {"zfar", far}}}};
    }
    if (camera.lens_radius > 0.0f)
      document_.leave_out("the lens of the camera: it becomes a pinhole");
    if (camera.shift != glm::vec2(0.0f))
      document_.leave_out("the shift of the lens: the view is centred");
    if (!camera.motion.empty())
      document_.leave_out("the motion of the camera while the shutter is open: it rests");
    if (scene_.camera_medium != kNoMedium)
      document_.leave_out("the medium around the camera: it is left out");
    const glm::mat4 to_world =
        glm::inverse(glm::lookAt(camera.position, camera.look_at, camera.up));
    add_node(to_world, {{"camera", document_.add("cameras", std::move(json))}});
  }

  void add_light(const DeltaLight& light) {
    constexpr const char* kName = "KHR_lights_punctual";
    constexpr float kMaxCone = 90.0f;  // degrees
    const glm::vec3 light_color = light.intensity;
    const float strength = std::max({light_color.x, light_color.y, light_color.z});
    if (!(strength > 0.0f)) return;
    const glm::vec3 color = light_color / strength;
    Json json{{"color", {color.x, color.y, color.z}}, {"intensity", strength}};
    switch (light.type) {
      case DeltaLightType::kPoint:
        json["type"] = "point";
        break;
      case DeltaLightType::kDirectional:
        json["type"] = "directional";
        if (light.disk_angle > 0.0f)
          document_.leave_out("the disk of a directional light: its rays are parallel");
        break;
      case DeltaLightType::kSpot: {
        json["type"] = "spot";
        const float cone = std::min(light.cone_angle, kMaxCone);
        if (light.cone_angle > kMaxCone)
          document_.leave_out("cones of spots above 90 degrees: they end there");
        if (light.falloff != SpotFalloff::kSquared && light.falloff_start < cone)
          document_.leave_out("the falloff of spots: they fade as KHR_lights_punctual says");
        json["spot"] = {
            {"innerConeAngle", glm::radians(std::min(light.falloff_start, 0.9999f * cone))},
            {"outerConeAngle", glm::radians(cone)}};
        break;
      }
    }
    document_.use(kName);
    Json& lights = document_.root["extensions"][kName]["lights"];
    lights.push_back(std::move(json));
    const Frame frame(-light.direction);
    const glm::mat4 to_world(glm::vec4(frame.s, 0.0f), glm::vec4(frame.t, 0.0f),
                             glm::vec4(frame.n, 0.0f), glm::vec4(light.position, 1.0f));
    add_node(to_world, {{"extensions", {{kName, {{"light", lights.size() - 1}}}}}});
  }

  void say_what_is_left_out() {
    const Sky soft = soft_sky();
    const bool is_default =
        scene_.environment.image.pixels.empty()
            ? scene_.sky.zenith == soft.zenith && scene_.sky.ground == soft.ground
            : scene_.environment.image.pixels == studio_sky().image.pixels;
    if (summarize(scene_).has_sky && !is_default)
      document_.leave_out("the sky: it is left out; --sky lights the copy");
  }

  const HostScene& scene_;
  GlbDocument& document_;
  std::vector<uint32_t> nodes_;  ///< nodes, all of them roots
  std::map<std::pair<uint32_t, uint32_t>, uint32_t>
      meshes_;                            ///< meshes by shared mesh and material
  std::map<uint32_t, uint32_t> spheres_;  ///< spheres by material
};

}  // namespace

std::vector<std::string> write_glb(const std::filesystem::path& file, const HostScene& scene) {
  GlbDocument document;
  SceneExporter(scene, document).add_scene();
  document.write(file);
  return document.left_out();
}

}  // namespace winnow
