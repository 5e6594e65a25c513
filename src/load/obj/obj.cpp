// SPDX-License-Identifier: MIT
#include "load/obj/obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "load/obj/mtl.h"
#include "load/obj/parse_obj.h"
#include "load/text/blender_notes.h"
#include "scene/frame_scene.h"
#include "scene/mesh.h"
#include "scene/open_edges.h"
#include "scene/triangulate_polygon.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

constexpr uint32_t kNoIndex = ParsedObj::kNoIndex;

/// Builds the mesh: triangulates the faces, leaves out triangles that no ray can hit, and merges
/// corners of equal position, normal and uv into vertices.
class MeshBuilder {
 public:
  MeshBuilder(const ParsedObj& parsed, ObjNormals normals)
      : parsed_(parsed), normals_(parsed.normals) {
    add_faces();
    if (normals == ObjNormals::kOfSmoothingGroups) smooth();
    share_vertices();
    finish_vertex_colors(mesh.colors, ColorEncoding::kSrgb);
  }

  Mesh mesh;                       ///< `triangle_materials` index ParsedObj::material_names
  size_t left_out = 0;             ///< triangles left out
  size_t overlapping = 0;          ///< faces whose triangles overlap
  std::set<uint32_t> without_uvs;  ///< materials of corners without a texture vertex
  size_t missing_normals = 0;      ///< corners that refer to a normal beyond the last one

 private:
  void add_faces() {
    size_t first = 0;
    for (const ParsedObj::Face& face : parsed_.faces) {
      const ParsedObj::Corner* corners = &parsed_.corners[first];
      const size_t size = face.end - std::exchange(first, face.end);
      auto is_unusable = [&](const ParsedObj::Corner& corner) {
        return parsed_.is_unusable[corner.position];
      };
      if (std::any_of(corners, corners + size, is_unusable)) continue;

      if (size == 3) {
        add_triangle(corners[0], corners[1], corners[2], face);
        continue;
      }
      outline_.clear();
      for (size_t i = 0; i < size; ++i) outline_.push_back(parsed_.positions[corners[i].position]);
      const PolygonTriangles cut = triangulate_polygon(outline_);
      overlapping += cut.overlap;
      for (glm::uvec3 ear : cut.triangles)
        add_triangle(corners[ear.x], corners[ear.y], corners[ear.z], face);
    }
  }

  void add_triangle(const ParsedObj::Corner& a, const ParsedObj::Corner& b,
                    const ParsedObj::Corner& c, const ParsedObj::Face& face) {
    const std::vector<glm::vec3>& positions = parsed_.positions;
    if (!is_solid_triangle(positions[a.position], positions[b.position], positions[c.position])) {
      ++left_out;
      return;
    }
    for (const ParsedObj::Corner& corner : {a, b, c}) {
      const bool is_missing = corner.normal != kNoIndex && corner.normal >= parsed_.normals.size();
      missing_normals += is_missing;
      const uint32_t normal = is_missing ? kNoIndex : corner.normal;
      corner_normals_.push_back(normal);
      const bool has_uv = corner.uv < parsed_.uvs.size();
      corner_uvs_.push_back(has_uv ? corner.uv : kNoIndex);
      if (!has_uv) without_uvs.insert(face.material);
      corners_.push_back({corner.position, normal == kNoIndex ? face.group : 0});
    }
    mesh.triangle_materials.push_back(face.material);
  }

  void smooth() {
    SmoothNormals smooth = compute_smooth_normals(parsed_.positions, corners_);
    for (size_t i = 0; i < corners_.size(); ++i)
      if (smooth.corners[i] != SmoothNormals::kFlat)
        corner_normals_[i] = uint32_t(normals_.size()) + smooth.corners[i];
    normals_.insert(normals_.end(), smooth.normals.begin(), smooth.normals.end());
  }

