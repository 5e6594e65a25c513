// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <limits>
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

/// Unlike get<Integer>(), throws Json::exception for a number that is not whole, negative, or
/// larger than an Integer.
template <std::unsigned_integral Integer>
Integer whole_number(const Json& json) {
  const auto number = json.get_ref<const Json::number_unsigned_t&>();
  constexpr int kNumberOverflow = 406;  // of the library's exceptions
  if (number > std::numeric_limits<Integer>::max())
    throw Json::out_of_range::create(kNumberOverflow, "number overflow", &json);
  return Integer(number);
}

/// The text of a JSON file. Bytes that are not UTF-8, as in file names, are replaced.
std::string json_text(const Json& json, int indent);

/// Terminations by cause: "escaped", "hit_light", ...
Json terminations_json(const std::array<uint64_t, kTerminationCount>& terminations);

/// Milliseconds by stage: "generate", "intersect", ...
Json stages_json(const std::array<double, kStageCount>& milliseconds);

/// What a render counts in one bounce, without times.
Json bounce_json(size_t bounce, const BounceStats& stats);

}  // namespace winnow
