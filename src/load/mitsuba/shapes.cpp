// SPDX-License-Identifier: MIT
#include "scene/shapes.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "base/error.h"
#include "load/mitsuba/convert.h"
#include "load/obj/obj.h"
#include "load/ply/ply.h"
#include "math/constants.h"
#include "math/frame.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

void flip(Mesh& mesh) {
  for (glm::uvec3& triangle : mesh.triangles) std::swap(triangle.y, triangle.z);
  for (glm::vec3& n : mesh.normals) n = -n;
}

/// Reverses v: shapes of Mitsuba have v = 0 at their lower edge, those of Winnow at the upper one.
void reverse_v(Mesh& mesh) {
  for (glm::vec2& uv : mesh.uvs) uv.y = 1.0f - uv.y;
}

/// Gives a mesh of make_box() the texture coordinates of Mitsuba's cube.
void set_cube_uvs(Mesh& box) {
  constexpr glm::vec2 kDefault[] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  constexpr glm::vec2 kTop[] = {{1, 0}, {0, 0}, {0, 1}, {1, 1}};
  constexpr glm::vec2 kBack[] = {{1, 1}, {1, 0}, {0, 0}, {0, 1}};
  constexpr size_t kCorners = 4, kTopFace = 3, kBackFace = 4;
  for (size_t i = 0; i < box.uvs.size(); ++i) {
    const size_t face = i / kCorners;
    const glm::vec2* corners = kDefault;
    if (face == kTopFace) corners = kTop;
    if (face == kBackFace) corners = kBack;
    box.uvs[i] = corners[i % kCorners];
  }
}

struct FileMesh {
  Mesh mesh;
  std::vector<glm::vec4> face_colors;                       ///< [triangle], or empty
  bool has_vertex_colors = false, has_face_colors = false;  ///< in the file, even if all are white
  bool asks_for_flat = false;                               ///< the file requests face normals
};

/// Reads the mesh of a file, with the texture coordinates of Mitsuba.
FileMesh read_mesh_of_type(const MitsubaObject& shape, const std::filesystem::path& file) {
  FileMesh read;
  Mesh& mesh = read.mesh;
  std::vector<std::string> warnings;
  if (shape.type() == "obj") {
    Obj obj = read_obj(file, nullptr, ObjNormals::kNone);  // Mitsuba knows no groups
    mesh = std::move(obj.mesh);
    warnings = std::move(obj.warnings);
    read.has_vertex_colors = !mesh.colors.empty();
    if (!shape.boolean("flip_tex_coords", true)) reverse_v(mesh);
  } else if (shape.type() == "ply") {
    Ply ply = read_ply(file, ColorEncoding::kLinear);
    mesh = std::move(ply.mesh);
    read.face_colors = std::move(ply.face_colors);
    read.has_vertex_colors = ply.has_vertex_colors;
    read.has_face_colors = ply.has_face_colors;
    warnings = std::move(ply.warnings);
    if (!shape.boolean("flip_tex_coords", false)) reverse_v(mesh);
  } else {
    const int index = shape.integer("shape_index", 0);
    if (index < 0) shape.fail(fmt::format("expected a shape_index of at least 0, found {}", index));
    SerializedMesh serialized = read_serialized_mesh(file, uint32_t(index));
    mesh = std::move(serialized.mesh);
    read.has_vertex_colors = !mesh.colors.empty();
    finish_vertex_colors(mesh.colors, ColorEncoding::kLinear);
    // Newer versions ignore the flag.
    read.asks_for_flat = serialized.is_flat && shape.document().version() < 2;
  }
  if (!warnings.empty())
    shape.warn("parts of a mesh file are ignored; winnow info FILE lists them");
  mesh.triangle_materials.clear();
  return read;
}

/// Returns the mean of colours; white if there are none.
glm::vec3 mean_color(const std::vector<glm::vec4>& colors) {
  glm::dvec3 sum(0.0);
  for (const glm::vec4& color : colors) sum += glm::dvec3(color);
  return colors.empty() ? glm::vec3(1.0f) : glm::vec3(sum / double(colors.size()));
}