  void share_vertices() {
    // The vertices of a position form a linked list: `oldest`, then `newer` of that, and so on.
    // Beyond kMaxListed, they are in a tree.
    constexpr int kMaxListed = 16;
    std::vector<uint32_t> oldest(parsed_.positions.size(), kNoIndex), newer, normal_of, uv_of;
    std::map<std::array<uint32_t, 3>, uint32_t> unlisted;  // by position, normal and uv
    const bool has_uvs = std::any_of(corner_uvs_.begin(), corner_uvs_.end(),
                                     [](uint32_t uv) { return uv != kNoIndex; });
    auto vertex_at = [&](size_t corner) {
      uint32_t position = corners_[corner].position, normal = corner_normals_[corner];
      uint32_t uv = corner_uvs_[corner];
      const uint32_t vertex = uint32_t(mesh.positions.size());
      uint32_t* end = &oldest[position];
      int listed = 0;
      for (; *end != kNoIndex && listed < kMaxListed; ++listed) {
        if (normal_of[*end] == normal && uv_of[*end] == uv) return *end;
        end = &newer[*end];
      }
      if (listed < kMaxListed) {
        *end = vertex;
      } else {
        const auto [known, is_new] = unlisted.try_emplace({position, normal, uv}, vertex);
        if (!is_new) return known->second;
      }
      mesh.positions.push_back(parsed_.positions[position]);
      mesh.normals.push_back(normal == kNoIndex ? glm::vec3(0.0f) : normals_[normal]);
      newer.push_back(kNoIndex);
      normal_of.push_back(normal);
      uv_of.push_back(uv);
      if (!parsed_.colors.empty()) mesh.colors.emplace_back(parsed_.colors[position], 1.0f);
      if (has_uvs) mesh.uvs.push_back(uv == kNoIndex ? glm::vec2(0.0f) : upper_left_uv(uv));
      return vertex;
    };
    for (size_t i = 0; i < corners_.size(); i += 3) {
      uint32_t a = vertex_at(i), b = vertex_at(i + 1), c = vertex_at(i + 2);
      mesh.triangles.emplace_back(a, b, c);
    }
  }

  /// Converts from OBJ, where (0, 0) is the lower left corner of a texture.
  glm::vec2 upper_left_uv(uint32_t uv) const {
    return {parsed_.uvs[uv].x, 1.0f - parsed_.uvs[uv].y};
  }

  const ParsedObj& parsed_;
  std::vector<glm::vec3> normals_;        ///< normals of the file, then smooth normals
  std::vector<SmoothCorner> corners_;     ///< [3 x triangle]
  std::vector<uint32_t> corner_normals_;  ///< [3 x triangle], kNoIndex for flat
  std::vector<uint32_t> corner_uvs_;      ///< [3 x triangle], kNoIndex for none
  std::vector<glm::vec3> outline_;        ///< outline of one face
};

bool is_above_one(const tinyobj::real_t (&color)[3]) {
  return color[0] > 1.0f || color[1] > 1.0f || color[2] > 1.0f;
}

/// Converts the materials that a triangle uses, and makes the triangles refer to them.
/// @param grey   of faces without a material
/// @param notes  grows
/// @return  [material], its place in MtlLibraries::materials; their size for none
std::vector<size_t> add_materials(const ParsedObj& parsed, const MtlLibraries& libraries,
                                  float grey, Obj& obj, MtlNotes& notes) {
  const std::vector<MtlMaterial>& mtl = libraries.materials;
  std::vector<uint32_t> material_of(mtl.size() + 1, kNoIndex);  // the last: no material
  std::vector<size_t> used;                                     // index in `mtl`
  for (uint32_t& material : obj.mesh.triangle_materials) {
    size_t id = mtl.size();
    if (material != kNoIndex)
      if (auto known = libraries.ids.find(parsed.material_names[material]);
          known != libraries.ids.end())
        id = size_t(known->second);
    if (material_of[id] == kNoIndex) {
      material_of[id] = uint32_t(used.size());
      used.push_back(id);
    }
    material = material_of[id];
  }

  bool has_light = false;
  for (size_t id : used) {
    bool is_named = id < mtl.size();
    obj.material_names.push_back(is_named ? one_line(mtl[id].values.name) : "(none)");
    obj.materials.push_back(is_named ? make_material(mtl[id], notes)
                                     : Material{.reflectance = glm::vec3(grey)});
    has_light = has_light || emits(obj.materials.back());
  }
  for (size_t i = 0; i < used.size() && !has_light; ++i) {
    if (used[i] == mtl.size() || !is_above_one(mtl[used[i]].values.ambient)) continue;
    const auto& ka = mtl[used[i]].values.ambient;
    obj.materials[i].emission = glm::clamp(glm::vec3(ka[0], ka[1], ka[2]), 0.0f, 1e9f);
    obj.warnings.push_back(
        fmt::format("material {} is taken for a light: its Ka is above 1, and no material has Ke",
                    in_quotes(obj.material_names[i])));
  }
  return used;
}

