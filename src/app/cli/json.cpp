// SPDX-License-Identifier: MIT
#include "app/cli/json.h"

namespace winnow {

Json point_json(glm::vec3 point) {
  return {point.x, point.y, point.z};
}

Json view_json(const CameraDescription& camera) {
  return {{"position", point_json(camera.position)},
          {"look_at", point_json(camera.look_at)},
          {"up", point_json(camera.up)},
          {"vertical_fov", camera.vertical_fov}};
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json terminations_json(const std::array<uint64_t, kTerminationCount>& terminations) {
  Json json = Json::object();
  for (size_t cause = size_t(Termination::kAlive) + 1; cause < kTerminationCount; ++cause)
    json[kEnumNames<Termination>[cause]] = terminations[cause];
  return json;
}

Json stages_json(const std::array<double, kStageCount>& milliseconds) {
  Json json = Json::object();
  for (size_t stage = 0; stage < kStageCount; ++stage)
    json[kEnumNames<Stage>[stage]] = milliseconds[stage];
  return json;
}

Json bounce_json(size_t bounce, const BounceStats& stats) {
  Json json = {{"bounce", bounce}};
  for (const auto& [name, count] : kBounceCounts) json[name] = stats.*count;
  json["deaths"] = terminations_json(stats.terminations);
  return json;
}

}  // namespace winnow
