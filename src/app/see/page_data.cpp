// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <map>
#include <sstream>

#include "app/cli/json.h"
#include "app/see/page.h"
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

/// Rounds a number so that JSON prints few digits.
Json few_digits(float value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.{}g}", value, kDigits).c_str(), nullptr);
}

/// Returns the film position of a point in pixels from the top left corner; none if the point is
/// behind the camera.
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
          {"death", unsigned(path.termination.cause())},
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

Json measured_table_json(const MeasuredTable& table) {
  Json modes = Json::array();
  for (const MeasuredMode& mode : table.modes)
    modes.push_back({{"name", mode.name},
                     {"samplesPerSecond", mode.samples_per_second},
                     {"speed", nullable(mode.speed)}});
  return {{"device", table.device},
          {"size", fmt::format("{}x{}", table.width, table.height)},
          {"maxBounces", table.max_bounces},
          {"modes", modes}};
}

std::string picture_uri(const Image& picture, const ToneMapping& mapping) {
  std::ostringstream png;
  write_png(png, picture, mapping);
  return "data:image/png;base64," + base64_text(png.str());
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

}  // namespace

std::string mode_name(const BenchConfig& config) {
  return enum_name(config.cull) + (config.group == Group::kMaterial ? ", grouped" : "");
}

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
                      {"measured", seen.measured ? measured_table_json(*seen.measured) : Json()}});
}

std::string base64_text(const std::string& bytes) {
  constexpr char kSymbols[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr size_t kGroup = 3;  // bytes per four symbols
  std::string text;
  text.reserve((bytes.size() + kGroup - 1) / kGroup * 4);
  for (size_t first = 0; first < bytes.size(); first += kGroup) {
    uint32_t word = 0;
    for (size_t i = first; i < first + kGroup; ++i)
      word = word << 8 | (i < bytes.size() ? uint8_t(bytes[i]) : 0u);
    const size_t symbols = std::min(bytes.size() - first, kGroup) + 1;
    for (size_t i = 0; i < 4; ++i) text += i < symbols ? kSymbols[word >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

}  // namespace winnow