/// Keeps only the colours that a mesh_attribute of the shape's BSDF names, as vertex colours.
/// @return  true if the file has them
bool keep_colors(const MitsubaObject& shape, FileMesh& read) {
  std::map<std::string, glm::vec3>& means = shape.document().mesh_colors;
  if (read.has_vertex_colors) means[kMitsubaVertexColor] = mean_color(read.mesh.colors);
  if (read.has_face_colors) means[kMitsubaFaceColor] = mean_color(read.face_colors);
  std::set<std::string> names;
  const std::vector<MitsubaObject> bsdfs = shape.children("bsdf");
  if (!bsdfs.empty()) names = find_mitsuba_mesh_attributes(bsdfs[0]);
  if (names.contains(kMitsubaVertexColor)) return read.has_vertex_colors;
  read.mesh.colors.clear();
  if (!names.contains(kMitsubaFaceColor)) return false;
  if (!read.face_colors.empty()) color_triangles(read.mesh, read.face_colors);
  return read.has_face_colors;
}

/// Gives a mesh without normals those that Mitsuba computes: in world space.
/// @param linear  transform to world space without its translation
void add_smooth_normals_of_world(Mesh& mesh, const glm::mat3& linear) {
  Mesh placed;
  for (glm::vec3 p : mesh.positions) placed.positions.push_back(linear * p);
  placed.triangles = mesh.triangles;
  add_smooth_normals(placed);
  const glm::mat3 to_object = glm::transpose(linear);  // inverse of the transform of normals
  mesh.normals.clear();
  for (glm::vec3 n : placed.normals) mesh.normals.push_back(to_object * n);
}

/// Returns the share of the area of a mesh whose faces have a corner with a normal that is farther
/// off than an angle of this cosine.
double share_off_faces(const Mesh& mesh, float cosine) {
  double off = 0.0, all = 0.0;
  if (mesh.normals.empty()) return 0.0;
  for (const glm::uvec3& t : mesh.triangles) {
    const glm::vec3 p = mesh.positions[t.x];
    const glm::vec3 n = glm::cross(mesh.positions[t.y] - p, mesh.positions[t.z] - p);
    const float size = glm::length(n);
    bool is_off = false;
    for (int k = 0; k < 3; ++k) {
      const glm::vec3 of_corner = mesh.normals[t[k]];
      is_off |= glm::dot(n, of_corner) < cosine * size * glm::length(of_corner);
    }
    all += size;
    if (is_off) off += size;
  }
  return all > 0.0 ? off / all : 0.0;
}

/// True for a mesh with normals that are not those of its faces.
bool is_smooth(const Mesh& mesh) {
  constexpr float kFlat = 0.999f;  // cosine
  return share_off_faces(mesh, kFlat) > 0.0;
}

/// True if normals are so far off their faces that light from behind a face changes blocks of a
/// picture by more than 2 %, as on a ball of 12 x 6 faces.
bool is_coarse(const Mesh& mesh) {
  constexpr float kFar = 0.95f;   // cosine of 18 degrees
  constexpr double kShare = 0.1;  // share of the area
  return share_off_faces(mesh, kFar) > kShare;
}

/// Turns each triangle to the side of its normals: in Mitsuba they decide which side is outside.
/// @return  whether it turned most of the triangles
bool turn_to_normals(Mesh& mesh) {
  size_t turned = 0;
  for (glm::uvec3& t : mesh.triangles) {
    const glm::vec3 p = mesh.positions[t.x];
    const glm::vec3 n = glm::cross(mesh.positions[t.y] - p, mesh.positions[t.z] - p);
    const glm::vec3 mean = mesh.normals[t.x] + mesh.normals[t.y] + mesh.normals[t.z];
    if (!(glm::dot(n, mean) < 0.0f)) continue;
    std::swap(t.y, t.z);
    ++turned;
  }
  return 2 * turned > mesh.triangles.size();
}

