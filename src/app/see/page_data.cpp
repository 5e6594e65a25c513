// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <map>
#include <sstream>

#include "app/cli/json.h"
#include "app/see/see.h"
#include "base/error.h"
#include "base/files.h"
#include "compaction/tools/html.h"
#include "image/image_formats.h"
#include "shading/camera.h"
#include "shading/hit_class.h"

namespace winnow {
namespace {

/// Returns the names of the classes of hits, [HitClass].
std::vector<std::string> hit_class_names() {
  std::vector<std::string> names = {"sky", "diffuse", "textured diffuse"};
  for (const MaterialTraits& traits : kMaterialTraits) {
    names.emplace_back(traits.name);
    std::replace(names.back().begin(), names.back().end(), '-', ' ');
  }
  names[size_t(other_class(MaterialType::kDiffuse))] = "lamp or black";
  names[size_t(kScatteredInMedium)] = "medium";
  return names;
}

constexpr int kDigits = 4;  // significant digits of coordinates

Json few_digits(float value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.{}g}", value, kDigits).c_str(), nullptr);
}

/// Returns the film position of a point, pixels from the top left; none behind the camera.
std::optional<glm::vec2> film_position(const Camera& camera, glm::vec3 p) {
  constexpr float kNear = 1e-4f;  // m
  glm::vec3 ahead = p - camera.position;
  const float depth = glm::dot(ahead, camera.forward);
  if (camera.projection == Projection::kPerspective) {
    if (depth < kNear) return {};
    ahead /= depth;
  }
  const glm::vec3 on_film = ahead - camera.top_left;
  return glm::vec2(glm::dot(on_film, camera.pixel_x) / glm::dot(camera.pixel_x, camera.pixel_x),
                   glm::dot(on_film, camera.pixel_y) / glm::dot(camera.pixel_y, camera.pixel_y));
}

HitClass surface_of(const PathVertex& vertex, const HostScene& scene) {
  if (vertex.material != kNoMaterial) return hit_class_of(scene.materials[vertex.material]);
  return vertex.escaped ? HitClass::kNoSurface : kScatteredInMedium;
}

Json vertex_json(const PathVertex& vertex, const Camera& camera, const HostScene& scene) {
  const glm::vec3 p = vertex.position;
  Json json = {few_digits(p.x), few_digits(p.y), few_digits(p.z)};
  const std::optional<glm::vec2> film = film_position(camera, p);
  json.push_back(film ? few_digits(film->x) : Json());
  json.push_back(film ? few_digits(film->y) : Json());
  json.push_back(unsigned(surface_of(vertex, scene)));
  json.push_back(vertex.material == kNoMaterial ? Json() : Json(vertex.material));
  return json;
}

Json path_json(const PathRecord& path, const Camera& camera, const SeenScene& seen) {
  const auto [r, g, b] = tone_map(path.radiance, seen.mapping);
  Json vertices = Json::array();
  for (const PathVertex& vertex : path.vertices)
    vertices.push_back(vertex_json(vertex, camera, seen.scene));
  return {{"pixel", path.pixel},
          {"termination", unsigned(path.termination.cause())},
          {"bounce", path.termination.bounce()},
          {"color", fmt::format("#{:02x}{:02x}{:02x}", r, g, b)},
          {"vertices", vertices}};
}

/// A set of queues in which each is stored once.
class QueuePool {
 public:
  size_t add(const std::vector<PathId>& queue) {
    const auto [known, is_new] = index_.try_emplace(queue, queues_.size());
    if (is_new) queues_.push_back(queue);
    return known->second;
  }
  const Json& queues() const { return queues_; }