/// Makes vertex colours multiply Kd, except where a texture does.
/// The colours replace the grey of faces without a material and of materials without a colour.
/// @param used  [material], its place in `mtl`; the size of that for none
void use_vertex_colors(const std::vector<size_t>& used, const std::vector<MtlMaterial>& mtl,
                       bool is_by_blender, Obj& obj) {
  bool is_textured = false;
  for (size_t i = 0; i < used.size(); ++i) {
    Material& material = obj.materials[i];
    material.vertex_colors = material.textures.reflectance == kNoTexture;
    const bool is_replaced = used[i] == mtl.size() || (mtl[used[i]].lacks_color() &&
                                                       material.reflectance == glm::vec3(kMtlGrey));
    if (is_replaced) material.reflectance = glm::vec3(1.0f);
    is_textured = is_textured || !material.vertex_colors;
  }
  if (is_textured)
    obj.warnings.push_back("vertex colours are not used where map_Kd gives the colour");
  if (is_by_blender)
    obj.warnings.push_back(
        "Blender does not write which materials use vertex colours; here they multiply Kd of all");
}

/// Returns "3 textures" or "1 texture".
std::string counted(size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Returns the number of materials with textures that have faces without texture vertices.
/// @param used  [material], its place in MtlLibraries::materials
size_t count_without_uvs(const Obj& obj, const std::vector<size_t>& used, const ParsedObj& parsed,
                         const MeshBuilder& builder, const MtlLibraries& libraries) {
  std::set<size_t> without;  // places in MtlLibraries::materials
  for (const uint32_t material : builder.without_uvs)
    if (material != kNoIndex)
      if (const auto known = libraries.ids.find(parsed.material_names[material]);
          known != libraries.ids.end())
        without.insert(size_t(known->second));
  size_t count = 0;
  for (size_t i = 0; i < used.size(); ++i)
    count += without.contains(used[i]) && has_textures(obj.materials[i].textures);
  return count;
}

/// @param used  [material], its place in MtlLibraries::materials
void add_warnings(Obj& obj, const std::vector<size_t>& used, const ParsedObj& parsed,
                  const MeshBuilder& builder, const MtlLibraries& libraries, const MtlNotes& notes,
                  const MtlMapCounts& map_counts, bool is_by_blender) {
  auto warn = [&](size_t count, const char* one, const char* many) {
    if (count) obj.warnings.push_back(counted(count, one, many));
  };
  for (const std::string& missing : libraries.missing_files)
    obj.warnings.push_back(
        fmt::format("the material library {} does not exist", in_quotes(missing)));
  std::set<std::string> unknown;
  for (const std::string& name : parsed.material_names)
    if (!libraries.ids.contains(name)) unknown.insert(name);
  if (is_by_blender) unknown.erase(std::string(kUnnamedMaterial));  // means that there is none
  if (!unknown.empty())
    obj.warnings.push_back(fmt::format("{} not defined, among them {}; grey is used",
                                       counted(unknown.size(), "material is", "materials are"),
                                       in_quotes(*unknown.begin())));
  warn(count_without_uvs(obj, used, parsed, builder, libraries),
       "material has textures, but faces without texture vertices (vt)",
       "materials have textures, but faces without texture vertices (vt)");
  warn(parsed.unusable_position_count,
       "vertex is not finite or too far away; its faces are left out",
       "vertices are not finite or too far away; their faces are left out");
  warn(parsed.point_and_line_count, "point or line is left out", "points or lines are left out");
  warn(builder.left_out, "triangle without area is left out",
       "triangles without area are left out");
  if (builder.overlapping) obj.warnings.push_back(overlap_warning(builder.overlapping));
  warn(builder.missing_normals, "face corner refers to a normal beyond the last one",
       "face corners refer to normals beyond the last one");
  warn(map_counts.averaged, "texture (map_Ks or map_Ns) is used by its mean",
       "textures (map_Ks or map_Ns) are used by their means");
  warn(map_counts.unused,
       "texture (map_Ks or map_Ns) is not used, as its material has no highlight",
       "textures (map_Ks or map_Ns) are not used, as their materials have no highlights");
  warn(notes.out_of_range_count, "material value is clamped to its range",
       "material values are clamped to their ranges");
  for (const std::string& warning : notes.warnings.lines()) obj.warnings.push_back(warning);
}

}  // namespace