/// Reads the mesh of a file. Without normals, its faces face the side from which their corners are
/// counter-clockwise in world space. So a transform that mirrors turns them, unlike other shapes.
/// @param linear      transform to world space without its translation
/// @param has_colors  set to true if the mesh has the colours that its BSDF names
/// @param has_inner_faces  set to true if faces and normals of the mesh have opposite sides in the
///                         world
Mesh read_mesh_file(const MitsubaObject& shape, const glm::mat3& linear, bool& has_colors,
                    bool& has_inner_faces) {
  const std::string name = shape.text("filename");
  FileMesh read = read_mesh_of_type(shape, shape.document().find_file(shape.node(), name));
  Mesh& mesh = read.mesh;
  auto is_zero = [](glm::vec3 n) { return n == glm::vec3(0.0f); };
  bool has_normals = !std::all_of(mesh.normals.begin(), mesh.normals.end(), is_zero);
  if (shape.boolean("face_normals", read.asks_for_flat)) {
    mesh.normals.clear();
    has_normals = false;
  } else if (!has_normals) {
    add_smooth_normals_of_world(mesh, linear);
  }
  const bool is_mirrored = glm::determinant(linear) < 0.0f;
  if (has_normals)
    has_inner_faces = turn_to_normals(mesh) != is_mirrored;
  else if (is_mirrored)  // add_mesh() keeps the side of faces
    for (glm::uvec3& triangle : mesh.triangles) std::swap(triangle.y, triangle.z);
  has_colors = keep_colors(shape, read);
  return std::move(mesh);
}

/// Leaves out a shape. There may be thousands, so the reason of the first one stands for all.
void leave_out_mesh(const MitsubaObject& shape, const Error& error) {
  std::string& first = shape.document().first_unreadable_mesh;
  const std::string place = shape.document().position(shape.node()) + ": ";
  const std::string reason = error.what();
  if (first.empty()) first = reason.starts_with(place) ? reason.substr(place.size()) : reason;
  shape.leave_out(
      fmt::format("a shape whose mesh file cannot be read is left out; the first: {}", first));
}

/// First versions of Mitsuba in which the faces of a mesh decide which side is inside, not its
/// normals, and in which a rectangle is a mesh (3.7).
constexpr int kFirstVersionWithMediaOfFaces = 2, kFirstVersionWithMeshOfRectangle = 3;

bool is_mesh_file(const std::string& type) {
  return type == "obj" || type == "ply" || type == "serialized";
}

/// True for a shape whose BSDF is a normal map, or is around one; a blend may leave it out.
bool has_normal_map(const MitsubaObject& shape) {
  const std::vector<MitsubaObject> bsdfs = shape.children("bsdf");
  return !bsdfs.empty() && std::ranges::any_of(bsdfs_in(bsdfs[0]), [](const MitsubaObject& inside) {
    return inside.type() == "normalmap";
  });
}

/// Returns why a type of shape is not supported: text after "is left out".
const char* reason_of_type(const std::string& type) {
  if (type == "hair" || type.ends_with("curve")) return ": curves are not supported";
  if (type.starts_with("ellipsoids") || type == "sdfgrid")
    return ": volumes and fields are not supported";
  return "";
}

/// Returns the transform from make_cylinder() to the cylinder between "p0" and "p1".
glm::mat4 cylinder_transform(const MitsubaObject& shape) {
  glm::vec3 p0 = shape.point("p0", glm::vec3(0.0f)), p1 = shape.point("p1", {0.0f, 0.0f, 1.0f});
  float radius = shape.number("radius", 1.0f), length = glm::length(p1 - p0);
  if (!(length > 0.0f && radius > 0.0f))
    shape.fail("expected a cylinder with a length and a radius");
  Frame frame((p1 - p0) / length);
  return glm::mat4(glm::vec4(radius * frame.s, 0.0f), glm::vec4(radius * frame.t, 0.0f),
                   glm::vec4(p1 - p0, 0.0f), glm::vec4(p0, 1.0f));
}

/// Gives a mesh of make_disk() the texture coordinates of Mitsuba's disk: u is the radius, v the
/// angle. Each triangle gets its own centre vertex, with its middle angle.
void set_disk_uvs(Mesh& disk) {
  Mesh fan;
  fan.triangles = disk.triangles;
  const float sides = float(disk.triangles.size());
  for (size_t side = 0; side < disk.triangles.size(); ++side) {
    glm::uvec3& triangle = fan.triangles[side];
    const float angles[] = {float(side) + 0.5f, float(side), float(side) + 1.0f};
    for (int corner = 0; corner < 3; ++corner) {
      fan.positions.push_back(disk.positions[triangle[corner]]);
      fan.uvs.emplace_back(corner == 0 ? 0.0f : 1.0f, angles[corner] / sides);
      triangle[corner] = uint32_t(fan.positions.size() - 1);
    }
  }
  disk = std::move(fan);
}

