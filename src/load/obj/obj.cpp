#include "load/obj/obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/one_line.h"
#include "load/obj/mtl.h"
#include "load/obj/obj_syntax.h"
#include "load/text/statement.h"
#include "scene/lone_mesh_scene.h"
#include "scene/smooth_normals.h"
#include "scene/triangulate_polygon.h"

namespace winnow {
namespace {

constexpr uint32_t kNoIndex = ~0u;

/// What tinyobjloader makes of a file.
struct Parsed {
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::material_t> materials;
  tinyobj::mesh_t faces;
};

Parsed parse(ObjSyntax& syntax, MtlReader& libraries, const std::string& file) {
  // One request is enough: the reader knows all the libraries.
  if (!syntax.libraries.empty()) syntax.text.insert(0, "mtllib all\n");
  std::istringstream text(std::move(syntax.text));
  Parsed parsed;
  std::vector<tinyobj::shape_t> shapes;
  std::string warnings, errors;
  bool read = tinyobj::LoadObj(&parsed.attributes, &shapes, &parsed.materials, &warnings, &errors,
                               &text, &libraries, /*triangulate=*/false,
                               /*default_vcols_fallback=*/false);
  if (!read) throw Error(fmt::format("{}: {}", file, one_line(errors)));
  if (!shapes.empty()) parsed.faces = std::move(shapes[0].mesh);  // no `o`, no `g`: only one
  return parsed;
}

/// Builds the mesh: triangulates the faces, leaves out what no ray can hit, and gives everything
/// that a corner has of position, normal and place in textures its vertex.
class MeshBuilder {
 public:
  MeshBuilder(const Parsed& parsed, const ObjSyntax& syntax) : syntax_(syntax) {
    const auto& v = parsed.attributes.vertices;
    const auto& n = parsed.attributes.normals;
    for (size_t i = 0; i + 2 < v.size(); i += 3) positions_.emplace_back(v[i], v[i + 1], v[i + 2]);
    for (size_t i = 0; i + 2 < n.size(); i += 3) normals_.emplace_back(n[i], n[i + 1], n[i + 2]);
    // An OBJ's textures have their (0, 0) at the lower left.
    const auto& t = parsed.attributes.texcoords;
    for (size_t i = 0; i + 1 < t.size(); i += 2) uvs_.emplace_back(t[i], 1.0f - t[i + 1]);
    add_faces(parsed.faces);
    smooth();
    share_vertices();
  }

  Mesh mesh;
  size_t left_out = 0;         ///< triangles
  size_t missing_normals = 0;  ///< corners whose normal the file lacks

 private:
  void add_faces(const tinyobj::mesh_t& faces) {
    size_t first = 0;
    for (size_t face = 0; face < syntax_.face_sizes.size(); ++face) {
      size_t size = syntax_.face_sizes[face];
      if (first + size > faces.indices.size() || face >= faces.material_ids.size()) break;
      const tinyobj::index_t* corners = &faces.indices[first];
      first += size;
      auto is_unusable = [&](const tinyobj::index_t& corner) {
        return syntax_.unusable_positions[size_t(corner.vertex_index)];
      };
      if (std::any_of(corners, corners + size, is_unusable)) continue;

      uint32_t group = faces.smoothing_group_ids[face];
      uint32_t material = uint32_t(faces.material_ids[face]);  // -1 becomes kNoIndex
      if (size == 3) {
        add_triangle(corners[0], corners[1], corners[2], group, material);
        continue;
      }
      outline_.clear();
      for (size_t i = 0; i < size; ++i)
        outline_.push_back(positions_[size_t(corners[i].vertex_index)]);
      for (glm::uvec3 ear : triangulate_polygon(outline_))
        add_triangle(corners[ear.x], corners[ear.y], corners[ear.z], group, material);
    }
  }

  void add_triangle(const tinyobj::index_t& a, const tinyobj::index_t& b, const tinyobj::index_t& c,
                    uint32_t group, uint32_t material) {
    if (!is_solid_triangle(positions_[size_t(a.vertex_index)], positions_[size_t(b.vertex_index)],
                           positions_[size_t(c.vertex_index)])) {
      ++left_out;
      return;
    }
    for (const tinyobj::index_t& corner : {a, b, c}) {
      uint32_t normal = uint32_t(corner.normal_index);  // -1 becomes kNoIndex
      if (normal != kNoIndex && normal >= normals_.size()) {
        ++missing_normals;
        normal = kNoIndex;
      }
      corner_normals_.push_back(normal);
      uint32_t uv = uint32_t(corner.texcoord_index);  // -1 becomes kNoIndex
      corner_uvs_.push_back(uv < uvs_.size() ? uv : kNoIndex);
      corners_.push_back({uint32_t(corner.vertex_index), normal == kNoIndex ? group : 0});
    }
    mesh.triangle_materials.push_back(material);
  }

