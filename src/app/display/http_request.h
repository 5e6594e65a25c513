// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace winnow {

/// The parts of a request of HTTP/1.1 (RFC 9112) that the page needs.
struct HttpRequest {
  std::string method;                        ///< GET, POST, ...
  std::string path;                          ///< begins with /; without the query
  std::map<std::string, std::string> query;  ///< from "?name=value&name=value", not decoded
  std::string host;                          ///< with the port, if it has one
  std::optional<std::string> origin;         ///< origin of the requesting page
  size_t body_bytes = 0;
  std::string body;
};

inline constexpr size_t kMaxHeadBytes = 16 * 1024, kMaxBodyBytes = 16 * 1024;

/// Parses request line and header fields, including the empty line. Returns none if they are
/// malformed, ambiguous or too long, or if the length of the body is unknown.
std::optional<HttpRequest> parse_request_head(std::string_view head);

/// Returns whether a request comes from a page of this server. Its host must be this machine or
/// `own_host`, not another name that resolves to this address (DNS rebinding), and its origin, if
/// it has one, must be the same host.
bool is_from_own_page(const HttpRequest& request, const std::string& own_host);

}  // namespace winnow