/// Returns whether the normals of a sphere point inwards. Since version 2, Mitsuba flips them if
/// the transform or a negative radius mirrors the sphere.
bool faces_inwards(const MitsubaObject& sphere, const glm::mat4& to_world, float radius) {
  const bool is_mirrored =
      sphere.document().version() >= 2 && radius * glm::determinant(glm::mat3(to_world)) < 0.0f;
  return sphere.boolean("flip_normals", false) != is_mirrored;
}

/// Returns the layout of texture coordinates on a sphere, around which u runs.
UvLayout layout_of_sphere(float radius) {
  return {false, radius * glm::vec2(0.5f * kPi * kPi, kPi)};
}

}  // namespace

MitsubaShapes::MitsubaShapes(MitsubaDocument& document)
    : scene_(document.scene), materials_(document), reversed_(document.scene) {
  for (pugi::xml_node node : document.objects()) {
    const MitsubaObject object(document, node);
    if (object.tag() != "sensor") continue;
    eye_ = glm::vec3(object.transform("to_world")[3]);
    break;
  }
}

void MitsubaShapes::add(const MitsubaObject& shape) {
  if (shape.type() == "shapegroup") return add_group(shape);
  if (shape.type() == "instance") return add_instance(shape);
  if (shape.type() != "merge") return add_shape(shape, scene_, false);
  for (const MitsubaObject& part : shape.children("shape"))
    if (part.type() == "merge")
      part.leave_out("a merge inside a merge is left out");
    else
      add(part);
}

void MitsubaShapes::add_group(const MitsubaObject& group) {
  NamedMesh& named = groups_[group.id()];
  if (!named.mesh.triangles.empty())
    group.fail(fmt::format("the group {} is defined twice", in_quotes(group.id())));
  for (const MitsubaObject& shape : group.children("shape")) {
    if (shape.type() == "shapegroup" || shape.type() == "instance")
      shape.leave_out(
          fmt::format("a shape of the type {} inside a group is left out", shape.type()));
    else
      add_shape(shape, named.mesh, true);
  }
  named.bounds = mesh_bounds(named.mesh);
}

void MitsubaShapes::add_instance(const MitsubaObject& instance) {
  std::vector<MitsubaObject> groups = instance.children("shape");
  if (groups.size() != 1 || groups[0].type() != "shapegroup")
    instance.fail("expected a reference to a shape of the type shapegroup");
  if (!groups_.contains(groups[0].id())) add_group(groups[0]);
  NamedMesh& named = groups_[groups[0].id()];
  if (named.mesh.triangles.empty()) return;
  glm::mat4 to_world = instance.transform("to_world");
  if (!can_place(named.bounds, to_world))
    return instance.leave_out("an instance that is flat or farther away than 1e9 m is left out");
  named.placements.push_back({to_world, MeshInstance::kOwnMaterials});
}

void MitsubaShapes::add_placed(const MitsubaObject& shape, const Mesh& mesh,
                               const glm::mat4& to_world, uint32_t material, Mesh& to) {
  const size_t first = to.triangles.size();
  if (add_mesh(to, mesh, to_world, material) == mesh.triangles.size())
    return shape.leave_out("a shape without area, or farther away than 1e9 m, is left out");
  if (&to == &scene_) scene_.object_starts.push_back(uint32_t(first));
}

std::optional<uint32_t> MitsubaShapes::circle_sides(const MitsubaObject& shape) const {
  const uint32_t sides = circle_sides_after(round_triangles_);
  if (sides == 0) {
    shape.leave_out(kTooManyRoundShapes);
    return {};
  }
  if (sides < kCircleSides) shape.warn(kCoarseRoundShape);
  return sides;
}