  void smooth() {
    SmoothNormals smooth = compute_smooth_normals(positions_, corners_);
    for (size_t i = 0; i < corners_.size(); ++i)
      if (smooth.corners[i] != SmoothNormals::kFlat)
        corner_normals_[i] = uint32_t(normals_.size()) + smooth.corners[i];
    normals_.insert(normals_.end(), smooth.normals.begin(), smooth.normals.end());
  }

  void share_vertices() {
    // The vertices made of one position form a list: `newest`, then `older` of that, and so on.
    std::vector<uint32_t> newest(positions_.size(), kNoIndex), older, normal_of, uv_of;
    const bool has_uvs = std::any_of(corner_uvs_.begin(), corner_uvs_.end(),
                                     [](uint32_t uv) { return uv != kNoIndex; });
    auto vertex_at = [&](size_t corner) {
      uint32_t position = corners_[corner].position, normal = corner_normals_[corner];
      uint32_t uv = corner_uvs_[corner];
      for (uint32_t vertex = newest[position]; vertex != kNoIndex; vertex = older[vertex])
        if (normal_of[vertex] == normal && uv_of[vertex] == uv) return vertex;
      uint32_t vertex = uint32_t(mesh.positions.size());
      mesh.positions.push_back(positions_[position]);
      mesh.normals.push_back(normal == kNoIndex ? glm::vec3(0.0f) : normals_[normal]);
      older.push_back(std::exchange(newest[position], vertex));
      normal_of.push_back(normal);
      uv_of.push_back(uv);
      if (has_uvs) mesh.uvs.push_back(uv == kNoIndex ? glm::vec2(0.0f) : uvs_[uv]);
      return vertex;
    };
    for (size_t i = 0; i < corners_.size(); i += 3) {
      uint32_t a = vertex_at(i), b = vertex_at(i + 1), c = vertex_at(i + 2);
      mesh.triangles.emplace_back(a, b, c);
    }
  }

