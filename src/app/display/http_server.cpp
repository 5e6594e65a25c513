// SPDX-License-Identifier: MIT
#include "app/display/http_server.h"

#include <fmt/core.h>

#include <chrono>
#include <utility>

namespace winnow {
namespace {

using namespace std::chrono_literals;

constexpr auto kAcceptTick = 50ms;
constexpr auto kHttpPatience =
    5000ms;  ///< timeout for the rest of a request, and for a viewer that receives nothing
constexpr size_t kMaxConnections = 64;

const char* status_text(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Service Unavailable";
  }
}

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
  return fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\n{}{}\r\n", status, status_text(status),
                     type, kSafetyFields, fields);
}

}  // namespace

void HttpAnswer::reply(int status, const char* type, std::string_view body,
                       const std::string& fields) {
  const std::string length = fmt::format("Content-Length: {}\r\n", body.size());
  has_gone_ = !socket_.send_all(head_of(status, type, length + fields), kHttpPatience) ||
              !socket_.send_all(body, kHttpPatience);
}

void HttpAnswer::reply_text(int status, const std::string& text) {
  reply(status, "text/plain; charset=utf-8", text + "\n");
}

void HttpAnswer::begin_events() {
  has_gone_ = !socket_.send_all(head_of(200, "text/event-stream", ""), kHttpPatience);
}

bool HttpAnswer::send_event(const std::string& data) {
  has_gone_ =
      has_gone_ || is_closing_ || !socket_.send_all("data: " + data + "\n\n", kHttpPatience);
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
  std::string bytes;
  const std::optional<HttpRequest> request = receive_request(socket, bytes);
  // Browsers open connections before they need them, and would take anything sent there for the
  // answer to a later request.
  if (bytes.empty()) return;
  if (!request)
    answer.reply_text(400, "malformed request");
  else if (!is_from_own_page(*request, own_host_))
    answer.reply_text(403, "refused: a request of another page or for another host");
  else
    handler_(*request, answer);
}

/// Reads a request. Returns none if it is malformed or incomplete when the time is over.
std::optional<HttpRequest> HttpServer::receive_request(const Socket& socket, std::string& bytes) {
  constexpr std::string_view kHeadEnd = "\r\n\r\n";
  const auto too_late = std::chrono::steady_clock::now() + kHttpPatience;
  auto receive = [&] {
    return std::chrono::steady_clock::now() < too_late && !is_closing_ &&
           socket.receive(bytes, kHttpPatience);
  };
  size_t end = 0;
  while ((end = bytes.find(kHeadEnd)) == std::string::npos)
    if (bytes.size() > kMaxHeadBytes || !receive()) return std::nullopt;
  end += kHeadEnd.size();
  std::optional<HttpRequest> request = parse_request_head({bytes.data(), end});
  if (!request) return std::nullopt;
  while (bytes.size() - end < request->body_bytes)
    if (!receive()) return std::nullopt;
  request->body = bytes.substr(end, request->body_bytes);
  return request;
}

}  // namespace winnow
