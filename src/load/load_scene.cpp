// SPDX-License-Identifier: MIT
#include "load/load_scene.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "load/gltf/gltf.h"
#include "load/mitsuba/mitsuba_xml.h"
#include "load/obj/obj.h"
#include "load/pbrt/pbrt.h"
#include "load/ply/ply.h"
#include "load/textures/texture_library.h"
#include "load/winnow/winnow_json.h"

namespace winnow {
namespace {

bool is_gltf(const std::string& extension) {
  return extension == ".gltf" || extension == ".glb";
}

HostScene load_by_extension(const std::filesystem::path& file, const MitsubaParameters& parameters,
                            std::optional<double> time, const GltfChoice& choice) {
  const std::string extension = extension_of(file);
  if (is_gltf(extension) && parameters.empty()) return load_gltf(file, time, choice);
  for (const auto& [option, name] :
       {std::pair("--variant", &choice.variant), std::pair("--camera-name", &choice.camera)})
    if (!name->empty())
      throw UsageError(fmt::format("{} {}: only scenes of glTF (.gltf, .glb) have names for it",
                                   option, one_line(*name)));
  if (extension == ".xml") return load_mitsuba_xml(file, parameters);
  if (!parameters.empty())
    throw UsageError(fmt::format("-D {}: only scenes of Mitsuba (.xml) have parameters",
                                 one_line(parameters.begin()->first)));
  if (extension == ".json") return load_winnow_json(file);
  if (extension == ".obj") return load_obj_scene(file);
  if (extension == ".ply") return load_ply_scene(file);
  const bool is_compressed_pbrt = extension == ".gz" && extension_of(file.stem()) == ".pbrt";
  if (extension == ".pbrt" || is_compressed_pbrt) return load_pbrt(file);

  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw Error(fmt::format("{}: there is no such file", file.string()));
  if (std::filesystem::is_directory(file, error))
    throw Error(fmt::format("{}: this is a folder; expected a scene file", file.string()));
  throw Error(fmt::format(
      "{}: expected a scene of the type .json, .xml, .pbrt, .gltf, .glb, .obj or .ply, found {}",
      file.string(), extension.empty() ? "no extension" : one_line(extension)));
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
    limit_warnings(file, scene.warnings);
    warn_of_outside(watch, file, scene);
    if (time && !is_gltf(extension_of(file)))
      scene.warnings.push_back(fmt::format(
          "{}: files of its type have no animation; --time changes nothing", file.string()));
    scene.name = file.stem().string();
    return scene;
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: the scene does not fit into memory", file.string()));
  } catch (const std::length_error&) {
    throw Error(fmt::format("{}: the scene has more vertices than 32-bit indices can address",
                            file.string()));
  }
}

bool is_model(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  return is_gltf(extension) || extension == ".obj" || extension == ".ply";
}

}  // namespace winnow