  const ObjSyntax& syntax_;
  std::vector<glm::vec3> positions_;
  std::vector<glm::vec3> normals_;  ///< the file's, then the smooth ones
  std::vector<glm::vec2> uvs_;
  std::vector<SmoothCorner> corners_;     ///< [3 x triangle]
  std::vector<uint32_t> corner_normals_;  ///< [3 x triangle], kNoIndex where flat
  std::vector<uint32_t> corner_uvs_;      ///< [3 x triangle], kNoIndex where there is none
  std::vector<glm::vec3> outline_;        ///< of one face
};

bool is_above_one(const tinyobj::real_t (&color)[3]) {
  return color[0] > 1.0f || color[1] > 1.0f || color[2] > 1.0f;
}

/// Keeps the materials that a triangle uses, and points the triangles to them.
/// @return  [material], its name in the MTL file, blanks hidden; empty without one
std::vector<std::string> add_materials(Obj& obj, const std::vector<tinyobj::material_t>& mtl,
                                       size_t& out_of_range) {
  std::vector<uint32_t> material_of(mtl.size() + 1, kNoIndex);  // the last is for faces without any
  std::vector<size_t> used;
  for (uint32_t& material : obj.mesh.triangle_materials) {
    size_t id = std::min<size_t>(material, mtl.size());
    if (material_of[id] == kNoIndex) {
      material_of[id] = uint32_t(used.size());
      used.push_back(id);
    }
    material = material_of[id];
  }

  std::vector<std::string> names;
  bool has_light = false;
  for (size_t id : used) {
    constexpr float kGrey = 0.6f;
    bool named = id < mtl.size();
    names.push_back(named ? mtl[id].name : "");
    obj.material_names.push_back(named ? one_line(show_blanks(mtl[id].name)) : "(none)");
    obj.materials.push_back(named ? make_material(mtl[id], out_of_range)
                                  : Material{.reflectance = glm::vec3(kGrey)});
    has_light = has_light || emits(obj.materials.back());
  }
  for (size_t i = 0; i < used.size() && !has_light; ++i) {
    if (used[i] == mtl.size() || !is_above_one(mtl[used[i]].ambient)) continue;
    const auto& ka = mtl[used[i]].ambient;
    obj.materials[i].emission = glm::clamp(glm::vec3(ka[0], ka[1], ka[2]), 0.0f, 1e9f);
    obj.warnings.push_back(
        fmt::format("material {} is taken for a light: its Ka is above 1, and no material has Ke",
                    in_quotes(obj.material_names[i])));
  }
  return names;
}

/// "3 textures", "1 texture".
std::string counted(size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void add_warnings(Obj& obj, const ObjSyntax& syntax, const MeshBuilder& builder,
                  const MtlReader& libraries, size_t out_of_range) {
  auto warn = [&](size_t count, const char* one, const char* many) {
    if (count) obj.warnings.push_back(counted(count, one, many));
  };
  const MtlRemarks& remarks = libraries.remarks;
  for (const std::string& missing : remarks.missing_files)
    obj.warnings.push_back(
        fmt::format("the material library {} does not exist", in_quotes(missing)));
  std::vector<std::string> unknown;
  std::set_difference(syntax.material_names.begin(), syntax.material_names.end(),
                      libraries.material_names.begin(), libraries.material_names.end(),
                      std::back_inserter(unknown));
  if (!unknown.empty())
    obj.warnings.push_back(fmt::format("{} not defined, among them {}; grey is used",
                                       counted(unknown.size(), "material is", "materials are"),
                                       in_quotes(show_blanks(unknown[0]))));
  warn(syntax.unusable_position_count,
       "vertex is not finite or too far away; its faces are left out",
       "vertices are not finite or too far away; their faces are left out");
  warn(builder.left_out, "triangle without area is left out",
       "triangles without area are left out");
  warn(builder.missing_normals, "face corner names a normal that the file lacks",
       "face corners name normals that the file lacks");
  warn(remarks.texture_count, "texture is of a kind that is not used",
       "textures are of kinds that are not used");
  warn(out_of_range, "material value is moved into its range",
       "material values are moved into their ranges");
  warn(syntax.unknown_count, "line of the OBJ file is not understood",
       "lines of the OBJ file are not understood");
  warn(remarks.unknown_count, "line of the MTL files is not understood",
       "lines of the MTL files are not understood");
}

}  // namespace

Obj read_obj(const std::filesystem::path& file, TextureLibrary* textures) {
  std::string name = file.string();
  ObjSyntax syntax = check_obj_syntax(read_text_file(file), name);
  if (syntax.face_sizes.empty())
    throw Error(fmt::format("{}: has no geometry; expected faces (f), found {} vertices and {}",
                            name, syntax.unusable_positions.size(),
                            counted(syntax.point_and_line_count, "point or line statement",
                                    "point or line statements")));

  MtlReader libraries(file.parent_path(), syntax.libraries);
  Parsed parsed = parse(syntax, libraries, name);
  MeshBuilder builder(parsed, syntax);
  if (builder.mesh.triangles.empty())
    throw Error(fmt::format("{}: has no geometry; none of its {} has an area and finite vertices",
                            name, counted(syntax.face_sizes.size(), "face", "faces")));

  Obj obj;
  obj.mesh = std::move(builder.mesh);
  size_t out_of_range = 0;
  const std::vector<std::string> names = add_materials(obj, parsed.materials, out_of_range);
  for (size_t i = 0; i < names.size() && textures; ++i)
    if (auto maps = libraries.maps.find(names[i]); maps != libraries.maps.end())
      add_mtl_maps(maps->second, file.parent_path(), *textures, obj.materials[i],
                   libraries.remarks.texture_count);
  add_warnings(obj, syntax, builder, libraries, out_of_range);
  for (std::string& warning : obj.warnings) warning = fmt::format("{}: {}", name, warning);
  return obj;
}

HostScene load_obj_scene(const std::filesystem::path& file) {
  HostScene scene;
  TextureLibrary textures(scene);
  Obj obj = read_obj(file, &textures);
  scene.materials = std::move(obj.materials);
  scene.material_names = std::move(obj.material_names);
  scene.warnings.insert(scene.warnings.end(), obj.warnings.begin(), obj.warnings.end());
  complete_lone_mesh_scene(scene, obj.mesh);
  return scene;
}

}  // namespace winnow
