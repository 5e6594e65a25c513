// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "image/image_io.h"
#include "load/ply/ply.h"
#include "load/textures/image_files.h"
#include "load/volumes/vol.h"
#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"
#include "load/winnow/winnow_json.h"
#include "scene/scene_summary.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the double whose shortest decimal form is that of this float.
double shortest(float value) {
  return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}

/// Returns a text as UTF-8 for JSON: if it is not UTF-8, its non-ASCII bytes become '?'.
std::string utf8(std::string text) {
  try {
    (void)Json(text).dump();
  } catch (const Json::exception&) {
    for (char& c : text)
      if (static_cast<signed char>(c) < 0) c = '?';
  }
  return text;
}

/// Formats JSON for human readers: one line per material, shape and transform.
/// @param depth  depth of `json` in the document
std::string layout(const Json& json, int depth) {
  if (!json.is_structured()) return json.dump();
  constexpr size_t kMaxRowsPerLine = 4;  // a matrix has 4 rows
  auto is_object = [](const Json& member) { return member.is_object(); };
  const bool is_table = depth == 0 ||
                        (depth == 1 && std::any_of(json.begin(), json.end(), is_object)) ||
                        (json.size() > kMaxRowsPerLine && json.front().is_structured());
  const std::string line = '\n' + std::string(2 * size_t(depth), ' ');
  std::string text, separator = is_table ? line + "  " : "";
  for (const auto& [key, member] : json.items()) {
    text += separator;
    if (json.is_object()) text += Json(key).dump() + ": ";
    text += layout(member, depth + 1);
    separator = is_table ? "," + line + "  " : ", ";
  }
  if (is_table) text += line;
  return json.is_object() ? '{' + text + '}' : '[' + text + ']';
}

class SceneWriter {
 public:
  SceneWriter(const std::filesystem::path& file, const HostScene& scene)
      : file_(file),
        scene_(scene),
        mesh_files_(winnow_json_meshes(file, scene)),
        image_files_(winnow_json_images(file, scene)),
        grid_files_(winnow_json_grids(file, scene)) {
    name_materials();
  }

  void write() const {
    Json root;
    if (!scene_.description.empty()) root["description"] = utf8(scene_.description);
    root["film"] = {{"width", scene_.width},
                    {"height", scene_.height},
                    {"filter", enum_name(scene_.filter.type)},
                    {"filter_radius", number(scene_.filter.radius)}};
    root["render"] = {{"spp", scene_.spp}, {"max_bounces", scene_.max_bounces}};
    root["camera"] = camera();
    for (size_t i = 0; i < scene_.media.size(); ++i)
      append(root["media"], medium_name(i), medium(i));
    for (size_t i = 0; i < scene_.textures.size(); ++i)
      append(root["textures"], texture_name(i), texture(scene_.textures[i]));
    for (size_t i = 0; i < scene_.materials.size(); ++i)
      append(root["materials"], names_[i], material(scene_.materials[i]));
    root["shapes"] = Json::array();
    auto mesh_file = mesh_files_.begin();
    if (!scene_.triangles.empty())
      root["shapes"].push_back(
          write_mesh(*mesh_file++, scene_,
                     {0, uint32_t(scene_.triangles.size()), 0, uint32_t(scene_.positions.size())}));
    for (const Sphere& sphere : scene_.spheres)
      root["shapes"].push_back({{"type", "sphere"},
                                {"material", names_[sphere.material]},
                                {"center", vector(sphere.center)},
                                {"radius", number(sphere.radius)}});
    for (size_t i = 0; i < scene_.meshes.size(); ++i) {
      append(root["meshes"], mesh_name(i),
             write_mesh(*mesh_file++, scene_.shared, scene_.meshes[i]));
      add_instances(uint32_t(i), root["shapes"]);
    }
    for (const DeltaLight& light : scene_.delta_lights)
      root["lights"].push_back(delta_light(light));
    if (!scene_.environment.image.pixels.empty())
      root["sky"] = environment();
    else if (summarize(scene_).has_sky)
      root["sky"] = sky();
    for (size_t i = 0; i < scene_.images.size(); ++i)
      write_texture_file(image_files_[i], scene_.images[i]);
    for (size_t i = 0; i < scene_.grids.size(); ++i) write_vol(grid_files_[i], scene_.grids[i]);
    replace_file(file_, [&](std::ostream& stream) { stream << layout(root, 0) << '\n'; });
  }

 private:
  /// Adds a member with a new name. An ordered object would compare it with all other names.
  static void append(Json& object, std::string name, Json value) {
    if (object.is_null()) object = Json::object();
    object.get_ref<Json::object_t&>().emplace_back(std::move(name), std::move(value));
  }

