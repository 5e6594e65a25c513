#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace winnow {

using Json = nlohmann::ordered_json;

/// Null where there is no value.
template <class Value>
Json nullable(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace winnow