void MitsubaShapes::add_sphere(const MitsubaObject& shape, Mesh& to, bool is_instanced) {
  glm::mat4 to_world = shape.transform("to_world");
  glm::vec3 center = shape.point("center", glm::vec3(0.0f));
  const float given_radius = shape.number("radius", 1.0f), radius = std::abs(given_radius);
  if (!(radius > 0.0f && (given_radius > 0.0f || shape.document().version() >= 2)))
    shape.fail("expected a radius above 0");
  const bool is_inward = faces_inwards(shape, to_world, given_radius);
  const UvLayout uvs = layout_of_sphere(radius * glm::length(glm::vec3(to_world[0])));
  std::optional<uint32_t> material =
      materials_.of_shape(shape, materials_.emission_of(shape), uvs, read_mitsuba_media(shape));
  if (!material) return;
  Material& read = scene_.materials[*material];
  if (is_inward && emits(read)) read.two_sided_emission = false;
  // Winnow's spheres have no rotation; their texture coordinates are those of world space.
  const bool has_direction = read.textures != MaterialTextures{} || read.anisotropy != 0.0f;
  if (!is_similarity(glm::mat3(to_world)))
    shape.warn(
        "a sphere that is scaled nonuniformly is an ellipsoid; in Mitsuba it is a ball with the "
        "scale of its x axis");
  bool is_exact = !is_instanced && is_similarity(glm::mat3(to_world)) &&
                  !(has_direction && is_rotated(glm::mat3(to_world)));
  Sphere sphere{.center = glm::vec3(to_world * glm::vec4(center, 1.0f)),
                .radius = radius * glm::length(glm::vec3(to_world[0]))};
  const bool is_around_eye = eye_ && glm::distance(*eye_, sphere.center) < sphere.radius;
  if (is_inward && is_around_eye && read.black_back && !has_alpha_cutouts(read))
    material = materials_.without_black_back(*material);
  if (is_exact && is_inward) {
    const std::optional<uint32_t> reversed = reversed_.of(*material);
    if (reversed) material = reversed;
    is_exact = reversed.has_value();
  }
  if (!is_exact) {
    glm::mat4 own = glm::scale(glm::translate(glm::mat4(1.0f), center), glm::vec3(radius));
    const std::optional<uint32_t> sides = circle_sides(shape);
    if (!sides) return;
    Mesh mesh = make_sphere_mesh(*sides);
    if (is_inward) flip(mesh);
    round_triangles_ += mesh.triangles.size();
    return add_placed(shape, mesh, to_world * own, *material, to);
  }
  sphere.material = *material;
  if (!is_near(sphere.center) || !is_near(glm::vec3(sphere.radius)) || !(sphere.radius > 0.0f))
    return shape.leave_out("a shape without area, or farther away than 1e9 m, is left out");
  scene_.spheres.push_back(sphere);
}