  double number(float value) const {
    if (!(std::abs(value) <= float(kMaxSceneValue)))
      throw Error(fmt::format("{}: the scene has the number {}; the format allows at most 1e9",
                              file_.string(), value));
    return shortest(value);
  }
  Json vector(glm::vec3 v) const { return {number(v.x), number(v.y), number(v.z)}; }
  Json color(glm::vec3 v) const { return v.x == v.y && v.y == v.z ? Json(number(v.x)) : vector(v); }

  /// Returns an angle that the reader converts to the same `radians`, rounded if possible.
  double degrees(float radians) const {
    constexpr double kDegrees = 57.295779513082323;  // degrees per radian
    const double exact = radians * kDegrees, rounded = number(float(exact));
    return radians_of_degrees(rounded) == radians ? rounded : exact;
  }

  /// Gives each material a unique name.
  void name_materials() {
    std::set<std::string> taken;
    std::map<std::string, int> copies;  // numbers given so far, by name
    for (size_t i = 0; i < scene_.materials.size(); ++i) {
      std::string name = i < scene_.material_names.size() ? utf8(scene_.material_names[i]) : "";
      std::string unique = name;
      int& copy = copies.try_emplace(name, 1).first->second;
      while (!taken.insert(unique).second) unique = fmt::format("{} {}", name, ++copy);
      names_.push_back(unique);
    }
  }

  Json camera() const {
    const CameraDescription& camera = scene_.camera;
    Json json = {{"type", scene_keys::kCameraTypes[size_t(camera.projection)]},
                 {"position", vector(camera.position)},
                 {"look_at", vector(camera.look_at)},
                 {"up", vector(camera.up)}};
    if (camera.projection == Projection::kOrthographic)
      json["view_height"] = number(camera.view_height);
    else
      json["vertical_fov"] = number(camera.vertical_fov);
    if (camera.blades > 0) {
      json["blades"] = camera.blades;
      json["blade_rotation"] = number(camera.blade_rotation);
    }
    if (camera.lens_radius > 0.0f) json["lens_radius"] = number(camera.lens_radius);
    if (camera.focus_distance > 0.0f) json["focus_distance"] = number(camera.focus_distance);
    if (camera.shift != glm::vec2(0.0f))
      json["shift"] = {number(camera.shift.x), number(camera.shift.y)};
    if (camera.near_clip > 0.0f) json["near_clip"] = number(camera.near_clip);
    if (std::isfinite(camera.far_clip)) json["far_clip"] = number(camera.far_clip);
    for (const auto& [position, turn] : camera.motion)
      json["motion"].push_back(
          {{"position", vector(position)},
           {"turn", {number(turn.x), number(turn.y), number(turn.z), number(turn.w)}}});
    if (scene_.camera_medium != kNoMedium) json["medium"] = medium_name(scene_.camera_medium);
    return json;
  }

  Json material(const Material& material) const {
    const Material kDefault;
    Json json = {{"type", scene_keys::kMaterialTypes[size_t(material.type)]}};
    auto has = [&](std::string_view key) {
      auto is_in = [&](const scene_keys::Keys& keys) {
        return std::ranges::find(keys, key) != keys.end();
      };
      return is_in(scene_keys::kMaterials[size_t(material.type)]) ||
             is_in(scene_keys::kAnyMaterial);
    };
    if (has("n") && is_measured(material)) {
      json["n"] = color(material.metal_n);
      json["k"] = color(material.metal_k);
    }
    // The defaults of these keys depend on the type of the material.
    constexpr std::string_view kAlways[] = {"reflectance", "roughness", "ior", "metallic"};
    for (const MaterialField& field : material_fields()) {
      const bool is_always = std::ranges::find(kAlways, field.key) != std::end(kAlways);
      auto write_field = [&](auto member) {
        if (is_always || material.*member != kDefault.*member)
          json[field.key] = color(glm::vec3(material.*member));
      };
      if (has(field.key)) std::visit(write_field, field.member);
    }
    if (has("masking") && material.masking != kDefault.masking)
      json["masking"] = scene_keys::kMaskings[size_t(material.masking)];
    if (has("distribution") && material.distribution != kDefault.distribution)
      json["distribution"] = scene_keys::kDistributions[size_t(material.distribution)];
    if (has("thin") && material.thin) json["thin"] = true;
    if (has("nonlinear") && material.nonlinear) json["nonlinear"] = true;
    if (has("anisotropy_rotation") && material.anisotropy_rotation != 0.0f)
      json["anisotropy_rotation"] = degrees(material.anisotropy_rotation);
    if (has("film_thickness") && material.film_thickness != kDefault.film_thickness)
      json["film_thickness"] = {number(material.film_thickness.x),
                                number(material.film_thickness.y)};
    if (!material.two_sided_emission) json["two_sided"] = false;
    if (material.black_back) json["black_back"] = true;
    if (material.vertex_colors) json["vertex_colors"] = true;
    if (material.vertex_alpha) json["vertex_alpha"] = true;
    add_media(material, json);
    for (const TextureSlot& slot : texture_slots())
      if (const uint32_t texture = material.textures.*slot.texture; texture != kNoTexture)
        json["textures"][slot.key] = texture_name(texture);
    for (size_t use = 0; use < texture_slots().size(); ++use)
      if (is_on_second_uvs(material.textures, TextureUse(use)))
        json["textures"]["on_second_uvs"].push_back(texture_slots()[use].key);
    if (material.textures.normal != kNoTexture) {
      json["textures"]["normal_scale"] = number(material.normal_scale);
      json["textures"]["normal_mapping"] =
          scene_keys::kNormalMappings[size_t(material.normal_mapping)];
    }
    return json;
  }

