// SPDX-License-Identifier: MIT
#include "load/load_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "load/obj/obj.h"
#include "load/pbrt/pbrt.h"
#include "load/ply/ply.h"
#include "load/textures/texture_library.h"
#include "load/winnow/winnow_json.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTypes = ".json, .xml, .pbrt, .gltf, .glb, .obj or .ply";

bool is_pbrt(const fs::path& file) {
  const std::string extension = extension_of(file);
  return extension == ".pbrt" || (extension == ".gz" && extension_of(file.stem()) == ".pbrt");
}

/// Returns the scene in a folder that is first by its name; empty if there is none.
fs::path first_scene_in(const fs::path& folder) {
  constexpr int kMaxEntries = 10'000;
  fs::path first;
  std::error_code error;
  int count = 0;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_scene_file(entry->path()) && (first.empty() || entry->path() < first))
      first = entry->path();
    if (++count == kMaxEntries) break;
  }
  return first;
}

/// Returns what to do with a file that is no scene; begins with a semicolon, or is empty.
std::string advice_for(const fs::path& file) {
  const std::string extension = extension_of(file);
  auto is_one_of = [&](std::initializer_list<const char*> extensions) {
    return std::ranges::find(extensions, extension) != extensions.end();
  };
  const std::string name = one_line(file.string(), kMaxPathLength);
  if (extension == ".film")
    return fmt::format(
        "; winnow render --resume {0} continues a film file, winnow info {0} "
        "describes it, winnow convert {0} IMAGE makes an image of it",
        name);
  if (extension == ".blend") return "; Blender writes it as .glb: File, Export, glTF 2.0";
  if (is_one_of({".fbx", ".dae", ".stl", ".3ds", ".usd", ".usda", ".usdc", ".usdz", ".abc", ".x3d",
                 ".wrl", ".3mf", ".off"}))
    return "; Blender converts it to .glb: File, Import, then File, Export, glTF 2.0";
  if (is_one_of({".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".xz", ".bz2", ".zst"}))
    return "; unpack it first";
  if (is_one_of({".png", ".jpg", ".jpeg", ".hdr", ".pfm", ".exr"}))
    return "; images are for winnow denoise, winnow diff and --sky";
  return "";
}

/// Throws Error for a file that is no scene, with what to do.
[[noreturn]] void refuse(const fs::path& file) {
  const std::string name = file.string();
  std::error_code error;
  if (!fs::exists(file, error)) throw Error(fmt::format("{}: there is no such file", name));
  if (fs::is_directory(file, error)) {
    const fs::path scene = first_scene_in(file);
    throw Error(scene.empty() ? fmt::format("{}: this is a folder without a scene of the type {}",
                                            name, kTypes)
                              : fmt::format("{}: this is a folder; name a scene in it, such as {}",
                                            name, one_line(scene.string(), kMaxPathLength)));
  }
  const std::string extension = extension_of(file);
  throw Error(fmt::format("{}: expected a scene of the type {}, found {}{}", name, kTypes,
                          extension.empty() ? "no extension" : one_line(extension),
                          advice_for(file)));
}

HostScene load_by_extension(const std::filesystem::path& file, const MitsubaParameters& parameters,
                            std::optional<double> time, const GltfChoice& choice) {
  std::error_code error;
  if (fs::is_directory(file, error)) refuse(file);
  const std::string extension = extension_of(file);
  if (is_gltf(file) && parameters.empty()) return load_gltf(file, time, choice);
  for (const auto& [option, name] :
       {std::pair("--variant", &choice.variant), std::pair("--camera-name", &choice.camera)})
    if (!name->empty())
      throw UsageError(fmt::format("{} {}: only scenes of glTF (.gltf, .glb) have names for it",
                                   option, one_line(*name)));
  if (extension == ".xml") return load_mitsuba_xml(file, parameters);
  if (!parameters.empty())
    throw UsageError(fmt::format("-D {}: only scenes of Mitsuba (.xml) have parameters",
                                 one_line(parameters.begin()->first)));
  if (extension == ".json") return load_winnow_json(file, time);
  if (extension == ".obj") return load_obj_scene(file);
  if (extension == ".ply") return load_ply_scene(file);
  if (is_pbrt(file)) return load_pbrt(file, time);
  refuse(file);
}

/// Adds one warning for all files outside of the folder.
void warn_of_outside(const FolderWatch& watch, const std::filesystem::path& file,
                     HostScene& scene) {
  const size_t count = watch.outside().size();
  if (count > 0)
    scene.warnings.push_back(fmt::format(
        "{}: {} of its files {} outside of its folder, such as {}; --confine refuses {}",
        file.string(), count, count == 1 ? "is" : "are",
        one_line(watch.outside().begin()->string(), kMaxPathLength), count == 1 ? "it" : "them"));
}

/// Returns points of a scene that are probably not next to each other, if it has any geometry.
std::vector<glm::vec3> some_points(const HostScene& scene) {
  std::vector<glm::vec3> points;
  const std::vector<glm::vec3>& positions = scene.positions;
  if (!positions.empty())
    points = {positions.front(), positions[positions.size() / 2], positions.back()};
  if (const std::vector<Sphere>& spheres = scene.spheres; !spheres.empty())
    for (const Sphere* sphere : {&spheres.front(), &spheres.back()})
      for (float side : {-1.0f, 1.0f}) points.push_back(sphere->center + side * sphere->radius);
  if (const std::vector<MeshInstance>& instances = scene.instances; !instances.empty())
    for (const MeshInstance* instance : {&instances.front(), &instances.back()}) {
      const SharedMesh& mesh = scene.meshes[instance->mesh];
      for (uint32_t triangle : {mesh.first_triangle, mesh.first_triangle + mesh.triangle_count / 2})
        points.push_back(
            instance->to_world *
            glm::vec4(scene.shared.positions[scene.shared.triangles[triangle].x], 1.0f));
    }
  return points;
}

/// Adds a warning if the scene is so far from the origin that the rounding of coordinates shows.
void warn_of_rounding(const std::filesystem::path& file, HostScene& scene) {
  constexpr float kInvisible = 1.0f / 4096.0f;  // of the size of the scene
  auto reach = [](glm::vec3 point) { return std::max({point.x, point.y, point.z}); };
  auto step_at = [](float number) { return std::nextafter(number, INFINITY) - number; };
  const std::vector<glm::vec3> points = some_points(scene);
  if (points.empty()) return;
  const float first = reach(glm::abs(points.front()));
  auto is_near = [&](glm::vec3 point) {
    return kInvisible * reach(glm::abs(point - points.front())) <= step_at(2.0f * first);
  };
  if (!std::ranges::all_of(points, is_near)) return;  // most scenes end here
  const Bounds bounds = scene_bounds(scene);
  const float farthest = reach(glm::max(glm::abs(bounds.min), glm::abs(bounds.max)));
  const float size = reach(bounds.size()), step = step_at(farthest);
  if (size > 0.0f && step > kInvisible * size)
    scene.warnings.push_back(
        fmt::format("{}: its coordinates, of up to {:.3g} m, are rounded to {:.2g} m, and its size "
                    "is {:.2g} m; move it to the origin",
                    file.string(), farthest, step, size));
}

/// Keeps the first warnings and replaces the others by their number.
void limit_warnings(const std::filesystem::path& file, std::vector<std::string>& warnings) {
  constexpr size_t kMaxWarnings = 1000;
  if (warnings.size() <= kMaxWarnings) return;
  const size_t others = warnings.size() - (kMaxWarnings - 1);
  warnings.resize(kMaxWarnings - 1);
  warnings.push_back(fmt::format("{}: there are {} further warnings", file.string(), others));
}

}  // namespace

HostScene load_scene(const std::filesystem::path& file, const MitsubaParameters& parameters,
                     std::optional<double> time, OutsideFiles outside, const GltfChoice& choice) {
  const FolderWatch watch(file, outside);
  try {
    HostScene scene = load_by_extension(file, parameters, time, choice);
    limit_texels(scene);
    warn_of_rounding(file, scene);
    limit_warnings(file, scene.warnings);
    warn_of_outside(watch, file, scene);
    if (time && !is_gltf(file) && !scene.shutter)
      scene.warnings.push_back(
          fmt::format("{}: nothing in it moves; --time changes nothing", file.string()));
    scene.name = file.stem().string();
    return scene;
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: the scene does not fit into memory", file.string()));
  } catch (const std::length_error&) {
    throw Error(fmt::format("{}: the scene has more vertices than 32-bit indices can address",
                            file.string()));
  }
}

void warn_of_motion(HostScene& scene) {
  if (scene.shutter && scene.is_animated)
    scene.warnings.push_back(scene.name +
                             ": what moves is shown as in the middle of the time of the shutter; "
                             "winnow render blurs it");
}

bool is_scene_file(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  return is_model(file) || is_pbrt(file) || extension == ".json" || extension == ".xml";
}

bool is_gltf(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  return extension == ".gltf" || extension == ".glb";
}

bool has_animation(const std::filesystem::path& file) {
  return is_gltf(file) || is_pbrt(file) || extension_of(file) == ".json";
}

bool is_model(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  return is_gltf(file) || extension == ".obj" || extension == ".ply";
}

}  // namespace winnow