void MitsubaShapes::add_shape(const MitsubaObject& shape, Mesh& to, bool is_instanced) {
  const std::string type = shape.type();
  if (type == "sphere") return add_sphere(shape, to, is_instanced);
  const bool is_flat = type == "rectangle" || type == "disk";
  Mesh mesh;
  bool has_colors = false;
  shape.document().mesh_colors.clear();
  glm::mat4 to_world = shape.transform("to_world");
  bool has_inner_faces =
      (type == "rectangle" || type == "cube") && glm::determinant(glm::mat3(to_world)) < 0.0f;
  if (type == "rectangle") {
    mesh = make_rectangle({-1.0f, -1.0f, 0.0f}, {2.0f, 0.0f, 0.0f}, {0.0f, 2.0f, 0.0f});
    reverse_v(mesh);
  } else if (type == "disk" || type == "cylinder") {
    const std::optional<uint32_t> sides = circle_sides(shape);
    if (!sides) return;
    if (type == "disk") {
      mesh = make_disk(glm::vec3(0.0f), {0.0f, 0.0f, 1.0f}, 1.0f, *sides);
      set_disk_uvs(mesh);
    } else {
      mesh = make_cylinder(*sides);
      reverse_v(mesh);
      to_world = to_world * cylinder_transform(shape);
    }
    round_triangles_ += mesh.triangles.size();
  } else if (type == "cube") {
    mesh = make_box(glm::vec3(-1.0f), glm::vec3(1.0f));
    set_cube_uvs(mesh);
  } else if (is_mesh_file(type)) {
    try {
      mesh = read_mesh_file(shape, glm::mat3(to_world), has_colors, has_inner_faces);
    } catch (const Error& error) {
      return leave_out_mesh(shape, error);
    }
  } else {
    return shape.leave_out(
        fmt::format("a shape of the type {} is left out{}", in_quotes(type), reason_of_type(type)));
  }
  const bool is_flipped = shape.boolean("flip_normals", false);
  if (is_flipped) flip(mesh);

  const Textured emission = materials_.emission_of(shape);
  MediaOfShape media = read_mitsuba_media(shape);
  if (has_inner_faces && media.any() &&
      shape.document().version() >= (type == "rectangle" ? kFirstVersionWithMeshOfRectangle
                                                         : kFirstVersionWithMediaOfFaces)) {
    shape.warn(
        "the media inside and outside of a mesh whose faces and normals have opposite sides are "
        "exchanged, as in Mitsuba");
    std::swap(media.interior, media.exterior);
  }
  auto find_material = [&](const Mesh& part) {
    return materials_.of_shape(shape, emission, uv_layout_of(part, glm::mat3(to_world)), media,
                               has_colors);
  };
  if (is_mesh_file(type) && has_normal_map(shape)) {
    // Normal maps have another material where texture coordinates are mirrored.
    Mesh rest = mesh;
    if (const std::optional<Mesh> mirrored = take_mirrored_uvs(rest))
      if (const std::optional<uint32_t> material = find_material(*mirrored);
          material && scene_.materials[*material].textures.normal != kNoTexture) {
        add_placed(shape, *mirrored, to_world, *material, to);
        mesh = std::move(rest);
      }
  }
  std::optional<uint32_t> material = find_material(mesh);
  if (!material) return;
  if (mesh.uvs.empty() && scene_.materials[*material].textures != MaterialTextures{}) {
    constexpr glm::vec2 kDefaultUvs[] = {{0, 0}, {1, 0}, {0, 1}};
    give_uvs_to_triangles(mesh, kDefaultUvs);
    material = find_material(mesh);
  }
  if (emission.factor != glm::vec3(0.0f) && type == "cylinder" &&
      glm::determinant(glm::mat3(to_world)) < 0.0f)
    shape.warn("the light of a mirrored cylinder is that of any other; in Mitsuba it is weaker");
  if (emission.factor != glm::vec3(0.0f) && is_mesh_file(type) && is_smooth(mesh))
    shape.warn(
        "a light of a mesh with normals emits as its flat faces do; in Mitsuba its normals change "
        "its light");
  else if (is_mesh_file(type) && is_coarse(mesh))
    shape.warn(
        "a coarse mesh with smooth normals is lit otherwise: light from behind a flat face is left "
        "out; in Mitsuba it counts");
  add_placed(shape, mesh, to_world, *material, to);
  if (is_flat && emits(scene_.materials[*material]) &&
      scene_.materials[*material].two_sided_emission)
    add_back(mesh, to_world, is_flipped, *material, to);
}

void MitsubaShapes::add_back(const Mesh& lamp, const glm::mat4& to_world, bool is_flipped,
                             uint32_t material, Mesh& to) {
  glm::vec3 n = glm::cross(glm::vec3(to_world[0]), glm::vec3(to_world[1]));
  if ((glm::determinant(glm::mat3(to_world)) < 0.0f) != is_flipped) n = -n;
  const float size = std::sqrt(glm::length(n));
  if (!(size > 0.0f)) return;
  constexpr float kDistance = 1e-4f;  // fraction of the size of the lamp
  const LampBack back{material, kDistance * size};
  add_mesh(to, lamp, glm::translate(glm::mat4(1.0f), -back.distance * glm::normalize(n)) * to_world,
           materials_.black());
  backs_.push_back(back);
}

void MitsubaShapes::place_instances(const std::string& file) {
  place_meshes(file, groups_, scene_);
  constexpr float kShadowRays = 1.2e-5f;  // a little more than kShadowGap
  const float reached = kShadowRays * glm::length(scene_bounds(scene_).size());
  for (const LampBack& back : backs_)
    if (back.distance < reached) scene_.materials[back.material].two_sided_emission = false;
}

}  // namespace winnow
