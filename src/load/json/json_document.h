#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace winnow {

/// Parses JSON. Stricter than the library: a key that appears twice is an error, and so is nesting
/// deeper than any scene needs.
/// Throws Error "file:line:column: expected this, found that".
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// `key` as a step of a JSON pointer (RFC 6901).
std::string pointer_step(std::string_view key);

}  // namespace winnow
