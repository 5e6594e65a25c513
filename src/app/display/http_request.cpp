// SPDX-License-Identifier: MIT
#include "app/display/http_request.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "app/display/socket.h"

namespace winnow {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

/// Removes the text up to `separator` and the separator from `text`. Returns the text before it;
/// none without a separator.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view separator) {
  const size_t end = text.find(separator);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end + separator.size());
  return taken;
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Returns whether a character may be part of the name of a method or a header field.
bool is_token(std::string_view text) {
  auto fits = [](char c) {
    constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
    return is_letter_or_digit(c) || kOthers.find(c) != kOthers.npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

/// Returns whether a character may be part of a value, where spaces and tabs are allowed.
bool is_field_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= ' ' ? c != '\x7f' : c == '\t';
  });
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? std::string_view() : text.substr(first, last + 1 - first);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return lower;
}

/// Parses "/path?name=value&name=value".
bool parse_target(std::string_view target, HttpRequest& request) {
  if (!target.starts_with('/') || !is_printable(target)) return false;
  std::string_view query = target;
  const std::optional<std::string_view> path = take_until(query, "?");
  request.path = path.value_or(target);
  if (!path) return true;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const size_t equals = std::min(pair.find('='), pair.size());
    request.query[std::string(pair.substr(0, equals))] =
        pair.substr(std::min(equals + 1, pair.size()));
  }
  return true;
}

bool parse_request_line(std::string_view line, HttpRequest& request) {
  const std::optional<std::string_view> method = take_until(line, " ");
  const std::optional<std::string_view> target = take_until(line, " ");
  if (!method || !target || !is_token(*method)) return false;
  if (line != "HTTP/1.1" && line != "HTTP/1.0") return false;
  request.method = *method;
  return parse_target(*target, request);
}

bool parse_body_bytes(std::string_view value, HttpRequest& request) {
  const auto [end, failure] =
      std::from_chars(value.data(), value.data() + value.size(), request.body_bytes);
  return failure == std::errc() && end == value.data() + value.size() &&
         request.body_bytes <= kMaxBodyBytes;
}

using Fields = std::map<std::string, std::string>;

/// Returns header fields by their names in lower case; none if one is malformed or occurs twice.
std::optional<Fields> parse_fields(std::string_view text) {
  Fields fields;
  while (const std::optional<std::string_view> line = take_until(text, kLineEnd)) {
    std::string_view value = *line;
    const std::optional<std::string_view> name = take_until(value, ":");
    if (!name || !is_token(*name) || !is_field_value(value)) return std::nullopt;
    if (!fields.emplace(lower_case(*name), trimmed(value)).second) return std::nullopt;
  }
  return text.empty() ? std::optional(fields) : std::nullopt;
}

/// Returns a host without its port, and an IPv6 address without its brackets.
std::string host_name(const std::string& host) {
  if (host.starts_with('[') && host.find(']') != std::string::npos)
    return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

}  // namespace

std::optional<HttpRequest> parse_request_head(std::string_view head) {
  HttpRequest request;
  if (head.size() > kMaxHeadBytes || !head.ends_with("\r\n\r\n")) return std::nullopt;
  head.remove_suffix(kLineEnd.size());
  const std::optional<std::string_view> line = take_until(head, kLineEnd);
  if (!line || !parse_request_line(*line, request)) return std::nullopt;
  const std::optional<Fields> fields = parse_fields(head);
  if (!fields || !fields->contains("host") || fields->contains("transfer-encoding"))
    return std::nullopt;
  request.host = fields->at("host");
  if (fields->contains("origin")) request.origin = fields->at("origin");
  if (fields->contains("content-length") &&
      !parse_body_bytes(fields->at("content-length"), request))
    return std::nullopt;
  return request;
}

bool is_from_own_page(const HttpRequest& request, const std::string& own_host) {
  if (request.origin && *request.origin != "http://" + request.host) return false;
  const std::string name = lower_case(host_name(request.host));
  return name == "localhost" || name == lower_case(own_host) || is_numeric_host(name);
}

}  // namespace winnow
