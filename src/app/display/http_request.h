// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace winnow {

/// A request of HTTP/1.1 (RFC 9112), as far as the page needs it.
struct HttpRequest {
  std::string method;                        ///< GET, POST, ...
  std::string path;                          ///< begins with /; without the query
  std::map<std::string, std::string> query;  ///< of "?name=value&name=value", as it stands there
  std::string host;                          ///< with the port, if it has one
  std::optional<std::string> origin;         ///< of the page that asks
  size_t body_bytes = 0;
  std::string body;
};

inline constexpr size_t kMaxHeadBytes = 16 * 1024, kMaxBodyBytes = 16 * 1024;

/// Parses request line and header fields, up to and with the empty line. None for anything that is
/// malformed, ambiguous, too long or has a body of unknown length.
std::optional<HttpRequest> parse_request_head(std::string_view head);

/// Whether a request comes from a page of this server: it names this machine or `own_host`, not
/// some name that a stranger has let point here, and its page, if it has one, is of the same host.
bool is_from_own_page(const HttpRequest& request, const std::string& own_host);

}  // namespace winnow
