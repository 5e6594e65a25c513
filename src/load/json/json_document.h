// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace winnow {

/// Parses JSON. Unlike the library, it refuses duplicate keys and nesting of more than 64 levels.
/// Throws Error "file:line:column: expected this, found that".
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// `key` as a step of a JSON pointer (RFC 6901).
std::string pointer_step(std::string_view key);

}  // namespace winnow