  static std::string medium_name(size_t medium) { return fmt::format("medium {}", medium); }

  Json medium(size_t id) const {
    const Medium& medium = scene_.media[id];
    Json json = {{"absorption", color(medium.absorption)},
                 {"scattering", color(medium.scattering)},
                 {"asymmetry", number(medium.asymmetry)}};
    if (has_grid(scene_, id)) json["density"] = grid(scene_.grid_placements[id]);
    for (const EmissionPart& part : scene_.emission)
      if (part.medium == id) json["emission"].push_back(emission(part));
    for (const ScatteringFactors& factors : scene_.scattering_factors)
      for (const GridPlacement& channel : factors.channels)
        if (factors.medium == id) json["scattering_factors"].push_back(grid(channel));
    return json;
  }

  Json grid(const GridPlacement& placement) const {
    return {{"file", utf8(grid_files_[placement.grid].filename().string())},
            {"border", enum_name(scene_.grids[placement.grid].border)},
            {"transform", Json::array({Json{{"matrix", matrix(placement.to_world)}}})}};
  }

  Json emission(const EmissionPart& part) const {
    Json json = {{"table", Json::array()}, {"step", number(part.step)}};
    for (const glm::vec3& radiance : part.radiances) json["table"].push_back(color(radiance));
    if (part.placement.grid != GridPlacement::kNone) json["values"] = grid(part.placement);
    if (part.factors.grid != GridPlacement::kNone) json["factors"] = grid(part.factors);
    return json;
  }

  void add_media(const Material& material, Json& json) const {
    if (!material.bounds_media) return;
    json["interior"] =
        material.interior == kNoMedium ? Json(nullptr) : Json(medium_name(material.interior));
    if (material.exterior != kNoMedium) json["exterior"] = medium_name(material.exterior);
  }

  Json sky() const {
    return {{"zenith", color(scene_.sky.zenith)},
            {"horizon", color(scene_.sky.horizon)},
            {"ground", color(scene_.sky.ground)},
            {"up", vector(scene_.sky.up)}};
  }

  static std::string texture_name(size_t texture) { return fmt::format("texture {}", texture); }

  Json texture(const TextureDescription& texture) const {
    const glm::mat3x2& m = texture.from_uv;
    return {{"file", utf8(image_files_[texture.image].filename().string())},
            {"wrap", Json::array({wrap_name(texture.wrap_u), wrap_name(texture.wrap_v)})},
            {"filter", scene_keys::kTextureFilters[size_t(texture.filter)]},
            {"uv_transform",
             Json::array({Json::array({number(m[0].x), number(m[1].x), number(m[2].x)}),
                          Json::array({number(m[0].y), number(m[1].y), number(m[2].y)})})}};
  }
  static const std::string& wrap_name(TextureWrap wrap) {
    return scene_keys::kTextureWraps[size_t(wrap)];
  }

  Json environment() const {
    const std::filesystem::path& file = image_files_.back();
    write_image(file, scene_.environment.image);
    return {{"file", utf8(file.filename().string())},
            {"scale", number(scene_.environment.scale)},
            {"transform",
             Json::array({Json{{"matrix", matrix(glm::mat4x3(scene_.environment.to_world))}}})}};
  }

  Json delta_light(const DeltaLight& light) const {
    if (light.type == DeltaLightType::kDirectional)
      return {{"type", "directional"},
              {"direction", vector(light.direction)},
              {"irradiance", color(light.intensity)},
              {"angle", number(light.disk_angle)}};
    Json json = {{"type", light.type == DeltaLightType::kPoint ? "point" : "spot"},
                 {"position", vector(light.position)},
                 {"intensity", color(light.intensity)}};
    if (light.type == DeltaLightType::kSpot) {
      json["direction"] = vector(light.direction);
      json["cone_angle"] = number(light.cone_angle);
      json["falloff_start"] = number(light.falloff_start);
      json["falloff"] = enum_name(light.falloff);
    }
    return json;
  }

