// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "scene/host_scene.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

using Json = nlohmann::ordered_json;

/// Returns the value, or null if there is none.
template <class Value>
Json nullable(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// Returns the value of a number. Unlike get<Integer>(), throws Json::exception for a number that
/// is not whole, negative, or larger than an Integer.
template <std::unsigned_integral Integer>
Integer whole_number(const Json& json) {
  const auto number = json.get_ref<const Json::number_unsigned_t&>();
  constexpr int kNumberOverflow = 406;  // id of the library's exception
  if (number > std::numeric_limits<Integer>::max())
    throw Json::out_of_range::create(kNumberOverflow, "number overflow", &json);
  return Integer(number);
}

/// Returns [x, y, z].
Json point_json(glm::vec3 point);

/// Returns the position, direction and field of view of a camera.
Json view_json(const CameraDescription& camera);

/// Returns the text of a JSON file. Replaces bytes that are not UTF-8, as in file names.
std::string json_text(const Json& json, int indent);

/// Returns terminated paths by cause: "escaped", "hit_light", ...
Json terminations_json(const std::array<uint64_t, kTerminationCount>& terminations);

/// Returns milliseconds by stage: "generate", "intersect", ...
Json stages_json(const std::array<double, kStageCount>& milliseconds);

/// Returns the counts of a render in one bounce, without times.
Json bounce_json(size_t bounce, const BounceStats& stats);

}  // namespace winnow
