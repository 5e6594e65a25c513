// SPDX-License-Identifier: MIT
#include "app/cli/json.h"

namespace winnow {

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json deaths_json(const std::array<uint64_t, kDeathCount>& deaths) {
  Json json = Json::object();
  for (size_t cause = size_t(Death::kAlive) + 1; cause < kDeathCount; ++cause)
    json[kEnumNames<Death>[cause]] = deaths[cause];
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
  json["deaths"] = deaths_json(stats.deaths);
  return json;
}

}  // namespace winnow