  Json matrix(const glm::mat4x3& matrix) const {
    Json rows = Json::array();
    for (int row = 0; row < 3; ++row) {
      Json numbers = Json::array();
      for (int column = 0; column < 4; ++column) numbers.push_back(number(matrix[column][row]));
      rows.push_back(std::move(numbers));
    }
    rows.push_back({0, 0, 0, 1});
    return rows;
  }

  static std::string mesh_name(size_t mesh) { return fmt::format("mesh {:08}", mesh); }

  /// Writes a part of `mesh` to a file. Returns the shape that names the file.
  Json write_mesh(const std::filesystem::path& file, const Mesh& mesh,
                  const SharedMesh& part) const {
    // An attribute that the mesh lacks is empty.
    auto vertices = [&]<class Item>(const std::vector<Item>& items) {
      return items.empty() ? std::span<const Item>()
                           : std::span(items).subspan(part.first_vertex, part.vertex_count);
    };
    std::span<const uint32_t> ids =
        std::span(mesh.triangle_materials).subspan(part.first_triangle, part.triangle_count);
    std::vector<uint32_t> used(ids.begin(), ids.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    Json shape = {{"type", "ply"}, {"file", utf8(file.filename().string())}};
    std::vector<uint32_t> indices;
    if (used.size() == 1) {
      shape["material"] = names_[used[0]];
    } else {
      for (uint32_t id : used) shape["materials"].push_back(names_[id]);
      for (uint32_t id : ids)
        indices.push_back(uint32_t(std::lower_bound(used.begin(), used.end(), id) - used.begin()));
    }
    write_ply(
        file,
        {.positions = vertices(mesh.positions),
         .normals = vertices(mesh.normals),
         .uvs = vertices(mesh.uvs),
         .second_uvs = vertices(mesh.second_uvs),
         .colors = vertices(mesh.colors),
         .triangles = std::span(mesh.triangles).subspan(part.first_triangle, part.triangle_count),
         .materials = indices,
         .first_vertex = part.first_vertex});
    return shape;
  }

  /// Adds a shape for each run of instances with the same material.
  void add_instances(uint32_t mesh, Json& shapes) const {
    uint32_t material = 0;
    Json shape;
    for (const MeshInstance& instance : scene_.instances) {
      if (instance.mesh != mesh) continue;
      if (!shape.is_null() && instance.material != material) {
        shapes.push_back(std::move(shape));
        shape = nullptr;
      }
      if (shape.is_null()) {
        material = instance.material;
        shape = {{"type", "instances"}, {"mesh", mesh_name(mesh)}};
        if (material != MeshInstance::kOwnMaterials) shape["material"] = names_[material];
      }
      shape["transforms"].push_back(Json::array({Json{{"matrix", matrix(instance.to_world)}}}));
    }
    if (!shape.is_null()) shapes.push_back(std::move(shape));
  }

  const std::filesystem::path& file_;
  const HostScene& scene_;
  std::vector<std::filesystem::path> mesh_files_, image_files_, grid_files_;
  std::vector<std::string> names_;  ///< [material]
};

}  // namespace

std::vector<std::filesystem::path> winnow_json_meshes(const std::filesystem::path& file,
                                                      const HostScene& scene) {
  std::filesystem::path stem = file.parent_path() / file.stem();
  std::vector<std::filesystem::path> files;
  if (!scene.triangles.empty()) files.push_back(stem.string() + "-world.ply");
  for (size_t i = 0; i < scene.meshes.size(); ++i)
    files.push_back(fmt::format("{}-mesh-{}.ply", stem.string(), i));
  return files;
}

std::vector<std::filesystem::path> winnow_json_images(const std::filesystem::path& file,
                                                      const HostScene& scene) {
  const std::filesystem::path stem = file.parent_path() / file.stem();
  std::vector<std::filesystem::path> files;
  for (size_t i = 0; i < scene.images.size(); ++i)
    files.push_back(fmt::format("{}-image-{}.{}", stem.string(), i,
                                keeps_floats(scene.images[i].format) ? "exr" : "png"));
  if (!scene.environment.image.pixels.empty()) files.push_back(stem.string() + "-sky.exr");
  return files;
}

std::vector<std::filesystem::path> winnow_json_grids(const std::filesystem::path& file,
                                                     const HostScene& scene) {
  const std::filesystem::path stem = file.parent_path() / file.stem();
  std::vector<std::filesystem::path> files;
  for (size_t i = 0; i < scene.grids.size(); ++i)
    files.push_back(fmt::format("{}-grid-{}.vol", stem.string(), i));
  return files;
}

void write_winnow_json(const std::filesystem::path& file, const HostScene& scene) {
  SceneWriter(file, scene).write();
}

}  // namespace winnow
