// SPDX-License-Identifier: MIT
#include "app/display/http_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <utility>

#include "app/cli/option_values.h"

namespace winnow {
namespace {

namespace http = boost::beast::http;
using namespace std::chrono_literals;

constexpr auto kAcceptTick = 50ms;
/// Timeout for the rest of a request, and for a viewer that receives nothing.
constexpr auto kHttpTimeout = 5000ms;
constexpr size_t kMaxConnections = 64;

/// Header fields that forbid caching, content sniffing, framing, and loading from other hosts.
constexpr const char* kSafetyFields =
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'\r\n"
    "Connection: close\r\n";

std::string head_of(int status, const char* type, const std::string& fields) {
  const std::string reason(http::obsolete_reason(http::status(status)));
  return fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\n{}{}\r\n", status, reason, type,
                     kSafetyFields, fields);
}

std::map<std::string, std::string> parse_query(const std::string& query) {
  std::map<std::string, std::string> pairs;
  for (const std::string& pair : split(query, '&')) {
    const size_t equals = std::min(pair.find('='), pair.size());
    pairs[pair.substr(0, equals)] = pair.substr(std::min(equals + 1, pair.size()));
  }
  return pairs;
}

/// Returns a host without its port, and an IPv6 address without its brackets.
std::string host_name(const std::string& host) {
  if (host.starts_with('[') && host.find(']') != std::string::npos)
    return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

}  // namespace

std::optional<HttpRequest> read_request(const std::function<bool(std::string&)>& receive) {
  http::request_parser<http::string_body> parser;
  parser.eager(true);  // also parses the body
  parser.header_limit(kMaxHeadBytes);
  parser.body_limit(kMaxBodyBytes);
  std::string bytes;
  while (!parser.is_done()) {
    if (!receive(bytes)) return std::nullopt;
    boost::system::error_code failure;
    bytes.erase(0, parser.put(boost::asio::buffer(bytes), failure));
    if (failure && failure != http::error::need_more) return std::nullopt;
  }
  const auto& message = parser.get();
  const std::string target(message.target());
  const size_t origins = message.count(http::field::origin);
  if (!target.starts_with('/') || message.count(http::field::host) != 1 || origins > 1)
    return std::nullopt;
  const size_t path_end = std::min(target.find('?'), target.size());
  HttpRequest request{.method = std::string(message.method_string()),
                      .path = target.substr(0, path_end),
                      .query = parse_query(target.substr(std::min(path_end + 1, target.size()))),
                      .host = std::string(message[http::field::host]),
                      .origin = std::nullopt,
                      .body = message.body()};
  if (origins == 1) request.origin = std::string(message[http::field::origin]);
  return request;
}

bool is_from_own_page(const HttpRequest& request, const std::string& own_host) {
  if (request.origin && *request.origin != "http://" + request.host) return false;
  const std::string name = host_name(request.host);
  return boost::beast::iequals(name, "localhost") || boost::beast::iequals(name, own_host) ||
         is_numeric_host(name);
}

void HttpAnswer::reply(int status, const char* type, std::string_view body,
                       const std::string& fields) {
  const std::string length = fmt::format("Content-Length: {}\r\n", body.size());
  has_gone_ = !socket_.send_all(head_of(status, type, length + fields), kHttpTimeout) ||
              !socket_.send_all(body, kHttpTimeout);
}

void HttpAnswer::reply_text(int status, const std::string& text) {
  reply(status, "text/plain; charset=utf-8", text + "\n");
}

void HttpAnswer::begin_events() {
  has_gone_ = !socket_.send_all(head_of(200, "text/event-stream", ""), kHttpTimeout);
}

bool HttpAnswer::send_event(const std::string& data) {
  has_gone_ = has_gone_ || is_closing_ || !socket_.send_all("data: " + data + "\n\n", kHttpTimeout);
  return !has_gone_;
}

HttpServer::HttpServer(Socket listener, std::string own_host, Handler handler)
    : listener_(std::move(listener)),
      own_host_(std::move(own_host)),
      handler_(std::move(handler)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

HttpServer::~HttpServer() {
  is_closing_ = true;
  thread_.request_stop();
  thread_.join();
  for (const Connection& connection : connections_) connection.socket.abort();
  connections_.clear();
}

void HttpServer::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Socket socket = accept_from(listener_, kAcceptTick);
    connections_.remove_if(
        [](const Connection& connection) { return connection.has_ended.load(); });
    if (!socket.is_open()) continue;
    if (connections_.size() >= kMaxConnections) {
      HttpAnswer(socket, is_closing_).reply_text(503, "too many viewers");
      continue;
    }
    Connection& connection = connections_.emplace_back();
    connection.socket = std::move(socket);
    connection.thread = std::jthread([this, &connection] {
      serve(connection.socket);
      connection.socket.end_sending();
      connection.has_ended = true;
    });
  }
}

void HttpServer::serve(const Socket& socket) {
  HttpAnswer answer(socket, is_closing_);
  const auto too_late = std::chrono::steady_clock::now() + kHttpTimeout;
  bool has_begun = false;
  const std::optional<HttpRequest> request = read_request([&](std::string& bytes) {
    const bool has_more = std::chrono::steady_clock::now() < too_late && !is_closing_ &&
                          socket.receive(bytes, kHttpTimeout);
    has_begun |= has_more;
    return has_more;
  });
  // Browsers open connections before they need them, and would take anything sent there for the
  // answer to a later request.
  if (!has_begun) return;
  if (!request)
    answer.reply_text(400, "malformed request");
  else if (!is_from_own_page(*request, own_host_))
    answer.reply_text(403, "refused: a request of another page or for another host");
  else
    handler_(*request, answer);
}

}  // namespace winnow
