// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "app/display/http_request.h"
#include "app/display/socket.h"

namespace winnow {

/// The answer to one request. Its connection ends afterwards.
class HttpAnswer {
 public:
  HttpAnswer(const Socket& socket, const std::atomic<bool>& is_closing)
      : socket_(socket), is_closing_(is_closing) {}

  /// Answers with a status and a body.
  ///
  /// @param fields  further header fields, each ending with \r\n
  void reply(int status, const char* type, std::string_view body, const std::string& fields = "");

  /// Answers with one line of text.
  void reply_text(int status, const std::string& text);

  /// Starts a stream of server-sent events (HTML standard, 9.2).
  void begin_events();

  /// Sends an event. Returns false if the viewer has disconnected or the server closes.
  bool send_event(const std::string& data);

  bool is_closing() const { return is_closing_; }

 private:
  const Socket& socket_;
  const std::atomic<bool>& is_closing_;
  bool has_gone_ = false;
};

/// A server of HTTP/1.1 for a few viewers: one request a connection, one thread a connection. It
/// answers 400 to malformed requests, 403 to pages of others, and 503 to too many connections.
///
/// No library serves instead. cpp-httplib, which Debian has, links OpenSSL and Brotli, limits the
/// time of each read but not of a whole request, keeps repeated header fields, and has a fixed pool
/// of threads, which viewers would occupy with their streams of events. The strict parser, the
/// deadline and the check of host and origin, most of this code, would still be needed.
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
  std::optional<HttpRequest> receive_request(const Socket& socket, std::string& bytes);

  Socket listener_;
  std::string own_host_;
  Handler handler_;
  std::atomic<bool> is_closing_{false};
  std::list<Connection> connections_;
  std::jthread thread_;
};

}  // namespace winnow
