// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "wavefront/state/render_stats.h"

namespace winnow {

using Json = nlohmann::ordered_json;

/// Null if there is no value.
template <class Value>
Json nullable(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The text of a JSON file. Bytes that are not UTF-8, as in file names, are replaced.
std::string json_text(const Json& json, int indent);

/// Deaths by cause: "escaped", "hit_light", ...
Json deaths_json(const std::array<uint64_t, kDeathCount>& deaths);

/// Milliseconds by stage: "generate", "intersect", ...
Json stages_json(const std::array<double, kStageCount>& milliseconds);

/// What a render counts in one bounce, without times.
Json bounce_json(size_t bounce, const BounceStats& stats);

}  // namespace winnow