Obj read_obj(const std::filesystem::path& file, TextureLibrary* textures, ObjNormals normals) {
  const std::string name = file.string();
  const auto text = read_text_file(file);
  const ParsedObj parsed = parse_obj(text, name);
  if (parsed.faces.empty())
    throw Error(fmt::format("{}: has no geometry; expected faces (f), found {} vertices and {}",
                            name, parsed.positions.size(),
                            counted(parsed.point_and_line_count, "point or line statement",
                                    "point or line statements")));

  NamedFiles files;
  const MtlLibraries libraries = read_mtl_libraries(file.parent_path(), parsed.libraries, files);
  MeshBuilder builder(parsed, normals);
  if (builder.mesh.triangles.empty())
    throw Error(fmt::format("{}: has no geometry; none of its {} has an area and finite vertices",
                            name, counted(parsed.faces.size(), "face", "faces")));

  Obj obj;
  obj.mesh = std::move(builder.mesh);
  MtlNotes notes;
  MtlMapCounts map_counts;
  const bool is_by_blender = obj.is_by_blender = blender_version(text) != 0;
  const float grey = is_by_blender ? kGreyOfBlender : kMtlGrey;
  const std::vector<size_t> used = add_materials(parsed, libraries, grey, obj, notes);
  for (size_t i = 0; i < used.size() && textures; ++i)
    if (used[i] < libraries.materials.size())
      add_mtl_maps(libraries.materials[used[i]].maps, files, *textures, obj.materials[i],
                   map_counts);
  if (!obj.mesh.colors.empty()) use_vertex_colors(used, libraries.materials, is_by_blender, obj);
  add_warnings(obj, used, parsed, builder, libraries, notes, map_counts, is_by_blender);
  if (is_by_blender && has_coarse_normals(obj.mesh)) obj.warnings.push_back(kCoarseNormalsNote);
  for (std::string& warning : obj.warnings) warning = fmt::format("{}: {}", name, warning);
  warn_about_open_glass(obj.mesh, obj.materials, obj.material_names, name, obj.warnings);
  for (const std::string& warning : parsed.ignored.warnings(name, "OBJ"))
    obj.warnings.push_back(warning);
  for (const std::vector<std::string>& more : {libraries.warnings, files.warnings()})
    obj.warnings.insert(obj.warnings.end(), more.begin(), more.end());
  return obj;
}

HostScene load_obj_scene(const std::filesystem::path& file) {
  HostScene scene;
  TextureLibrary textures(scene);
  Obj obj = read_obj(file, &textures);
  scene.materials = std::move(obj.materials);
  scene.material_names = std::move(obj.material_names);
  scene.warnings.insert(scene.warnings.end(), obj.warnings.begin(), obj.warnings.end());
  if (obj.is_by_blender)
    scene.notes.push_back(blender_note(
        file.string(), "cameras, lamps, the world, layers of materials, and most shader nodes"));
  complete_lone_mesh_scene(scene, obj.mesh);
  return scene;
}

}  // namespace winnow
