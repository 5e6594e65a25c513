// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "app/display/socket.h"

namespace winnow {

/// The parts of a request of HTTP/1.1 (RFC 9112) that the page needs.
struct HttpRequest {
  std::string method;                        ///< GET, POST, ...
  std::string path;                          ///< begins with /; without the query
  std::map<std::string, std::string> query;  ///< from "?name=value&name=value", not decoded
  std::string host;                          ///< with the port, if it has one
  std::optional<std::string> origin;         ///< origin of the requesting page
  std::string body;
};

inline constexpr size_t kMaxHeadBytes = 16 * 1024, kMaxBodyBytes = 16 * 1024;

/// Reads a request. Returns none if it is malformed, ambiguous, too long or incomplete.
///
/// @param receive  appends bytes to its argument; returns false if no more will come
std::optional<HttpRequest> read_request(const std::function<bool(std::string&)>& receive);

/// Returns whether a request comes from a page of this server. Its host must be this machine or
/// `own_host`, not another name that resolves to this address (DNS rebinding), and its origin, if
/// it has one, must be the same host.
bool is_from_own_page(const HttpRequest& request, const std::string& own_host);

/// The answer to one request. Its connection ends afterwards.
class HttpAnswer {
 public:
  HttpAnswer(const Socket& socket, const std::atomic<bool>& is_closing)
      : socket_(socket), is_closing_(is_closing) {}

  /// Answers with a status and a body. Each further header field in `fields` ends with \r\n.
  void reply(int status, const char* type, std::string_view body, const std::string& fields = "");

  void reply_text(int status, const std::string& text);

  /// Starts a stream of server-sent events (HTML standard, 9.2).
  void begin_events();

  /// Sends an event. Returns false if the viewer has disconnected or the server closes.
  bool send_event(const std::string& data);

 private:
  const Socket& socket_;
  const std::atomic<bool>& is_closing_;
  bool has_gone_ = false;
};

/// A server of HTTP/1.1 for a few viewers: one request a connection, one thread a connection. It
/// answers 400 to malformed requests, 403 to pages of others, and 503 to too many connections.
///
/// Boost.Beast parses the requests. cpp-httplib (0.11.4 in Debian 12, 0.14.3 in Ubuntu 24.04) does
/// not limit the length of lines or the time of a request, takes a length that is no number for 0,
/// and links OpenSSL and Brotli.
class HttpServer {
 public:
  using Handler = std::function<void(const HttpRequest&, HttpAnswer&)>;

  /// Answers on several threads until it is destroyed.
  ///
  /// @param listener  see listen_at()
  /// @param own_host  name of this machine in addition to localhost and its addresses
  HttpServer(Socket listener, std::string own_host, Handler handler);

  /// Closes the connections of all answers in progress.
  ~HttpServer();

 private:
  struct Connection {
    Socket socket;
    std::atomic<bool> has_ended{false};
    std::jthread thread;
  };

  void run(const std::stop_token& stop);
  void serve(const Socket& socket);

  Socket listener_;
  std::string own_host_;
  Handler handler_;
  std::atomic<bool> is_closing_{false};
  std::list<Connection> connections_;
  std::jthread thread_;
};

}  // namespace winnow
