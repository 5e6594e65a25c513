// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "app/display/socket.h"

namespace winnow {

/// A connection of a viewer to a server on this machine.
class HttpClient {
 public:
  static constexpr std::chrono::milliseconds kPatience{20'000};

  explicit HttpClient(uint16_t port)
      : port_(port), socket_(connect_to({"127.0.0.1", port}, kPatience)) {}

  /// Sends bytes as they are and returns the whole answer.
  std::string exchange(const std::string& bytes) {
    send(bytes);
    while (socket_.receive(received_, kPatience)) {
    }
    return received_;
  }

  void send(const std::string& bytes) const { EXPECT_TRUE(socket_.send_all(bytes, kPatience)); }

  std::string get(const std::string& target) { return exchange(head("GET", target) + "\r\n"); }

  /// @param fields  further header fields, each with \r\n
  std::string post(const std::string& target, const std::string& body = "",
                   const std::string& fields = "") {
    return exchange(head("POST", target) + fields +
                    "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }

  void begin_events() const { send(head("GET", "/events") + "\r\n"); }

  /// The next of the server's events; null if there is none.
  nlohmann::json next_event() {
    const std::string begin = "data: ", end = "\n\n";
    while (true) {
      const size_t first = received_.find(begin), last = received_.find(end, first);
      if (first != std::string::npos && last != std::string::npos) {
        const auto event = nlohmann::json::parse(
            received_.substr(first + begin.size(), last - first - begin.size()));
        received_.erase(0, last + end.size());
        return event;
      }
      if (!socket_.receive(received_, kPatience)) return nullptr;
    }
  }

  static int status_of(const std::string& answer) {
    return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3));
  }

  static std::string body_of(const std::string& answer) {
    const size_t end = answer.find("\r\n\r\n");
    return end == std::string::npos ? "" : answer.substr(end + 4);
  }

 private:
  std::string head(const std::string& method, const std::string& target) const {
    return method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n";
  }

  uint16_t port_;
  Socket socket_;
  std::string received_;
};

}  // namespace winnow