 private:
  std::map<std::vector<PathId>, size_t> index_;
  Json queues_ = Json::array();
};

/// Returns "append" or "append, grouped".
std::string mode_name(const BenchConfig& config) {
  return enum_name(config.cull) + (config.group == Group::kMaterial ? ", grouped" : "");
}

Json mode_json(const FollowedMode& mode, QueuePool& pool) {
  Json steps = Json::array();
  for (const IterationRecord& iteration : mode.iterations)
    steps.push_back(Json::array({pool.add(iteration.traced), pool.add(iteration.shaded)}));
  return {{"name", mode_name(mode.config)},
          {"cull", enum_name(mode.config.cull)},
          {"about", mode_of(mode.config.cull).about},
          {"grouped", mode.config.group == Group::kMaterial},
          {"movesState", mode_of(mode.config.cull).effect == CullEffect::kMovesState},
          {"steps", steps}};
}

std::string picture_uri(const Image& picture, const ToneMapping& mapping) {
  std::ostringstream png;
  write_png(png, picture, mapping);
  return "data:image/png;base64," + compaction::base64(png.str());
}

/// Returns JSON that is safe in a <script> element.
std::string script_text(const Json& json) {
  std::string text;
  constexpr int kNoIndent = -1;
  for (char c : json_text(json, kNoIndent))
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

/// Returns the data of a page as JSON, without the character `<`. `path` and `queue` count from 0.
/// Modes with equal queues share them. Members:
///
///   scene, description, where, width, height, maxBounces, roulette
///   picture         data URI, PNG
///   causes          names, [Termination]
///   surfaces        names of the classes of hits
///   materials       names
///   paths           [path] {pixel, termination, bounce, color, vertices}: `vertices` are [bounce]
///                   of [x, y, z, film x, film y, surface, material], the film position null
///                   behind the camera, the material null where there is none
///   queues          [queue][entry] path
///   modes           [mode] {name, cull, grouped, movesState, steps}: `steps` are [iteration] of
///                   [queue that is traced, queue that is shaded]
///   measured        result of read_measured(), or null
std::string page_data(const SeenScene& seen) {
  const RenderSettings& settings = seen.settings;
  const Camera camera = make_camera(seen.scene.camera, settings.width, settings.height);
  QueuePool pool;
  Json paths = Json::array(), modes = Json::array();
  for (const PathRecord& path : seen.wave.paths) paths.push_back(path_json(path, camera, seen));
  for (const FollowedMode& mode : seen.wave.modes) modes.push_back(mode_json(mode, pool));
  return script_text({{"scene", seen.scene.name},
                      {"description", seen.scene.description},
                      {"where", seen.where},
                      {"width", settings.width},
                      {"height", settings.height},
                      {"maxBounces", settings.max_bounces},
                      {"roulette", settings.roulette},
                      {"picture", picture_uri(seen.picture, seen.mapping)},
                      {"causes", enum_names<Termination>()},
                      {"surfaces", hit_class_names()},
                      {"materials", seen.scene.material_names},
                      {"paths", paths},
                      {"queues", pool.queues()},
                      {"modes", modes},
                      {"measured", seen.measured}});
}

// ---- measured times

/// Returns the file as JSON; null if it is not a file of `winnow bench`.
Json read_bench_file(const std::filesystem::path& file) {
  const Json json = Json::parse(read_text_file(file), nullptr, false);
  return json.is_object() && json.value("what", Json()) == "winnow bench" ? json : Json();
}

std::string measured_name(const Json& row) {
  if (row.at("loop") == "path") return "path loop";
  const std::string cull = row.at("cull").get<std::string>();
  if (row.at("regenerate")) return "regenerating";
  return row.at("group") == "material" ? cull + ", grouped" : cull;
}

Json measured_scene(const Json& json, const Json& scene, bool roulette) {
  Json modes = Json::array();
  for (const Json& row : scene.at("configurations")) {
    if (row.at("roulette") != roulette || row.at("driver") == "host") continue;
    const Json& speed = row.at("speed_beside_none");
    modes.push_back(
        {{"name", measured_name(row)},
         {"samplesPerSecond", row.at("samples_per_second").get<double>()},
         {"speed", speed.is_object() ? Json(speed.at("median").get<double>()) : Json()}});
  }
  const Json& size = scene.at("size_pixels");
  return {{"device", json.at("device").get<std::string>()},
          {"size", fmt::format("{}x{}", whole_number<uint32_t>(size.at(0)),
                               whole_number<uint32_t>(size.at(1)))},
          {"maxBounces", whole_number<uint32_t>(scene.at("max_bounces"))},
          {"modes", modes}};
}

std::string scene_list(const Json& scenes) {
  std::string list;
  for (const Json& scene : scenes)
    list += (list.empty() ? "" : ", ") + one_line(scene.at("name").get<std::string>());
  return list.empty() ? "none" : list;
}

}  // namespace

Json read_measured(const std::filesystem::path& file, const std::string& scene, bool roulette) {
  const Json json = read_bench_file(file);
  if (json.is_null()) throw Error(file.string() + ": is not a JSON file of winnow bench");
  Json table;
  try {
    const Json& scenes = json.at("scenes");
    const Json* measured = nullptr;
    for (const Json& one : scenes)
      if (one.at("name") == scene) measured = &one;
    if (!measured)
      throw Error(fmt::format("{}: has no measurement of \"{}\", but of: {}", file.string(), scene,
                              scene_list(scenes)));
    table = measured_scene(json, *measured, roulette);
  } catch (const Json::exception&) {
    throw Error(file.string() + ": is not what winnow bench writes");
  }
  if (table["modes"].empty())
    throw Error(fmt::format("{}: nothing was measured with --roulette {}", file.string(),
                            roulette ? "on" : "off"));
  return table;
}

std::string see_page(const SeenScene& seen) {
  return compaction::fill(
      kSeePage, {{"title", compaction::escape_html(seen.scene.name)}, {"data", page_data(seen)}});
}

}  // namespace winnow
